"""What a release may be asked, written once: the signatures, the config file, the options and the
digest follow it.

`dc.plan` and `dc.release` spell their parameters out for help() and type checkers; a test holds
them to the fields here, names, types and defaults alike. Little is checked here: `question`,
`price` and the engines do that.

A request has one name, so that an interrupted release is finished as it was begun, or not at all:
`question_digest`, SHA-256 over "discreet question 1", a line break, and canonical JSON of
everything that decides what is released and is not data: every parameter of a `Request` but `read`.
Numbers are exact, so 0.5 and "1/2" are one question; predicates count as they were typed. A
parameter that came later (`_LATER`) is in it where it is given, so that what could be asked before
keeps its name. Of `keys` a digest is taken: of the file's bytes, or of the keys whatever their
order. Not in it: source and reading (the table may have moved), ledger, output, format, threads,
memory. It is made before the source is opened, so that no value of a protected column is in it. A
change to what is digested takes the next number in it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from discreet.core.family import MechanismsLike
from discreet.core.losses import Loss, LossLike, Prior, PriorLike, read_loss
from discreet.core.mechanism import Mechanism
from discreet.core.properties import ShapeLike, read_shape
from discreet.core.rationals import Exact, read_fraction, read_list
from discreet.errors import DiscreetError, InvalidInput, NotAccounted, warn
from discreet.tables.asking.level_keys import digested_by_level, digested_levels
from discreet.tables.engines import read_keys
from discreet.tables.published.manifest import FORMATS, file_digest, write_fraction

if TYPE_CHECKING:
    from discreet.ledger import Ledger

T = TypeVar("T")
NUMBER = (int, float, str)  # '1/3' is text in a config file
LIST, ANY = (str, list), (str, list, dict)


def _asked(
    kinds: tuple[type, ...], about: str, *, choices: Sequence[str] = (), many: bool = False
) -> dict[str, Any]:
    """What is known about a parameter: the types it may have in a config file, and the help text
    of its option.
    """
    return {"kinds": kinds, "about": about, "choices": tuple(choices), "many": many}


def _ask(default: Any, kinds: tuple[type, ...], about: str, **more: Any) -> Any:
    return field(default=default, metadata=_asked(kinds, about, **more))


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked of a table. All but `read` is in the digest of the question."""

    by: str | Sequence[str] | Mapping[str, str] = _ask(
        MISSING, ANY, "The column of the groups; again for several.", many=True
    )
    count: str | Sequence[str] | Mapping[str, Any] = _ask(
        MISSING, ANY, 'A column of 0 and 1, or "age > 64".', many=True
    )
    size: str | int | None = _ask(
        None, (int, str), "For tables of counts: the column with n, or one number."
    )
    epsilon: Exact | None = _ask(None, NUMBER, "Privacy, e.g. 0.5; smaller is safer. Or --alpha.")
    alpha: Exact | None = _ask(None, NUMBER, "Privacy as alpha = exp(-epsilon), e.g. 10/11.")
    properties: ShapeLike = _ask(
        None, LIST, 'The shape asked for, e.g. "WH CM" (RH RM CH CM WH F S, ODP:9/10).'
    )
    loss: LossLike = _ask(
        "L0", (str, int, float, list), 'Cost of a wrong answer: L0, L1, L2, "L0,1".'
    )
    prior: PriorLike | Mapping[int, PriorLike] = _ask(
        None, LIST, 'How likely counts are: uniform, "Binomial(0.3)".'
    )
    worst_case: bool = _ask(False, (bool,), "Minimise the worst input's cost instead of the mean.")
    gap: Exact | None = _ask(
        None, NUMBER, "Accept mechanisms proven within this of optimal, e.g. 0.01."
    )
    mechanism: MechanismsLike | None = _ask(
        None, ANY, "Draw from a proof file or folder; again for each.", many=True
    )
    split: Mapping[str, Exact] | Sequence[Exact] | None = _ask(
        None, (dict, list), "NAME=WEIGHT of a count in the budget; even unless said.", many=True
    )
    unit: str | None = _ask(None, (str,), "Who is who: that each has one row is checked.")
    contributions: int = _ask(1, (int,), "Rows one person may have in all; the price is divided.")
    together: bool = _ask(
        False, (bool,), "Each person's rows are in one group (checked): one price for them."
    )
    excess: str = _ask(
        "refuse", (str,), "What becomes of rows beyond --contributions.", choices=("refuse", "drop")
    )
    where: str | None = _ask(None, (str,), "Row filter, over public columns only.")
    nulls: str = _ask(
        "refuse", (str, int), "What a missing answer counts as.", choices=("refuse", "0", "1")
    )
    public: Sequence[str] = _ask(
        (), LIST, "A column that counts read, public all the same.", many=True
    )
    keys: Any = _ask(
        None, ANY, "A file with the complete set of keys, so that empty groups appear too."
    )
    other_keys: str = _ask(
        "refuse", (str,), "What becomes of rows with other keys.", choices=("refuse", "drop")
    )
    cap: int | None = _ask(None, (int,), "Count at most so many of a group; hide its size.")
    intervals: Exact | None = _ask(
        None, NUMBER, "Add estimates and intervals of this confidence, e.g. 0.95."
    )
    smallest: int | None = _ask(None, (int,), "Merge groups of fewer people into one row.")
    adding_up: bool = _ask(False, (bool,), "Add whole numbers whose sums are all right.")
    levels: str | Sequence[Sequence[str]] | None = _ask(
        None, LIST, "Coarser tables too: rollup, cube, or KEY,KEY.", many=True
    )
    level_split: Mapping[str, Exact] | None = _ask(
        None, (dict,), "LEVEL=SHARE of epsilon, such as region=0.2; chosen unless said.", many=True
    )
    level_importance: Mapping[str, Exact] | None = _ask(
        None, (dict,), "LEVEL=WEIGHT where shares are chosen; equal unless said.", many=True
    )
    level_properties: Mapping[str, ShapeLike] | None = _ask(
        None,
        (dict,),
        "LEVEL=SHAPE of a coarser level, such as region=F; GM unless said.",
        many=True,
    )
    read: Mapping[str, Any] | None = _ask(
        None, (dict,), "How to read a CSV, NAME=VALUE: delimiter, encoding, decimal ...", many=True
    )


