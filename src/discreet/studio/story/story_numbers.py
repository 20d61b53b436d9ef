"""Every number of the story, read off exact matrices: a share to draw with, and the words that are shown.

The group is the clinic that reports every month, an example of the instrument: it shows what the story says.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from discreet.core.named import fair
from discreet.show.colours import mechanism_colour
from discreet.studio.story.attackers import all_one_way, chances_to_be_right, most_with_any
from discreet.studio.story.noises import NOISES, noise
from discreet.studio.story.table_reading import PLANS, other_clinics, readings
from discreet.studio.telling.lead import spelled
from discreet.studio.telling.stories import STORIES
from discreet.studio.telling.wording import listed, runs
from discreet.studio.worth import GROUPS

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

CLINIC = STORIES["monthly"].setting
"""Eight patients, every month at epsilon 1/4."""

OTHERS = 4
"""Patients beside you who said yes, until somebody changes it."""

FIRST_COUNT = 1
"""The true count at which the kinds of noise are first compared: here they differ at first sight."""

MONTHS = 12
ATTACKERS = 1000
"""How many guess each month, each in a year of their own: so many that every run shows what a year adds."""

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
    >>> [found[kind]["truths"][1] for kind in ("usual", "near", "fair")]
    ['12.4%', '23.4%', '18.3%']
    >>> [plan["margin"] for plan in found["readings"]]
    ['28.1', '106', '108', '305']
    """
    n, epsilon = int(CLINIC.n), CLINIC.privacy
    made = {kind: noise(kind, n, epsilon) for kind in NOISES}
    ours = made["fair"]
    truth = ours[0, 0]  # the same for every true count: that is what fair means
    return {
        "n": n,
        "others": OTHERS,
        "words": [spelled(count) for count in range(n + 1)],
        **{kind: _side(kind, m) | {"way": _WAYS.index((kind, epsilon))} for kind, m in made.items()},
        "first": FIRST_COUNT,
        "truth": _shown(truth),
        "guesses": [_guess(share) for share in GUESSES],
        "nearest": min(range(len(GUESSES)), key=lambda k: abs(GUESSES[k] - truth)),
        "attack": [_attack(ours, others) for others in range(n)],
        "dial": [_stop(fair(n=n, epsilon=one)) | {"epsilon": one} for one in DIAL],
        "epsilon": epsilon,
        "asked": {kind: _asked(made["usual"], kind, made[kind]) for kind in NOISES if kind != "usual"},
        "readings": [plan | {"way": _WAYS.index(way)} for plan, way in zip(readings(n), PLANS, strict=True)],
        "clinics": other_clinics(),
        "groups": GROUPS,
        "ways": [_drawn_with(kind, one) for kind, one in _WAYS],
        "coin": _shown(Fraction(1, 2)),
        "blind": _shown(Fraction(1, n + 1)),
        "attackers": ATTACKERS,
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


def _roughly(many: Fraction) -> str:
    """Two digits of a large number.

    >>> _roughly(Fraction(2211)), _roughly(Fraction(12))
    ('2,200', '12')
    """
    return f"{int(float(f'{float(many):.2g}')):,}"


def _guess(share: Fraction) -> dict[str, Any]:
    return {"share": float(share), "text": f"{share * 10} in 10"}


def _side(kind: str, m: Mechanism) -> dict[str, Any]:
    """What one kind of noise publishes, for every true count."""
    columns = [m.column(count) for count in range(m.n + 1)]
    return {
        "colour": mechanism_colour(NOISES[kind].named),
        "name": NOISES[kind].words,
        "chances": [[round(float(chance), 6) for chance in column] for column in columns],
        "texts": [[f"{float(chance):.1%}" for chance in column] for column in columns],
        "truths": [f"{float(column[count]):.1%}" for count, column in enumerate(columns)],
        "ends": [f"{float(column[0] + column[-1]):.0%}" for column in columns],
    }


def _attack(m: Mechanism, others: int) -> dict[str, Any]:
    """What the best attacker guesses after each number, and how often they are right."""
    says = [_sign(m[number, others + 1] - m[number, others]) for number in range(m.n + 1)]
    right = chances_to_be_right(m, others)[1]
    return {"says": says, "rule": _rule(says), "best": _shown(right)}


def _rule(says: list[int]) -> str:
    """How the best attacker guesses, in words.

    >>> _rule([0, -1, -1, -1, 1, 1, 1]), _rule([-1, 1])
    ('yes at 4 to 6, no at 1 to 3, else a coin', 'yes at 1, no at 0')
    """
    at = {sign: runs([k for k, one in enumerate(says) if one == sign]) for sign in (1, -1)}
    spoken = [f"{word} at {listed(at[sign], 'and')}" for sign, word in ((1, "yes"), (-1, "no")) if at[sign]]
    return ", ".join([*spoken, *(["else a coin"] if 0 in says else [])])


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


def _asked(usual: Mechanism, kind: str, m: Mechanism) -> dict[str, Any]:
    """What a kind of noise is asked for, and how it compares at every true count."""
    return {"for": NOISES[kind].purpose, "says": [_compared(usual, m, count) for count in range(m.n + 1)]}


def _compared(usual: Mechanism, m: Mechanism, count: int) -> str:
    """Say which of the two publishes the truth more often, and which wrong number the usual noise says."""
    left, right = (f"{float(one[count, count]):.1%}" for one in (usual, m))
    if len(set(m.column(count))) == 1:
        return f"Here it says every number equally often: the truth in {right} of cases, the usual noise in {left}."
    if usual[count, count] > m[count, count]:
        return f"Here the usual noise is better: the truth in {left} of cases, against {right}."
    wrong = max((k for k in range(m.n + 1) if k != count), key=lambda k: usual[k, count])
    often = f"{float(usual[wrong, count]):.1%}"
    said = f"The usual noise says a wrong {wrong} in {often} of cases, the truth in {left}."
    return f"{said} This one: the truth in {right}."


def _year(m: Mechanism, epsilon: str) -> dict[str, Any]:
    """A year of the same answers, a number every month: how often the best attacker is right after each."""
    total = Fraction(epsilon) * MONTHS
    return {
        "epsilon": epsilon,
        "total": f"{float(total):g}",
        "truth": _shown(m[0, 0]),
        "right": [[_shown(one) for one in chances_to_be_right(m, others, MONTHS)] for others in range(m.n)],
        "worst": [_roughly(1 / all_one_way(m, others, MONTHS)) for others in range(m.n)],
        "surest": _shown(most_with_any(m.alpha, MONTHS)),
        "says": [[_sign(m[k, others + 1] - m[k, others]) for k in range(m.n + 1)] for others in range(m.n)],
    }


_WAYS = (("fair", CLINIC.privacy), ("fair", _split(CLINIC.privacy)), *PLANS[:-1])
"""What is drawn from: a kind of noise, and its epsilon. The first is the one that most screens draw from."""


def _drawn_with(kind: str, epsilon: str) -> dict[str, Any]:
    """What the studio's sampler is asked, and which of its two answers counts: on the left is the usual noise."""
    setting = CLINIC.but(privacy=epsilon, properties=NOISES[kind].properties)
    return {"query": setting.query(), "side": int(kind != "usual")}


def exact_columns() -> list[list[list[str]]]:
    """Return the chances that a page draws by itself, as whole numbers: for every way to draw, every column.

    A number comes with chance its weight over the sum of its column's. They are text: a script's own numbers are exact
    up to sixteen digits only.

    >>> [sum(int(weight) for weight in column) for column in exact_columns()[0]][0]
    5500991701575202068689
    """
    n = int(CLINIC.n)
    made = [noise(kind, n, epsilon) for kind, epsilon in _WAYS]
    return [[[str(weight) for weight in m.form.column(count)[0]] for count in range(n + 1)] for m in made]
