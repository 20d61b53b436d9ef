"""Reading a request: what a caller types becomes one exact `Problem`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.core.certificate import Problem
from discreet.core.losses import read_loss, read_prior
from discreet.core.privacy import Alpha, read_alpha
from discreet.core.properties import read_shape
from discreet.core.rationals import read_count

if TYPE_CHECKING:
    from discreet.core.losses import Loss, LossLike, Prior, PriorLike
    from discreet.core.properties import ShapeLike
    from discreet.core.rationals import Exact

MAX_N = 10_000_000


def read_problem(
    *,
    n: int,
    alpha: Exact | Alpha | None = None,
    epsilon: Exact | None = None,
    properties: ShapeLike = None,
    loss: LossLike | Loss = "L0",
    prior: PriorLike | Prior = None,
    worst_case: bool = False,
) -> Problem:
    """Read what is asked of the designer.

    Any shape with an output-DP ratio of at most 1 can be had: the uniform mechanism has all seven properties
    and output DP at every ratio up to 1, so no request that can be read is contradictory.

    >>> read_problem(n=4, alpha="10/11", properties="WH").shape
    Shape(names=frozenset({'WH'}), output_dp=None)
    """
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    n = read_count("n", n, most=MAX_N)
    return Problem(
        n=n,
        alpha=privacy.value,
        shape=read_shape(properties),
        loss=read_loss(loss, n),
        prior=read_prior(prior, n),
        worst_case=bool(worst_case),
    )
