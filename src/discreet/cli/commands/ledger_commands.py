"""`discreet ledger`, the record of what was spent, and `discreet cache`, the designs found
before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from discreet.cli.json_values import plain
from discreet.cli.shared import Group, emit, json_option, quoted, say
from discreet.errors import InvalidInput
from discreet.show.text import folded, table

if TYPE_CHECKING:
    from discreet.ledger import Entry, Head, Reservation

_where = click.argument("ledger")
_PUBLISHED = "published"


@click.group(cls=Group)
def ledger_command() -> None:
    """Open, show and verify the budget ledger.

    LEDGER is a file (SQLite, made when missing) or a postgresql:// URL.

    \b
    discreet ledger open budget.db patients --budget 1
    discreet ledger show budget.db
    discreet ledger verify budget.db --head 12:9f2c...
    """


@ledger_command.command("open")
@_where
@click.argument("dataset")
@click.option("--budget", required=True, help="Epsilon in all, e.g. 1 or 3/2.")
@json_option
def ledger_open(ledger: str, dataset: str, budget: str, as_json: bool) -> None:
    """Give DATASET a budget, once; set-budget changes it, with a reason."""
    from discreet.ledger import open_ledger

    _refuse_swapped(ledger, dataset, budget)
    book = open_ledger(ledger)
    account = book.open(dataset, budget=budget)
    text = f"{dataset}: budget {_e(account.budget)}, {_e(account.remaining)} left"
    text += (
        f"\nspend it with: discreet release ... --ledger {quoted(book.where)} --dataset "
        f"{quoted(dataset)}"
    )
    if others := [each.dataset for each in book.datasets() if each.dataset != dataset]:
        text += f"\n{_others(others)}"
    emit(_account(account), as_json=as_json, text=text)


def _refuse_swapped(ledger: str, dataset: str, budget: str) -> None:
    """Refuse a new ledger under the name of a dataset, where the dataset has the name of a
    ledger.
    """
    from discreet.ledger.databases.urls import hidden, is_url

    looks_right = is_url(ledger) or Path(ledger).suffix.lower() in _ENDINGS or Path(ledger).exists()
    file = Path(dataset).suffix.lower() in _ENDINGS or Path(dataset).is_file()
    if is_url(dataset) or (file and not looks_right):
        rule = f"must be the ledger, and {hidden(dataset)} looks like one; the ledger comes first"
        remedy = (
            f"discreet ledger open {quoted(hidden(dataset))} {quoted(ledger)} --budget "
            f"{quoted(budget)}"
        )
        raise InvalidInput("ledger", rule, found=ledger, remedy=remedy)


_ENDINGS = (".db", ".db3", ".sqlite", ".sqlite3")
"""How the names of files with a ledger usually end."""


@ledger_command.command("set-budget")
@_where
@click.argument("dataset")
@click.option("--budget", required=True, help="The new epsilon in all.")
@click.option("--reason", required=True, help="Why; it stays in the ledger.")
@click.option("--by", required=True, help="Who decides.")
def ledger_set_budget(ledger: str, dataset: str, budget: str, reason: str, by: str) -> None:
    """Change a budget, with a reason that stays in the chain."""
    from discreet.ledger import open_ledger

    open_ledger(ledger, create=False).set_budget(dataset, budget, reason=reason, by=by)
    say(f"{dataset}: budget is now {budget}")


@ledger_command.command("show")
@_where
@click.argument("dataset", required=False)
@json_option
def ledger_show(ledger: str, dataset: str | None, as_json: bool) -> None:
    """Show what each dataset has left; with DATASET, its history and how far each release came."""
    from discreet.ledger import open_ledger
    from discreet.ledger.parameters import first_budget

    book = open_ledger(ledger, create=False)
    if dataset is not None:
        book.remaining(dataset)  # an unknown name is an error with the nearest one
        entries, states = book.history(dataset), book.states()
        lines = [
            _HISTORY,
            *(
                _line(entry, states, left)
                for entry, left in zip(entries, _left(entries), strict=True)
            ),
        ]
        unfinished = [
            states[entry.id]
            for entry in entries
            if entry.kind == "reserve" and not states[entry.id].finished
        ]
        told = [{**plain(entry), "state": _state(entry, states)} for entry in entries]
        ids = [_IDS] if any(entry.id for entry in entries) else []
        emit(told, as_json=as_json, text="\n".join([*lines, *map(_finishing, unfinished), *ids]))
        return
    accounts = book.datasets()
    rows: list[tuple[str, ...]] = [("dataset", "budget", "spent", "left", "")]
    rows += [
        (a.dataset, *map(_e, (a.budget, a.budget - a.remaining, a.remaining)), _unfinished(a))
        for a in accounts
    ]
    none = f"no datasets yet; open one with: {first_budget(book.where)}"
    text = (
        "\n".join(
            [*table(rows, "<12 >10 >10 >10 <0"), *folded(_UNIT, width=79, first="  ", later="  ")]
        )
        if accounts
        else none
    )
    emit([_account(a) for a in accounts], as_json=as_json, text=text)


@ledger_command.command("give-back")
@_where
@click.argument("release_id")
@click.option("--reason", required=True, help="Why; it stays in the ledger.")
@click.option("--by", required=True, help="Who decides.")
def ledger_give_back(ledger: str, release_id: str, reason: str, by: str) -> None:
    """Give back a reservation that a crash left behind; refused once noise was drawn."""
    from discreet.ledger import open_ledger

    entry = open_ledger(ledger, create=False).release_reservation(release_id, reason=reason, by=by)
    say(f"{release_id}: {_e(entry.epsilon)} given back to {entry.dataset}")


@ledger_command.command("verify")
@_where
@click.option("--head", help="A head kept elsewhere: the chain must still pass through it.")
@json_option
def ledger_verify(ledger: str, head: str | None, as_json: bool) -> None:
    """Check the chain of entries; exit 1 when it is broken. Prints the head to keep elsewhere."""
    from discreet.ledger import open_ledger

    book = open_ledger(ledger, create=False)
    found = book.verify(head)
    text = "\n".join(
        [*_checked(book.datasets(), found, head), f"keep this head elsewhere:\n{found}"]
    )
    emit({"head": str(found)}, as_json=as_json, text=text)


@ledger_command.command("backup")
@_where
@click.argument("path", metavar="BACKUP", type=click.Path(dir_okay=False))
@click.option("--overwrite", is_flag=True, help="Replace an existing file.")
def ledger_backup(ledger: str, path: str, overwrite: bool) -> None:
    """Write every entry to a file."""
    from discreet.ledger import open_ledger

    head = open_ledger(ledger, create=False).backup(path, overwrite=overwrite)
    say(f"{path}: everything up to {head}")


@ledger_command.command("restore")
@_where
@click.argument("path", metavar="BACKUP", type=click.Path(dir_okay=False))
@click.option("--by", default="", help="Who restores.")
def ledger_restore(ledger: str, path: str, by: str) -> None:
    """Restore a backup into an empty ledger, or one that holds only its first entries."""
    from discreet.ledger import open_ledger

    book = open_ledger(ledger)
    head = book.restore(path, by=by)
    say(f"{book.where}: restored up to {head}")


def _checked(accounts: Sequence[Any], end: Head, kept: str | None) -> list[str]:
    """What is whole: every entry, the chain that they make, and every budget."""
    entries = "1 entry" if end.entries == 1 else f"{end.entries:,} entries"
    through = ", and it passes through the head that was kept" if kept else ""
    budgets = "1 dataset is" if len(accounts) == 1 else f"{len(accounts):,} datasets are"
    return [
        "Verified: the chain of entries is whole.",
        f"  ok  {entries}, none edited, moved or missing",
        f"  ok  each entry holds the digest of the one before it{through}",
        f"  ok  {budgets} within what was opened or set, at every entry",
    ]


def _others(names: Sequence[str]) -> str:
    """What a second budget means for people who are in the data of another."""
    some = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return (
        f"This ledger has other budgets ({some}): for people who are in the data of several, they "
        "add up."
    )


def _account(account: Any) -> dict[str, Any]:
    unfinished = [entry.release_id for entry in account.unfinished]
    facts = {"dataset": account.dataset, "budget": account.budget, "remaining": account.remaining}
    return {**facts, "unfinished": unfinished}


def _unfinished(account: Any) -> str:
    return f"{len(account.unfinished)} unfinished" if account.unfinished else ""


def _state(entry: Entry, states: Mapping[str, Reservation]) -> str:
    """How far the release of a reservation came by now; nothing for the steps in between."""
    if entry.kind != "reserve":
        return ""
    state = states[entry.id].state
    return {"committed": _PUBLISHED, "released": "given back"}.get(state, f"unfinished: {state}")


def _finishing(held: Reservation) -> str:
    """What to type for a release that was not finished."""
    again = f"--run-id {held.caller}" if held.caller else f"--resume {held.release_id}"
    return (
        f"unfinished: the same discreet release with {again} finishes {held.release_id} without "
        "paying again"
    )


_IDS = "  Releases by the first eight digits of their ids; --json has all of them."
_UNIT = "budget, spent and left are epsilon: how much privacy each of these people may lose"
_HISTORY = f"{'':>6}  {'when (UTC)':<16}  {'what':<9}{'amount':>6}  {'left':>6}  about"


def _left(entries: Sequence[Entry]) -> list[str]:
    """What is left after each entry of one dataset that changes it; nothing beside the steps in
    between.
    """
    from discreet.ledger.parameters import read_amount

    budget, held, found = Fraction(0), dict[str, Fraction](), list[str]()
    for entry in entries:
        if entry.kind in ("open", "budget"):
            budget = read_amount(entry.amount)
        elif entry.kind == "reserve":
            held[entry.id] = read_amount(entry.amount)
        elif entry.kind == "release":
            held.pop(entry.id)
        changes = entry.kind in ("open", "budget", "reserve", "release")
        found.append(_e(budget - sum(held.values())) if changes else "")
    return found


def _line(entry: Entry, states: Mapping[str, Reservation], left: str) -> str:
    from discreet.ledger.parameters import read_amount

    run = entry.caller and f"run {entry.caller}"
    state = _state(entry, states)
    state = "" if state == _PUBLISHED else state  # its own entry says so, below
    parts = (entry.id[:8], entry.note, run, state and f"({state})", entry.by and f"by {entry.by}")
    words = " ".join(word for word in parts if word)
    time, amount = (
        entry.time[:16].replace("T", " "),
        _e(read_amount(entry.amount)) if entry.amount else "",
    )
    return f"{entry.sequence:>6}  {time}  {entry.kind:<9}{amount:>6}  {left:>6}  {words}".rstrip()


def _e(value: Any) -> str:
    from discreet.core.rationals import in_decimals

    return in_decimals(value)


_SIZES = 5
"""Group sizes of the cache that are listed unless details are asked for: those with the most
designs.
"""


@click.group(cls=Group, invoke_without_command=True)
@click.pass_context
def cache_command(ctx: click.Context) -> None:
    """Show the cache of designs, or clear it.

    \b
    discreet cache          # the same as discreet cache show
    discreet cache clear
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(cache_show)


