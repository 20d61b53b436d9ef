"""The list of everything that `discreet paper` can make, in the order of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from discreet.errors import InvalidInput, did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One figure, table or study: its name on the command line, the module that makes it, and its
    title.

    `codes` are the paper's words for what it shows.
    """

    name: str
    module: str
    place: str
    title: str
    codes: str = ""

    @property
    def heading(self) -> str:
        """The title in plain words, and behind it the paper's codes and where the paper has it."""
        return f"{self.title} ({', '.join(filter(None, (self.codes, self.place)))})"


def _entry(name: str, place: str, title: str, module: str = "", *, codes: str = "") -> Entry:
    """A figure is made by the module of its name in `figures/`, unless another is given."""
    module = module or f"figures.{name.replace('-', '_')}"
    return Entry(name=name, module=module, place=place, title=title, codes=codes)


CATALOGUE = MappingProxyType(
    {
        entry.name: entry
        for entry in (
            _entry(
                "anomalies", "Figures 1 and 2", "The best designs, with no property or all seven"
            ),
            _entry(
                "structure",
                "Figures 3 and 4, Example 1",
                "How the usual and the fair noise are built",
                codes="GM and EM",
            ),
            _entry(
                "flowchart",
                "Figure 5",
                "128 sets of properties, at most four behaviours",
                "figures.behaviours",
            ),
            _entry("properties-table", "Figure 6", "Which mechanism has which properties"),
            _entry(
                "heatmaps", "Figure 7", "Three mechanisms for groups of 4", codes="GM, WM and EM"
            ),
            _entry(
                "combinations", "Figure 8", "What properties cost beside weak honesty", codes="L0"
            ),
            _entry(
                "scores",
                "Figure 9",
                "How often wrong, by group size",
                "figures.score_curves",
                codes="L0",
            ),
            _entry("adult", "Figure 10", "How often wrong on the Adult data"),
            _entry(
                "binomial",
                "Figure 11",
                "How often more than one off",
                codes="L0,1 on Binomial data",
            ),
            _entry(
                "histograms",
                "Figure 12",
                "How far off, in groups of 8",
                codes="L0,d on Binomial data",
            ),
            _entry("rmse", "Figure 13", "The typical error", codes="RMSE on Binomial data"),
            _entry("beyond-wm", "Beyond 1", "WM in closed form", "beyond.weak_honesty"),
            _entry(
                "beyond-columns",
                "Beyond 2",
                "The fourth behaviour: weak honesty with a column property",
                "beyond.column_honesty",
            ),
            _entry("beyond-losses", "Beyond 3", "L1 and L2 with properties", "beyond.other_losses"),
            _entry("beyond-output-dp", "Beyond 4", "Output DP as a property", "beyond.output_dp"),
            _entry(
                "beyond-winners", "Beyond 5", "Which mechanism for which data", "beyond.winners"
            ),
            _entry(
                "beyond-ranges",
                "Beyond 6",
                "Range queries over a histogram of small groups",
                "beyond.range_queries",
            ),
        )
    }
)
"""Every figure, table and study by its name on the command line."""

FETCH_ADULT = "fetch-adult"


def chosen(names: tuple[str, ...]) -> list[Entry]:
    """Return the entries asked for, all of them when none is named; "beyond-1" to "beyond-6" are
    names too.

    >>> [entry.name for entry in chosen(("scores", "heatmaps"))]
    ['heatmaps', 'scores']
    """
    if not names:
        return list(CATALOGUE.values())
    numbered = {entry.place.lower().replace(" ", "-"): entry.name for entry in CATALOGUE.values()}
    wanted = set()
    for name in names:
        key = numbered.get(name.lower(), name.lower())
        if key not in CATALOGUE:
            remedy = did_you_mean(name, [*CATALOGUE, FETCH_ADULT])
            raise InvalidInput("figures", "must be figures of the paper", name, remedy=remedy)
        wanted.add(key)
    return [entry for name, entry in CATALOGUE.items() if name in wanted]