def _holds_values(given: Any) -> bool:
    """Whether something is a column: of pandas, Polars, NumPy, Arrow or Spark. A frame, or its
    index, holds names.
    """
    if hasattr(given, "columns") or type(given).__name__.endswith("Index"):
        return False
    arrays = ("__array__", "__arrow_c_array__", "__arrow_c_stream__")
    column = any(hasattr(given, name) for name in arrays) and getattr(given, "shape", (1,)) != ()
    return column or type(given).__name__ == "Column"


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Who pays."""

    ledger: str | os.PathLike[str] | Ledger | None = field(
        default=None, metadata=_asked((str,), "The budget: a file or a postgresql:// URL.")
    )
    dataset: str | None = field(
        default=None, metadata=_asked((str,), "The name of the budget in the ledger.")
    )

    def check(self, resume: str | None = None) -> None:
        """Refuse what only a ledger could answer, where none is given."""
        if self.ledger is None and resume is not None:
            raise InvalidInput("resume", "needs the ledger that holds the entry", resume)
        if self.ledger is None and self.dataset is not None:
            remedy = "give `ledger` too, a file or a postgresql:// URL, or leave the name out"
            raise InvalidInput(
                "dataset", "names a budget, which is in a ledger", found=self.dataset, remedy=remedy
            )

    def warn_if_none(self) -> None:
        """Say, once a process, that nothing accounts for a release."""
        if self.ledger is None and "ledger" not in _told:
            _told.add("ledger")
            rule = (
                "nothing accounts for what this release and others of the same people cost together"
            )
            warn(f"{rule}: `ledger` and `dataset` name a budget that does", NotAccounted)


_told: set[str] = set()


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Where a release goes; a plan is not written anywhere."""

    resume: str | None = field(
        default=None,
        metadata=_asked((str,), "The id of an interrupted release to finish under its own entry."),
    )
    run_id: str | None = field(
        default=None, metadata=_asked((str,), "Your id of this run: repeated, it is made once.")
    )
    output: str | os.PathLike[str] | None = field(
        default=None, metadata=_asked((str,), "The folder of the bundle: table, manifest, proofs.")
    )
    format: str | None = field(
        default=None,
        metadata=_asked(
            (str,),
            "Of the table; unless said csv if the source is CSV, else parquet.",
            choices=FORMATS,
        ),
    )
    escape_formulas: bool = field(
        default=False,
        metadata=_asked((bool,), "In a CSV, keys that a spreadsheet would run get a leading '."),
    )
    byte_order_mark: bool = field(
        default=False,
        metadata=_asked((bool,), "Begin a CSV with the mark by which Excel knows UTF-8."),
    )
    overwrite: bool = field(default=False, metadata=_asked((bool,), "Replace an existing output."))


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What the work may take of the machine."""

    memory_limit: str | None = field(
        default=None, metadata=_asked((str,), "Of the whole process, e.g. 1GiB.")
    )
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


_MAY_BE_VALUES = ("source", "progress", "keys", "loss", "prior", "split", "mechanism")
"""Parameters that may be given as a table or an array."""


def refuse_values(given: Mapping[str, Any]) -> None:
    """Refuse the values of a column in any other parameter, such as `count=df.smoker`."""
    for parameter, value in given.items():
        if parameter not in _MAY_BE_VALUES:
            _refuse_values(parameter, value)


def _refuse_values(parameter: str, given: Any) -> None:
    """Refuse the values of a column, and show none of them."""
    waiting = [given]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            waiting += each.values()
        elif isinstance(each, list | tuple | set | frozenset):
            waiting += each
        elif _holds_values(each):
            name = getattr(each, "name", None)
            what, remedy = "a plain value", ""
            if parameter in ("by", "count", "size", "unit", "where", "public"):
                what = "text, a column's name or an expression"
                remedy = "give its name"
                if isinstance(name, str):
                    remedy = f"give its name, `{parameter}={name!r}`"
                if parameter == "where":
                    remedy = "such as `where='age > 64'`"
            rule = f"must be {what}, and these are a column's values"
            raise InvalidInput(parameter, rule, remedy=remedy)


def choices(name: str) -> tuple[str, ...]:
    """The words that a parameter takes, where they are a list."""
    found: tuple[str, ...] = parameters(*EVERYTHING)[name].metadata["choices"]
    return found


_FIRST_LINE = "discreet question 1\n"


def question_digest(request: Request) -> str:
    """Return the digest of a question. A request that is wrong has one too: it is refused later,
    when it is answered.

    >>> first = Request(by="clinic", count="smoker", epsilon=0.5, properties="WH CM")
    >>> same = Request(
    ...     by=["clinic"], count={"smoker": "smoker"}, epsilon="1/2", properties=["CM", "WH"]
    ... )
    >>> question_digest(first) == question_digest(same)
    True
    >>> question_digest(first) == question_digest(replace(first, where="age > 17"))
    False
    """
    asked = {}
    for name, each in parameters(Request).items():
        value = getattr(request, name)
        if name not in _NOT_DIGESTED and not (name in _LATER and value == each.default):
            asked[name] = _READERS.get(name, _plain)(value)
    asked["split"] = _split(request.split, asked["count"])
    text = json.dumps(
        asked, sort_keys=True, separators=(",", ":")
    )  # ASCII: every character has one spelling
    return hashlib.sha256((_FIRST_LINE + text).encode()).hexdigest()


def repeatable(request: Request) -> Request:
    """The request with everything in it readable more than once: for its digest, and to be
    answered.
    """
    once: dict[str, Any] = {
        name: list(value)
        for name in _LISTS
        if isinstance(value := getattr(request, name), Iterator)
    }
    keys = request.keys
    if keys is not None and not isinstance(keys, str | os.PathLike):
        keys = read_keys(keys, _listed(once.get("by", request.by)), {})
    request = replace(request, keys=keys, **once)
    if request.mechanism is None:
        return request
    from discreet.tables.asking.own_mechanisms import with_own

    return with_own(request, [name for name, _ in _counts(request.count)])


def _by(by: Any) -> list[Any]:
    """Names of columns; a key that is made of others, with its expression."""
    made = by.items() if isinstance(by, Mapping) else ((name, name) for name in _listed(by))
    return [name if name == text else [str(name), _plain(text)] for name, text in made]


def _counts(count: Any) -> list[list[Any]]:
    named = (
        count.items() if isinstance(count, Mapping) else ((text, text) for text in _listed(count))
    )
    return [
        [str(name), text if isinstance(text, str) else _answers(str(name), text)]
        for name, text in named
    ]


def _answers(name: str, asked: Any) -> Any:
    from discreet.tables.asking.answers import digested

    return digested(name, asked, _plain)


def _split(split: Any, counts: list[list[Any]]) -> Any:
    """Weights by name; equal weights are the same split as none."""
    given = (
        split
        if isinstance(split, Mapping)
        else dict(zip((c[0] for c in counts), _listed(split), strict=False))
    )
    try:
        weights = {str(name): read_fraction("split", weight) for name, weight in given.items()}
        if split is not None and len(set(weights.values())) > 1:
            return {
                name: write_fraction(weight / sum(weights.values()))
                for name, weight in weights.items()
            }
    except (DiscreetError, ZeroDivisionError):
        return _plain(split)
    return None


def _keys(keys: Any) -> Any:
    if keys is None:
        return None
    if isinstance(keys, str | os.PathLike):
        path = Path(os.fsdecode(keys))
        return {"file": file_digest(path) if path.is_file() else str(path)}
    total, rows = 0, 0
    for batch in keys.to_batches():
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            digest = hashlib.sha256(repr(row).encode("utf-8", "surrogatepass")).digest()
            total, rows = (total + int.from_bytes(digest)) % 2**256, rows + 1
    return {"rows": rows, "sum": f"{total:064x}"}


def _or_plain(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A reader that takes what it cannot read as it is."""

    def either(value: Any) -> Any:
        try:
            return read(value)
        except DiscreetError:
            return _plain(value)

    return either


