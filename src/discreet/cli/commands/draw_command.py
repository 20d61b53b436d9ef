"""`discreet draw`: private counts from a proof file, one by one, for who has a few numbers and
no table.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import click

from discreet.cli.existing import Existing
from discreet.cli.shared import Command, emit, json_option, say
from discreet.core.rationals import in_decimals
from discreet.errors import DiscreetError, InvalidData, InvalidInput

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.ledger import Ledger

_COUNT = re.compile(r"[+-]?[0-9]{1,18}")


@click.command(cls=Command)
@click.argument("file", type=Existing(dir_okay=False))
@click.argument("counts", nargs=-1, required=True)
@click.option("--ledger", metavar="FILE", help="The budget: a file or a postgresql:// URL.")
@click.option("--dataset", metavar="NAME", help="The name of the budget in the ledger.")
@json_option
def draw_command(
    file: str, counts: tuple[str, ...], ledger: str | None, dataset: str | None, as_json: bool
) -> None:
    """Draw a private count for each true one, from the mechanism in a proof file.

    Each draw is a release of its own and costs the mechanism's epsilon; with --ledger that is spent
    first. For a table of groups, in which a person is in one group and pays once, use discreet
    release --mechanism. A histogram is given as its counts, 6,2,0.

    \b
    discreet design --n 8 --epsilon 0.5 -p F -o m.json
    discreet draw m.json 3 5 0
    discreet draw m.json 3 --ledger budget.db --dataset patients
    """
    import discreet as dc

    if dataset is not None and ledger is None:
        raise InvalidInput("dataset", "needs `ledger`", dataset, remedy="it names a budget there")
    m = dc.load(file)
    truths = _read(m, counts)
    epsilon = len(truths) * m.epsilon
    book = (
        None
        if ledger is None or not epsilon
        else _Spent(ledger, dataset, epsilon, f"draw from {m.id[:12]}")
    )
    with nullcontext() if book is None else book.reported():
        outputs = m.release(truths)
    facts: dict[str, Any] = {
        "outputs": outputs,
        "n": m.n,
        "mechanism": m.id,
        "epsilon_each": m.epsilon,
        "epsilon": epsilon,
        "accounted": book is not None,
    }
    text = "\n".join(
        ",".join(map(str, one)) if isinstance(one, tuple) else str(one) for one in outputs
    )
    said = (
        "1 draw costs"
        if len(truths) == 1
        else f"{len(truths)} draws cost {in_decimals(m.epsilon)} each, together"
    )
    said = f"{said} epsilon {in_decimals(epsilon)}"
    if len(truths) > 1 and epsilon:
        said += " for a person who is in all of them"
    if book is not None:
        with book.reported():
            book.publish(text)
        facts |= {
            "release": book.held.release_id,
            "dataset": book.held.dataset,
            "remaining": book.remaining,
        }
        said += f"; {book.held.dataset} has {in_decimals(book.remaining)} left"
    elif epsilon:
        said += "; nothing is accounted without --ledger"
    else:
        said += ": the answers have nothing to do with the counts"
    emit(facts, as_json=as_json, text=text)
    if book is not None:
        book.commit()
    if not as_json:
        say(said, err=True)


def _read(m: Mechanism, words: Sequence[str]) -> list[Any]:
    """The true counts or histograms, all checked before anything is spent; an error never shows
    one.
    """
    from discreet.core.histogram import Histogram
    from discreet.sampler.inputs import read_counts
    from discreet.sampler.points import read_points

    histograms = isinstance(m.domain, Histogram)
    found: list[Any] = []
    for row, word in enumerate(words, start=1):
        parts = word.split(",") if histograms else [word]
        if not all(_COUNT.fullmatch(part.strip()) for part in parts):
            raise _WrongCount(
                m, "must be whole numbers" if histograms else "must be a whole number", row
            )
        found.append(tuple(map(int, parts)) if histograms else int(word))
    try:
        if isinstance(m.domain, Histogram):
            return list(read_points(m.domain, found, several=True))
        read_counts(found, m.n)
    except InvalidData as error:
        raise _WrongCount(m, error.rule.replace("in 0..", "0 to "), error.row) from None
    return found


class _WrongCount(InvalidData):
    """One of the true counts that were typed breaks a rule: which one is said, and not what it
    is.
    """

    def __init__(self, m: Mechanism, rule: str, row: object) -> None:
        from discreet.core.histogram import Histogram

        self.what = "histogram" if isinstance(m.domain, Histogram) else "count"
        super().__init__("counts", rule, row=row)

    def _fault(self, spell: Callable[[str], str]) -> str:
        place = int(str(self.row))
        end = {1: "st", 2: "nd", 3: "rd"}.get(
            place % 10 if place % 100 not in (11, 12, 13) else 0, "th"
        )
        return f"the {place}{end} {self.what} {spell(self.rule)}"


class _Spent:
    """The entry of these draws in a ledger: spent before the first word is drawn."""

    def __init__(self, where: str, dataset: str | None, epsilon: Any, note: str) -> None:
        from discreet.ledger import open_ledger

        self._ledger = open_ledger(where, create=False)
        name = _only_dataset(self._ledger) if dataset is None else dataset
        self.held = self._ledger.mark_drawn(self._ledger.reserve(name, epsilon, note=note))

    @property
    def remaining(self) -> Any:
        return self._ledger.remaining(self.held.dataset)

    @contextmanager
    def reported(self) -> Iterator[None]:
        """Have an error say what the ledger keeps: no budget is spent unreported."""
        try:
            yield
        except BaseException as error:
            kept = (
                f"The ledger keeps {in_decimals(self.held.epsilon)} of dataset "
                f"{self.held.dataset!r}; no draw was shown"
            )
            if isinstance(error, DiscreetError):
                error.consequence = kept
            else:
                error.add_note(kept)
            raise

    def publish(self, text: str) -> None:
        """Record what is about to be shown."""
        self.held = self._ledger.mark_publishing(
            self.held, digest=hashlib.sha256(text.encode()).hexdigest()
        )

    def commit(self) -> None:
        self.held = self._ledger.commit(self.held)


def _only_dataset(ledger: Ledger) -> str:
    names = [account.dataset for account in ledger.datasets()]
    if len(names) != 1:
        remedy = f"one of {', '.join(names)}" if names else "open one with: discreet ledger open"
        raise InvalidInput("dataset", f"is needed: the ledger has {len(names)}", remedy=remedy)
    return names[0]
