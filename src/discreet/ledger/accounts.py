"""The rules of spending, as a fold over entries: budgets, reservations and what they may become.

    open --> reserve --> draw --> publish --> commit        draw may repeat before publish
                 \\--> release                              only before any draw

There is no stored balance: what is spent is always the sum over the chain, so no two numbers can
disagree. The same function judges an entry about to be written and an entry read back, so a chain
that breaks a rule is found however well it is sealed.

Why these states, in this order. Let a release be *seen* when its file appears under its final name.

1. `reserve` comes first: from then on the amount counts. A crash anywhere later can only
   over-count.
2. `draw` is written before the first random word is taken. A reservation without a `draw` has
   therefore shown nothing of the data, and a person may give it back; with one it may not: only the
   process knew what it did with the words.
3. Drawing again after `draw` is safe while nothing was seen: the discarded draw is a random value
   nobody observed, and what is published is a function of the last draw alone, which is
   epsilon-private. (Temporary files belong to the steward, like the source: they are no
   publication, and must be unreadable to others and removed.)
4. `publish` is written, with the digest of the finished file, before the rename, and only once per
   reservation. So "seen" implies "publish was written", and a reservation without `publish` was not
   seen: rule 3 applies exactly there. After `publish` the file may or may not have been seen, hence
   no redraw ever: two different draws could both be seen for the price of one. Renaming the *same*
   file (same digest) again is allowed: it shows nothing new.
5. Two processes that resume the same reservation may both draw, but draws are numbered, a process
   holds the number of its own, and `publish` is refused to all but the latest, under the lock: one
   of them publishes, once; the other is refused and must discard its file.
6. A release asks one question. Its digest is in the reservation, or in the first draw of one made
   by hand, and a draw for another question is refused: one price, one question, however often it is
   drawn.
7. `commit` only notes that the file has appeared. Losing it costs nothing: the amount counts since
   `reserve`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from discreet.errors import BudgetError, BudgetExceeded, did_you_mean
from discreet.ledger.entries import Head, broken
from discreet.ledger.names import look
from discreet.ledger.parameters import ledger_command, read_amount, show

if TYPE_CHECKING:
    from collections.abc import Iterable

    from discreet.ledger.entries import Entry, Kind

MAX_SUM_BITS = 16_384  # of the common denominator of all amounts of a dataset

State = Literal["reserved", "drawn", "publishing", "committed", "released"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """An amount set aside for one release, as it stood when it was read."""

    release_id: str
    dataset: str
    epsilon: Fraction
    state: State = "reserved"
    draws: int = 0
    digest: str = ""
    note: str = ""
    time: str = ""
    question: str = ""
    """The digest of what is asked; empty where none was given."""
    outputs: tuple[str, ...] = ()
    """The places its draws were written to, each once, the latest last."""
    caller: str = ""

    @property
    def finished(self) -> bool:
        """Say whether nothing more can happen to it."""
        return self.state in ("committed", "released")


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A dataset's budget and what counts as spent of it, unfinished reservations included."""

    dataset: str
    budget: Fraction
    spent: Fraction = Fraction(0)
    unfinished: tuple[Reservation, ...] = ()

    @property
    def remaining(self) -> Fraction:
        """Return what may still be reserved."""
        return self.budget - self.spent


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """Everything a chain says, up to `head`."""

    head: Head = field(default_factory=Head)
    accounts: dict[str, Account] = field(default_factory=dict)
    reservations: dict[str, Reservation] = field(default_factory=dict)
    looks: dict[str, str] = field(default_factory=dict)
    where: str = "LEDGER"
    """The ledger as it may be shown, for the lines that errors recommend."""

    def account(self, dataset: str) -> Account:
        """Return a dataset's account or say which datasets there are."""
        if dataset in self.accounts:
            return self.accounts[dataset]
        near = "open"
        if self.accounts:
            hint = did_you_mean(dataset, self.accounts)
            near = f"{hint}{'' if hint.endswith('?') else '.'} Or open"
        opens = ledger_command("open", self.where, dataset, "--budget", "2")
        raise BudgetError(
            f"no budget is open for dataset {dataset!r}", remedy=f"{near} it with: {opens}"
        )

    def reservation(self, release_id: str) -> Reservation:
        """Return a release's reservation or say that there is none."""
        if release_id in self.reservations:
            return self.reservations[release_id]
        shows = "; ".join(
            ledger_command("show", self.where, dataset) for dataset in list(self.accounts)[:3]
        )
        remedy = f"all are listed by {shows}" if shows else ""
        raise BudgetError(
            f"no reservation for release {release_id!r} is in this ledger", remedy=remedy
        )

    def run(self, dataset: str, caller: str) -> Reservation | None:
        """Return the reservation of a run by the caller's own id of it, unless it was given
        back.
        """
        found = [
            r
            for r in self.reservations.values()
            if (r.dataset, r.caller) == (dataset, caller) and r.state != "released"
        ]
        if len(found) > 1:  # reserved by hand: ids of runs were not always told apart
            names = " or ".join(f"`resume={r.release_id!r}`" for r in found[:2])
            rule = (
                f"run {caller!r} has several entries of dataset {dataset!r}, so which one is "
                "meant is not clear"
            )
            raise BudgetError(rule, remedy=f"say which with {names}, or give the run another id")
        return found[0] if found else None

    def unfinished(self, dataset: str) -> tuple[Reservation, ...]:
        """Return the dataset's reservations that are neither committed nor given back."""
        return tuple(
            r for r in self.reservations.values() if r.dataset == dataset and not r.finished
        )


