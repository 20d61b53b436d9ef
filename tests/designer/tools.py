"""What the designer's tests share: an answer by linear program even where a theorem applies, and its proof."""

from __future__ import annotations

import time
from itertools import chain, combinations

from discreet.core.certificate import read_problem
from discreet.core.mechanism import Mechanism, Origin
from discreet.core.privacy import read_alpha
from discreet.designer.lp.answer import solve_linear
from discreet.proof import examine
from discreet.proof.files import to_bytes

SEVEN = ("RH", "RM", "CH", "CM", "WH", "F", "S")
SUBSETS = [" ".join(names) for names in chain.from_iterable(combinations(SEVEN, k) for k in range(8))]


def by_program(**asked) -> Mechanism:
    """The linear program's answer, theorems or not."""
    problem = read_problem(**asked)
    answer = solve_linear(problem, deadline=time.monotonic() + 300)
    origin = Origin(method="linear program", problem=problem, proof=answer.proof)
    return Mechanism(privacy=read_alpha(alpha=problem.alpha), form=answer.form, origin=origin)


def proven(mechanism: Mechanism) -> bool:
    """Whether the stand-alone verifier accepts the mechanism's file and finds it optimal."""
    report, _ = examine(to_bytes(mechanism))
    return bool(report.optimal)
