"""The manifest: the public facts of one release, in a versioned JSON file beside its table.

A bundle is a folder:

    manifest.json            this file; its SHA-256 is what the ledger records as published
    table.parquet            (or .csv, .jsonl) key columns, n, and one integer column for each count
    table-region.parquet     one more for each coarser level, named after its keys (`level_tables`);
                             table-total.parquet
    proofs.zip               the proofs of its mechanisms, named by content id (`proof.container`)

Version 1. Numbers that must be exact are texts "numerator/denominator" in lowest terms.
Nothing here depends on the private data except through the released table: no path, no host, no
time of a row.

    format, version          "discreet release", 1
    release, created         the release's own id (the ledger's entry has the same); when, in UTC
    dataset, caller          the ledger's name of the data; the caller's own id of the run, empty
                             where none was given
    question                 the digest of what was asked (`asking.request.question_digest`)
    wording, guarantee       the number of the wording, and the statement of the guarantee in it
                             (`guarantee`)
    epsilon, alpha           what one person pays for all of the release
    contributions            rows that one person may have
    contributions_checked    whether that was checked (`public.unit` says by what), or declared
    source                   "people": a row is a person's; "counts": a row is a group's, with its
                             size
    public                   keys: the key columns, in order; where: the filter of rows; unit: the
                             column that tells people apart; size: the source's column of sizes.
                             Used as they are; empty: none. made: keys that are expressions over
                             public columns; left out where there are none. smallest: the size below
                             which groups were merged (`asking.smallest_groups`), likewise
    excess                   rows: what was done with rows beyond `contributions`, "refuse" or
                             "drop"; keys: the same for groups outside the keys that were given
    nulls                    an empty bit: "refuse", "0" or "1"
    loss, prior              the words they were asked by, or `GIVEN`
    confidence               of the intervals in the table; empty: none
    size                     the table's column of group sizes, "n"
    levels                   one for each table, the finest first
    adding_up                whether the tables end with whole numbers that add up
                             (`whole_columns`); left out if not
    mechanisms_given         whether the mechanisms were given, not designed for the release:
                             `alpha` of a count is then at most that of its mechanisms, loss and
                             prior are `GIVEN`; left out if not
    retrofit                 of numbers that GM released and `dc.retrofit` mapped: {"of": the digest
                             of the table with the old ones, "said": what holds of old and new,
                             `RETROFITTED`}; left out if not
    table_format, escaped    "parquet", "csv" or "jsonl"; whether formulas in its texts were escaped
                             (`formulas`)
    proofs, proofs_sha256    the container's name and digest
    engine, versions         what made it

    of a level               keys: its key columns (of the finest, all); share: of epsilon;
                             properties: those of its mechanisms (coarser levels have their own,
                             mostly none, which is GM, for L0 and a uniform prior, whatever the
                             finest has); groups; groups_by_size; counts; table, table_sha256: its
                             file and its digest
    of a count               name: its column; definition: what it counts; domain: what the true
                             answer of a group can be, {"kind": "counts"} for 0..n, with "step": m
                             where one person moves it by up to m at once (m is then
                             `contributions`), {"kind": "histogram", "answers": [...]} for a
                             question with several answers, whose columns are NAME_ANSWER; share: of
                             the level's epsilon; epsilon, alpha: of one draw, epsilon being the
                             total * the level's share * this share / contributions, without that
                             division where there is a step; mechanisms: the content id of what each
                             size was drawn from, by size ("7": a mechanism, or a family of one
                             size) or by range of sizes ("2-300": a family). A range begins and ends
                             at sizes of the table; a family stands with all of its ranges
    of a histogram           domain: with "cap": N at most N people of each group are counted,
                             "absent" is the last answer, N is the size of every group, and there is
                             no column of sizes (`size` is empty); mechanisms: of the sizes drawn
                             whole (of an empty group the count 0..0); cells: of the sizes drawn
                             answer by answer, each count at cell_epsilon, half of epsilon, and
                             cell_alpha, whose square is at least alpha

`groups_by_size` takes one line in all.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from discreet.errors import InvalidInput, did_you_mean

FORMAT, VERSION = "discreet release", 1
NAME = "manifest.json"
SIZE = "n"
"""The output column that holds each group's size."""