def fold(books: Books, entries: Iterable[Entry], *, written: bool = False) -> Books:
    """Return the books after `entries`; raises BudgetError at the first that breaks a rule.

    `written` says that the entries were read back rather than asked for: breaking a rule is then a
    broken ledger.

    >>> from discreet.ledger.entries import Entry, START
    >>> opened = Entry(
    ...     sequence=1, previous=START, time="", kind="open", dataset="people", amount="1/1"
    ... )
    >>> taken = Entry(
    ...     sequence=2,
    ...     previous=opened.seal,
    ...     time="",
    ...     kind="reserve",
    ...     dataset="people",
    ...     id="a",
    ...     amount="1/3",
    ... )
    >>> fold(Books(), [opened, taken]).accounts["people"].remaining
    Fraction(2, 3)
    """
    after = replace(
        books,
        accounts=dict(books.accounts),
        reservations=dict(books.reservations),
        looks=dict(books.looks),
    )
    last: Entry | None = None
    for entry in entries:
        try:
            _apply(after, entry)
        except BudgetError as error:
            if not written:
                raise
            raise broken(f"entry {entry.sequence} breaks a rule ({error})") from None
        last = entry
    return replace(after, head=Head(entries=last.sequence, seal=last.seal)) if last else after


def _apply(books: Books, entry: Entry) -> None:
    if entry.kind == "restore":
        return
    if entry.kind == "open":
        _open(books, entry)
    elif entry.kind == "budget":
        _change_budget(books, entry)
    elif entry.kind == "reserve":
        _reserve(books, entry)
    else:
        _advance(books, entry)


def _open(books: Books, entry: Entry) -> None:
    budget, known = read_amount(entry.amount), books.accounts.get(entry.dataset)
    if known is not None:
        raise BudgetError(
            f"dataset {entry.dataset!r} is already open with a budget of {show(known.budget)}, "
            f"not {show(budget)}",
            remedy=f"to change it:{_raised(books, entry.dataset, show(budget))}",
        )
    # two names that look alike would be two budgets for one dataset
    other = books.looks.setdefault(look(entry.dataset), entry.dataset)
    if other != entry.dataset:
        raise BudgetError(
            f"dataset {entry.dataset!r} looks like {other!r}, which is open",
            remedy="use that name, or another",
        )
    books.accounts[entry.dataset] = Account(dataset=entry.dataset, budget=budget)


def _change_budget(books: Books, entry: Entry) -> None:
    account, budget = books.account(entry.dataset), read_amount(entry.amount)
    _signed(entry)
    if budget < account.spent:
        raise BudgetError(
            f"the budget of {entry.dataset!r} cannot become {show(budget)}",
            remedy=f"{show(account.spent, up=True)} is spent already; give at least that",
        )
    books.accounts[entry.dataset] = replace(account, budget=budget)


