"""What a picture says above itself where nobody gave it a title: a finding that is true of the very
matrices it shows.

Every sentence is decided in exact arithmetic. Where none fits, or the names of the methods are too
long, a plain title says what is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from discreet.core.properties import PROPERTIES
from discreet.show.captions import mechanism_name, spoken_name, uncoded
from discreet.show.cells import Rows, violations

if TYPE_CHECKING:
    from fractions import Fraction

    from discreet.core.mechanism import Mechanism

_LONGEST = 60
"""Letters of a title that a picture as wide as a page has room for."""
_EXACT_UP_TO = 40
"""The largest group whose columns are compared entry by entry."""
_METHODS = {
    "GM": "The usual noise (GM)",
    "WM": "The weakly honest mechanism (WM)",
    "EM": "The fair mechanism (EM)",
    "UM": "Blind guessing (UM)",
    "RR": "Randomised response (RR)",
}
_BEST = {
    "L0": "wrong least often",
    "L0,1": "off by more than 1 least often",
    "L1": "nearest on average",
    "L2": "least squared error",
}
_LEAST = {
    "L0": "is wrong least often",
    "L0,1": "is off by more than 1 least often",
    "L1": "is nearest to the truth on average",
    "L2": "has the least squared error",
    "RMSE": "has the least typical error",
    "worst_bias": "has the least bias",
    "mean_truth": "tells the truth most often",
    "least_truth": "has the highest least chance of the truth",
}
"""What the best of a comparison does, by its score."""
_BRIEFLY = {
    "L0": "is wrong least often",
    "L1": "is nearest",
    "L2": "has the least squared error",
    "RMSE": "errs least",
    "worst_bias": "is least biased",
    "mean_truth": "is right most often",
}
"""The same, where two are named."""
BEST_WAYS = {
    "L0": "is wrong least often",
    "L1": "misplaces the fewest people",
    "L2": "has the least squared error",
}
"""What the best way to release a histogram does, by its score."""


def subject(m: Mechanism) -> str:
    """Name a mechanism at the head of a sentence; "" where it has no plain name.

    >>> from discreet.core.named import geometric
    >>> subject(geometric(n=2, alpha="1/2"))
    'The usual noise (GM)'
    """
    named = _METHODS.get(mechanism_name(m))
    if named:
        return named
    problem = m.origin.problem
    if (
        problem is None
        or not problem.plain
        or problem.worst_case
        or problem.regret
        or not m.origin.optimal
    ):
        return ""
    shape, loss = str(problem.shape), problem.loss.name
    if any(code not in PROPERTIES for code in shape.split()) or loss not in _BEST:
        return ""
    said = [_BEST[loss]] if loss != "L0" or not shape else []
    codes = [loss] if said else []
    said += [spoken_name(shape)] if shape else []
    words = ", ".join(said)
    return f"{words[:1].upper()}{words[1:]} ({', '.join([*codes, *([shape] if shape else [])])})"


def names_it(title: str, m: Mechanism) -> bool:
    """Whether a title begins with the name of a mechanism."""
    name = subject(m)
    return bool(name) and title.startswith(name)


def of_matrix(m: Mechanism) -> str:
    """The most telling thing that is true of a matrix.

    >>> from discreet.core.named import fair, geometric, uniform
    >>> of_matrix(geometric(n=8, epsilon="1/2")), of_matrix(uniform(n=8))
    ('The usual noise (GM) piles up at 0 and 8', 'Blind guessing (UM): the truth makes no
    difference')
    >>> of_matrix(fair(n=8, epsilon="1/2"))
    'The fair mechanism (EM) tells every truth equally often'
    >>> of_matrix(geometric(n=8, epsilon=1))
    'The usual noise (GM): numbers near the truth come most often'
    """
    # a likelier error, in the order in which a reader should hear of things
    beating = sorted({output for output, _ in violations(m, "CH")}) if not m.satisfies("CH") else []
    if beating:
        many = len(beating) > 3
        return _said(
            m,
            *(
                ("errors can be likelier than the truth", ":")
                if many
                else (f"piles up at {listed(beating)}", "")
            ),
        )
    if m.alpha == 1 or m.n == 0:
        return _said(m, "the truth makes no difference", ":")
    if m.satisfies("F"):
        return _said(m, "tells every truth equally often", "")
    if m.satisfies("CM"):
        nearer = m.n <= _EXACT_UP_TO and all(_falls(m.column(j), j) for j in range(m.n + 1))
        return _said(
            m,
            "numbers near the truth come most often"
            if nearer
            else "chances never rise away from the truth",
            ":",
        )
    return _said(m, "no error is likelier than the truth", ":")


def _falls(column: Sequence[Fraction], truth: int) -> bool:
    """Whether no entry is larger than one nearer the truth, on whichever side of it."""
    by_distance: dict[int, list[Fraction]] = {}
    for output, chance in enumerate(column):
        by_distance.setdefault(abs(output - truth), []).append(chance)
    near = [by_distance[d] for d in sorted(by_distance)]
    return all(min(one) >= max(other) for one, other in pairwise(near))


def of_matrices(mechanisms: Mapping[str, Mechanism], otherwise: str) -> str:
    """In which of several an error can be likelier than the truth."""
    broken = [name for name, m in mechanisms.items() if not m.satisfies("CH")]
    rest = [name for name in mechanisms if name not in broken]
    if not broken:
        return "In all of these no number is likelier than the truth"
    if not rest:
        return "In all of these a wrong number can be likelier than the truth"
    said = f"Only {_names(broken)} can favour an error over the truth"
    return said if len(said) <= _LONGEST else otherwise


def of_truths(mechanisms: Mapping[str, Mechanism], otherwise: str) -> str:
    """How often the truth is published: between which chances, or by which of several most
    often.
    """
    if len(mechanisms) == 1:
        (m,) = mechanisms.values()
        least, most = (
            f"{float(end(m.truth(j) for j in range(m.n + 1))):.0%}" for end in (min, max)
        )
        often = (
            f"in {least} of draws"
            if least == most
            else f"in {least.removesuffix('%')} to {most} of draws"
        )
        return _said(m, f"tells the truth {often}", "")
    means = {
        name: sum(m.truth(j) for j in range(m.n + 1)) / (m.n + 1) for name, m in mechanisms.items()
    }
    best = [name for name, mean in means.items() if mean == max(means.values())]
    if len(best) > 1:
        return otherwise
    name = _headed(best[0], uncoded(called(best[0])))
    said = f"{name} is right most often, in {float(means[best[0]]):.0%} on average"
    return said if len(said) <= _LONGEST else otherwise


def of_errors(mechanisms: Mapping[str, Mechanism], rows: Rows, otherwise: str) -> str:
    """How far off a mechanism is, or which of several is off least at every true count."""
    if len(mechanisms) == 1:
        (m,) = mechanisms.values()
        found = [row["rmse"] for row in rows]
        least, most = f"{min(found):.2g}", f"{max(found):.2g}"
        return _said(
            m, f"is typically off by {least if least == most else f'{least} to {most}'}", ""
        )
    best = _best_everywhere(
        [(row["series"], row["count"], row["rmse"]) for row in rows], least=True
    )
    if len(best) == len(mechanisms):
        return "All of these have the same typical error"
    return _sentence(
        best, "has the least typical error throughout", _typical(list(mechanisms), rows, otherwise)
    )


def _typical(labels: Sequence[str], rows: Rows, otherwise: str) -> str:
    """What one of the least errors is, and what the largest, over all true counts alike."""
    found = {label: [row["rmse"] for row in rows if row["series"] == label] for label in labels}
    errors = {label: (sum(r * r for r in each) / len(each)) ** 0.5 for label, each in found.items()}
    low = next(
        label for label in labels if errors[label] <= 1.02 * min(errors.values())
    )  # 2%: not told apart
    high = max(labels, key=errors.__getitem__)
    told = [f"{errors[label]:.2g}" for label in (low, high)]
    if told[0] == told[1]:
        return f"All of these typically err by about {told[0]}"
    one, other = (uncoded(called(label)) for label in (low, high))
    said = f"{_headed(low, one)} typically errs by {told[0]}, {other} by {told[1]}"
    return said if len(said) <= _LONGEST else otherwise


def of_intervals(
    mechanisms: Mapping[str, Mechanism], lengths: Mapping[str, float], otherwise: str
) -> str:
    """How many true counts an interval of such a mean length leaves open, or with which of
    several the fewest.
    """
    if len(mechanisms) == 1:
        (m,) = mechanisms.values()
        left = f"{lengths[next(iter(mechanisms))] + 1:.1f}".removesuffix(".0")
        return f"A published number leaves {left} of {m.n + 1} true counts open on average"
    if len({m.n for m in mechanisms.values()}) > 1:
        return otherwise
    best = [name for name, length in lengths.items() if _same(length, min(lengths.values()))]
    if len(best) == len(lengths):
        return "All of these leave equally many true counts open on average"
    return _sentence(best, "has the shortest intervals on average", otherwise)


def of_scores(
    rows: Rows,
    score: str,
    axis: str,
    otherwise: str,
    *,
    does: str = "",
    named: Callable[[str], str] | None = None,
) -> str:
    """Which of several has the best score at every place of an axis, or at each end of it; else
    what they have there.

    A score that is no plain number, such as L0, which is 1 for a guess, is named where its value
    stands.
    """
    places = sorted({row[axis] for row in rows})
    ends = [f"{axis} = {float(place):.3g}" for place in (places[0], places[-1])]
    what = otherwise.partition(", by ")[0] + (f" ({score})" if score in ("L0", "L0,1") else "")
    if len({row["series"] for row in rows}) < 2:
        values = {row[axis]: f"{row['value']:.3g}" for row in rows}
        told = f"{values[places[0]]} at {ends[0]}"
        told += "" if len(places) == 1 else f", {values[places[-1]]} at {ends[1]}"
        said = f"{what}: {told}"
        return said if len(said) <= _LONGEST else f"{score}: {told}"
    least, does = score not in ("mean_truth", "least_truth"), does or _LEAST.get(score, "")
    found = [(row["series"], row[axis], row["value"]) for row in rows]
    best = _best_everywhere(found, least=least)
    if len(best) == len({row["series"] for row in rows}):
        return f"{otherwise.partition(', by ')[0]}: the same for all of these"
    if len(places) > 1:
        (_, low), (_, high) = span = [
            end(
                ((row["series"], row["value"]) for row in rows if row[axis] == places[-1]),
                key=lambda one: one[1],
            )
            for end in (min, max)
        ]
        told = f"{what} at {ends[1]}: {low:.3g} ({span[0][0]}) to {high:.3g} ({span[1][0]})"
        otherwise = otherwise if _same(low, high) or len(told) > _LONGEST + 12 else told
    if not does or best or len(places) == 1:
        return _sentence(best, does, otherwise, named) if does else otherwise
    firsts, lasts = (
        _best_everywhere([one for one in found if one[1] == place], least=least)
        for place in (places[0], places[-1])
    )
    if len(firsts) != 1 or len(lasts) != 1 or firsts == lasts:
        return otherwise
    first, last = (uncoded((named or called)(one[0])) for one in (firsts, lasts))
    said = f"At {ends[0]} {first} {_BRIEFLY.get(score, does)}, at {ends[1]} {last}"
    return said if len(said) <= _LONGEST + 10 else otherwise


def _best_everywhere(found: Sequence[tuple[str, Any, float]], *, least: bool) -> list[str]:
    """The series that are best at every place; none, where no series is, or their places differ."""
    places = {place for _, place, _ in found}
    by_name: dict[str, dict[Any, float]] = {}
    for name, place, value in found:
        by_name.setdefault(name, {})[place] = value if least else -value
    if any(set(values) != places for values in by_name.values()):
        return []
    low = {place: min(values[place] for values in by_name.values()) for place in places}
    return [
        name
        for name, values in by_name.items()
        if all(_same(values[place], low[place]) for place in places)
    ]


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-9 * max(1.0, abs(one))


def called(label: str) -> str:
    """What a series is called within a sentence.

    >>> called("GM"), called("WH CM"), called("mine")
    ('the usual noise (GM)', 'weakly honest, column monotone', 'mine')
    """
    said = _METHODS.get(label)
    return f"{said[:1].lower()}{said[1:]}" if said else spoken_name(label)


def _sentence(
    names: Sequence[str], does: str, otherwise: str, named: Callable[[str], str] | None = None
) -> str:
    """One name, or several, and what they do; more than two, or two that are too long, are
    called by their labels.
    """
    if not names:
        return otherwise
    named = named or called
    if len(names) == 1:
        said = f"{_headed(names[0], named(names[0]))} {does}"
        return said if len(said) <= _LONGEST else otherwise
    verb, _, rest = does.partition(" ")
    plural = {"is": "are", "has": "have"}.get(verb, verb.removesuffix("s"))
    both = [uncoded(named(name)) for name in names] if len(names) == 2 else []
    for all_of_them in filter(None, (both, names)):
        said = f"{_headed(names[0], listed(all_of_them))} {plural} {rest}"
        if len(said) <= _LONGEST:
            return said
    return otherwise


def _headed(label: str, words: str) -> str:
    """Words at the head of a sentence: ours begin with a capital letter, a reader's own label
    stays as it is.
    """
    return words if words.startswith(label) else f"{words[:1].upper()}{words[1:]}"


def _said(m: Mechanism, finding: str, sign: str) -> str:
    """A finding after the name of its mechanism; where it has none that is short enough, after
    "this mechanism".

    A finding with a sign before it is a sentence, and stands alone there.
    """
    verb = not sign
    name = subject(m)
    sign = sign if name in _METHODS.values() else ":"
    said = f"{name}{sign} {finding}"
    if name and len(said) <= _LONGEST:
        return said
    return f"This mechanism {finding}" if verb else f"{finding[:1].upper()}{finding[1:]}"


def _names(names: Sequence[str]) -> str:
    return listed([uncoded(called(name)) for name in names])


def listed(things: Sequence[Any]) -> str:
    """Things in a row.

    >>> listed([0, 4, 8]), listed(["usual"])
    ('0, 4 and 8', 'usual')
    """
    *others, last = map(str, things)
    return f"{', '.join(others)} and {last}" if others else last