ABSENT = "absent"
"""With a cap, the answer of a place that nobody takes."""

PARTS = ("estimate", "low", "high")
"""What intervals add for each count, as columns `<count>_estimate` and so on."""

WHOLE = "whole"
"""What `adding_up` adds for each count, in the same way."""

FORMATS = ("parquet", "csv", "jsonl")
"""Of a bundle's table."""

GIVEN = "given, see the proof files"
"""A loss or a prior that is no word."""

RETROFITTED = (
    "The numbers were released by GM and then changed by a random map of outputs, drawn afresh. "
    "By themselves they have the properties named here. Together with the old numbers they have "
    "not, because the old ones are known then. Old and new are one piece of evidence, not two. "
    "Nothing was paid for the map: it looked at released numbers only."
)
"""What a manifest says of numbers that `dc.retrofit` made."""

_SIZES = re.compile(
    r'("groups_by_size": )\{\}'
)  # never within a text, where its quotes would be escaped

COUNTS = {"kind": "counts"}
"""The domain of a count: 0..n."""

HISTOGRAM = "histogram"  # the kind of domain of a question with several answers


def count_domain(step: int) -> dict[str, Any]:
    """The domain of a count that one person moves by up to `step`.

    >>> count_domain(1), count_domain(3)
    ({'kind': 'counts'}, {'kind': 'counts', 'step': 3})
    """
    return {**COUNTS, "step": step} if step > 1 else COUNTS.copy()


