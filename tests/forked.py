"""The command `discreet` for scripts of many lines: each is answered by a child of one process that has imported everything.

A command spends most of its time on imports. `Forked` starts that process and writes the program that asks it; the
program hands over its words, folder, environment and open files, and ends with the child's exit code.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

_PROGRAM = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect({place!r})
    words = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(line, [len(words).to_bytes(4, "big")], [0, 1, 2])
    line.sendall(words)
    code = line.recv(1)
sys.exit(code[0] if code else 1)
"""


class Forked:
    """The process, and the folder of the program to be put on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        program, place = folder / "discreet", str(folder / "line")
        program.write_text(_PROGRAM.format(python=sys.executable, place=place))
        program.chmod(0o755)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(place)
        self._listener.listen()
        paths = os.pathsep.join(path for path in sys.path if path)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.forked", str(self._listener.fileno())],
            pass_fds=[self._listener.fileno()],
            stdin=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._listener.close()


def _answer(line: socket.socket) -> None:
    """Run one command in this child, as the asker's own process would, and tell the exit code."""
    from discreet.cli import main

    size, files, *_ = socket.recv_fds(line, 4, 3)
    held = b""
    while len(held) < int.from_bytes(size, "big"):
        held += line.recv(1 << 16)
    words, folder, environment = json.loads(held)
    for here, there in enumerate(files):
        os.dup2(there, here)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    try:
        main(words)
        code: object = 0
    except SystemExit as ended:
        code = ended.code
    sys.stdout.flush()
    sys.stderr.flush()
    line.send(bytes([code if isinstance(code, int) else int(code is not None)]))


def _serve(listener: socket.socket) -> None:
    import discreet

    for name in ("plan", "release", "verify", "estimate", "report", "open_ledger"):
        getattr(discreet, name)
    from bench.faults.victims import prepare_to_fork

    prepare_to_fork()
    while True:
        line, _ = listener.accept()
        if not os.fork():
            try:
                _answer(line)
            finally:
                os._exit(1)  # whoever asked has been told already
        line.close()
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
