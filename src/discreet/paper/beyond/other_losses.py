"""Beyond 3: L1 and L2 with properties, the paper's "next logical direction".

Every set of properties (18 after implications; symmetry is free here) is designed for L1 and L2,
exactly, over n and alpha: how many behaviours, what each property costs over the unconstrained
optimum, which sets still let outputs vanish, and how far EM, designed for L0, is from the best with
all properties. Everything here is observed, but for this: WH, CH, CM and F prevent gaps. Their
diagonal is nowhere 0 (with F it could only be 0 everywhere, and then, by privacy, so would be every
entry), so by privacy no entry of any row is 0.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

from discreet.core.named import fair
from discreet.core.properties import closure, read_shape
from discreet.designer import design
from discreet.paper.figures.anomalies import gaps
from discreet.paper.judging import Statement, observed
from discreet.paper.results import Outcome, Rows, Settings

LOSSES = ("L1", "L2")
ALPHAS = tuple(Fraction(a) for a in ("1/2", "62/100", "76/100", "10/11", "99/100"))
FREE = ("RH", "RM", "CH", "CM", "WH", "F")


def property_sets() -> list[str]:
    """Return the sets of properties that are different after implications, without S.

    >>> len(property_sets())
    18
    """
    found: dict[frozenset[str], str] = {}
    for size in range(len(FREE) + 1):
        for names in combinations(FREE, size):
            shape = " ".join(names)
            found.setdefault(closure(read_shape(shape or None)).names, shape)
    return list(found.values())


def make(settings: Settings) -> Outcome:
    """Design every set for both losses; count, compare, look for gaps."""
    sizes = (4, 7) if settings.quick else (3, 4, 5, 6, 7, 8)
    rows: Rows = []
    exact: dict[tuple[str, int, str, str], Fraction] = {}
    for loss in LOSSES:
        for n in sizes:
            for alpha in ALPHAS:
                free = design(n=n, alpha=alpha, loss=loss).score(loss)
                em = fair(n=n, alpha=alpha).score(loss)
                for shape in property_sets():
                    m = design(n=n, alpha=alpha, loss=loss, properties=shape)
                    cost = m.score(loss)
                    exact[loss, n, str(alpha), shape or "none"] = cost
                    rows.append(
                        {
                            "loss": loss,
                            "n": n,
                            "alpha": str(alpha),
                            "alpha_value": float(alpha),
                            "properties": shape or "none",
                            "cost": float(cost),
                            "cost_exact": str(cost) if len(str(cost)) < 200 else "",
                            "premium": float(cost / free - 1),
                            "gaps": len(gaps(m)),
                            "least_truth": float(min(m[j, j] for j in range(n + 1))),
                            "spike": float(
                                max(m[i, j] - m[j, j] for i in range(n + 1) for j in range(n + 1))
                            ),
                            "EM_over_this": float(em / cost - 1),
                        }
                    )
    return Outcome(tables={"losses": rows}, statements=_statements(rows, sizes, exact))


def _statements(
    rows: Rows, sizes: tuple[int, ...], exact: dict[tuple[str, int, str, str], Fraction]
) -> tuple[Statement, ...]:
    behaviours: dict[tuple[str, int, str], set[Fraction]] = {}
    for (loss, n, alpha, _), cost in exact.items():
        behaviours.setdefault((loss, n, alpha), set()).add(cost)
    counts = {
        loss: sorted({len(v) for (name, _, _), v in behaviours.items() if name == loss})
        for loss in LOSSES
    }
    premiums = {
        loss: {
            shape: max(r["premium"] for r in rows if r["loss"] == loss and r["properties"] == shape)
            for shape in ("RH", "RM", "WH", "CH", "CM", "F", "RM CM F")
        }
        for loss in LOSSES
    }
    gappy = sorted(
        {row["properties"] for row in rows if row["gaps"]},
        key=[s or "none" for s in property_sets()].index,
    )
    everything = [row for row in rows if row["properties"] == "RM CM F"]
    far = {loss: max(r["EM_over_this"] for r in everything if r["loss"] == loss) for loss in LOSSES}
    cheaper = {loss: far[loss] / (1 + far[loss]) for loss in LOSSES}
    weak = [r for r in rows if r["alpha"] == "1/2"]
    unasked = [r for r in weak if r["properties"] == "none"]
    prevented = not any(
        row["gaps"] for row in rows if {"WH", "CH", "CM", "F"} & set(row["properties"].split())
    )
    places = sorted({key[:3] for key in exact})
    pairs = [(exact[(*place, "CH")], exact[(*place, "CM")]) for place in places]
    row_pairs = [(exact[(*place, "RM CH")], exact[(*place, "RM CM")]) for place in places]
    free, free_rows = (sum(x == y for x, y in found) for found in (pairs, row_pairs))
    spread = f"n = {sizes[0]}..{sizes[-1]}, alpha = {', '.join(map(str, ALPHAS))}"

    def shown(loss: str) -> str:
        return f"{loss}: " + ", ".join(
            f"{shape} {value:.0%}" for shape, value in premiums[loss].items()
        )

    return (
        observed(
            "Behaviours",
            "how many different optimal costs among the 18 sets (four for L0)",
            "; ".join(f"{loss}: {min(c)} to {max(c)}" for loss, c in counts.items())
            + f" ({spread}).",
        ),
        observed(
            "Cost of a property",
            "the most that one property, or all, adds to the unconstrained optimum",
            f"{shown('L1')}. {shown('L2')}. Under L0 it is at most 1/n.",
        ),
        observed(
            "Anomalies",
            "which sets still allow outputs that are never reported",
            f"{', '.join(gappy)}. Row properties do not prevent them. "
            + (
                "WH, CH, CM and F do, as the paper says: by privacy a diagonal without zeros "
                "suffices." * prevented
            ),
        ),
        observed(
            "EM",
            "how much more EM costs than the best mechanism with all seven properties",
            ", ".join(f"{loss} up to {value:.1%}" for loss, value in far.items())
            + " more; the other way round the best is up to "
            + ", ".join(f"{value:.1%} ({loss})" for loss, value in cheaper.items())
            + f" cheaper ({spread}).",
        ),
        observed(
            "CH and CM",
            "whether column monotonicity costs more than column honesty (it does not under L0)",
            f"the same cost, as rationals, at {free} of {len(pairs)} places without row "
            f"properties and {free_rows} of {len(row_pairs)} with RM.",
        ),
        observed(
            "Weak privacy",
            "at alpha = 1/2",
            f"the unconstrained optimum has gaps for {sum(r['gaps'] > 0 for r in unasked)} of "
            f"{len(unasked)} losses and sizes; all properties cost at most "
            f"{max(r['premium'] for r in weak if r['properties'] == 'RM CM F'):.0%}.",
        ),
    )


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw nothing: the page has a table of these numbers, which says more."""
    return {}
