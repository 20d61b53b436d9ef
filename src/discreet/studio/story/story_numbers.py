"""Every number of the story, read off exact matrices: a share to draw with, and the words that are
shown.

Most screens are told with the usual noise at the epsilon that a release begins with: what a reader
would publish.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from discreet.core.named import geometric
from discreet.odds import limit_in_percent
from discreet.show.colours import mechanism_colour
from discreet.studio.settings import Setting
from discreet.studio.story.attackers import chances_to_be_right, most_with_any
from discreet.studio.story.noises import EPSILON, NOISES, PATIENTS, SMALL, STRICT, noise
from discreet.studio.story.table_reading import PLANS, other_clinics, readings
from discreet.studio.telling.lead import spelled
from discreet.studio.telling.wording import listed, runs
from discreet.studio.worth import GROUPS

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

OTHERS = 4
"""Patients beside you who said yes, until somebody changes it."""

FIRST_COUNT = 1
"""The true count at which the kinds of noise are first compared: here they differ at first
sight.
"""

MONTHS = 12
ATTACKERS = 100
"""How many guess each month, each in a year of their own: few enough to be drawn one by one, and so
many that every run shows what a year adds."""

GUESSES = (Fraction(8, 10), Fraction(5, 10), Fraction(2, 10))
"""How often the truth comes out, to choose from before it is shown."""

DIAL = tuple(f"{k / 8:g}" for k in range(17))
"""The stops of epsilon, at equal distances from 0 to 2."""


@cache
def story_numbers() -> dict[str, Any]:
    """Return the numbers of all screens, as plain values.

    >>> found = story_numbers()
    >>> found["truth"][4]["text"], found["truth"][0]["text"], found["best"]["text"]
    ('46.2%', '73.1%', '73.1%')
    >>> [found["noises"]["0.5"][kind]["truths"][1] for kind in ("usual", "near")]
    ['24.5%', '31.1%']
    >>> [plan["margin"] for plan in found["readings"]]
    ['28.1', '106']
    """
    n = PATIENTS
    usual = noise("usual", n, EPSILON)
    truth = [usual[count, count] for count in range(n + 1)]
    return {
        "n": n,
        "others": OTHERS,
        "words": [spelled(count) for count in range(n + 1)],
        "epsilon": EPSILON,
        "small": SMALL,
        "noises": {
            EPSILON: {"usual": _side("usual", EPSILON)},
            SMALL: {kind: _side(kind, SMALL) for kind in NOISES},
        },
        "trade": _trade_off(*(noise(kind, n, SMALL) for kind in ("usual", "near"))),
        "first": FIRST_COUNT,
        "truth": [_shown(chance) for chance in truth],
        "within": [_shown(_near(usual, count)) for count in range(n + 1)],
        "guesses": [_guess(share) for share in GUESSES],
        "nearest": [
            min(range(len(GUESSES)), key=lambda k: abs(GUESSES[k] - chance)) for chance in truth
        ],
        "attack": [_attack(usual, others) for others in range(n)],
        "best": _shown(chances_to_be_right(usual, OTHERS)[1]),  # whatever the others said
        "dial": [_stop(geometric(n=n, epsilon=one)) | {"epsilon": one} for one in DIAL],
        "readings": [
            plan | {"way": _WAYS.index(way)} for plan, way in zip(readings(n), PLANS, strict=True)
        ],
        "clinics": other_clinics(),
        "groups": GROUPS,
        "ways": [_drawn_with(kind, one) for kind, one in _WAYS],
        "coin": _shown(Fraction(1, 2)),
        "blind": _shown(Fraction(1, n + 1)),
        "attackers": ATTACKERS,
        "months": [_year(one) for one in (EPSILON, _split(EPSILON))],
    }


def _split(epsilon: str) -> str:
    """Share one month's epsilon between the months of a year.

    >>> _split("1")
    '1/12'
    """
    return str(Fraction(epsilon) / MONTHS)


def _shown(chance: Fraction, digits: int = 1) -> dict[str, Any]:
    """A chance to draw, and as it is written: rounded, and a half as it is."""
    text = f"{float(chance):.{digits}%}"
    return {"share": round(float(chance), 6), "text": "50%" if chance == Fraction(1, 2) else text}


def _near(m: Mechanism, count: int) -> Fraction:
    """Return the chance of a number that is off by one at most."""
    return sum(
        (m[number, count] for number in range(m.n + 1) if abs(number - count) <= 1), Fraction(0)
    )


def _guess(share: Fraction) -> dict[str, Any]:
    return {"share": float(share), "text": f"{share * 10} in 10"}


def _side(kind: str, epsilon: str) -> dict[str, Any]:
    """What one kind of noise publishes, for every true count."""
    m = noise(kind, PATIENTS, epsilon)
    columns = [m.column(count) for count in range(m.n + 1)]
    return {
        "colour": mechanism_colour(NOISES[kind].named),
        "name": NOISES[kind].words,
        "chances": [[round(float(chance), 6) for chance in column] for column in columns],
        "texts": [[f"{float(chance):.1%}" for chance in column] for column in columns],
        "truths": [f"{float(column[count]):.1%}" for count, column in enumerate(columns)],
    }


def _attack(m: Mechanism, others: int) -> dict[str, Any]:
    """What the best attacker guesses after each number; with the usual noise every number speaks
    for yes or for no.
    """
    says = [_sign(m[number, others + 1] - m[number, others]) for number in range(m.n + 1)]
    yes, no = (
        listed(runs([k for k, one in enumerate(says) if one == sign]), "and") for sign in (1, -1)
    )
    return {"says": says, "rule": f"yes at {yes}, no at {no}"}


def _sign(favour: Fraction) -> int:
    """1 where a number speaks for yes, -1 for no, 0 where it says nothing."""
    return (favour > 0) - (favour < 0)


def _stop(m: Mechanism) -> dict[str, Any]:
    """One stop of the dial: what every count becomes, the truth of those in between, and the best
    attacker.

    Two counts that follow each other are the two worlds: in one you said no, in the other yes. How
    often the best attacker is right does not depend on what the others said.
    """
    return {
        "columns": [
            [round(float(chance), 4) for chance in m.column(count)] for count in range(m.n + 1)
        ],
        "times": f"{float(1 / m.alpha):.3g}",
        "truth": _shown(m[1, 1]),
        "right": _shown(chances_to_be_right(m, OTHERS)[1]),
    }


def _trade_off(usual: Mechanism, m: Mechanism) -> str:
    """Say where the noise that is asked for says the truth more often than the usual noise, and the
    price.

    Sums are said to change hardly: by less than a tenth.
    """
    change = [_sign(m[count, count] - usual[count, count]) for count in range(m.n + 1)]
    more, less = (
        listed(runs([k for k, one in enumerate(change) if one == sign]), "and") for sign in (1, -1)
    )
    return (
        f"The noise on the right says the truth more often at {more}. The price: less often at "
        f"{less}. A sum of {GROUPS} clinics hardly changes."
    )


def _year(epsilon: str) -> dict[str, Any]:
    """A year of the same answers, a number every month: how often the best attacker is right after
    each.

    With the usual noise every number speaks for yes or for no, all equally loud, whatever the
    others said: the attacker counts how many speak for each, and an even month adds nothing,
    because it confirms a lead or leaves a coin.
    """
    m = noise("usual", PATIENTS, epsilon)
    surest = most_with_any(m.alpha, MONTHS)
    return {
        "way": _WAYS.index(("usual", epsilon)),
        "epsilon": epsilon,
        "loudness": float(Fraction(epsilon) / Fraction(EPSILON)),
        "spent": [str(Fraction(epsilon) * month) for month in range(MONTHS + 1)],
        "truths": [
            _shown((m[others, others] + m[others + 1, others + 1]) / 2) for others in range(m.n)
        ],
        "right": [
            _shown(one) | {"of": f"{float(ATTACKERS * one):,.0f}"}
            for one in chances_to_be_right(m, OTHERS, MONTHS)
        ],
        "surest": limit_in_percent(surest, up=True, places=1 if surest < _NEARLY else 4),
        "sureness": [_sure(most_with_any(m.alpha, lead)) for lead in range(MONTHS + 1)],
    }


_NEARLY = Fraction(999, 1000)
"""From here on a chance has more digits, or is said by how seldom it fails: it is not 100.0%."""


def _sure(chance: Fraction) -> dict[str, Any]:
    """How sure whoever is ahead by so many numbers is: to draw, and as it is written.

    >>> [(_sure(one)["text"], _sure(one)["once"]) for one in (Fraction(3, 4), Fraction(2187, 2188))]
    [('75.0%', ''), ('', '2,200')]
    """
    if chance < _NEARLY:
        return _shown(chance) | {"once": ""}
    return _shown(chance) | {"text": "", "once": f"{float(f'{float(1 / (1 - chance)):.2g}'):,.0f}"}


_WAYS = (("usual", EPSILON), ("usual", STRICT), ("usual", _split(EPSILON)))
"""What is drawn from: a kind of noise, and its epsilon. The first is the one that most screens
draw from.
"""


def _drawn_with(kind: str, epsilon: str) -> dict[str, Any]:
    """What the studio's sampler is asked."""
    return {
        "query": Setting(
            n=str(PATIENTS), privacy=epsilon, properties=NOISES[kind].properties
        ).query()
    }


def exact_columns() -> list[list[list[str]]]:
    """Return the chances that a page draws by itself, as whole numbers: for every way to draw,
    every column.

    A number comes with chance its weight over the sum of its column's. They are text: a script's
    own numbers are exact up to sixteen digits only.

    >>> weights = [int(weight) for weight in exact_columns()[0][0]]
    >>> f"{weights[0] / sum(weights):.1%}"
    '73.1%'
    """
    made = [noise(kind, PATIENTS, epsilon) for kind, epsilon in _WAYS]
    return [
        [[str(weight) for weight in m.form.column(count)[0]] for count in range(PATIENTS + 1)]
        for m in made
    ]
