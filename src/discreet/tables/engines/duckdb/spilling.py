"""The folder for what does not fit in memory: it holds true counts, so none outlives its process
for long.

A folder is removed when its engine closes. A process that is killed cannot do that, so the next one
removes what is left: the folders of this user and this machine whose lock nobody holds. The lock is
on the folder itself (`flock`), and the kernel lets go of it when a process ends, however that ends:
no number of a process is asked about, which another may have by then. Two machines that share a
folder need not see each other's locks, so its name says whose it is. Where a disk knows no locks,
nothing is removed.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import socket
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

_PREFIX = "discreet-spill-"


class Spill:
    """A folder that only this user can read, held until it is closed."""

    def __init__(self, parent: str | os.PathLike[str] | None) -> None:
        prefix = f"{_PREFIX}{_machine()}-"
        _remove_left(Path(tempfile.gettempdir() if parent is None else parent), prefix)
        while True:
            self.folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
            self._lock = _locked(self.folder, wait=True)
            if (
                self.folder.exists()
            ):  # else another process took it for one that was left, before it was locked
                return
            self.close()

    def close(self) -> None:
        """Remove the folder, and then let go of it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)


def _machine() -> str:
    """This machine, in eight digits: its name, and the number that it was installed with."""
    name = socket.gethostname()
    with suppress(OSError):
        name += Path("/etc/machine-id").read_text(encoding="ascii", errors="replace")
    return hashlib.sha256(name.encode()).hexdigest()[:8]


def _locked(folder: Path, *, wait: bool = False) -> int | None:
    """Lock a folder, if its disk knows locks and nobody holds it; or `wait` until nobody does."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        os.close(lock)
        return None
    return lock


def _remove_left(parent: Path, prefix: str) -> None:
    """Remove what processes that were killed have left."""
    for folder in parent.glob(f"{prefix}*"):
        with suppress(FileNotFoundError):  # removed by another process just now
            about = folder.lstat()
            ours = stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid()
            if ours and (lock := _locked(folder)) is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)
