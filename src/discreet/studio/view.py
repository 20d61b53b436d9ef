"""Everything the page shows for one setting, worked out by the library.

Designs are kept in memory: moving a slider back costs nothing, and the prices of the properties share most of
their designs with each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from discreet.choosing.grid import as_asked
from discreet.choosing.measures import Measures, measure
from discreet.core.named import NAMED, PAPER, recognised
from discreet.core.properties import PROPERTIES, Shape
from discreet.errors import DiscreetError, InvalidInput
from discreet.show.cells import largest
from discreet.show.pictures import svg
from discreet.studio.prices import Price, price_output_dp, price_properties
from discreet.studio.settings import MOST_PINS, RIVALS, Reading, Setting, read_setting, read_text
from discreet.studio.wording import sentence

if TYPE_CHECKING:
    from discreet.choosing.recommendation import Recommendation
    from discreet.core.mechanism import Mechanism
    from discreet.core.rationals import Alpha
    from discreet.reading.accuracy import Accuracy


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One row of the table of scores."""

    label: str
    mechanism: Mechanism
    cost: Fraction
    measures: Measures
    yours: bool = False
    link: str = ""
    picture: str = ""
    remove: str = ""

    @property
    def has(self) -> str:
        """Name the properties it has."""
        names = str(self.mechanism.shape)
        return "all seven" if len(names.split()) == len(PROPERTIES) else names or "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One screen."""

    reading: Reading
    design: Mechanism
    rival: Mechanism
    captions: tuple[str, str]
    sentence: str
    cost: Fraction
    prices: list[Price]
    output_dp: str
    scores: list[Line]
    accuracy: Accuracy
    rival_accuracy: Accuracy
    pictures: tuple[str, str]
    column: str
    truths: str
    proven: str
    recommendation: Recommendation | None
    covered: bool


def design_of(reading: Reading, shape: Shape | None = None) -> Mechanism:
    """Return the design a reading asks for, or the same with other properties."""
    if reading.n is None or reading.privacy is None or reading.shape is None:
        raise InvalidInput("setting", "must be valid to be designed")
    s = reading.setting
    wished = reading.shape if shape is None else shape
    prior = tuple(reading.prior) if isinstance(reading.prior, list) else reading.prior
    return _designed(reading.n, s.unit, s.privacy, wished, s.loss, prior, s.worst_case)


@lru_cache(maxsize=512)
def _designed(n: int, unit: str, privacy: str, shape: Shape, loss: str, prior: Any, worst_case: bool) -> Mechanism:
    from discreet.designer import design

    asked: dict[str, Any] = {unit: privacy}
    # not kept on disk: a slider passes through settings that nobody will ever ask for again
    made: Mechanism = design(n=n, properties=shape, loss=loss, prior=prior, worst_case=worst_case, cache=False, **asked)
    return made


@lru_cache(maxsize=128)
def _recommended(n: int, unit: str, privacy: str, shape: Shape) -> Recommendation:
    from discreet.choosing.recommendation import recommend

    asked: dict[str, Any] = {unit: privacy}
    found: Recommendation = recommend(n=n, properties=shape, **asked)
    return found


@lru_cache(maxsize=128)
def named(name: str, n: int, privacy: Alpha) -> Mechanism:
    """Return GM, WM, EM or UM for a setting."""
    return NAMED[name].build(n=n, **as_asked(privacy))


