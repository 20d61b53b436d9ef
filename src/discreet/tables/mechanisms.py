"""Which mechanism each group size gets: designed once for each (size, alpha), before any word is drawn.

Prior, properties and loss are fixed before the data are seen: a prior that is a column of the source is refused, one
that comes from an earlier release is fine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from discreet.core.progress import Progress, Reporter
from discreet.core.rationals import Exact
from discreet.designer import design, design_many
from discreet.errors import InvalidInput
from discreet.tables.asking.price import Price
from discreet.tables.engines import Sizes

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.core.privacy import Alpha


def check_prior(prior: Any, columns: Mapping[str, str]) -> None:
    """Refuse a prior taken from the table it would protect, for one size as for all."""
    if isinstance(prior, Mapping):
        for one in prior.values():
            check_prior(one, columns)
        return
    name = prior if isinstance(prior, str) else getattr(prior, "name", None)
    if isinstance(name, str) and name in columns:
        rule = "must not be a column of the source: what is fixed by the data would tell about them"
        raise InvalidInput(
            "prior", rule, found=name, remedy="use 'uniform', 'Binomial(0.3)', or numbers from an earlier release"
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
    asked: dict[str, Any] = {"properties": properties, "loss": loss, "worst_case": worst_case, "gap": gap}
    made: dict[Alpha, dict[int, Mechanism]] = {}
    total = len(sizes) * len(set(price.each))

    def tell(event: Progress) -> None:
        before = len(made) * len(sizes)
        report("designing", before + event.done, total, left=event.left if event.total == total else None)

    report("designing", 0, total)
    for each in dict.fromkeys(price.each):
        if not isinstance(prior, Mapping):
            made[each] = design_many(sizes, alpha=each, prior=prior, progress=tell, **asked)
            continue
        by_size: dict[int, Mechanism] = {}
        for size in sizes:
            if size not in prior:
                raise InvalidInput("prior", f"must be given for every group size, and {size} is missing")
            by_size[size] = design(n=size, alpha=each, prior=prior[size], **asked)
            tell(Progress(phase="designing", done=len(by_size)))
        made[each] = by_size
    return [made[each] for each in price.each]


def distinct(mechanisms: Sequence[Mapping[int, Mechanism]]) -> dict[str, Mechanism]:
    """Every mechanism of a release once, by content id, in order of size."""
    found = {mechanism.id: mechanism for by_size in mechanisms for mechanism in by_size.values()}
    return dict(sorted(found.items(), key=lambda item: (item[1].n, item[0])))
