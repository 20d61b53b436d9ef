"""The mechanisms of a question with several answers: one joint draw of the whole histogram, or cell
by cell.

A person who changes an answer moves a group's histogram by one unit. A joint mechanism pays for
that once, at the question's epsilon. Cell by cell, a change touches two counts, so each is drawn by
GM at half of it; such counts need not add up to n. (Two answers are one count at the question's
epsilon, and come nowhere near here.)

Which it is depends on the group's size and on what is asked, never on an answer: a joint mechanism
is designed up to the limits below, and cells take over from the first size that exceeds one. With a
prior or a loss that tells answers apart fewer entries can be folded, so that the limit is reached
earlier. Where nothing was asked but privacy, cells also take over from the first size whose best
joint mechanism has no unbiased estimate of a total.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from discreet.core.certificate import read_problem
from discreet.core.family import BySize
from discreet.core.forms.orbits import classes_of, number_of_orbits
from discreet.core.histogram import Histogram
from discreet.core.mechanism import Mechanism
from discreet.core.progress import Listener, Progress
from discreet.core.properties import read_shape
from discreet.core.rationals import Alpha
from discreet.designer import design, design_many
from discreet.designer.orbits.cell_by_cell import cell_privacy as cell_privacy
from discreet.errors import InvalidInput, NotProven
from discreet.tables.asking.price import design_words, prior_of
from discreet.tables.asking.request import Request

MOST_FOLDED = 3_000
"""Folded entries of a joint mechanism in a release: up to here a design of L0 at epsilon 1 takes
about two seconds.
"""

MOST_JOINT_POINTS = 1_000
"""Histograms of a joint mechanism in a release: up to here whoever checks its proof waits no
more than seconds.
"""

MOST_JOINT_ANSWERS = 20

JOINT_SECONDS = 20
"""Seconds that one joint design may take: few do, at an epsilon far from 1; the next size would
take longer still.
"""

LIMITS = (
    f"{MOST_JOINT_POINTS:,} histograms, {MOST_FOLDED:,} folded entries and {MOST_JOINT_ANSWERS} "
    f"answers, and is proven within {JOINT_SECONDS} seconds"
)


def choose_histogram(
    sizes: Iterable[int],
    each: Alpha,
    answers: int,
    request: Request,
    tell: Listener,
    *,
    cells: bool = False,
) -> BySize:
    """The mechanism of each size, for three answers or more: joint ones, and a family of GM for the
    cells.

    With `cells` there are no joint ones.

    In `single` are the joint mechanisms and that of an empty group, which has one histogram; the
    rest are cells.
    """
    from discreet.reading.ahead.readable import asked_for

    ordered, asked, other_asked = sorted(sizes), design_words(request), bool(asked_for(request))
    joint: dict[int, Mechanism] = {}
    for n in ordered:
        if n == 0:
            joint[n] = design(n=0, alpha=each)
            continue
        own = prior_of(request.prior, n)
        if cells or not _is_joint(n, each, answers, asked, own):
            break
        try:
            made = design(
                n=n, categories=answers, alpha=each, prior=own, seconds=JOINT_SECONDS, **asked
            )
        except NotProven as error:
            if error.code != "time-limit":
                raise
            break
        if not isinstance(made, Mechanism) or not (other_asked or _readable(made)):
            break
        joint[n] = made
        tell(Progress(phase="designing", done=len(joint)))
    if not (by_cell := ordered[len(joint) :]):
        return BySize(tuple(ordered), single=joint)
    if shape := str(read_shape(asked["properties"])):
        rule = (
            f"cannot be had for {answers} answers in groups of {by_cell[0]} or more, which are "
            "drawn cell by cell"
        )
        remedy = f"leave them out, or ask for fewer answers: a joint mechanism has at most {LIMITS}"
        remedy = "leave them out, or 'cells'" if cells else remedy
        raise InvalidInput("properties", rule, found=shape, remedy=remedy)
    # Cells have no use for loss and prior, but the manifest says them: a word must mean something
    # in any case.
    words: dict[str, Any] = {
        name: word
        for name in ("loss", "prior")
        if isinstance(word := getattr(request, name), str | int | float)
    }
    read_problem(n=1, alpha=each, over=Histogram(1, answers), **words)
    made_for = design_many(by_cell, alpha=cell_privacy(each))
    return BySize(tuple(ordered), made_for.families, {**joint, **made_for.single}, made_for.make)


def _readable(joint: Mechanism) -> bool:
    from discreet.reading.histograms.answer_values import check_histogram_readable

    return check_histogram_readable(joint) is None


def is_joint(mechanism: Mechanism) -> bool:
    """Whether a mechanism answers for the whole histogram of its group, not for one cell of it."""
    return isinstance(mechanism.domain, Histogram) or mechanism.n == 0


def _is_joint(n: int, each: Alpha, answers: int, asked: Mapping[str, Any], prior: Any) -> bool:
    domain = Histogram(n, answers)
    if answers > MOST_JOINT_ANSWERS or domain.size > MOST_JOINT_POINTS:
        return False
    wanted = {name: value for name, value in asked.items() if name != "gap"}
    problem = read_problem(n=n, alpha=each, prior=prior, over=domain, **wanted)
    return number_of_orbits(domain, classes_of(problem)) <= MOST_FOLDED
