"""The tables of several levels: their names in a bundle, and whether they fit together.

A coarser table is called after its keys, table-region.parquet and table-total.parquet, where they
are plain words; else after its place, table-2.parquet. Sizes are public and come from one grouping,
so whoever has the tables can check that every group of a coarser level has as many people as the
finest groups in it together, and that there is no other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.errors import InvalidInput
from discreet.tables.asking.level_keys import TOTAL, level_name, read_levels
from discreet.tables.published.checking.manifest_checks import differ
from discreet.tables.published.manifest import Level, Manifest
from discreet.tables.published.table_files import read_table

if TYPE_CHECKING:
    import pyarrow as pa

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,24}").fullmatch
_LONGEST = 60


def table_names(levels: Sequence[Sequence[str]], format: str) -> list[str]:
    """The file of each level's table.

    >>> table_names([["region", "clinic"], ["region"], []], "csv")
    ['table.csv', 'table-region.csv', 'table-total.csv']
    >>> (
    ...     table_names([["größe"], []], "parquet")[1],
    ...     table_names([["größe", "x"], ["größe"]], "parquet")[1],
    ... )
    ('table-total.parquet', 'table-1.parquet')
    """
    found = [f"table.{format}"]
    for place, keys in enumerate(levels[1:], start=1):
        word = "-".join(keys) if all(map(_WORD, keys)) else ""
        name = f"table-{word if keys else TOTAL}.{format}"
        taken = {each.casefold() for each in found}  # a disk may not tell cases apart
        plain = (word or not keys) and len(name) <= _LONGEST and name.casefold() not in taken
        found.append(name if plain else f"table-{place}.{format}")
    return found


def check_levels(manifest: Manifest) -> None:
    """Check what the manifest says of its coarser levels: keys, files, counts, shapes and
    people.
    """
    levels, finest = manifest.levels, manifest.finest
    try:
        known, rule = read_levels([list(level.keys) for level in levels], finest.keys), ""
    except InvalidInput as error:
        known, rule = (), error.rule
    if rule or known != tuple(level.keys for level in levels):
        differ("levels", rule or "must be in order, the finest first")
    names = table_names(known, manifest.table_format)
    asked = [(count.name, count.definition, count.domain) for count in finest.counts]
    for level, name in zip(levels[1:], names[1:], strict=True):
        of = level_name(level.keys)
        if level.table not in (name, ""):
            differ("table", f"of level {of} must be {name}", level.table)
        if [(count.name, count.definition, count.domain) for count in level.counts] != asked:
            differ("counts", f"of level {of} must be those of the finest")
        if _people(level) != _people(finest):
            rule = f"of level {of} must have as many people as the finest"
            differ("groups_by_size", rule, _people(level))


def _people(level: Level) -> int:
    return sum(int(size) * groups for size, groups in level.groups_by_size.items())


def check_sums(folder: Path, manifest: Manifest) -> None:
    """Check the sizes in every coarser table of a bundle against those in the finest."""
    parts = _sizes(folder, manifest, 0)
    for place, level in enumerate(manifest.levels[1:], start=1):
        whole = _sizes(folder, manifest, place)
        if not _adds_up(parts, whole, list(level.keys), manifest.size):
            rule = (
                f"of level {level_name(level.keys)} must have the groups and sizes that the "
                "finest table adds up to"
            )
            differ("table", rule, "others")


def _sizes(folder: Path, manifest: Manifest, place: int) -> pa.Table:
    facts = manifest.at(place)
    return read_table(folder, facts).select([*facts.keys, facts.size])


def _adds_up(parts: pa.Table, whole: pa.Table, keys: list[str], size: str) -> bool:
    """Whether each key of `parts` is once in `whole`, with the sum of its sizes, and no other
    key is.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if not keys:
        return bool(
            whole.num_rows == 1 and (pc.sum(parts[size]).as_py() or 0) == whole[size][0].as_py()
        )
    # one table of both, in which the sizes of the whole count against those of its parts
    names = [f"k{place}" for place in range(len(keys))]
    columns = [
        pa.table(
            [
                *(side[key] for key in keys),
                pc.multiply(side[size], sign),
                pa.repeat(one, len(side)),
            ],
            names=[*names, "people", "wholes"],
        )
        for side, sign, one in ((parts, 1, 0), (whole, -1, 1))
    ]
    both = pa.concat_tables(columns, promote_options="permissive")
    found = both.group_by(names).aggregate(
        [("people", "sum"), ("wholes", "sum"), ("wholes", "count")]
    )
    left_over = pc.not_equal(found["people_sum"], 0)
    wrong = pc.or_(pc.not_equal(found["wholes_sum"], 1), pc.less(found["wholes_count"], 2))
    return not pc.any(pc.or_(left_over, wrong)).as_py()
