"""`design_many`: mechanisms for many group sizes at once, on all cores.

The work is done by child processes started as `python -m discreet.designer.worker`. They never
import the caller's own script, so this works from a script without a `__main__` guard, a notebook
or an interpreter alike. What starts them is imported when they are: most problems need none.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from queue import SimpleQueue
from typing import TYPE_CHECKING

from discreet.core.certificate import read_problem
from discreet.core.family import BySize, Family
from discreet.core.progress import Progress, silent
from discreet.core.properties import names_only, read_shape
from discreet.core.rationals import read_alpha, read_count, read_seconds
from discreet.designer.cache import open_store
from discreet.designer.ranges import families, member
from discreet.designer.single import (
    Effort,
    known_answer,
    likely_seconds,
    own_rows,
    read_gap,
    refuse_gap,
    solve_program,
)
from discreet.errors import NotProven

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable, Iterator
    from multiprocessing.connection import Connection
    from os import PathLike

    from discreet.core.certificate import Problem
    from discreet.core.losses import LossLike, PriorLike
    from discreet.core.mechanism import Mechanism
    from discreet.core.own_rows import PropertiesLike
    from discreet.core.progress import Listener
    from discreet.core.rationals import Alpha, Exact

WORTH_A_PROCESS = 2.0
"""Seconds of linear programming below which starting processes costs more than it saves."""


def design_many(
    sizes: Iterable[int],
    *,
    epsilon: Exact | None = None,
    alpha: Exact | Alpha | None = None,
    properties: PropertiesLike = None,
    loss: LossLike = "L0",
    prior: PriorLike = None,
    worst_case: bool = False,
    gap: Exact | None = None,
    seconds: float | None = None,
    cache: bool | str | PathLike[str] = True,
    workers: int | None = None,
    progress: Listener | None = None,
) -> BySize:
    """Design one mechanism per group size, as `design` would; return them by size.

    Where a theorem answers for a range of sizes, a mechanism is made when it is asked for.

    - `sizes`: the group sizes, in any order
    - `epsilon`, `alpha`: the privacy of each mechanism; give exactly one
    - `properties`, `loss`, `prior`, `worst_case`: what is designed, as for `design`; one prior
      holds for every size
    - `gap`, `seconds`: how near to optimal is near enough, and how long one design may take, as for
      `design`
    - `cache`: keep and reuse designs on disk: True, False or a folder
    - `workers`: the number of processes, all cores by default
    - `progress`: called with an event per size done

    >>> sorted(design_many([4, 2, 4], alpha="1/2", properties="F"))
    [2, 4]
    """
    wanted = sorted({read_count("sizes", n) for n in sizes})
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    if read_gap(gap) and not names_only(properties):
        refuse_gap(gap, "rows of your own")
    effort = Effort(gap=read_gap(gap), seconds=read_seconds(seconds), store=open_store(cache))
    tell, start = progress or silent, time.monotonic()
    cores = (
        read_count("workers", workers, least=1) if workers is not None else (os.cpu_count() or 1)
    )
    found: tuple[Family, ...] = ()
    rest = wanted
    if names_only(properties):  # no theorem is about rows of the caller's own
        found, rest = families(
            wanted,
            privacy,
            shape=read_shape(properties),
            loss=loss,
            prior=prior,
            worst_case=bool(worst_case),
            gap=effort.gap,
        )
    problems = {}
    for n in rest:
        names, own = own_rows(properties, n)
        problems[n] = read_problem(
            n=n,
            alpha=privacy,
            properties=names,
            loss=loss,
            prior=prior,
            worst_case=worst_case,
            own=own,
        )
    done: dict[int, Mechanism] = {}
    hard: list[int] = []
    easy = len(wanted) - len(rest)

    def say(detail: str) -> None:
        seconds = time.monotonic() - start
        behind = sum(likely_seconds(problems[n]) for n in hard if n in done)
        ahead = sum(likely_seconds(problems[n]) for n in hard if n not in done)
        # what is behind us says how fast this machine is; before that the estimate stands as it is
        left = ahead * seconds / behind if behind else ahead / max(1, min(cores, len(hard)))
        so_far, total = easy + len(done), len(wanted)
        tell(
            Progress(
                phase="designing",
                done=so_far,
                total=total,
                seconds=seconds,
                left=left,
                detail=detail,
            )
        )

    def finish(n: int, made: Mechanism) -> None:
        done[n] = made
        say(f"n = {n}, {made.origin.method}")

    if easy:
        say(f"{easy} sizes, closed form")
    for n, problem in problems.items():
        known = known_answer(problem, privacy, effort)
        if known is None:
            hard.append(n)
        else:
            finish(n, known)
    # The longest first, so that no core ends up waiting for one that started late.
    hard.sort(key=lambda n: -likely_seconds(problems[n]))
    spent = sum(likely_seconds(problems[n]) for n in hard)
    if hard:
        say(f"{len(hard)} linear programs to solve")
    if cores == 1 or len(hard) < 2 or spent < WORTH_A_PROCESS:
        for n in hard:
            finish(n, solve_program(problems[n], privacy, effort))
        return BySize(tuple(wanted), found, {n: done[n] for n in rest}, member)
    from concurrent.futures import ThreadPoolExecutor, as_completed

    with (
        _workers(min(cores, len(hard))) as free,
        ThreadPoolExecutor(min(cores, len(hard))) as threads,
    ):
        waiting = {threads.submit(_ask, free, problems[n], privacy, effort): n for n in hard}
        for future in as_completed(waiting):
            finish(waiting[future], future.result())
    return BySize(tuple(wanted), found, {n: done[n] for n in rest}, member)


def _ask(
    free: SimpleQueue[Connection], problem: Problem, privacy: Alpha, effort: Effort
) -> Mechanism:
    """Hand a problem to a worker that is free and wait for the answer."""
    worker = free.get()
    try:
        worker.send((problem, privacy, effort))
        answer = worker.recv()
    except (EOFError, OSError):
        raise NotProven(
            f"the worker process for n = {problem.n} ended before its answer: it may have lacked "
            "memory",
            code="unavailable",
        ) from None
    finally:
        free.put(worker)
    if isinstance(answer, BaseException):
        raise answer
    made: Mechanism = answer
    return made


@contextlib.contextmanager
def _workers(count: int) -> Iterator[SimpleQueue[Connection]]:
    """Start worker processes, each at the other end of a private socket; stop them at the end,
    however it comes.
    """
    import socket
    import subprocess
    from multiprocessing.connection import Connection

    free: SimpleQueue[Connection] = SimpleQueue()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)}
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            mine, theirs = socket.socketpair()
            with theirs:
                child = subprocess.Popen(
                    [sys.executable, "-m", "discreet.designer.worker", str(theirs.fileno())],
                    stdin=subprocess.DEVNULL,
                    env=environment,
                    pass_fds=[theirs.fileno()],
                )
            stack.callback(_stop, child)
            free.put(stack.enter_context(Connection(mine.detach())))
        yield free


def _stop(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    child.wait()