def see(reading: Reading, *, quick: bool = False) -> View:
    """Work out the screen for a valid reading; `quick` leaves prices and recommendation for later."""
    s, n, privacy, shape = reading.setting, reading.n, reading.privacy, reading.shape
    if n is None or privacy is None or shape is None:
        raise InvalidInput("setting", "must be valid to be shown")

    known_costs: dict[Mechanism, Fraction] = {}

    def cost(m: Mechanism) -> Fraction:
        if m not in known_costs:
            known_costs[m] = m.score(s.loss, reading.prior, worst_case=s.worst_case)
        return known_costs[m]

    def another(wished: Shape) -> Mechanism:
        return design_of(reading, wished)

    m = design_of(reading)
    rival = design_of(reading, Shape()) if s.beside == "none" else named(s.beside, n, privacy)
    left = f"{s.beside} (left)"
    if s.beside == "none":
        best, known = "the best mechanism without properties", known_name(rival)
        left = f"{known} (left), {best}," if known else f"{best} (left)"
    paid = cost(m)
    top = largest(m, rival)
    count = reading.count
    labels = (short_label(s.beside, rival), f"your design{_in_brackets(shape)}")
    columns = [[float(x) for x in side.column(count)] for side in (rival, m)]
    accuracies = [side.accuracy(prior=reading.prior) for side in (rival, m)]
    truths = [[row.truth for row in found.rows] for found in accuracies]
    return View(
        reading=reading,
        design=m,
        rival=rival,
        captions=(
            RIVALS[s.beside] if s.beside != "none" else _capital(labels[0]),
            ": ".join(["Your design", *filter(None, [known_name(m)])]),
        ),
        sentence=sentence(
            privacy=privacy,
            shape=shape,
            loss=objective(s),
            count=count,
            left=left,
            rival=rival,
            design=m,
            costs=(cost(rival), paid),
        ),
        cost=paid,
        prices=price_properties(shape, m, another, cost, quick=quick),
        output_dp="" if quick else price_output_dp(shape, m, another, cost),
        scores=_scores(reading, m, cost, labels[1]),
        accuracy=accuracies[1],
        rival_accuracy=accuracies[0],
        pictures=(
            svg.heatmap(rival, top=top, title=f"Heatmap of {labels[0]}", column=count),
            svg.heatmap(m, top=top, title=f"Heatmap of {labels[1]}", column=count),
        ),
        column=svg.bars(
            *columns,
            names=labels,
            title=f"Chances of the answers for a true count of {count}",
            across="answer",
            mark=count,
        ),
        truths=svg.bars(
            *truths, names=labels, title="Chance of the truth for each true count", across="true count", mark=None
        ),
        proven=_proof(m),
        recommendation=None if quick else _recommended(n, s.unit, s.privacy, shape),
        covered=s.loss == "L0" and s.prior == "uniform" and not s.worst_case,
    )


def _scores(reading: Reading, m: Mechanism, cost: Any, label: str) -> list[Line]:
    lines = [Line(label=label, mechanism=m, cost=cost(m), measures=measure(m, reading.prior), yours=True)]
    for name in PAPER:
        other = named(name, m.n, m.privacy)
        lines.append(Line(label=name, mechanism=other, cost=cost(other), measures=measure(other, reading.prior)))
    return lines


def pinned(setting: Setting) -> list[Line | str]:
    """Return the pinned designs as rows, each under its own loss and prior; one that cannot be read says why."""
    lines: list[Line | str] = []
    for k, pin in enumerate(setting.pins[:MOST_PINS]):
        reading = read_setting(read_text(pin).but(pins=()))
        rest = setting.but(pins=setting.pins[:k] + setting.pins[k + 1 :])
        if not reading.valid:
            lines.append(next(iter(reading.errors.values())))
            continue
        try:
            m = design_of(reading)
        except DiscreetError as error:
            lines.append(str(error))
            continue
        s = reading.setting
        lines.append(
            Line(
                label=title_of(reading),
                mechanism=m,
                cost=m.score(s.loss, reading.prior, worst_case=s.worst_case),
                measures=measure(m, reading.prior),
                link=s.but(pins=setting.pins).query(),
                picture=svg.heatmap(m, top=largest(m), title=f"Heatmap of {title_of(reading)}", small=True),
                remove=rest.query(),
            )
        )
    return lines


def title_of(reading: Reading) -> str:
    """Name a design by all that was asked: "n = 8, alpha = 10/11, F, L0"."""
    s = reading.setting
    words = [f"n = {s.n}", f"{s.unit} = {s.privacy}", str(reading.shape) or "no property", objective(s)]
    return ", ".join([*words, *([s.prior] if s.prior != "uniform" else [])])


def objective(setting: Setting) -> str:
    """Name what is minimised: "L0", or "worst-case L0"."""
    return f"worst-case {setting.loss}" if setting.worst_case else setting.loss


def known_name(m: Mechanism) -> str:
    """Name a mechanism that has a name: GM, WM, EM or UM."""
    found = recognised(m)
    return found.short if found else ""


def short_label(beside: str, m: Mechanism) -> str:
    """Name the left-hand mechanism briefly; the design without properties by what it turned out to be."""
    if beside != "none":
        return beside
    return ": ".join(["best without properties", *filter(None, [known_name(m)])])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _in_brackets(shape: Shape) -> str:
    return f" ({shape})" if str(shape) else ""


def _proof(m: Mechanism) -> str:
    certificate = m.origin.certificate
    if certificate is not None and certificate.optimal:
        return f"Private and optimal, both proven exactly ({m.origin.method})."
    return f"Private, proven exactly ({m.origin.method})."
