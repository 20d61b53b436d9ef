"""A worker of `design_many`: solves the problems it is sent until the connection closes."""

from __future__ import annotations

import sys
from multiprocessing.connection import Client

from discreet.designer.designing import solve_problem
from discreet.errors import DiscreetError


def main() -> None:
    """Connect to the process that started this one and answer its questions."""
    with Client(sys.argv[1], family="AF_UNIX", authkey=sys.stdin.buffer.read()) as caller:
        while True:
            try:
                problem, privacy, options = caller.recv()
            except EOFError:
                return
            try:
                caller.send(solve_problem(problem, privacy, **options))
            except DiscreetError as error:
                caller.send(error)


if __name__ == "__main__":
    main()
