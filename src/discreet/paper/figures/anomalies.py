"""Figures 1 and 2: what unconstrained optimisation does, and the same losses with all seven
properties.

The caption's alpha is 0.62; the text's numbers belong to larger ones, so we design both and scan
alpha: for each claim, on which alphas it holds. The text describes three of the four mechanisms of
Figure 1; the fourth (L1, n = 6) is ours.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from discreet.core.mechanism import Mechanism
from discreet.core.own_rows import rows
from discreet.designer import design
from discreet.paper.judging import Statement, count, judge
from discreet.paper.results import Outcome, Rows, Settings, matrix_rows

CAPTION = Fraction(62, 100)
CASES = {
    "L1, n = 6": ("L1", 6, (3,)),
    "L1, n = 7": ("L1", 7, (2, 5)),
    "L2, n = 4": ("L2", 4, (2,)),
    "L0,1, n = 5": ("L0,1", 5, (1, 4)),
}
"""Label, then loss, n and the outputs the text calls spikes (ours: the middle, for the first)."""

TEXT_ALPHA = {
    "L1, n = 6": Fraction(3, 4),
    "L1, n = 7": Fraction(3, 4),
    "L2, n = 4": Fraction(9, 10),
    "L0,1, n = 5": Fraction(91, 100),
}
"""For each case an alpha at which the text's description is met, or comes closest."""

CLEAREST = "L2, n = 4"
"""The case that is seen first, at the alpha of the text."""

FLOOR = Fraction(1, 1000)
ALL = "RH RM CH CM WH F S"
NOTES = (
    "The text describes three of the four mechanisms of Figure 1; the fourth (L1, n = 6) is ours. "
    "Those at the caption's alpha are drawn; those at alphas that meet the text's numbers are in "
    "the data.",
)


def spike(m: Mechanism, outputs: tuple[int, ...]) -> Fraction:
    """Return the least chance, over inputs, of an output among these."""
    return min(sum((m[i, j] for i in outputs), Fraction(0)) for j in range(m.n + 1))


def gaps(m: Mechanism) -> list[int]:
    """Return the outputs that are never reported."""
    return [i for i in range(m.n + 1) if all(m[i, j] == 0 for j in range(m.n + 1))]


def make(settings: Settings) -> Outcome:
    """Design all four with and without properties, and scan alpha for the text's claims."""
    entries: Rows = []
    for label, (loss, n, _) in CASES.items():
        for kind, shape, alpha in (
            ("unconstrained", "", CAPTION),
            ("unconstrained", "", TEXT_ALPHA[label]),
            ("constrained", ALL, CAPTION),
        ):
            m = design(n=n, alpha=alpha, properties=shape, loss=loss)
            entries += matrix_rows(m, case=label, kind=kind, alpha=str(alpha))
    step = 20 if settings.quick else 4
    grid = [Fraction(k, 1000) for k in range(500, 1000, step)]
    scan: Rows = []
    for label, (loss, n, outputs) in CASES.items():
        for alpha in grid:
            m = design(n=n, alpha=alpha, loss=loss)
            scan.append(
                {
                    "case": label,
                    "alpha": float(alpha),
                    "exact": float(spike(m, outputs)),
                    "gaps": len(gaps(m)),
                }
            )
    return Outcome(
        tables={"anomalies": entries, "scan": scan}, statements=_statements(scan), notes=NOTES
    )


def _held(scan: Rows, label: str, least: float) -> str:
    """Say on which scanned alphas the spike is at least `least`, as intervals."""
    points = [(row["alpha"], row["exact"] >= least) for row in scan if row["case"] == label]
    spans: list[list[float]] = []
    inside = False
    for alpha, holds in points:
        if holds and not inside:
            spans.append([alpha, alpha])
        elif holds:
            spans[-1][1] = alpha
        inside = holds
    return " and ".join(f"[{a:.3f}, {b:.3f}]" for a, b in spans) or "none"


