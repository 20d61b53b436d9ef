"""What a release may be asked, written once: the signatures, the config file, the options and the digest follow it.

`dc.plan` and `dc.release` spell their parameters out for help() and type checkers; a test holds them to the fields
here, names, types and defaults alike. Nothing is checked here: `question`, `price` and the engines do that.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

from discreet.core.rationals import Exact
from discreet.tables.published.manifest import FORMATS

if TYPE_CHECKING:
    from discreet.ledger import Ledger

T = TypeVar("T")
NUMBER = (int, float, str)  # '1/3' is text in a config file
LIST = (str, list)


def _asked(kinds: tuple[type, ...], about: str, *, choices: Sequence[str] = (), many: bool = False) -> dict[str, Any]:
    """What is known of a parameter: the kinds of value it has in a config file, and what its option says of it."""
    return {"kinds": kinds, "about": about, "choices": tuple(choices), "many": many}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked of a table. All but `read` is in the digest of the question."""

    by: str | Sequence[str] = field(metadata=_asked(LIST, "Key column; give it again for several.", many=True))
    count: str | Sequence[str] | Mapping[str, str] = field(
        metadata=_asked((str, list, dict), "A column of bits, or a predicate such as \"smoker = 'yes'\".", many=True)
    )
    size: str | int | None = field(
        default=None, metadata=_asked((int, str), "For tables of counts: the column with n, or one number.")
    )
    epsilon: Exact | None = field(
        default=None, metadata=_asked(NUMBER, "Privacy as epsilon, e.g. 0.5. Either this or --alpha.")
    )
    alpha: Exact | None = field(default=None, metadata=_asked(NUMBER, "Privacy as alpha = exp(-epsilon), e.g. 10/11."))
    properties: Any = field(
        default=None, metadata=_asked(LIST, 'The shape asked for, e.g. "WH CM" (RH RM CH CM WH F S, ODP:9/10).')
    )
    loss: Any = field(
        default="L0", metadata=_asked((str, int, float, list), 'Cost of a wrong answer: L0, L1, L2, "L0,1".')
    )
    prior: Any = field(
        default=None, metadata=_asked(LIST, 'How likely each true count is: "uniform" or "Binomial(0.3)".')
    )
    worst_case: bool = field(
        default=False, metadata=_asked((bool,), "Minimise the worst input's cost instead of the mean.")
    )
    gap: Exact | None = field(
        default=None, metadata=_asked(NUMBER, "Accept mechanisms proven within this of optimal, e.g. 0.01.")
    )
    split: Mapping[str, Exact] | Sequence[Exact] | None = field(
        default=None,
        metadata=_asked((dict, list), "NAME=WEIGHT of a count in the budget; even unless said.", many=True),
    )
    unit: str | None = field(
        default=None, metadata=_asked((str,), "The column that identifies a person; one row each is checked.")
    )
    contributions: int = field(
        default=1, metadata=_asked((int,), "Rows one person may have in all; the price is divided.")
    )
    excess: str = field(
        default="refuse", metadata=_asked((str,), "Rows beyond --contributions.", choices=("refuse", "drop"))
    )
    where: str | None = field(default=None, metadata=_asked((str,), "Row filter, over public columns only."))
    nulls: str = field(
        default="refuse",
        metadata=_asked((str, int), "Missing bits: refuse, or count as.", choices=("refuse", "0", "1")),
    )
    public: Sequence[str] = field(
        default=(), metadata=_asked(LIST, "A column counts read that is public all the same.", many=True)
    )
    keys: Any = field(
        default=None,
        metadata=_asked((str, list, dict), "A file with the complete set of keys, so that empty groups appear too."),
    )
    other_keys: str = field(
        default="refuse", metadata=_asked((str,), "Rows outside --keys.", choices=("refuse", "drop"))
    )
    intervals: Exact | None = field(
        default=None, metadata=_asked(NUMBER, "Add estimates and intervals of this confidence, e.g. 0.95.")
    )
    read: Mapping[str, Any] | None = field(
        default=None,
        metadata=_asked((dict,), "How to read a CSV, NAME=VALUE: delimiter, encoding, decimal ...", many=True),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Who pays."""

    ledger: str | os.PathLike[str] | Ledger | None = field(
        default=None, metadata=_asked((str,), "The budget: a file or a postgresql:// URL.")
    )
    dataset: str | None = field(default=None, metadata=_asked((str,), "The name of the budget in the ledger."))


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Where a release goes; a plan has no such thing."""

    resume: str | None = field(
        default=None, metadata=_asked((str,), "The id of an interrupted release to finish under its own entry.")
    )
    output: str | os.PathLike[str] | None = field(
        default=None, metadata=_asked((str,), "The folder of the bundle: table, manifest, proofs.")
    )
    format: str = field(
        default="parquet", metadata=_asked((str,), "Of the table; parquet unless said.", choices=FORMATS)
    )
    escape_formulas: bool = field(
        default=False, metadata=_asked((bool,), "In a CSV, keys that a spreadsheet would run get a leading '.")
    )
    overwrite: bool = field(default=False, metadata=_asked((bool,), "Replace an existing output."))


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What the work may take of the machine."""

    memory_limit: str | None = field(default=None, metadata=_asked((str,), "Of the whole process, e.g. 1GiB."))
    threads: int | None = field(default=None, metadata=_asked((int,), "All cores unless said."))
    temporary: str | os.PathLike[str] | None = field(
        default=None, metadata=_asked((str,), "A folder for what does not fit in memory.")
    )


EVERYTHING = (Request, Budget, Delivery, Machine)
"""All that `dc.release` takes, besides the source and who listens to its progress."""


def parameters(*parts: type) -> dict[str, Field[Any]]:
    """The parameters of these parts by name, in order; `metadata` says what each takes.

    >>> list(parameters(Machine))
    ['memory_limit', 'threads', 'temporary']
    """
    return {each.name: each for part in parts for each in fields(part)}


def taken(part: type[T], given: Mapping[str, Any]) -> T:
    """The part of a call that is `part`: `given` holds the parameters of the verb by name.

    >>> taken(Machine, {"by": "clinic", "memory_limit": None, "threads": 2, "temporary": None})
    Machine(memory_limit=None, threads=2, temporary=None)
    """
    return part(**{name: given[name] for name in parameters(part)})


def choices(name: str) -> tuple[str, ...]:
    """The words that a parameter takes, where they are a list."""
    found: tuple[str, ...] = parameters(*EVERYTHING)[name].metadata["choices"]
    return found
