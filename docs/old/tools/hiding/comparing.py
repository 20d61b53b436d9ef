"""The methods side by side: what each hides, what subtraction gets back, how sure a reader is, how far off it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import exp, sqrt

from tools.hiding.attack import exact, newcomers, subtract_both
from tools.hiding.clinics import Clinic, Month, months
from tools.hiding.today import Known, Range, cell_keys, few_cases, few_people, hide, key_chances, rounded

from discreet.core.named import geometric

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
    """What became of March's 24 numbers, of the patients of both months, and of those who came in April."""

    hidden: int
    back: int
    newcomers: int
    certain: Fraction
    error: float


def outcome(method: Callable[[Month], Known], march: Month, april: Month) -> Outcome:
    """Publish both months by a method, subtract, and count.

    `certain` is the chance that somebody who knows the answers of all other patients of a clinic learns the last one's
    for certain from both months, on average over all patients.
    """
    first, second = method(march), method(april)
    early, late = subtract_both(first, second, march, april)
    protected = set(first.hidden) or {clinic.name for clinic in march}
    shown = [(number, clinic.yes) for clinic in march if (number := first.shown[clinic.name]) is not None]
    mean = sum(_mean_square(method, number, yes) for number, yes in shown) / max(1, len(shown))
    return Outcome(
        hidden=len(first.hidden),
        back=len(exact(early) & protected),
        newcomers=len(newcomers(early, late, march, april)),
        certain=_certain(method, (march, april), (early, late)),
        error=sqrt(mean),
    )


def _mean_square(method: Callable[[Month], Known], number: int, yes: int) -> Fraction:
    if method is cell_keys:
        return sum((chance * (k - yes) ** 2 for k, chance in key_chances(yes).items()), Fraction(0))
    return Fraction((number - yes) ** 2)


def _certain(
    method: Callable[[Month], Known], both: tuple[Month, Month], left: tuple[dict[str, Range], dict[str, Range]]
) -> Fraction:
    """For every patient of either month: is the other answer ruled out, when all other patients' answers are known?

    Nobody leaves, so April has every patient. A newcomer's answer is in April alone, and everybody else's in both.
    """
    sure = Fraction(0)
    for before, after in zip(*both, strict=True):
        came, came_ill = after.patients - before.patients, after.yes - before.yes
        ruled = {  # by the patient's own answer: what each month rules out, March first
            truth: [
                _ruled_out(method, clinic, truth, known[clinic.name])
                for clinic, known in zip((before, after), left, strict=True)
            ]
            for truth in (0, 1)
        }
        stayed = {1: before.yes, 0: before.patients - before.yes}
        new = {1: came_ill, 0: came - came_ill}
        # the same people have the same keys, so that a clinic that nobody joined has one number twice
        fresh = method is not cell_keys or came > 0
        for truth, (march, april) in ruled.items():
            sure += stayed[truth] * (1 - (1 - march) * (1 - april) if fresh else march) + new[truth] * april
    return sure / sum(clinic.patients for clinic in both[1])


def _ruled_out(method: Callable[[Month], Known], clinic: Clinic, truth: int, left: Range) -> Fraction:
    """The chance that what is known of a clinic's number rules out the number with one patient's other answer."""
    otherwise = clinic.yes + (1 - 2 * truth)
    if method is not cell_keys:
        return Fraction(not left[0] <= otherwise <= left[1])
    possible = key_chances(otherwise)
    return sum((chance for k, chance in key_chances(clinic.yes).items() if k not in possible), Fraction(0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ours:
    """The same table by GM, exactly computed from its matrices."""

    guess: Fraction
    error: float
    truth: Fraction


def ours(march: Month, epsilon: int = EPSILON) -> Ours:
    """Publish every clinic at `epsilon`.

    `guess` is the best chance to guess one patient's answer for somebody who knows all the others and takes yes and no
    to be equally likely. It is at most exp(epsilon) / (1 + exp(epsilon)).
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
    """How sure somebody can become of one answer who knows all others and thought yes and no equally likely before."""
    return exp(epsilon) / (1 + exp(epsilon))


def many(method: Callable[[Month], Known], tables: int = 200) -> tuple[float, float, float]:
    """Over many such tables: hidden, got back of these (in percent, April's help included), newcomers in percent."""
    found = [outcome(method, *months(seed)) for seed in range(tables)]
    hidden = sum(one.hidden for one in found)
    return (
        hidden / tables,
        100 * sum(one.back for one in found) / (hidden or 24 * tables),
        100 * sum(one.newcomers for one in found) / (8 * tables),
    )