@cache_command.command("show")
@click.option(
    "--details", is_flag=True, help="Every group size, not only those with the most designs."
)
@json_option
def cache_show(details: bool = False, as_json: bool = False) -> None:
    """Say how many designs the cache has, of which group sizes, and where it is; --json lists
    the files.
    """
    from discreet.designer.cache import Store

    found = Store().to_dict()
    text = f"{_designs(found['designs'])}, {_in_bytes(found['bytes'])}, in {found['folder']}"
    if found["designs"]:
        sizes = Counter(str(file).partition("-")[0].removeprefix("n") for file in found["files"])
        shown = sizes.most_common(None if details else _SIZES)
        ordered = sorted(shown, key=lambda item: (len(item[0]), item[0]))
        more = len(sizes) - len(shown)
        rest = (
            [f"  ... and {more} more size{'s' if more > 1 else ''}: discreet cache show --details"]
            if more
            else []
        )
        text = "\n".join([text, *table([("n", "designs"), *ordered], ">3 >9", gap=2), *rest])
    emit(found, as_json=as_json, text=text)


@cache_command.command("clear")
def cache_clear() -> None:
    """Forget every cached design; they are found again when needed."""
    from discreet.designer.cache import Store

    say(f"{_designs(Store().clear())} forgotten")


def _in_bytes(many: int) -> str:
    """A number of bytes as people say it.

    >>> _in_bytes(712), _in_bytes(23_933_287)
    ('712 bytes', '24 MB')
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if many >= unit:
            return f"{many / unit:.{0 if many >= 10 * unit else 1}f} {name}"
    return f"{many} bytes"


def _designs(many: int) -> str:
    return "1 design" if many == 1 else f"{many:,} designs"
