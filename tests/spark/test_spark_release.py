"""Never twice: on a real local cluster a release evaluated again, retried or speculated gives the same rows."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import numpy as np
import pytest
from tests.conftest import require

require("spark")

import pyarrow as pa
from bench.faults.sparks import collected as rows
from bench.faults.sparks import die_once, slow_once
from tests.tables.sources import quick_spark_session, spark_folder, spark_session

import discreet as dc
from discreet.errors import InvalidData, InvalidInput
from discreet.ledger import open_ledger
from discreet.sampler.keyed import ReleaseSecret
from discreet.tables.engines.spark.key_names import (
    any_hashed_sql,
    context,
    encoding_sql,
    is_hashed_sql,
    name_sql,
)

pytestmark = [
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]
GROUPS, SIZE = 600, 5
COLUMNS = ("clinic", "n", "smokers", "again")


@pytest.fixture(scope="module")
def spark():
    """For tables of a few rows; what is evaluated again, retried or lost is `people`, as Spark runs it in use."""
    return quick_spark_session()


@pytest.fixture(scope="module")
def people():
    groups = np.repeat(np.arange(GROUPS), SIZE)
    table = pa.table(
        {"clinic": [f"c{g:04}" for g in groups], "smoker": (np.arange(len(groups)) % 3 == 0)}
    )
    return spark_session().createDataFrame(table).repartition(4)


def release(people, **words):
    counts = {"smokers": "smoker", "again": "smoker"}
    return dc.release(
        people, **{"by": "clinic", "count": counts, "epsilon": 2, "properties": "F", **words}
    )


@pytest.fixture(scope="module")
def released(people):
    return release(people)


def test_two_actions_agree(released):
    first = rows(released.frame)
    assert len(first) == GROUPS
    assert first == rows(released.frame)
    assert first == sorted(first)
    assert [tuple(row.values()) for row in released.table.to_pylist()] == first
    # Another plan over the same frame, evaluated in other partitions.
    moved = released.frame.repartition(7).where("n = 5").orderBy("clinic")
    assert rows(moved) == first


def test_two_counts_of_one_release_use_different_words(released):
    """The same bits under two names. Each pair agrees with chance below 0.6, so all do with chance below 1e-130."""
    drawn = released.table
    assert drawn["smokers"].to_pylist() != drawn["again"].to_pylist()


def test_another_release_differs(people, released):
    """As above: two releases agree in every group with chance below 1e-130."""
    assert rows(release(people).frame) != rows(released.frame)


def test_a_task_killed_midway_and_retried_agrees(people, released, tmp_path):
    tmp_path.chmod(0o777)
    first = rows(released.frame)
    people.sparkSession.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "50")
    try:
        assert (
            rows(released.frame.mapInArrow(die_once(str(tmp_path)), released.frame.schema)) == first
        )
        assert list(tmp_path.iterdir()), "no worker was killed"
    finally:
        people.sparkSession.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")


def test_speculation_agrees(released, tmp_path):
    tmp_path.chmod(0o777)
    assert rows(released.frame.mapInArrow(slow_once(str(tmp_path)), released.frame.schema)) == rows(
        released.frame
    )
    attempts = sorted(path for path in tmp_path.iterdir() if path.name.startswith("0-"))
    assert len(attempts) >= 2, "Spark started no second attempt"
    assert len({path.read_text() for path in attempts}) == 1


def forms_of(secret: bytes) -> list[bytes]:
    encoded = base64.b64encode(secret)
    return [
        secret,
        secret.hex().encode(),
        secret.hex().upper().encode(),
        encoded,
        repr(secret)[2:-1].encode(),
        secret[8:24],
    ]


def files_with(secret: bytes, *folders: Path) -> list[Path]:
    found = []
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file() and any(form in path.read_bytes() for form in forms_of(secret)):
                found.append(path)
    return found


def test_the_secret_is_in_no_file(spark, people, tmp_path, monkeypatch):
    secret = hashlib.sha256(b"a secret known to this test").digest()
    monkeypatch.setattr(ReleaseSecret, "fresh", classmethod(lambda cls: cls(secret)))
    r = release(people)
    plan = r.frame._jdf.queryExecution().toString()
    r.frame.checkpoint(eager=True)
    r.frame.cache().count()
    r.frame.repartition(3).write.parquet((tmp_path / "frame").as_uri())
    r.frame.unpersist()
    release(people, output=tmp_path / "out")
    folders = (spark_folder(), tmp_path)
    assert files_with(secret, *folders) == []
    assert not any(form.decode("latin-1") in plan for form in forms_of(secret))
    # The search would find it: a broadcast is written to a file, which is why the secret is not in one.
    told = spark.sparkContext.broadcast(secret)
    spark.sparkContext.parallelize([0, 1], 2).map(lambda _: len(told.value)).collect()
    assert files_with(secret, spark_folder()), "the search finds nothing, so it proves nothing"


def test_a_bundle_is_whole_and_keeps_no_frame(people, tmp_path):
    r = release(people, output=tmp_path / "out")
    assert r.frame is None
    again = dc.read_release(tmp_path / "out")
    assert again.table.num_rows == GROUPS
    assert again.table["clinic"].to_pylist() == sorted(again.table["clinic"].to_pylist())
    assert set(again.manifest.versions) >= {"pyspark", "java", "discreet"}
    with pytest.raises(InvalidInput, match="parquet with Spark"):
        release(people, output=tmp_path / "other", format="csv")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_bundle_in_a_folder_of_any_name_is_whole(people, tmp_path):
    (folder := tmp_path / "50% of it, é#1?").mkdir()
    release(people, output=folder / "my out")
    assert dc.read_release(folder / "my out").table.num_rows == GROUPS
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_rows_that_do_not_arrive_are_noticed(people, tmp_path, monkeypatch):
    """As on a cluster whose workers write to disks of their own: the driver finds fewer rows than it counted."""
    from pyspark.sql.readwriter import DataFrameWriter

    write = DataFrameWriter.parquet

    def lose(self, place):
        write(self, place)
        sorted(Path(place.removeprefix("file://")).glob("*.parquet"))[0].unlink()

    monkeypatch.setattr(DataFrameWriter, "parquet", lose)
    with pytest.raises(InvalidInput, match="`output` did not receive all rows"):
        release(people, output=tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_mechanism_of_ones_own_is_drawn_from(spark, tmp_path):
    lopsided = dc.from_matrix(
        [["2/3", "1/3", "1/3"], ["1/6", "1/2", "1/3"], ["1/6", "1/6", "1/3"]], alpha="1/3"
    )
    table = pa.table({"g": np.arange(3), "ill": [0, 1, 2]})
    asked = {"by": "g", "count": "ill", "size": 2, "mechanism": lopsided}
    made = dc.release(spark.createDataFrame(table), **asked, output=tmp_path / "out")
    assert dc.read_release(tmp_path / "out").mechanism(2) == lopsided
    assert (
        made.manifest.epsilon == dc.plan(table, **asked).to_dict()["epsilon"]
        and dc.estimate(made).total
    )
    told = spark.read.parquet(f"file://{tmp_path / 'out' / 'table.parquet'}").schema
    assert told["ill"].metadata["comment"] == "private count: ill"


def test_draws_follow_the_mechanism(spark):
    """Chi-square of 6,000 draws against the exact column; false-alarm rate 1e-6."""
    groups = 6000
    table = pa.table(
        {"g": np.arange(groups), "size": np.full(groups, 4), "ill": np.full(groups, 1)}
    )
    r = dc.release(
        spark.createDataFrame(table), by="g", count="ill", size="size", epsilon=1, properties="F"
    )
    drawn = np.bincount(r.table["ill"].to_numpy(), minlength=5)
    expected = groups * np.array([float(p) for p in r.mechanism(4).column(1)])
    assert ((drawn - expected) ** 2 / expected).sum() < 33.38  # 4 degrees of freedom


TRICKY = {
    "text": (["", None, "N;", "a", "ab", "é", "1:a;", "s1:a;", "x" * 40, "x" * 41], "string"),
    "number": ([0, None, 1, -1, 10, 2**62, -(2**62), 7], "bigint"),
    "flag": ([True, False, None, True, False, None, True, False], "boolean"),
}


def reference(row) -> bytes:
    """The name as the docstring of `keys` states it, in Python."""
    tags = {bool: "b", int: "i", str: "s"}
    pieces = []
    for value in row:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        pieces.append("N;" if value is None else f"{tags[type(value)]}{len(text.encode())}:{text};")
    encoding = "".join(pieces).encode()
    return (
        encoding.ljust(32, b"\0")
        if len(encoding) <= 32
        else b"#" + hashlib.sha256(encoding).digest()[:31]
    )


def test_names_of_groups_are_injective_and_as_documented(spark):
    from itertools import product

    values = [column for column, _ in TRICKY.values()]
    keys = sorted(set(product(*values)), key=repr)
    table = pa.table({name: pa.array([key[k] for key in keys]) for k, name in enumerate(TRICKY)})
    typed = [(f"`{name}`", kind) for name, (_, kind) in TRICKY.items()]
    encoding = encoding_sql(typed)
    asked = (f"{name_sql(encoding)} AS d", is_hashed_sql(encoding), any_hashed_sql(typed))
    rows = spark.createDataFrame(table).selectExpr(*TRICKY, *asked).collect()
    assert all(row[4] == row[5] for row in rows), "both lengths are those of the encoding"
    found = {tuple(row)[:3]: (bytes(row[3]), row[4]) for row in rows}
    assert len({name for name, _ in found.values()}) == len(keys)
    assert {len(name) for name, _ in found.values()} == {32}
    assert {hashed for _, hashed in found.values()} == {True, False}
    assert found == {key: (reference(key), reference(key).startswith(b"#")) for key in keys}


def test_names_of_times_do_not_depend_on_the_zone(spark):
    from datetime import UTC, datetime

    table = pa.table({"t": pa.array([datetime(2026, 3, 29, 1, 30, tzinfo=UTC)])})
    frame = spark.createDataFrame(table)
    seen = set()
    before = spark.conf.get("spark.sql.session.timeZone")
    for zone in ("UTC", "Europe/Berlin", "Asia/Kolkata"):
        spark.conf.set("spark.sql.session.timeZone", zone)
        seen.add(frame.selectExpr(f"{encoding_sql([('t', 'timestamp')])} AS d").collect()[0]["d"])
    spark.conf.set("spark.sql.session.timeZone", before)
    assert len(seen) == 1


def test_zero_is_one_group_and_nan_another(spark):
    table = pa.table({"x": [0.0, -0.0, float("nan"), float("nan"), None], "ill": [True] * 5})
    r = dc.release(spark.createDataFrame(table), by="x", count="ill", epsilon=200)
    assert sorted(r.table["n"].to_pylist()) == [1, 2, 2]


def test_contexts_keep_release_count_mechanism_and_size_apart():
    asked = [
        ("r", "c", "m", 1),
        ("rc", "", "m", 1),
        ("r", "cm", "", 1),
        ("r", "c", "m", 11),
        ("r", "c", "m1", 1),
    ]
    known = {context(*words, level=level) for words in asked for level in (0, 1, 2)}
    assert len(known) == 3 * len(asked)


def test_user_functions_and_connect_frames_are_refused(people):
    people.sparkSession.udf.register("mine", lambda value: bool(value), "boolean")
    with pytest.raises(InvalidInput, match="user-defined"):
        dc.release(people, by="clinic", count="mine(smoker)", epsilon=1)


def test_a_failing_job_shows_no_value(spark):
    frame = spark.createDataFrame(pa.table({"clinic": ["a", "b"], "age": ["1", "hidden"]}))
    with pytest.raises(InvalidData) as caught:
        dc.release(frame, by="clinic", count="CAST(age AS INT) < 3", epsilon=1)
    assert "hidden" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_format_spark_does_not_write_is_refused_before_anything_is_spent(people, tmp_path):
    ledger = open_ledger(tmp_path / "budget.db")
    ledger.open("d", budget=1)
    with pytest.raises(InvalidInput, match="must be parquet with Spark"):
        dc.release(
            people,
            by="clinic",
            count="smoker",
            epsilon=1,
            ledger=ledger,
            output=tmp_path / "out",
            format="csv",
        )
    assert ledger.remaining("d") == 1
    assert [entry.kind for entry in ledger.history()] == ["open"]


def test_long_keys_are_told_apart_and_agree_again(spark):
    """Names of long keys are hashed; two evaluations agree and the draws follow the keys."""
    table = pa.table(
        {
            "clinic": [f"{'x' * 40}{g:03}" for g in range(300) for _ in range(3)],
            "ill": [True, False, True] * 300,
        }
    )
    r = dc.release(spark.createDataFrame(table), by="clinic", count="ill", epsilon=1)
    first = rows(r.frame)
    assert first == rows(r.frame.repartition(5).orderBy("clinic"))
    assert len({drawn for _, _, drawn in first}) > 1


def test_groups_of_one_digest_are_refused(spark, monkeypatch):
    from discreet.tables.engines.spark import spark_engine as engine

    table = pa.table({"clinic": [f"{'x' * 40}{g}" for g in range(9)], "ill": [True] * 9})
    monkeypatch.setattr(engine, "name_sql", lambda encoding: "unhex(sha2('all the same', 256))")
    with pytest.raises(InvalidInput, match="digests collide"):
        dc.release(spark.createDataFrame(table), by="clinic", count="ill", epsilon=1)


KEYS = {
    "DECIMAL(38, 2)": ("1.10", "2.00"),
    "DATE": ("0001-01-01", "2026-03-29"),
    "BINARY": ("x", "y"),
    "TIMESTAMP": ("2026-03-29 00:30:00Z", "2026-03-29 01:30:00Z"),
    "BOOLEAN": ("false", "true"),
    "TIMESTAMP_NTZ": ("2026-03-29 00:30:00", "2026-03-29 02:30:00"),
    "FLOAT": ("-1.5", "2"),
    "TINYINT": ("-3", "4"),
    "STRING": ("", "x" * 90),
}


def test_keys_of_every_type(spark, tmp_path):
    names = [f"key{place}" for place in range(len(KEYS))]
    rows = [
        ", ".join(
            [*(f"CAST({text} AS {kind})" for kind, text in zip(KEYS, texts, strict=True)), bit]
        )
        for texts, bit in zip(
            [
                *([f"'{values[side]}'" for values in KEYS.values()] for side in (0, 1)),
                ["NULL"] * len(KEYS),
            ],
            ("true", "false", "true"),
            strict=True,
        )
    ]
    frame = spark.sql(f"SELECT * FROM VALUES ({'), ('.join(rows)}) AS t({', '.join(names)}, b)")
    r = dc.release(frame, by=names, count="b", epsilon=200, output=tmp_path / "out")
    assert [tuple(row.values())[len(names) :] for row in r.table.to_pylist()] == [
        (1, 1),
        (1, 0),
        (1, 1),
    ]
    expected = frame.orderBy(*(frame[name].asc_nulls_last() for name in names)).collect()
    found = spark.read.parquet(str(tmp_path / "out" / "table.parquet")).collect()
    for name in names:
        assert sorted(repr(row[name]) for row in found) == sorted(
            repr(row[name]) for row in expected
        )
        assert r.table[name].to_pylist()[2] is None


@pytest.mark.parametrize(
    "kind",
    [
        "ARRAY<INT>",
        "MAP<STRING, INT>",
        "STRUCT<a: INT>",
        "VOID",
        "STRING COLLATE UNICODE_CI",
        "INTERVAL DAY",
    ],
)
def test_keys_that_have_no_one_text_are_refused(spark, kind):
    with pytest.raises(InvalidInput, match="scalar"):
        dc.release(
            spark.sql(f"SELECT CAST(NULL AS {kind}) AS k, true AS b"), by="k", count="b", epsilon=1
        )
    with pytest.raises(InvalidInput, match="bits or numbers|scalar"):
        dc.release(spark.sql("SELECT 1 AS k, array(1) AS b"), by="k", count="b", epsilon=1)


def test_an_empty_answer_is_refused_with_what_it_may_count_as(spark):
    frame = spark.createDataFrame(pa.table({"k": [1, 1, 1], "q": ["a", None, "b"]}))
    for answers, way in (
        (["a", "b"], "`nulls='0'` or as a with `nulls='1'`"),
        (["a", "b", "c"], "'nulls': 'ANSWER'"),
    ):
        with pytest.raises(InvalidData, match="and not NULL") as caught:
            dc.release(frame, by="k", count={"q": answers}, epsilon=1)
        assert way in str(caught.value)
    by_condition = {"yes": "q = 'a'", "no": "q <> 'a'"}
    with pytest.raises(InvalidData, match="or a value is empty"):
        dc.release(frame, by="k", count={"q": by_condition}, epsilon=1)
    with pytest.raises(InvalidData, match="a row with an empty value too"):
        dc.release(frame, by="k", count={"q": by_condition}, nulls="0", epsilon=1)


def test_hostile_and_engine_like_column_names(spark, tmp_path):
    names = [
        "a`; DROP TABLE truth; --",
        "b'); SELECT 1; --",
        "c.d",
        "größe 💡",
        "select",
        "k0",
        "e",
        "discreet place",
    ]
    row = {name: ["x", "y"] for name in names}
    frame = spark.createDataFrame(pa.table({**row, "c0": [True, False], "person": ["p", "q"]}))
    by = [names[0], names[2], "k0", "e", "discreet place"]
    counts = {"b0": "c0", "größer; --": "`größe 💡` = 'y'"}
    words = {"where": "`select` <> 'z'", "unit": "person", "excess": "drop", "epsilon": 200}
    r = dc.release(frame, by=by, count=counts, output=tmp_path / "out", **words)
    assert r.table.column_names == [*by, "n", "b0", "größer; --"]
    assert [tuple(row.values()) for row in r.table.to_pylist()] == [
        ("x",) * 5 + (1, 1, 0),
        ("y",) * 5 + (1, 0, 1),
    ]


def test_empty_frames_and_frames_of_one(spark):
    empty = spark.createDataFrame([], "k string, b boolean")
    with pytest.raises(InvalidInput, match="no rows"):
        dc.release(empty, by="k", count="b", epsilon=1)
    r = dc.release(empty, by="k", count="b", keys=["x", "y"], epsilon=1)
    assert rows(r.frame) == [("x", 0, 0), ("y", 0, 0)]
    assert rows(dc.release(empty, by=[], count="b", epsilon=1).frame) == [(0, 0)]
    assert rows(
        dc.release(spark.sql("SELECT 'x' AS k, true AS b"), by="k", count="b", epsilon=200).frame
    ) == [("x", 1, 1)]


def test_the_key_set_loses_nothing_on_its_way_to_the_columns_type(spark):
    frame = spark.createDataFrame([(1, True), (2, False)], "k tinyint, b boolean")
    assert rows(dc.release(frame, by="k", count="b", keys=[2.0, 1.0], epsilon=200).frame) == [
        (1, 1, 1),
        (2, 1, 0),
    ]
    for keys in ([1.5, 2.0], [1, 2, 400]):
        with pytest.raises(InvalidInput, match="not all can be"):
            dc.release(frame, by="k", count="b", keys=keys, epsilon=1)
    zeros = spark.createDataFrame([(0.0, True), (-0.0, False)], "k double, b boolean")
    found = rows(dc.release(zeros, by="k", count="b", keys=[-0.0, 1.0], epsilon=200).frame)
    assert [(str(key), n, count) for key, n, count in found] == [("0.0", 2, 1), ("1.0", 0, 0)]


def test_the_source_is_read_once_for_its_counts(spark, tmp_path):
    """A frame whose second reading would differ: what was checked and what is released are the first reading."""
    spark.range(40).selectExpr("CAST(id % 4 AS STRING) AS k", "id % 2 = 0 AS b").write.parquet(
        str(tmp_path / "p")
    )
    frame = spark.read.parquet(str(tmp_path / "p"))
    r = dc.release(frame, by="k", count="b", epsilon=200)
    for part in (tmp_path / "p").iterdir():
        part.unlink()
    expected = [("0", 10, 10), ("1", 10, 0), ("2", 10, 10), ("3", 10, 0)]
    assert rows(r.frame) == rows(r.frame.orderBy("k")) == expected


@pytest.mark.parametrize(
    "text",
    [
        "rand() < 0.5",
        "uuid() > 'a'",
        "current_timestamp() > DATE'2026-01-01'",
        "current_date() > DATE'2026-01-01'",
        "input_file_name() = 'a'",
        "monotonically_increasing_id() = 1",
        "spark_partition_id() = 0",
        "current_user() = 'a'",
        "reflect('java.lang.Math', 'random') > '0'",
        "smoker = any(smoker)",
        "count(*) > 2",
        "smoker IN (SELECT true)",
        "EXISTS (SELECT 1)",
        "row_number() OVER (ORDER BY clinic) = 1",
        "explode(array(true))",
        "exists(array(1), x -> x > 0)",
        "smoker; DROP TABLE x",
        "true) AS a, (smoker",
        "smokr",
        "*",
        "",
    ],
)
def test_predicates_that_look_beyond_the_row_are_refused(people, text):
    from discreet.tables.engines.spark.spark_engine import SparkEngine

    with pytest.raises(InvalidInput):
        SparkEngine(people).expression("count", text)
    with pytest.raises(InvalidInput):
        SparkEngine(people).expression("where", text)


def test_keys_made_of_columns_are_the_same_as_in_duckdb(spark):
    ages, bits = [23, 27, 31, 38, 45, None], [True, False, True, True, False, True]
    table = pa.table({"age": pa.array(ages, pa.int64()), "smoker": bits, "person": list(range(6))})
    asked = {
        "by": {"age band": "age - age % 10", "old": "age > 30"},
        "count": "smoker",
        "epsilon": 1,
        "unit": "person",
    }
    frame = spark.createDataFrame(table)
    there, here = dc.release(frame, **asked), dc.release(table, **asked)
    assert there.table.column_names == here.table.column_names
    assert (
        there.table.drop_columns(["smoker"]).to_pylist()
        == here.table.drop_columns(["smoker"]).to_pylist()
    )
    assert there.manifest.public.made == here.manifest.public.made
    assert there.manifest.question == here.manifest.question
    for by, message in (
        ({"b": "CAST(smoker AS INT)"}, "column that a count reads"),
        ({"b": "age + rand()"}, "one row only"),
        ({"Age": "age % 2"}, "name of another column"),
    ):
        with pytest.raises(InvalidInput, match=message):
            dc.release(frame, **{**asked, "by": by})


def test_small_groups_are_merged_as_in_duckdb_and_levels_are_read_from_the_bundle(spark, tmp_path):
    sizes = {
        ("n", "a"): 3,
        ("n", "b"): 2,
        ("n", "c"): 9,
        ("s", "a"): 2,
        ("s", "b"): 6,
        ("s", "c"): 7,
        ("w", None): 8,
    }
    people = [
        (region, clinic, k % 3 == 0) for (region, clinic), n in sizes.items() for k in range(n)
    ]
    table = pa.table(
        dict(zip(("region", "clinic", "ill"), map(list, zip(*people, strict=True)), strict=True))
    )
    asked = {
        "by": ["region", "clinic"],
        "count": "ill",
        "epsilon": 600,
        "smallest": 5,
        "levels": "rollup",
        "level_split": {"total": 0.2, "region": 0.2},
    }
    dc.release(spark.createDataFrame(table), **asked, output=tmp_path / "there")
    there, here = dc.read_release(tmp_path / "there"), dc.release(table, **asked)
    for name, expected in here.tables.items():
        assert there.tables[name].to_pylist() == expected.to_pylist()
    assert (
        dc.estimate(there).subtotals("region").to_dict()
        == dc.estimate(here).subtotals("region").to_dict()
    )
    with pytest.raises(InvalidInput, match="some parent has fewer"):
        dc.release(spark.createDataFrame(table), **{**asked, "smallest": 9})
    with pytest.raises(InvalidInput, match="is not made by Spark"):
        dc.release(spark.createDataFrame(table), **asked, adding_up=True)
