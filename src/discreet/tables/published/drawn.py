"""What is drawn from: mechanisms by size for each count, by content id, and as the entries of the
container of proofs.

`Undrawn` is one level of a release, whole but for its noise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from discreet.core.family import BySize, Family
from discreet.core.mechanism import Mechanism
from discreet.core.rationals import Alpha
from discreet.tables.published.manifest import (
    HISTOGRAM,
    CountFacts,
    Level,
    count_domain,
    write_fraction,
)

if TYPE_CHECKING:
    from discreet.tables.asking.question import Question
    from discreet.tables.engines import Counts
    from discreet.tables.noise import Noise


class Drawn(Mapping[str, Mechanism]):
    """Every mechanism of a release by content id, in order of size; none is made before it is asked
    for.

    `of` gives that of one count and size of the finest level; `entries` are the proofs, where one
    may stand for a range of sizes.
    """

    def __init__(
        self, names: Sequence[str], by_size: Sequence[BySize], coarser: Sequence[Drawn] = ()
    ) -> None:
        self._by_count = dict(zip(names, by_size, strict=True))
        self._coarser = tuple(coarser)

    def beside(self, coarser: Sequence[Drawn]) -> Drawn:
        """These mechanisms as those of the finest level, with those of the others."""
        return Drawn(list(self._by_count), list(self._by_count.values()), coarser)

    def level(self, place: int) -> Drawn:
        """The mechanisms of one level, the finest being the first."""
        return self._coarser[place - 1] if place else self.beside(())

    def of(self, count: str, n: int) -> Mechanism:
        """The mechanism of one count for groups of size n."""
        return self._by_count[count][n]

    def by_size(self, count: str) -> BySize:
        """The mechanisms of one count."""
        return self._by_count[count]

    @cached_property
    def entries(self) -> dict[str, Family | Mechanism]:
        """What is proven, by the name of its proof in the container, in ascending order."""
        found = (entry for by_size in self._every for entry in by_size.named.values())
        return dict(sorted({entry.id: entry for entry in found}.items()))

    @property
    def _every(self) -> list[BySize]:
        """The mechanisms of every level and count."""
        return [
            *self._by_count.values(),
            *(by_size for level in self._coarser for by_size in level._every),
        ]

    @cached_property
    def _by_id(self) -> dict[str, Mechanism]:
        distinct = {id(by_size): by_size for by_size in self._every}.values()
        found = {mechanism.id: mechanism for by_size in distinct for mechanism in by_size.values()}
        return dict(sorted(found.items(), key=lambda item: (item[1].n, item[0])))

    def __getitem__(self, name: str) -> Mechanism:
        return self._by_id[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Undrawn:
    """One level of a release, before it is drawn."""

    question: Question
    """With the keys of this level."""
    share: Fraction
    each: tuple[Alpha, ...]
    """Of one draw of each count."""
    shape: str
    counts: Counts
    mechanisms: Drawn
    noise: Noise

    @property
    def groups(self) -> int:
        """How many groups it has."""
        return sum(self.counts.sizes.values())

    def facts(self, table: str, digest: str) -> Level:
        """What the manifest says of it, and of the file of its table, where there is one."""
        return Level(
            keys=self.question.by,
            share=write_fraction(self.share),
            properties=self.shape,
            groups=self.groups,
            groups_by_size={str(n): groups for n, groups in self.counts.sizes.items()},
            counts=tuple(self._counts()),
            table=table,
            table_sha256=digest,
        )

    def _counts(self) -> Iterator[CountFacts]:
        for count, each in zip(self.question.counts, self.each, strict=True):
            by_size = self.mechanisms.by_size(count.name)
            facts = CountFacts(
                name=count.name,
                definition=count.expression.text,
                domain=count_domain(self.question.step),
                share=write_fraction(count.share),
                epsilon=write_fraction(each.epsilon),
                alpha=write_fraction(each.value),
                mechanisms={sizes: entry.id for sizes, entry in by_size.named.items()},
            )
            if count.answers is not None:
                facts = _of_histogram(facts, count.answers.names, by_size, each, self.question.cap)
            yield facts


def _of_histogram(
    facts: CountFacts, answers: Sequence[str], by_size: BySize, each: Alpha, cap: int = 0
) -> CountFacts:
    """The facts of a question with several answers, made of those it would have as a count."""
    domain = {"kind": HISTOGRAM, "answers": list(answers), **({"cap": cap} if cap else {})}
    whole = replace(facts, domain=domain)
    from discreet.tables.asking.histogram_design import (
        cell_privacy,
        is_joint,
    )  # whoever only reads needs no designer

    joint = {
        words: e.id
        for words, e in by_size.named.items()
        if isinstance(e, Mechanism) and is_joint(e)
    }
    cells = {words: name for words, name in facts.mechanisms.items() if words not in joint}
    if not cells:
        return replace(whole, mechanisms=joint)
    privacy = cell_privacy(each)
    return replace(
        whole,
        mechanisms=joint,
        cells=cells,
        cell_epsilon=write_fraction(privacy.epsilon),
        cell_alpha=write_fraction(privacy.value),
    )
