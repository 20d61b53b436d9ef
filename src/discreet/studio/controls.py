"""What the controls offer: the stops of the sliders, the losses and priors to pick from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.choosing.exporting import exact_text
from discreet.core.properties import EVERYDAY, PROPERTIES, Property
from discreet.core.rationals import MIN_EPSILON, read_fraction
from discreet.errors import DiscreetError
from discreet.studio.settings import RIVALS, Setting

if TYPE_CHECKING:
    from discreet.core.rationals import Alpha

# From more private to less, so that a slider moves the same way in either unit.
STOPS = {
    "epsilon": [
        "0.01",
        "0.02",
        "0.03",
        "0.04",
        "0.05",
        "0.06",
        "0.07",
        "0.08",
        "0.09",
        "0.1",
        "0.12",
        "0.14",
        "0.16",
        "0.18",
        "0.2",
        "0.22",
        "0.25",
        "0.28",
        "0.3",
        "0.33",
        "0.36",
        "0.4",
        "0.45",
        "0.5",
        "0.55",
        "0.6",
        "0.65",
        "0.7",
        "0.75",
        "0.8",
        "0.85",
        "0.9",
        "0.95",
        "1",
        "1.1",
        "1.2",
        "1.3",
        "1.4",
        "1.5",
        "1.6",
        "1.8",
        "2",
        "2.2",
        "2.5",
        "3",
        "3.5",
        "4",
        "5",
    ],
    "alpha": [
        "0.99",
        "0.98",
        "0.97",
        "0.96",
        "0.95",
        "0.94",
        "0.93",
        "0.92",
        "10/11",
        "0.9",
        "0.89",
        "0.88",
        "0.87",
        "0.86",
        "0.85",
        "0.84",
        "0.83",
        "0.82",
        "0.81",
        "0.8",
        "0.79",
        "0.78",
        "0.77",
        "0.76",
        "3/4",
        "0.74",
        "0.72",
        "0.7",
        "0.68",
        "2/3",
        "0.65",
        "0.62",
        "0.6",
        "0.58",
        "0.55",
        "0.52",
        "1/2",
        "0.45",
        "0.4",
        "1/3",
        "0.3",
        "0.25",
        "0.2",
        "0.15",
        "0.1",
        "0.05",
        "0.02",
        "0.01",
    ],
}

TABLE_EPSILON = "1"
"""Where a table of one's own starts."""

SIZES = (1, 20)
"""The ends of the slider for n; the entry beside it goes further."""

_LOSSES = {
    "L0": "any wrong answer (L0)",
    "L0,1": "off by more than 1 (L0,1)",
    "L0,2": "off by more than 2 (L0,2)",
    "L1": "distance from the truth (L1)",
    "L2": "distance squared (L2)",
}

FIRST = 2
"""How many of them are seen at once; the others are folded."""

_COSTS = {
    "L0": "wrong answers",
    "L0,1": "answers off by more than 1",
    "L0,2": "answers off by more than 2",
    "L1": "distance from the truth",
    "L2": "squared distance",
}

