"""A worker of `design_many`: solves the problems it is sent until the connection closes."""

from __future__ import annotations

import sys
from multiprocessing.connection import Connection

from discreet.designer.single import solve_program
from discreet.errors import DiscreetError


def main() -> None:
    """Answer the questions of the process that started this one, over the socket it handed down."""
    with Connection(int(sys.argv[1])) as caller:
        while True:
            try:
                problem, privacy, effort = caller.recv()
            except EOFError:
                return
            try:
                caller.send(solve_program(problem, privacy, effort))
            except DiscreetError as error:
                caller.send(error)


if __name__ == "__main__":
    main()
