"""Tables that look like the world, the same ones every time: `bench.realistic` measures on them.

    clinics      60,613 people in 5,000 clinics of 149 different sizes, 1 to 300: most are small, a
                 few are large
    districts    200,000 groups of 2,000 different sizes, 1 to 2,000; 2.4 million people
    nation       1,000,000 groups of 20,000 different sizes, 1 to 20,000. Written out, 20,000 sizes
                 are at least 200 million people, so this one is a table of counts, a row for each
                 group with its size (`size=`)
    households   300,000 households of 1 to 8 people
    classes      20,000 classes of 15 to 35 pupils

The columns are region (20 of them), a group's key, person and smoker; of the nation n and smokers,
a number, in place of person and smoker. Which sizes there are and how many groups have each is
decided by a formula; who smokes and in which order the groups come, by a hash.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table: how many groups there are of each size, and whether it holds people or counts."""

    name: str
    groups_by_size: Callable[[], dict[int, int]]
    of_counts: bool = False

    @property
    def words(self) -> dict[str, object]:
        """What a release of it is asked: the columns, without the price."""
        asked: dict[str, object] = {"by": ["region", "clinic"]}
        return asked | (
            {"count": "smokers", "size": "n"} if self.of_counts else {"count": "smoker"}
        )


def clinics() -> dict[int, int]:
    """149 sizes in 1..300: all up to 100, every fourth up to 292, and 300; 5,000 clinics and
    60,613 people exactly.
    """
    sizes = [*range(1, 101), *range(104, 293, 4), 300]
    return heavy_tail(sizes, groups=5_000, people=60_613)


def heavy_tail(sizes: list[int], *, groups: int, people: int) -> dict[int, int]:
    """One group of each size, the others shared out as 1/n^1.5, then moved between sizes until
    the sums are right.
    """
    weights = [n**-1.5 for n in sizes]
    left = groups - len(sizes)
    ends = [round(left * part / sum(weights)) for part in accumulate(weights)]
    found = {n: 1 + end - start for n, start, end in zip(sizes, [0, *ends], ends, strict=False)}
    missing = people - sum(n * many for n, many in found.items())
    up = missing > 0
    while (
        missing
    ):  # one group moves to another size, as far as is still wanted; the most numerous size gives
        giver = max(found, key=lambda n: (found[n], -n if up else n))
        fits = [n for n in sizes if (0 < n - giver <= missing if up else missing <= n - giver < 0)]
        if not fits:
            giver, fits = _neighbours(found, up=up)
        taker = max(fits, key=lambda n: (min(abs(n - giver), 12), -n))
        found[giver] -= 1
        found[taker] += 1
        missing -= taker - giver
    return found


def _neighbours(found: dict[int, int], *, up: bool) -> tuple[int, list[int]]:
    """Two sizes one apart of which the first can spare a group."""
    step = 1 if up else -1
    return next((n, [n + step]) for n, many in found.items() if many > 1 and n + step in found)


def every_size(largest: int, groups: int) -> dict[int, int]:
    """Every size from 1 to the largest at least once, the others small: half of what is left has
    size 1, and so on.
    """
    found = dict.fromkeys(range(1, largest + 1), 1)
    left = groups - largest
    for n in range(1, 21):
        many = left if n == 20 else (left + 1) // 2
        found[n] += many
        left -= many
    return found


def around(low: int, high: int, groups: int, weights: Callable[[int], int]) -> dict[int, int]:
    """Sizes from low to high in proportion to whole weights, the rest at the first."""
    total = sum(map(weights, range(low, high + 1)))
    found = {n: groups * weights(n) // total for n in range(low, high + 1)}
    return {**found, low: found[low] + groups - sum(found.values())}


TABLES = {
    table.name: table
    for table in (
        Table(name="clinics", groups_by_size=clinics),
        Table(name="districts", groups_by_size=lambda: every_size(2_000, 200_000)),
        Table(name="nation", groups_by_size=lambda: every_size(20_000, 1_000_000), of_counts=True),
        Table(
            name="households",
            groups_by_size=lambda: around(
                1, 8, 300_000, lambda n: (30, 33, 16, 14, 5, 2, 1, 1)[n - 1]
            ),
        ),
        Table(
            name="classes",
            groups_by_size=lambda: around(15, 35, 20_000, lambda n: 11 - abs(n - 25)),
        ),
    )
}


def write(table: Table, folder: Path) -> Path:
    """Write a table as Parquet; return its path."""
    import duckdb

    path = folder / f"{table.name}.parquet"
    sizes = table.groups_by_size()
    connection = duckdb.connect()
    connection.execute("SET enable_progress_bar = false")
    connection.execute("CREATE TABLE sizes (n BIGINT, many BIGINT)")
    listed = ", ".join(f"({n}, {many})" for n, many in sizes.items())
    connection.execute(f"INSERT INTO sizes VALUES {listed}")
    # a group's number says its size; its key is hashed, so that neighbours in the table are not
    # neighbours in size
    connection.execute(
        "CREATE TABLE groups AS SELECT n, row_number() OVER () AS id FROM (SELECT n, "
        "unnest(range(many)) FROM sizes)"
    )
    keys = (
        "'region ' || lpad((hash(id) % 20)::VARCHAR, 2, '0') AS region, 'clinic ' || id AS clinic"
    )
    if table.of_counts:
        rows = f"SELECT {keys}, n, (n * (hash(id * 3) % 60) // 100)::BIGINT AS smokers FROM groups"
    else:
        people = "SELECT *, unnest(range(n)) AS k FROM groups"
        rows = (
            f"SELECT {keys}, id * 100000 + k AS person, hash(id * 7 + k * 13) % 10 < 3 AS smoker "
            f"FROM ({people})"
        )
    connection.execute(f"COPY (FROM ({rows}) ORDER BY hash(clinic)) TO '{path}'")
    connection.close()
    return path
