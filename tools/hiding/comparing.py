"""The methods side by side: what each hides, what subtraction gets back, how sure a reader is, how far off it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import exp, sqrt

from discreet.core.named import geometric
from tools.hiding.attack import exact, newcomers, subtract, subtract_both
from tools.hiding.clinics import Month, months
from tools.hiding.today import Known, cell_keys, few_cases, few_people, hide, key_chances, rounded

EPSILON = 1
METHODS: dict[str, Callable[[Month], Known]] = {
    "groups under 5 hidden": lambda month: hide(month, few_people, next_smallest=False),
    "... and the next smallest": lambda month: hide(month, few_people, next_smallest=True),
    "counts of 1 to 4 hidden, and the next smallest": lambda month: hide(month, few_cases, next_smallest=True),
    "rounded to multiples of 5": rounded,
    "cell keys, at most 2 off": cell_keys,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of March's 24 numbers, and of the patients who came in April."""

    hidden: int
    back: int
    back_with_april: int
    newcomers: int
    certain: Fraction
    error: float


def outcome(method: Callable[[Month], Known], march: Month, april: Month) -> Outcome:
    """Publish both months by a method, subtract, and count.

    `certain` is the chance that somebody who knows the answers of all other patients of a clinic learns the last one's
    for certain, on average over all patients.
    """
    first, second = method(march), method(april)
    early, late = subtract_both(first, second, march, april)
    protected = set(first.hidden) or {clinic.name for clinic in march}
    shown = [(number, clinic.yes) for clinic in march if (number := first.shown[clinic.name]) is not None]
    mean = sum(_mean_square(method, number, yes) for number, yes in shown) / max(1, len(shown))
    return Outcome(
        hidden=len(first.hidden),
        back=len(exact(subtract(first, march)) & protected),
        back_with_april=len(exact(early) & protected),
        newcomers=len(newcomers(early, late, march, april)),
        certain=_certain(method, march, exact(early)),
        error=sqrt(mean),
    )


def _mean_square(method: Callable[[Month], Known], number: int, yes: int) -> Fraction:
    if method is cell_keys:
        return sum((chance * (k - yes) ** 2 for k, chance in key_chances(yes).items()), Fraction(0))
    return Fraction((number - yes) ** 2)


def _certain(method: Callable[[Month], Known], month: Month, known: set[str]) -> Fraction:
    """For every patient: does the number rule out the other answer, when all other patients' answers are known?"""
    sure = Fraction(0)
    for clinic in month:
        for truth, patients in ((1, clinic.yes), (0, clinic.patients - clinic.yes)):
            otherwise = clinic.yes + (1 - 2 * truth)
            if method is cell_keys:
                possible = key_chances(otherwise)
                chance = sum((c for k, c in key_chances(clinic.yes).items() if k not in possible), Fraction(0))
            elif method is rounded:
                chance = Fraction((clinic.yes + 2) // 5 != (otherwise + 2) // 5)
            else:
                chance = Fraction(clinic.name in known)
            sure += patients * chance
    return sure / sum(clinic.patients for clinic in month)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ours:
    """The same table by GM, exactly computed from its matrices."""

    guess: Fraction
    error: float
    truth: Fraction


def ours(march: Month, epsilon: int = EPSILON) -> Ours:
    """Publish every clinic at `epsilon`.

    `guess` is the best chance to guess one patient's answer for somebody who knows all the others and takes yes and no
    to be equally likely. It is at most exp(epsilon) / (1 + exp(epsilon)), whatever else they know.
    """
    square, truth, guess = Fraction(0), Fraction(0), Fraction(0)
    for clinic in march:
        m = geometric(n=clinic.patients, epsilon=epsilon)
        column = m.column(clinic.yes)
        square += sum((chance * (i - clinic.yes) ** 2 for i, chance in enumerate(column)), Fraction(0))
        truth += column[clinic.yes]
        for j in range(clinic.patients):
            pairs = zip(m.column(j), m.column(j + 1), strict=True)
            guess = max(guess, sum((max(pair) for pair in pairs), Fraction(0)) / 2)
    return Ours(guess=guess, error=sqrt(square / len(march)), truth=truth / len(march))


def surest(epsilon: float) -> float:
    """The most certain anybody can become of one patient's answer who thought yes and no equally likely before."""
    return exp(epsilon) / (1 + exp(epsilon))


def many(method: Callable[[Month], Known], tables: int = 200) -> tuple[float, float, float]:
    """Over many such tables: hidden, got back of these (in percent, April's help included), newcomers in percent."""
    found = [outcome(method, *months(seed)) for seed in range(tables)]
    hidden = sum(one.hidden for one in found)
    return (
        hidden / tables,
        100 * sum(one.back_with_april for one in found) / (hidden or 24 * tables),
        100 * sum(one.newcomers for one in found) / (8 * tables),
    )