def _reserve(books: Books, entry: Entry) -> None:
    account, epsilon = books.account(entry.dataset), read_amount(entry.amount)
    if entry.id in books.reservations:
        state = books.reservations[entry.id].state
        raise BudgetError(
            f"release {entry.id!r} has a reservation already ({state})",
            remedy=f"`resume={entry.id!r}` takes it up if nothing was published; another "
            "release needs another id",
        )
    refuse_if_too_much(books, account, epsilon)
    spent = account.spent + epsilon
    if spent.denominator.bit_length() > MAX_SUM_BITS:  # exact sums must stay quick to add
        simpler = show(Fraction(-(-epsilon.numerator * 1000 // epsilon.denominator), 1000))
        raise BudgetError(
            f"epsilon {show(epsilon, up=True)} and the releases before it have too large a common "
            "denominator",
            remedy=f"round it up to a simpler number, such as {simpler}; nothing was reserved",
        )
    reservation = Reservation(
        release_id=entry.id,
        dataset=entry.dataset,
        epsilon=epsilon,
        note=entry.note,
        time=entry.time,
        question=entry.question,
        caller=entry.caller,
    )
    books.reservations[entry.id] = reservation
    books.accounts[entry.dataset] = replace(account, spent=spent)


# What each kind needs the state to be, and what it makes of it.
_STEPS: dict[Kind, tuple[tuple[State, ...], State]] = {
    "draw": (("reserved", "drawn"), "drawn"),
    "publish": (("drawn",), "publishing"),
    "commit": (("publishing",), "committed"),
    "release": (("reserved",), "released"),
}

_WHY: dict[State, str] = {
    "reserved": "nothing was drawn yet: mark_drawn, then mark_publishing, come first",
    "drawn": "words were drawn for it: it stays spent, and ledger.resume(release_id) may finish it",
    "publishing": "its file may have been seen: it stays spent and cannot be drawn again; only a "
    "file of the recorded digest may still be put in place and committed; a fresh release needs a "
    "fresh reservation",
    "committed": "its file was published: it stays spent; a fresh release needs a fresh "
    "reservation",
    "released": "it was given back: a fresh release needs a fresh reservation",
}


def _advance(books: Books, entry: Entry) -> None:
    before = books.reservation(entry.id)
    if before.dataset != entry.dataset:
        raise BudgetError(
            f"release {entry.id!r} belongs to dataset {before.dataset!r}, not {entry.dataset!r}"
        )
    allowed, state = _STEPS[entry.kind]
    if before.state not in allowed:
        raise BudgetError(
            f"release {entry.id!r} is {before.state}, so {entry.kind!r} is refused",
            remedy=_WHY[before.state],
        )
    if entry.question and before.question and entry.question != before.question:
        raise other_question(before)
    if entry.kind == "release":
        _signed(entry)
        account = books.accounts[before.dataset]
        books.accounts[before.dataset] = replace(account, spent=account.spent - before.epsilon)
    draws = before.draws + (entry.kind == "draw")
    outputs = tuple(place for place in before.outputs if place != entry.output)
    books.reservations[entry.id] = replace(
        before,
        state=state,
        draws=draws,
        digest=entry.digest or before.digest,
        question=before.question or entry.question,
        outputs=(*outputs, entry.output) if entry.output else outputs,
    )


def other_question(held: Reservation) -> BudgetError:
    """Return the error for a release that was reserved for something else."""
    remedy = (
        "repeat the call as it was (groups, counts, filter, privacy, design), or make a new release"
    )
    return BudgetError(
        f"release {held.release_id!r} was reserved for another question", remedy=remedy
    )


def _signed(entry: Entry) -> None:
    if not entry.note.strip() or not entry.by.strip():
        raise BudgetError(
            f"{entry.kind!r} needs a reason and the name of the person who decided it"
        )


def refuse_if_too_much(books: Books, account: Account, epsilon: Fraction) -> None:
    """Refuse an amount that does not fit what remains, with what would."""
    left, budget = account.remaining, show(account.budget)
    if epsilon <= left:
        return
    fits = f"{show(left)} of {budget} remains" if left else f"nothing remains of {budget}"
    idle = [r for r in books.unfinished(account.dataset) if r.state == "reserved"]
    hint = ""
    if idle:
        total = show(sum((r.epsilon for r in idle), Fraction(0)))
        back = ledger_command("give-back", books.where, idle[0].release_id)
        names = ", ".join(repr(r.release_id) for r in idle[:3]) + (", ..." if len(idle) > 3 else "")
        hint = (
            f" Reserved and not drawn: {total} ({names}); {back} --reason WHY --by WHO "
            "returns one that was abandoned."
        )
    rule = (
        f"epsilon {show(epsilon, up=True)} does not fit the budget of dataset "
        f"{account.dataset!r} ({fits})"
    )
    error = BudgetExceeded(
        rule, requested=epsilon, remaining=left, remedy=_ways_out(books, account, epsilon)
    )
    error.consequence = f"Nothing was spent.{hint}"
    raise error


def _ways_out(books: Books, account: Account, epsilon: Fraction) -> str:
    """What to do where an amount does not fit: look, take less, or decide that people may give
    away more.
    """
    shows = ledger_command("show", books.where, account.dataset)
    enough = show(account.spent + epsilon, up=True)
    ways = [
        f"what was spent, and on what: {shows}",
        *(
            [f"a release with epsilon {show(account.remaining)} or less fits"]
            if account.remaining
            else []
        ),
        "what is released already can be read, and sent on, as often as you like: that costs "
        "nothing",
        "a larger budget is a decision, which stays in the ledger: each of these people may then "
        "lose more privacy:" + _raised(books, account.dataset, enough, indent="    "),
        'more: the page "Refused? What to do" of the documentation',
    ]
    return "".join(f"\n  - {way}" for way in ways)


def _raised(books: Books, dataset: str, budget: str, *, indent: str = "  ") -> str:
    """The command that changes a budget, on lines of its own that can be copied whole."""
    command = ledger_command("set-budget", books.where, dataset)
    return f"\n{indent}{command} \\\n{indent}    --budget {budget} --reason WHY --by WHO"
