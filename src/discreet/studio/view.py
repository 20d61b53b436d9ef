"""Everything the page shows for one setting, worked out by the library."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.show.cells import largest
from discreet.show.colours import GREY, ROOT_ABOVE, mechanism_colour
from discreet.show.pictures import paired, svg
from discreet.studio.designs import (
    Costs,
    best_known,
    design_of,
    full_name,
    known_name,
    objective,
    own_colour,
    rival_of,
    short_label,
    valid,
)
from discreet.studio.numbers import numbers
from discreet.studio.prices import Price, price, price_lines
from discreet.studio.settings import Reading
from discreet.studio.telling.blind import Blind, blindness
from discreet.studio.telling.headline import headline
from discreet.studio.telling.lead import USUAL, capital, in_numbers, lead, overall, own_name
from discreet.studio.telling.meant_for import MeantFor, meant_for
from discreet.studio.telling.stories import short_truth_of, truth_of
from discreet.studio.telling.why_this import why
from discreet.studio.telling.wording import holdings, sentence
from discreet.studio.worth import Worth, worth

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.core.properties import Shape


_MANY = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One screen."""

    reading: Reading
    design: Mechanism
    rival: Mechanism
    names: tuple[str, str]
    in_full: tuple[str, ...]
    """The two by the names of the literature, where they have one."""
    codes: tuple[str, str]
    """What the glossary explains the two by, where they have a name."""
    brief: str
    """What the mechanism on the left is called within a sentence."""
    own: str
    """What the design is called there."""
    colours: tuple[str, str]
    holdings: tuple[str, str]
    points: list[str]
    """The title of the page, for each true count."""
    leads: list[str]
    """What is on the screen, in everyday words, for each true count."""
    more: list[str]
    """The same with more numbers, for each true count."""
    blind: Blind | None
    """What is said where the design ignores the truth, and which setting helps."""
    meant: MeantFor
    """What the design is for."""
    sentence: str
    why: str
    """Why the design is the one it is, where it has a name."""
    cost: Fraction
    prices: list[Price]
    heatmaps: tuple[str, str]
    scale: str
    """The colours of the heatmaps, and the chances that they stand for."""
    pictures: dict[str, str]
    """What is below the heatmaps: "column", "after", "steps", "gauge" and "truths"."""
    numbers: dict[str, Any]

    @property
    def same(self) -> bool:
        """Whether both sides are one mechanism."""
        return self.rival == self.design

    @property
    def why_one(self) -> str:
        """Why there is one mechanism only, where a reader would expect two."""
        s = self.reading.setting
        if s.beside != "none":
            return "what it is compared with is the same mechanism: one bar for both"
        return (
            "without properties it would be the same: one bar for both"
            if str(self.reading.shape)
            else ""
        )

    @property
    def marked(self) -> bool:
        """Whether any cell is marked: one that is likelier than the truth of its column."""
        return not all(m.satisfies("CH") for m in (self.rival, self.design))

    @property
    def many(self) -> bool:
        """Whether heatmaps have so many cells that a narrow screen shows one below the other."""
        return self.design.n > _MANY

    @property
    def point(self) -> str:
        """The title for the true count shown."""
        return self.points[self.reading.count]

    @property
    def lead(self) -> str:
        """The lead for the true count shown."""
        return self.leads[self.reading.count]