@dataclass(frozen=True, slots=True, kw_only=True)
class CountFacts:
    """One released count: its column, what it counts, the privacy of one draw, and each size's
    mechanism by id.
    """

    name: str
    definition: str
    domain: dict[str, Any] = field(default_factory=COUNTS.copy)
    share: str
    epsilon: str
    alpha: str
    mechanisms: dict[str, str]
    cells: dict[str, str] = field(default_factory=dict)
    cell_epsilon: str = ""
    cell_alpha: str = ""

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers of a question with several; empty for a count."""
        return tuple(self.domain["answers"]) if self.domain["kind"] == HISTOGRAM else ()

    @property
    def outputs(self) -> tuple[str, ...]:
        """Its columns in the table: its name, or one for each answer."""
        return tuple(f"{self.name}_{answer}" for answer in self.answers) or (self.name,)

    @property
    def step(self) -> int:
        """By how much one person may move it."""
        return int(self.domain.get("step", 1))

    @property
    def cap(self) -> int:
        """How many people of each group were counted at most; 0 where group sizes are public."""
        return int(self.domain.get("cap", 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One table of the release: its keys, its groups, and what was drawn for them."""

    keys: tuple[str, ...]
    share: str = "1/1"
    properties: str
    groups: int
    groups_by_size: dict[str, int]
    counts: tuple[CountFacts, ...]
    table: str = ""
    table_sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Public:
    """What groups, sizes and rows are made of: used as it is, and not protected."""

    keys: tuple[str, ...]
    where: str = ""
    unit: str = ""
    size: str = ""
    made: dict[str, str] = field(default_factory=dict)
    smallest: int = 0

    @property
    def told_keys(self) -> tuple[str, ...]:
        """The keys in words: those that are made of columns, with what they are made of."""
        return tuple(
            f"{name} = {self.made[name]}" if name in self.made else name for name in self.keys
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Excess:
    """What was done with more than was announced: refused or dropped."""

    rows: str
    keys: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Everything public about a release; the module says what each field is."""

    format: str = FORMAT
    version: int = VERSION
    release: str
    created: str
    dataset: str
    caller: str = ""
    question: str
    wording: int
    guarantee: str
    epsilon: str
    alpha: str
    contributions: int
    contributions_checked: bool
    source: str
    public: Public
    excess: Excess
    nulls: str
    loss: str
    prior: str
    confidence: str
    size: str
    levels: tuple[Level, ...]
    adding_up: bool = False
    mechanisms_given: bool = False
    retrofit: dict[str, str] = field(default_factory=dict)
    table_format: str = ""
    escaped: bool = False
    proofs: str = ""
    proofs_sha256: str = ""
    engine: str = ""
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def finest(self) -> Level:
        """The level whose groups all others are made of."""
        return self.levels[0]

    def at(self, place: int) -> Manifest:
        """The facts as if the level at this place were the only one: for whoever reads its
        table.
        """
        return self if len(self.levels) == 1 else replace(self, levels=(self.levels[place],))

    @property
    def keys(self) -> tuple[str, ...]:
        """The key columns of the finest table."""
        return self.finest.keys

    @property
    def counts(self) -> tuple[CountFacts, ...]:
        """The counts of the finest table."""
        return self.finest.counts

    @property
    def properties(self) -> str:
        """What the mechanisms of the finest table were asked to have."""
        return self.finest.properties

    @property
    def groups(self) -> int:
        """How many groups the finest table has."""
        return self.finest.groups

    @property
    def groups_by_size(self) -> dict[str, int]:
        """How many groups of each size the finest table has."""
        return self.finest.groups_by_size

    @property
    def cap(self) -> int:
        """How many people of each group were counted at most; 0 where group sizes are public."""
        return self.counts[0].cap if self.counts else 0

    @property
    def table(self) -> str:
        """The file of the finest table."""
        return self.finest.table

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the finest table, in order."""
        names = [*self.keys, *([] if self.cap else [self.size])]
        for count in self.counts:
            beside = PARTS if self.confidence and not count.answers else ()
            names += [*count.outputs, *(f"{count.name}_{part}" for part in beside)]
        return (
            *names,
            *(
                f"{name}_{WHOLE}"
                for count in self.counts
                if self.adding_up
                for name in count.outputs
            ),
        )

    @property
    def mechanism_ids(self) -> set[str]:
        """The content ids of the mechanisms and families that were drawn from."""
        counts = [count for level in self.levels for count in level.counts]
        return {
            name for count in counts for name in (*count.mechanisms.values(), *count.cells.values())
        }

    @property
    def text(self) -> str:
        """The file's content."""
        # the sizes on one line: the rest of a manifest is short, however many there are
        sizes = iter([level.groups_by_size for level in self.levels])
        bare = replace(
            self, levels=tuple(replace(level, groups_by_size={}) for level in self.levels)
        )
        text = json.dumps(_document(bare), indent=2, ensure_ascii=False) + "\n"
        return _SIZES.sub(lambda found: f"{found[1]}{json.dumps(next(sizes))}", text)

    @property
    def digest(self) -> str:
        """SHA-256 of the file: it covers the tables and the mechanisms, whose own digests it
        holds.
        """
        return hashlib.sha256(self.text.encode()).hexdigest()

    def count(self, name: str | None = None) -> CountFacts:
        """The facts of one count; the name may be left out when there is only one."""
        if name is None and len(self.counts) == 1:
            return self.counts[0]
        names = [count.name for count in self.counts]
        if name is None:
            raise InvalidInput(
                "count",
                "is needed, as the release has several",
                remedy=f"choose from {', '.join(names)}",
            )
        if name not in names:
            remedy = did_you_mean(name, names)
            raise InvalidInput("count", "must name a count of the release", name, remedy=remedy)
        return self.counts[names.index(name)]


def _document(manifest: Manifest) -> dict[str, Any]:
    """Return what the file says, as JSON has it."""
    document = asdict(manifest)
    for count in (count for level in document["levels"] for count in level["counts"]):
        if count["domain"]["kind"] != HISTOGRAM:
            del count["cells"], count["cell_epsilon"], count["cell_alpha"]
    optional = [(document, name) for name in ("adding_up", "mechanisms_given", "retrofit")]
    for part, name in (*optional, (document["public"], "made"), (document["public"], "smallest")):
        if not part[name]:
            del part[name]
    return document


def write_fraction(value: Fraction) -> str:
    """Write exactly: "1/2", and "1/1" for a whole number too."""
    return f"{value.numerator}/{value.denominator}"


def file_digest(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def table_digest(path: Path) -> str:
    """SHA-256 of a table's file, or, where an engine writes a folder of parts, of the list of
    their digests.
    """
    if path.is_file():
        return file_digest(path)
    parts = sorted(part for part in path.rglob("*") if part.is_file())
    listed = "".join(
        f"{file_digest(part)}  {part.relative_to(path).as_posix()}\n" for part in parts
    )
    return hashlib.sha256(listed.encode()).hexdigest()
