"""What the designer's tests share: an answer by linear program even where a theorem applies, and its proof."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import chain, combinations

from hypothesis import strategies as st

from discreet.core.certificate import read_problem
from discreet.core.mechanism import Mechanism, Origin
from discreet.core.rationals import read_alpha
from discreet.designer.lp.answer import solve_linear
from discreet.designer.lp.program import build
from discreet.designer.simplex.basis import factor
from discreet.designer.simplex.repair import complete
from discreet.proof import examine
from discreet.proof.files import to_bytes

SEVEN = ("RH", "RM", "CH", "CM", "WH", "F", "S")
SUBSETS = [
    " ".join(names) for names in chain.from_iterable(combinations(SEVEN, k) for k in range(8))
]


def by_program(**asked) -> Mechanism:
    """The linear program's answer, theorems or not."""
    problem = read_problem(**asked)
    answer = solve_linear(problem, deadline=time.monotonic() + 600)
    origin = Origin(method="linear program", problem=problem, proof=answer.proof)
    return Mechanism(privacy=read_alpha(alpha=problem.alpha), form=answer.form, origin=origin)


def proven(mechanism: Mechanism) -> bool:
    """Whether the stand-alone verifier accepts the mechanism's file and finds it optimal."""
    report, _ = examine(to_bytes(mechanism))
    return bool(report.optimal)


def problems(largest=4):
    """Any problem at all: shape, output DP, loss matrix, prior with zeros, mean or worst case."""

    @st.composite
    def draw_one(draw):
        n = draw(st.integers(1, largest))
        alpha = draw(st.sampled_from(["1/1000", "1/10", "1/2", "2/3", "10/11", "9999/10000", "1"]))
        ratio = draw(st.sampled_from([None, None, "1/3", "9/10", "1"]))
        shape = draw(st.sampled_from(SUBSETS)) + (f" ODP:{ratio}" if ratio else "")
        cells = st.lists(st.integers(0, 6), min_size=n + 1, max_size=n + 1)
        table = st.lists(cells, min_size=n + 1, max_size=n + 1)
        loss = draw(st.one_of(st.sampled_from(["L0", "L1", "L2", "L0,1"]), table))
        weights = draw(
            st.one_of(
                st.none(), st.lists(st.integers(0, 4), min_size=n + 1, max_size=n + 1).filter(any)
            )
        )
        prior = None if weights is None else [Fraction(w, sum(weights)) for w in weights]
        return {
            "n": n,
            "alpha": alpha,
            "properties": shape,
            "loss": loss,
            "prior": prior,
            "worst_case": draw(st.booleans()),
        }

    return draw_one()


def random_bases(largest=3):
    """A program of any problem, and a basis of it from constraints taken at random."""

    @st.composite
    def draw_one(draw):
        program = build(read_problem(**draw(problems(largest))))
        everything = range(program.first_input + len(program.inputs))
        random = draw(st.randoms(use_true_random=False))
        return factor(
            program,
            complete(program, random.sample(everything, k=min(len(everything), program.cells))),
        )

    return draw_one()