def see(reading: Reading) -> View:
    """Work out the screen for a valid reading, but for what can follow: prices, scores,
    accuracy, the advice.
    """
    s, n, privacy, shape = reading.setting, *valid(reading)
    m, cost = design_of(reading), Costs(reading)
    rival = rival_of(reading)
    left = f"{s.beside} (left)"
    if s.beside == "none":
        best, known = "the best mechanism without properties", known_name(rival)
        left = f"{known} (left), {best}," if known else f"{best} (left)"
    own = own_name(m)
    names = (short_label(s.beside, rival), f"{own}{_in_brackets(shape)}")
    colours = (
        mechanism_colour(s.beside if s.beside != "none" else known_name(rival), GREY),
        own_colour(m),
    )
    found = numbers((rival, m), reading.prior)
    top = largest(m, rival)
    averages = [one.accuracy(prior=reading.prior) for one in (rival, m)] if rival != m else []
    average = overall(*averages) if averages else ""
    return View(
        reading=reading,
        design=m,
        rival=rival,
        codes=(_code(reading), known_name(m)),
        brief=brief_name(reading),
        own=own,
        names=(capital(brief_name(reading)), capital(own)),
        in_full=tuple(map(full_name, (rival, m))),
        colours=colours,
        holdings=(holdings(rival.shape), holdings(m.shape)),
        points=[
            headline(rival, m, j, truth=short_truth_of(s, j, n), beside=s.beside)
            for j in range(n + 1)
        ],
        leads=[
            lead(rival, m, j, truth=truth_of(s, j, n), beside=s.beside, asked=bool(str(shape)))
            for j in range(n + 1)
        ],
        more=[in_numbers(rival, m, j, beside=s.beside, average=average) for j in range(n + 1)],
        blind=blindness(reading, m),
        meant=meant_for(reading, m),
        sentence=sentence(
            privacy=privacy,
            shape=shape,
            loss=objective(s),
            count=reading.count,
            left=left,
            rival=rival,
            design=m,
            own=own,
            costs=(cost(rival), cost(m)),
        ),
        why=why(m) if best_known(reading.setting) else "",
        cost=cost(m),
        prices=price_lines(shape, m),
        heatmaps=(
            svg.heatmap(rival, top=top, title=f"Heatmap of {names[0]}", column=reading.count),
            svg.heatmap(m, top=top, title=f"Heatmap of {names[1]}", column=reading.count),
        ),
        scale=svg.colour_scale(top, root=n > ROOT_ABOVE),
        pictures=_pictures(reading, found, colours, names, one=rival == m),
        numbers=found,
    )


def brief_name(reading: Reading) -> str:
    """What the mechanism on the left is called within a sentence, without a code that somebody
    would have to know.
    """
    return USUAL.get(_code(reading), "without properties")


def _code(reading: Reading) -> str:
    beside = reading.setting.beside
    return known_name(rival_of(reading)) if beside == "none" else beside


def priced(reading: Reading, name: str) -> Price:
    """Work out what one property costs, given the others."""
    _, _, shape = valid(reading)

    def value(m: Mechanism) -> Worth:
        return worth(m, reading.prior)

    def other(wished: Shape) -> Mechanism:
        return design_of(reading, wished)

    return price(
        name, shape, design_of(reading), other, Costs(reading), value, objective(reading.setting)
    )


def _pictures(
    reading: Reading,
    found: dict[str, Any],
    colours: tuple[str, str],
    names: tuple[str, str],
    *,
    one: bool,
) -> dict[str, str]:
    count, answer, others = reading.count, reading.answer, reading.others
    look: dict[str, Any] = {"colours": colours, "names": names, "one": one}

    truths = [[side[j][j] for j in range(len(side))] for side in found["chances"]]
    return {
        "column": paired.bars(
            *(side[count] for side in found["chances"]),
            **look,
            title="Chances of the answers for one true count",
            across="published number",
            mark=(count, "truth"),
        ),
        "after": paired.bars(
            *(side[answer] for side in found["after"]),
            **look,
            title="How likely each true count is, once the answer is known",
            across="true count",
            mark=(answer, "published"),
            before=found["before"],
        ),
        "truths": paired.bars(
            *truths, **look, title="Chance of the truth for each true count", across="true count"
        ),
        "steps": paired.steps(
            *(side[answer] for side in found["ratio"]),
            bound=found["bound"],
            colours=colours,
            one=one,
            title="Ratios between neighbouring true counts, and the bound",
        ),
        "gauge": paired.gauge(
            *(side[answer][others] for side in found["sure"]),
            bound=found["bound"],
            colours=colours,
            one=one,
            title="How sure somebody who knows all other answers can be of yours",
        ),
    }


def _in_brackets(shape: Shape) -> str:
    return f" ({shape})" if str(shape) else ""
