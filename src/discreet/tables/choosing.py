"""Which mechanism each group size gets: designed once for each (size, alpha), before any word is drawn.

Prior, properties and loss are fixed before the data are seen: a prior that is a column of the source is refused, one
that comes from an earlier release is fine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from discreet.designer import design
from discreet.errors import InvalidInput
from discreet.rationals import Exact
from discreet.tables.engines import Sizes
from discreet.tables.progress import Reporter
from discreet.tables.question import Price

if TYPE_CHECKING:
    from discreet.mechanism import Mechanism


def check_prior(prior: Any, columns: Mapping[str, str]) -> None:
    """Refuse a prior taken from the table it would protect."""
    name = prior if isinstance(prior, str) else getattr(prior, "name", None)
    if isinstance(name, str) and name in columns:
        rule = "must not be a column of the source: what is fixed by the data would tell about them"
        raise InvalidInput(
            "prior", rule, name, remedy="use 'uniform', 'Binomial(0.3)', or numbers from an earlier release"
        )


def choose(
    sizes: Sizes,
    price: Price,
    *,
    properties: Any,
    loss: Any,
    prior: Any,
    worst_case: bool,
    gap: Exact | None,
    report: Reporter,
) -> list[dict[int, Mechanism]]:
    """For each count, the mechanism of each size. `prior` may be a mapping of size to prior."""
    made: dict[tuple[int, Any], Mechanism] = {}
    wanted = [(size, each) for each in dict.fromkeys(price.each) for size in sizes]
    for done, (size, each) in enumerate(wanted):
        report("designing", done, len(wanted))
        chosen = prior.get(size) if isinstance(prior, Mapping) else prior
        alpha, epsilon = price.asked(each)
        made[size, each] = design(
            n=size, alpha=alpha, epsilon=epsilon, properties=properties, loss=loss, prior=chosen,
            worst_case=worst_case, gap=gap,
        )  # fmt: skip
    return [{size: made[size, alpha] for size in sizes} for alpha in price.each]


def distinct(mechanisms: Sequence[Mapping[int, Mechanism]]) -> dict[str, Mechanism]:
    """Every mechanism of a release once, by content id, in order of size."""
    found = {mechanism.id: mechanism for by_size in mechanisms for mechanism in by_size.values()}
    return dict(sorted(found.items(), key=lambda item: (item[1].n, item[0])))
