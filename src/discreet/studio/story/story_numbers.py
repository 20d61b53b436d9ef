"""Every number of the story, read off exact matrices: a share to draw with, and the words that are shown.

The group is the clinic that the studio opens with, so what the story says is what the instrument shows.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from discreet.core.named import NAMED, fair, geometric
from discreet.studio.settings import Setting
from discreet.studio.story.attackers import all_one_way, chances_to_be_right, most_with_any
from discreet.studio.story.table_reading import STRONGER, other_clinics, readings
from discreet.studio.telling.lead import spelled
from discreet.studio.worth import GROUPS

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

CLINIC = Setting()
"""Eight patients, every month at epsilon 1/4."""

OTHERS = 4
"""Patients beside you who said yes, until somebody changes it."""

MONTHS = 12
GUESSES = (Fraction(9, 10), Fraction(5, 10), Fraction(2, 10))
"""How often the truth comes out, to choose from before it is shown."""

DIAL = tuple(f"{k / 8:g}" for k in range(25))
"""The stops of epsilon, at equal distances from 0 to 3."""


@cache
def story_numbers() -> dict[str, Any]:
    """Return the numbers of all screens, as plain values.

    >>> found = story_numbers()
    >>> found["truth"]["text"], found["attack"][4]["best"]["text"]
    ('18.3%', '55.8%')
    >>> found["usual"]["ends"][4], found["fair"]["ends"][4]
    ('41%', '13%')
    >>> [plan["margin"] for plan in found["readings"]]
    ['28.1', '106', '305']
    """
    n, epsilon = int(CLINIC.n), CLINIC.privacy
    ours, usual = fair(n=n, epsilon=epsilon), geometric(n=n, epsilon=epsilon)
    truth = ours[0, 0]  # the same for every true count: that is what fair means
    return {
        "n": n,
        "others": OTHERS,
        "words": [spelled(count) for count in range(n + 1)],
        "fair": _side(ours, "EM") | {"way": 0},
        "usual": _side(usual, "GM") | {"way": 3},
        "truth": _shown(truth),
        "guesses": [_guess(share) for share in GUESSES],
        "nearest": min(range(len(GUESSES)), key=lambda k: abs(GUESSES[k] - truth)),
        "attack": [_attack(ours, others) for others in range(n)],
        "dial": [_stop(fair(n=n, epsilon=one)) | {"epsilon": one} for one in DIAL],
        "epsilon": epsilon,
        "compared": [_compared(usual, ours, count) for count in range(n + 1)],
        "readings": [plan | {"way": way} for plan, way in zip(readings(CLINIC), (2, 3, 0), strict=True)],
        "clinics": other_clinics(),
        "groups": GROUPS,
        "ways": [{"query": CLINIC.but(privacy=one).query(), "side": side} for side, one in _ways()],
        "coin": _shown(Fraction(1, 2)),
        "blind": _shown(Fraction(1, n + 1)),
        "months": [_year(ours, epsilon), _year(fair(n=n, epsilon=_split(epsilon)), _split(epsilon))],
    }


def _split(epsilon: str) -> str:
    """Share one month's epsilon between the months of a year.

    >>> _split("0.25")
    '1/48'
    """
    return str(Fraction(epsilon) / MONTHS)


def _shown(chance: Fraction, digits: int = 1) -> dict[str, Any]:
    """A chance to draw, and as it is written: rounded, and a half as it is."""
    text = f"{float(chance):.{digits}%}"
    return {"share": round(float(chance), 6), "text": "50%" if chance == Fraction(1, 2) else text}


def _guess(share: Fraction) -> dict[str, Any]:
    return {"share": float(share), "text": f"{share * 10} in 10"}


def _side(m: Mechanism, name: str) -> dict[str, Any]:
    """What one mechanism publishes, for every true count."""
    columns = [m.column(count) for count in range(m.n + 1)]
    return {
        "colour": NAMED[name].colour,
        "chances": [[round(float(chance), 6) for chance in column] for column in columns],
        "texts": [[f"{float(chance):.1%}" for chance in column] for column in columns],
        "ends": [f"{float(column[0] + column[-1]):.0%}" for column in columns],
    }


def _attack(m: Mechanism, others: int) -> dict[str, Any]:
    """What the best attacker guesses after each number, and how often they are right."""
    says = [_sign(m[number, others + 1] - m[number, others]) for number in range(m.n + 1)]
    right = chances_to_be_right(m, others)[1]
    return {"says": says, "best": _shown(right)}


def _sign(favour: Fraction) -> int:
    """1 where a number speaks for yes, -1 for no, 0 where it says nothing."""
    return (favour > 0) - (favour < 0)


def _stop(m: Mechanism) -> dict[str, Any]:
    """One stop of the dial."""
    return {
        "times": f"{float(1 / m.alpha):.3g}",
        "truth": _shown(m[0, 0]),
        "right": [_shown(chances_to_be_right(m, others)[1]) for others in range(m.n)],
    }


def _compared(usual: Mechanism, ours: Mechanism, count: int) -> str:
    """Say which of the two publishes the truth more often."""
    left, right = (f"{float(m[count, count]):.0%}" for m in (usual, ours))
    if usual[count, count] > ours[count, count]:
        return f"Only at the ends is the usual noise better: the truth in {left} of cases, with fair noise in {right}."
    return f"Both keep the same promise. Fair noise publishes the truth in {right} of cases, the usual noise in {left}."


def _year(m: Mechanism, epsilon: str) -> dict[str, Any]:
    """A year of the same answers, a number every month: how often the best attacker is right after each."""
    total = Fraction(epsilon) * MONTHS
    return {
        "epsilon": epsilon,
        "total": f"{float(total):g}",
        "truth": _shown(m[0, 0]),
        "right": [[_shown(one) for one in chances_to_be_right(m, others, MONTHS)] for others in range(m.n)],
        "worst": [f"{round(1 / all_one_way(m, others, MONTHS)):,}" for others in range(m.n)],
        "surest": _shown(most_with_any(m.alpha, MONTHS)),
        "says": [[_sign(m[k, others + 1] - m[k, others]) for k in range(m.n + 1)] for others in range(m.n)],
    }


def _ways() -> list[tuple[int, str]]:
    """What is drawn from: its place in an answer of the sampler (0 the usual noise, 1 the fair one), and epsilon."""
    return [(1, CLINIC.privacy), (1, _split(CLINIC.privacy)), (0, STRONGER), (0, CLINIC.privacy)]


def exact_columns() -> list[list[list[str]]]:
    """Return the chances that a page draws by itself, as whole numbers: for every way to draw, every column.

    A number comes with chance its weight over the sum of its column's. They are text: a script's own numbers are exact
    up to sixteen digits only.

    >>> [sum(int(weight) for weight in column) for column in exact_columns()[0]][0]
    5500991701575202068689
    """
    n = int(CLINIC.n)
    made = [(geometric, fair)[side](n=n, epsilon=epsilon) for side, epsilon in _ways()]
    return [[[str(weight) for weight in m.form.column(count)[0]] for count in range(n + 1)] for m in made]