PRIORS = ("uniform", "Binomial(0.1)", "Binomial(0.3)", "Binomial(1/2)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slider:
    """A slider over exact stops, and where it stands now."""

    stops: list[str]
    place: int
    spoken: str


def privacy_slider(setting: Setting, privacy: Alpha | None) -> Slider:
    """Place the slider at the stop nearest to the privacy in force."""
    stops = STOPS[setting.unit]
    if privacy is None:
        return Slider(stops=stops, place=0, spoken="")
    value = privacy.epsilon if setting.unit == "epsilon" else privacy.value
    place = min(range(len(stops)), key=lambda k: abs(Fraction(stops[k]) - value))
    return Slider(stops=stops, place=place, spoken=f"{setting.unit} = {setting.privacy}")


def table_slider(setting: Setting, privacy: Alpha | None) -> Slider:
    """The epsilon of a table of one's own as its entry shows it, and the stop nearest to it."""
    typed = setting.table_epsilon
    if typed is None:
        usual = not setting.sizes or privacy is None
        typed = (
            TABLE_EPSILON
            if usual
            else setting.privacy
            if setting.unit == "epsilon"
            else other_unit(setting, privacy)
        )
    try:
        value = read_fraction("epsilon", typed)
    except DiscreetError:
        value = Fraction(TABLE_EPSILON)
    stops = STOPS["epsilon"]
    place = min(range(len(stops)), key=lambda k: abs(Fraction(stops[k]) - value))
    return Slider(stops=stops, place=place, spoken=typed)


def properties() -> dict[str, Property]:
    """The properties in the order in which the page offers them."""
    return {name: PROPERTIES[name] for name in EVERYDAY}


def rest_words(states: Mapping[str, str]) -> str:
    """Say of how many of the folded properties there is nothing to ask, given the state of each.

    >>> rest_words({"WH": "absent", "CH": "implied", "RH": "held", "RM": "absent", "S": "asked"})
    ': 3 of these 5 hold already'
    """
    rest = list(EVERYDAY)[FIRST:]
    had = sum(states.get(name, "absent") != "absent" for name in rest)
    return (
        f": {'all' if had == len(rest) else had} of these {len(rest)} hold already" if had else ""
    )


def fold_words(setting: Setting) -> str:
    """Say which properties are asked for and what the design is compared with, for whoever has that
    folded away.

    >>> fold_words(Setting()), fold_words(Setting(properties=("CM",), beside="GM"))
    ('nothing yet', 'no farther answer likelier; beside the usual noise')
    """
    beside = (
        "" if setting.beside == "none" else f"beside {RIVALS.get(setting.beside, setting.beside)}"
    )
    return "; ".join(filter(None, [asked_words(setting) or "nothing yet", beside]))


def beside_words(setting: Setting) -> str:
    """Say what the design is compared with; without properties, there is nothing to leave out.

    >>> (
    ...     beside_words(Setting()),
    ...     beside_words(Setting(properties=("CM",))),
    ...     beside_words(Setting(beside="GM")),
    ... )
    ('nothing', 'the same, without properties', 'the usual noise')
    """
    alone = setting.beside == "none" and not setting.properties and not setting.output_dp
    return "nothing" if alone else RIVALS.get(setting.beside, setting.beside)


def setting_words(setting: Setting) -> str:
    """Say in a line what the pictures are of.

    >>> (
    ...     setting_words(Setting()),
    ...     setting_words(Setting(unit="alpha", privacy="10/11", properties=("WH", "CM"))),
    ... )
    ('8 people, epsilon 1', '8 people, alpha 10/11, 2 properties')
    """
    start = (
        f"{setting.n} {'person' if setting.n == '1' else 'people'}, {setting.unit} "
        f"{setting.privacy}"
    )
    return ", ".join(filter(None, [start, asked_words(setting)]))


def asked_words(setting: Setting) -> str:
    """Name the property that is asked for, or say how many are."""
    many = len(setting.properties) + bool(setting.output_dp)
    if many == 1 and setting.properties:
        (name,) = setting.properties
        return EVERYDAY.get(name, name)
    return f"{many} {'property' if many == 1 else 'properties'}" if many else ""


def cost_words(objective: str) -> str:
    """Say what is minimised in words, the code second.

    >>> cost_words("L0"), cost_words("worst-case L1"), cost_words("0.5*L0+0.5*L1")
    ('wrong answers (L0)', 'worst-case distance from the truth (L1)', '0.5*L0+0.5*L1')
    """
    worst, loss = (
        ("worst-case ", objective.removeprefix("worst-case "))
        if " " in objective
        else ("", objective)
    )
    return f"{worst}{_COSTS[loss]} ({loss})" if loss in _COSTS else objective


def losses(current: str) -> dict[str, str]:
    """Return the losses to pick from, and the current one where it is not among them."""
    return _LOSSES if current in _LOSSES else {**_LOSSES, current: current}


def times_words(factor: float) -> str:
    """Write how many times as likely something is.

    >>> times_words(2.71828), times_words(8103.08), times_words(485165195.4)
    ('2.72', '8,100', '485,000,000')
    """
    return f"{float(f'{factor:.3g}'):,.0f}" if factor >= 100 else f"{factor:.3g}"


def other_unit(setting: Setting, privacy: Alpha | None) -> str:
    """Return the same privacy in the other unit, as it would be typed."""
    if privacy is None or privacy.epsilon < MIN_EPSILON:
        return "" if privacy is None else ("1" if setting.unit == "epsilon" else "0")
    if setting.unit == "epsilon":
        return exact_text(privacy.value)
    return f"{float(privacy.epsilon):.11g}"