def _statements(scan: Rows) -> tuple[Statement, ...]:
    at = {label: design(n=n, alpha=CAPTION, loss=loss) for label, (loss, n, _) in CASES.items()}
    tame = {
        label: design(n=n, alpha=CAPTION, loss=loss, properties=ALL)
        for label, (loss, n, _) in CASES.items()
    }
    spikes = {label: spike(m, CASES[label][2]) for label, m in at.items()}
    empty = {label: gaps(m) for label, m in at.items()}
    four = tame["L2, n = 4"]
    near = count(four.within(j, 1) >= Fraction(2, 3) for j in range(5))
    most = max(row["exact"] - row["alpha"] for row in scan if row["case"] == "L0,1, n = 5")

    def spiked(label: str, least: Fraction) -> bool | None:
        """Whether the spikes have this chance at every input; None where some other optimum has
        them.
        """
        n, outputs = CASES[label][1:]
        wanted = [({(i, j): 1 for i in outputs}, ">=", least) for j in range(n + 1)]
        return True if spikes[label] >= least else None if _costs_nothing(label, wanted) else False

    def gap(label: str) -> bool | None:
        """Whether some output is never reported by any optimum; None where only the optimum at
        hand has gaps.
        """
        never = any(
            not _costs_nothing(label, [({(i, i): 1}, ">=", "1/1000000")]) for i in empty[label]
        )
        return True if never else None if empty[label] else False

    return (
        judge(
            "Figure 1",
            "all these optimal mechanisms never report some outputs",
            "outputs never reported at alpha = 0.62: "
            + "; ".join(f"{k}: {v or 'none'}" for k, v in empty.items())
            + ".",
            [gap(label) for label in CASES],
        ),
        judge(
            "Introduction",
            "L2, n = 4: the optimum is to ignore the input and always report 2",
            f"at 0.62 the output is 2 with chance at least {float(spikes['L2, n = 4']):.3f}; "
            f"always 2 on alphas {_held(scan, 'L2, n = 4', 1)} of the scan.",
            spiked("L2, n = 4", Fraction(1)),
            "True from alpha = 0.7733 on, not at the caption's 0.62.",
        ),
        judge(
            "Introduction",
            "L1, n = 7: 2 or 5 with chance at least 0.7, regardless of the input",
            f"at 0.62: at least {float(spikes['L1, n = 7']):.3f}; at least 0.7 on alphas "
            f"{_held(scan, 'L1, n = 7', 0.7)}.",
            spiked("L1, n = 7", Fraction(7, 10)),
            "No alpha near 0.62 gives it.",
        ),
        judge(
            "Introduction",
            "L0,1, n = 5: 1 or 4 with chance over 90%",
            f"at 0.62: at least {float(spikes['L0,1, n = 5']):.3f} for the worst input; at least "
            f"0.9 on alphas {_held(scan, 'L0,1, n = 5', 0.9)}.",
            spiked("L0,1, n = 5", Fraction(9, 10)),
            f"The worst input has alpha exactly (within {most:.1g} over the scan): over 90% needs "
            "alpha > 0.9.",
        ),
        _floor(at),
        judge(
            "Figure 2",
            "with all properties no spikes and no gaps are left",
            "no output is impossible in any of the four, and no wrong answer is likelier than the "
            "truth (some are as likely).",
            [not gaps(m) and m.satisfies(ALL) for m in tame.values()],
        ),
        judge(
            "Introduction",
            "L2, n = 4, all properties: within 1 of the truth with chance at least 2/3 for all "
            "inputs",
            f"at {near} inputs; at least {float(min(four.within(j, 1) for j in range(5))):.4f} at "
            "alpha = 0.62.",
            near,
            "Two thirds to two digits only.",
        ),
    )


def _costs_nothing(label: str, wanted: list[Any], *others: Any) -> bool:
    """Whether some optimum of a case (with `others` beside it) has these rows as well."""
    loss, n, _ = CASES[label]
    asked: dict[str, Any] = {"n": n, "alpha": CAPTION, "loss": loss}
    best: Fraction = design(**asked, properties=[*others]).score(loss)
    tried: Fraction = design(**asked, properties=[*others, rows("tried", wanted)]).score(loss)
    return tried == best


def _floor(at: dict[str, Mechanism]) -> Statement:
    """No entry below a floor: whether the outputs that were never reported have just the floor,
    in any optimum.
    """
    never_below = rows(
        "a floor",
        lambda n: [({(i, j): 1}, ">=", FLOOR) for i in range(n + 1) for j in range(n + 1)],
    )
    kept, most = [], Fraction(0)
    for label, (loss, n, _) in CASES.items():
        cells = [(i, j) for i in gaps(at[label]) for j in range(n + 1)]
        kept.append(
            _costs_nothing(label, [({cell: 1}, "<=", FLOOR) for cell in cells], never_below)
        )
        floored = design(n=n, alpha=CAPTION, loss=loss, properties=[never_below])
        most = max([most, *(floored[cell] for cell in cells)])
    return judge(
        "Section III",
        "a floor under all entries: rows which were zero are now set to the smallest allowable "
        "value",
        f"floor {FLOOR}, alpha = 0.62: some optimum does that in {count(kept)} cases.",
        kept,
        "They have the floor at far inputs and grow by 1/alpha a step toward the diagonal, up to "
        f"{float(most):.4f}: small, as the paper says, and not a remedy.",
    )


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw a design with and without properties, and Figure 1 at the caption's alpha."""
    from discreet.paper.keys import matrix_keys

    loss, n, _ = CASES[CLEAREST]
    bare, held = (
        design(n=n, alpha=TEXT_ALPHA[CLEAREST], loss=loss, properties=shape) for shape in ("", ALL)
    )
    caption = [(loss, design(n=n, alpha=CAPTION, loss=loss)) for loss, n, _ in CASES.values()]
    return {
        "pair": matrix_keys.bare_and_held(bare, held),
        "unconstrained": matrix_keys.never_the_ends(caption),
    }
