"""The mechanisms in a comparison: named ones, designs by their properties, and mechanisms that are
given.

A contender is a label and what it stands for. "WM" is the closed form of weak honesty alone; what
the paper's experiments call WM is the design "WH CM".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from discreet.core.domains import Counts
from discreet.core.mechanism import Mechanism
from discreet.core.named import NAMED, Named, find_named, recognised
from discreet.core.properties import PROPERTIES, Shape, read_shape
from discreet.errors import InvalidInput, did_you_mean

_NOTHING_ASKED = "BasicDP"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A label and what it stands for: a named mechanism, a design's properties, or a mechanism
    as it is.
    """

    label: str
    named: Named | None = None
    shape: Shape | None = None
    held: Mechanism | None = None


Given = str | Shape | Mechanism
ContendersLike = Given | Iterable[Given] | Mapping[str, Given]


def read_contenders(mechanisms: ContendersLike) -> list[Contender]:
    """Read contenders from names, property strings and mechanisms; a mapping gives them labels of
    your own.

    >>> [c.label for c in read_contenders(["gm", "cm WH", ""])]
    ['GM', 'CM WH', 'BasicDP']
    """
    if isinstance(mechanisms, (str, Shape, Mechanism)):
        return [_read(mechanisms)]
    if isinstance(mechanisms, Mapping):
        found = [_read(given, str(label)) for label, given in mechanisms.items()]
    elif isinstance(mechanisms, Iterable):
        found = [_read(given) for given in mechanisms]
    else:
        raise InvalidInput(
            "mechanisms",
            "must be names, property strings or mechanisms",
            mechanisms,
            remedy=_REMEDY,
        )
    if not found:
        raise InvalidInput("mechanisms", "must name at least one", "none", remedy=_REMEDY)
    return _distinct(found)


_REMEDY = f'use {", ".join(NAMED)}, properties such as "WH CM", or a Mechanism'


def _read(given: Given, label: str = "") -> Contender:
    if isinstance(given, Mechanism):
        return Contender(label=label or label_of(given), held=given)
    if isinstance(given, str) and (named := find_named(given)):
        return Contender(label=label or named.short, named=named)
    if isinstance(given, str) and given.strip().lower() == _NOTHING_ASKED.lower():
        given = ""
    if not isinstance(given, (str, Shape)):
        raise InvalidInput(
            "mechanisms", "must be names, property strings or mechanisms", given, remedy=_REMEDY
        )
    try:
        shape = read_shape(given)
    except InvalidInput as error:
        if error.code != "unknown-name":
            raise
        if find_named(str(error.value)):
            remedy = "write several as a list: `mechanisms=['GM', 'WH CM', 'EM']`"
            raise InvalidInput(
                "mechanisms", "has a name among properties", found=given, remedy=remedy
            ) from None
        # compared in capitals, as `read_shape` reports what it did not know
        nearest = did_you_mean(str(error.value), [*map(str.upper, NAMED), *PROPERTIES])
        raise InvalidInput(
            "mechanisms", "has an unknown name", found=error.value, remedy=nearest
        ) from None
    return Contender(label=label or str(shape) or _NOTHING_ASKED, shape=shape)


def label_of(m: Mechanism) -> str:
    """Name a mechanism: its closed form, the properties it was designed for, or the start of its
    id.
    """
    if named := recognised(m):
        return named.short
    if m.origin.problem is not None:
        step = m.domain.step if isinstance(m.domain, Counts) else 1
        return (str(m.origin.problem.shape) or _NOTHING_ASKED) + (
            f", step {step}" if step > 1 else ""
        )
    return m.id[:8]


def _distinct(found: list[Contender]) -> list[Contender]:
    """Number labels that occur twice: every contender has its row, and a table says which of
    them are equal.
    """
    kept: list[Contender] = []
    for contender in found:
        same = sum(other.label.partition(" #")[0] == contender.label for other in kept)
        label = f"{contender.label} #{same + 1}" if same else contender.label
        kept.append(
            Contender(
                label=label, named=contender.named, shape=contender.shape, held=contender.held
            )
        )
    return kept