def _loss(loss: Any) -> Any:
    """A named loss is the same at every size, so it is read at the smallest."""
    found = loss if isinstance(loss, Loss) else read_loss(loss, 1)
    return {name: _plain(value) for name, value in found.spec.items()}


def _prior(prior: Any) -> Any:
    if isinstance(prior, Mapping):
        return sorted([str(size), _prior(one)] for size, one in prior.items())
    if prior is None:
        return "uniform"
    return "".join(prior.lower().split()) if isinstance(prior, str) else _plain(prior)


def _listed(value: Any) -> list[Any]:
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [_plain(one) for one in value]
    return [] if value is None else [_plain(value)]


def _exact(value: Any) -> Any:
    return None if value is None else write_fraction(read_fraction("question", value))


_number = _or_plain(_exact)
_shape = _or_plain(lambda properties: str(read_shape(properties)))


def _plain(value: Any) -> Any:
    """A value as JSON writes it, with exact numbers as text; for any other object, the name of
    its type.
    """
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Prior):
        return _plain(value.weights)
    if isinstance(value, Mechanism):
        return value.id
    if isinstance(value, Mapping):
        return sorted(([str(key), _plain(part)] for key, part in value.items()), key=str)
    if (parts := read_list(value)) is not None:
        return [_plain(part) for part in parts]
    try:
        return write_fraction(read_fraction("question", value))
    except DiscreetError:
        return type(value).__name__


_LISTS = ("by", "count", "public", "properties", "levels")
_NOT_DIGESTED = ("read",)
_LATER = (
    "together",
    "cap",
    "smallest",
    "adding_up",
    "levels",
    "level_split",
    "level_importance",
    "level_properties",
    "mechanism",
)
"""Parameters that came later: a question that does not use them keeps the digest it always had."""
_READERS: Mapping[str, Callable[[Any], Any]] = {
    "by": _by,
    "count": _counts,
    "nulls": str,
    "public": lambda public: sorted(map(str, _listed(public))),
    "keys": _keys,
    "epsilon": _number,
    "alpha": _number,
    "properties": _shape,
    "loss": _or_plain(_loss),
    "prior": _prior,
    "gap": _number,
    "intervals": _number,
    "levels": partial(digested_levels, listed=_listed),
    **dict.fromkeys(("level_split", "level_importance"), partial(digested_by_level, read=_number)),
    "level_properties": partial(digested_by_level, read=_shape),
}
"""How a parameter is brought to one form, where it has several."""
