"""Private group sizes: whoever joins, leaves or answers otherwise exchanges one place, and nothing shows who is there."""

from __future__ import annotations

import hashlib
import json
import shutil
import warnings
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from itertools import product
from random import Random
from unittest.mock import patch

import pytest
from tests.conftest import require
from tests.tables.bundles import manifest_of, write_manifest

require("tables")
require("pandas")

import numpy as np
import pandas as pd
import pyarrow as pa
from tests.metamorphic.outcomes import true_counts
from tests.tables.sources import SPARK, as_source

import discreet as dc
from discreet.cli import main
from discreet.core.histogram import Histogram
from discreet.errors import Contradiction, InvalidFile, InvalidInput
from discreet.ledger import open_ledger
from discreet.tables.asking.capping import ABSENT, NO, YES
from discreet.tables.asking.price import Promise, statement
from discreet.tables.asking.question import read_question
from discreet.tables.asking.request import Machine, Request
from discreet.tables.engines import kept_people, open_engine

pytestmark = pytest.mark.filterwarnings(
    "ignore:PySpark does not yet fully support pandas:FutureWarning"
)

PEOPLE = pa.table(
    {
        "who": ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p7", None],
        "ward": ["a", "a", "a", "a", "b", "z", "b", "a", "b"],
        "ill": ["1", "1", "0", "true", None, "1", "x", "x", "1"],
        "smoking": ["never", "never", "never", "never", None, "never", "former", "former", "never"],
    }
)
ASKED = {
    "by": "ward",
    "keys": ["a", "b", "c"],
    "count": "ill",
    "unit": "who",
    "cap": 5,
    "nulls": "0",
    "other_keys": "drop",
    "excess": "drop",
}
SMOKING = {"answers": ["never", "former"], "other": "other", "nulls": "unknown"}


def rows(release):
    return [tuple(row.values()) for row in release.table.to_pylist()]


def true(source, **asked):
    """The true histograms of places that a release would draw from."""
    request = Request(**asked)
    engine = open_engine(source, None, Machine())
    question = read_question(engine, request)
    found, _ = true_counts(engine, engine.count(question), 1, len(question.output_columns) - 1)
    assert {n for _, n, _ in found} == {asked["cap"]}
    engine.close()
    return {key.strip("'"): places for (key,), _, places in found}


# --- who is kept ---


def kept(people, cap):
    """The model: of each group the first `cap` in a fixed order of the person alone."""
    return {who: group for who, group in people.items() if _place(who, people, group) < cap}


def _place(who, people, group):
    return sum(_order(other) < _order(who) for other, own in people.items() if own == group)


def _hash(*texts):
    return hashlib.sha256("".join(texts).encode()).hexdigest()


def _order(who):
    return hashlib.sha256(b"key" + who.encode()).digest(), who


def test_one_person_exchanges_at_most_one_of_those_kept():
    """The proof in docs/release-claims.md, tried: joining, leaving, and moving between groups."""
    rng = Random(7)
    for _ in range(60):
        people = {f"p{k}": rng.choice("ab") for k in range(rng.randint(1, 12))}
        cap, who = rng.randint(1, 6), rng.choice(sorted(people))
        without = {one: group for one, group in people.items() if one != who}
        moved = {**people, who: "b" if people[who] == "a" else "a"}
        before = kept(people, cap).items()
        for after, groups in ((kept(without, cap), 1), (kept(moved, cap), 2)):
            for group in "ab":
                left = {one for one, own in before - after.items() if own == group}
                came = {one for one, own in after.items() - before if own == group}
                assert len(left) <= 1 and len(came) <= 1
                assert who in left | came or not left | came  # nobody else is the cause
            assert len({group for _, group in before ^ after.items()}) <= groups


# --- what is counted ---


@pytest.mark.parametrize("kind", ["arrow", "csv", SPARK])
def test_every_place_has_an_answer_or_is_absent(kind, tmp_path):
    """Nobody's row, a second row, another ward, a missing bit, a bit that is none: all become what was said before."""
    source = as_source(kind, PEOPLE, tmp_path)
    # p7 has a row in each of two wards, and the one counted is the first in the order of `kept_people`
    key = next(key for key in "123456789" if _hash(key, "p7", "a") < _hash(key, "p7", "b"))
    with patch.object(kept_people, "order_key", lambda: key):
        assert true(source, **ASKED) == {"a": (3, 2, 0), "b": (0, 1, 4), "c": (0, 0, 5)}
        asked = {**ASKED, "count": {"ill": "ill", "smoking": SMOKING}, "nulls": "1", "cap": 2}
        both = true(source, **asked)
    assert both["b"] == (1, 0, 1, 0, 0, 0, 1, 1) and both["c"] == (0, 0, 2, 0, 0, 0, 0, 2)
    assert all(sum(places[:3]) == sum(places[3:]) == 2 for places in both.values())
    r = dc.release(source, **ASKED, epsilon=1)
    assert r.table.column_names == ["ward", f"ill_{YES}", f"ill_{NO}", f"ill_{ABSENT}"]
    assert [(row[0], sum(row[1:])) for row in rows(r)] == [("a", 5), ("b", 5), ("c", 5)]


@pytest.mark.parametrize("kind", ["arrow", SPARK])
def test_leaving_exchanges_one_place(kind, tmp_path):
    """Whoever leaves a full ward makes room for one other; nobody else moves."""
    with patch.object(kept_people, "order_key", lambda: "key"):
        before = true(as_source(kind, PEOPLE, tmp_path), **{**ASKED, "cap": 3})
        found = [
            true(
                as_source(kind, PEOPLE.take([k for k in range(9) if k != left]), tmp_path),
                **{**ASKED, "cap": 3},
            )
            for left in range(4 if kind == "arrow" else 1)
        ]
    for after in found:
        assert (after["b"], after["c"]) == (before["b"], before["c"])
        assert sum(after["a"]) == 3 and sum(
            abs(x - y) for x, y in zip(before["a"], after["a"], strict=True)
        ) in (0, 2)


def test_who_is_kept_is_drawn_for_each_release():
    one = pa.table(
        {
            "who": [f"p{k}" for k in range(40)],
            "ward": ["a"] * 40,
            "ill": [k < 20 for k in range(40)],
        }
    )
    assert len({kept_people.order_key() for _ in range(9)}) == 9
    found = set()
    for key in "12":
        with patch.object(kept_people, "order_key", lambda key=key: key):
            found |= {true(one, **{**ASKED, "cap": 6})["a"] for _ in range(2)}
    assert len(found) == 2


# --- nothing shows who is there ---


def test_nothing_but_the_table_depends_on_the_people(tmp_path):
    """A full table and an empty one: the same plan, manifest, summary and size of every file but the table."""
    told = []
    for place, people in enumerate((PEOPLE, PEOPLE.slice(0, 0))):
        planned = dc.plan(people, **ASKED, epsilon=1)
        r = dc.release(people, **ASKED, epsilon=1, output=tmp_path / str(place), format="jsonl")
        manifest = json.loads((tmp_path / str(place) / "manifest.json").read_text())
        for name in ("release", "created"):
            del manifest[name]
        del manifest["levels"][0]["table_sha256"]
        summary = {
            name: value
            for name, value in r.to_dict().items()
            if name not in ("release", "path", "seconds")
        }
        told.append(
            (
                planned.text(details=True),
                planned.to_dict(),
                manifest,
                summary,
                r.public,
                sorted(r.mechanisms),
            )
        )
    assert told[0] == told[1]
    assert told[0][2]["levels"][0]["groups_by_size"] == {"5": 3} and told[0][2]["size"] == ""
    assert "n (size of each group)" not in told[0][0] and "whatever its size n is" in " ".join(
        told[0][0].split()
    )


STAY = {
    "who": [1, 2, 3, 4],
    "ward": [10, 20, 10, 30],
    "ill": [1, 0, 0, 1],
    "smoking": ["never", "x", "former", "never"],
}
ODD = [None, float("nan"), 2**70, b"1", "elsewhere", 10.0, True, "1"]
WAYS = {
    "inferred": lambda values: pd.Series(values),
    "object": lambda values: pd.Series(values, dtype=object),
    "nullable": lambda values: pd.Series(values).convert_dtypes(),
    "category": lambda values: pd.Series(values).astype("category"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", STAY)
def test_whoever_is_there_decides_no_type_and_no_refusal(way, name, tmp_path):
    """A fifth person with any value in one column of a pandas frame, and without them: all but numbers is the same."""
    asked = {
        "by": "ward",
        "keys": [10, 20, 40],
        "count": {"ill": "ill", "smoking": SMOKING},
        "unit": "who",
        "cap": 2,
        "nulls": "0",
        "other_keys": "drop",
        "excess": "drop",
    }
    fifth = {"who": 5, "ward": 10, "ill": 1, "smoking": "never"}
    tables = [STAY] + [
        {**{n: [*v, fifth[n]] for n, v in STAY.items()}, name: [*STAY[name], odd]} for odd in ODD
    ]
    told, counts = [], []
    for place, columns in enumerate(tables):
        frame = pd.DataFrame({n: WAYS[way](values) for n, values in columns.items()})
        book = open_ledger(tmp_path / f"{place}.db")
        book.open("people", budget=1)
        paid = {"epsilon": 1, "ledger": tmp_path / f"{place}.db", "dataset": "people"}
        with (
            warnings.catch_warnings(record=True) as warned,
            patch.object(kept_people, "order_key", lambda: "key"),
        ):
            warnings.simplefilter("always")
            r = dc.release(frame, **asked, **paid, output=tmp_path / str(place))
            plan = dc.plan(frame, **asked, epsilon=1).to_dict()
            counts.append(true(frame, **asked))
        manifest = manifest_of(tmp_path / str(place))
        for one in ("release", "created"):
            del manifest[one]
        del manifest["levels"][0]["table_sha256"]
        entries = [(one.kind, one.amount, one.question) for one in book.history("people")]
        keys = r.table.column("ward").to_pylist()
        told.append(
            (plan, manifest, entries, r.table.schema, keys, [str(one.message) for one in warned])
        )
    assert all(one == told[0] for one in told)
    assert told[0][3].field("ward").type == pa.int64() and told[0][4] == [10, 20, 40]
    for found in counts[1:]:
        for question in (slice(0, 3), slice(3, 8)):
            pairs = [(counts[0][key][question], found[key][question]) for key in found]
            assert sum(abs(x - y) for one, two in pairs for x, y in zip(one, two, strict=True)) <= 2


@pytest.mark.parametrize(
    ("keys", "values", "missing", "others"),
    [
        (
            [10, 20],
            [10, 10.0, "10", Decimal("10.00"), np.int8(10)],
            [10.5, "010", "10.0", " 10", True, b"10", None, 2**70],
            [30],
        ),
        ([0.5, 10.0], [10, 10.0, "10", "1e1", Decimal("10.0")], ["ten", True, None], [10.25, 10.5]),
        (["10", "x"], ["10", 10, 10.0], [b"10", "\ud800", {}], ["10.0", "10 ", 10.5]),
        ([True, False], [True, "true", np.True_], [1, "True", "1"], []),
        (
            [date(2020, 1, 2)],
            [date(2020, 1, 2), datetime(2020, 1, 2), "2020-01-02"],
            [datetime(2020, 1, 2, 3), "2020", 2020],
            [],
        ),
        (
            [datetime(2020, 1, 2, 3)],
            [datetime(2020, 1, 2, 3), "2020-01-02 03:00:00"],
            [7, "now"],
            [date(2020, 1, 2)],
        ),
        (
            [time(3)],
            [time(3), "03:00:00"],
            [datetime(2020, 1, 2, 3), 3, "2020-01-02T03:00:00"],
            [time(4)],
        ),
        ([Decimal("1.5")], [1.5, Decimal("1.50"), "1.5"], [1.55, Decimal("1.45")], [2]),
    ],
    ids=["whole", "float", "text", "truth", "date", "moment", "time", "decimal"],
)
def test_a_value_becomes_a_key_of_the_type_of_keys_or_is_missing(keys, values, missing, others):
    """Each by itself: what becomes no key is a row of the missing key where that is asked for, or left out."""
    people = [*values, *missing, *others]
    frame = pd.DataFrame(
        {"who": range(len(people)), "ward": pd.Series(people, dtype=object), "ill": 1}
    )
    asked = {**ASKED, "cap": 20}
    of_each = true(frame, **{**asked, "keys": keys})
    assert sorted(20 - absent for _, _, absent in of_each.values()) == sorted(
        [0] * (len(keys) - 1) + [len(values)]
    )
    with_missing = true(frame, **{**asked, "keys": pa.table({"ward": pa.array([*keys, None])})})
    assert with_missing["None"][0] == len(missing)
    assert (
        dc.release(frame, **{**asked, "keys": keys}, epsilon=1).table.schema.field("ward").type
        == pa.array(keys).type
    )


def test_10_and_10_0_are_one_person_and_nobody_is_refused():
    frame = pd.DataFrame(
        {
            "who": pd.Series([10, 10.0, "10", b"10", None, float("nan")], dtype=object),
            "ward": "a",
            "ill": 1,
        }
    )
    assert true(frame, **ASKED)["a"] == (1, 0, 4)


@pytest.mark.parametrize("kind", ["arrow", "parquet", "polars", "duckdb", SPARK])
def test_a_column_of_another_type_than_the_keys_is_read_value_by_value(kind, tmp_path):
    """What a typed source refuses depends on its schema alone, and a number is a key of another type by its value."""
    columns = {"who": ["p1", "p2", "p3", "p4"], "ill": ["1", "0", "1", "1"]}
    doubles, decimals = (
        [10.0, 20.5, float("nan"), 1e300],
        [Decimal("10.00"), Decimal("20.50"), Decimal("0.00"), None],
    )
    for wards, keys, people in (
        (doubles, [10, 20, 0], [1, 0, 0]), (decimals, [10, 20, 0], [1, 0, 1]),
        (doubles, [10.0, 20.5], [1, 1]), (decimals, [10.0, 20.5], [1, 1]),
        (doubles, ["10", "20.5"], [1, 1]), (decimals, ["10", "20.50"], [1, 1]),
    ):  # fmt: skip
        places = true(
            as_source(kind, pa.table({**columns, "ward": wards}), tmp_path),
            **{**ASKED, "keys": keys},
        )
        assert [5 - places[str(key)][-1] for key in keys] == people, (wards, keys)
    for refused, rule in (
        ({"who": [1.0] * 4}, "`unit` must be"),
        ({"ward": [[1]] * 4}, "`by` must be a scalar"),
    ):
        for rows in (4, 0):
            nested = pa.table({**columns, "ward": [10] * 4, **refused}).slice(0, rows)
            with pytest.raises(InvalidInput, match=rule):
                dc.plan(as_source(kind, nested, tmp_path), **{**ASKED, "keys": [10]}, epsilon=1)


def test_moments_and_times_that_duckdb_cannot_write_are_missing():
    """Arrow holds them; DuckDB fails where it makes a text of one, in TRY_CAST too."""
    asked = {**ASKED, "keys": pa.table({"ward": pa.array([None, "x"])}), "cap": 3}
    for kind in (
        pa.timestamp("s"),
        pa.timestamp("ms"),
        pa.timestamp("us"),
        pa.time64("us"),
        pa.time32("s"),
        pa.date32(),
    ):
        bits = 31 if kind.bit_width == 32 else 63
        wards = pa.array([2**bits - 1, -(2**bits), 0], kind)
        people = pa.table({"who": ["p1", "p2", "p3"], "ward": wards, "ill": ["1", "1", "1"]})
        for keys in (asked["keys"], pa.table({"ward": wards[2:]})):
            (places, *_) = true(people, **{**asked, "keys": keys}).values()
            alone = true(people.slice(2), **{**asked, "keys": keys})
            assert (
                sum(places) == 3 and alone.keys() == true(people, **{**asked, "keys": keys}).keys()
            )


def test_keys_that_no_text_becomes_are_refused():
    for keys in (pa.array([b"a"]), pa.array([[1]])):
        with pytest.raises(
            InvalidInput,
            match="`keys` must be texts, numbers, true and false, dates or times with `cap`",
        ):
            dc.plan(PEOPLE, **{**ASKED, "keys": pa.table({"ward": keys})}, epsilon=1)


def test_a_plan_looks_at_no_row(tmp_path):
    """Rows that cannot even be read are not in its way."""
    path = tmp_path / "people.csv"
    path.write_text("who,ward,ill\np1,a,1\np2,a\n")
    assert dc.plan(str(path), **ASKED, epsilon=1).groups == 3


def test_the_mechanism_is_that_of_the_histogram_with_absent():
    r = dc.release(PEOPLE, **ASKED, epsilon=1)
    assert r.mechanism(5).domain == Histogram(5, 3) and list(r.mechanisms) == [r.mechanism(5).id]
    assert r.mechanism(5) == dc.design(n=5, categories=3, epsilon=1)
    (count,) = r.manifest.counts
    assert count.domain == {"kind": "histogram", "answers": [YES, NO, ABSENT], "cap": 5}
    assert (r.manifest.cap, r.manifest.wording, count.epsilon) == (5, 5, "1/1")
    assert "the factor is at most exp(2)" in r.manifest.guarantee
    large = dc.release(PEOPLE, **{**ASKED, "cap": 45}, epsilon=1)
    (cells,) = large.manifest.counts
    assert (
        not cells.mechanisms and cells.cell_epsilon == "1/2"
    )  # answer by answer, and absent among them
    found = dc.estimate(large)
    assert abs(found.people.value - 6) < 8 * found.people.standard_error


# --- what cannot be asked ---


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"cap": 0}, "`cap` must be"),
        ({"cap": "many"}, "`cap` must be"),
        ({"keys": None}, "`cap` needs `keys`"),
        ({"unit": None, "excess": "refuse"}, "`cap` needs `unit`"),
        ({"unit": None, "excess": "refuse", "size": 4}, "`cap` is for tables of people"),
        ({"contributions": 2}, "`cap` counts each person once"),
        ({"together": True, "contributions": 2}, "`cap` counts each person once"),
        (
            {"nulls": "refuse"},
            "no row may be refused: say what becomes of rows: `nulls='0'` or `nulls='1'`",
        ),
        (
            {"other_keys": "refuse", "excess": "refuse"},
            "say what becomes of rows: `other_keys='drop'`, `excess='drop'`",
        ),
        ({"smallest": 3}, "`smallest` decides by the sizes of groups, which `cap` hides"),
        ({"adding_up": True}, "`adding_up` needs the sizes of groups, which `cap` hides"),
        ({"levels": "rollup"}, "`levels` share epsilon by the sizes of groups, which `cap` hides"),
        ({"intervals": "0.9"}, "`intervals` need the sizes of groups, which `cap` hides"),
        (
            {"count": {"s": {"column": "smoking", "answers": ["never", "former"]}}},
            "for s, 'nulls': ANSWER .--answer-nulls. for s",
        ),
        (
            {"count": {"s": {"n": "smoking = 'never'", "f": "smoking <> 'never'"}}},
            "a predicate for each answer of s",
        ),
        ({"count": {"smoking": {**SMOKING, "other": ABSENT}}}, "must not have an answer 'absent'"),
        ({"unit": "age"}, "`unit` must be a column of texts or whole numbers, and DOUBLE is not"),
        ({"keys": ["a", "a"]}, "`keys` must name each key once"),
        (
            {"count": "ill = 1 OR smoking = 'x'"},
            "`count` must be a column with `cap`: a calculation that fails",
        ),
        ({"where": "age > 17"}, "`where` cannot be had with `cap`"),
        ({"read": {"types": {"ill": "INTEGER"}}}, "`read` must not give types with `cap`"),
    ],
)
def test_what_would_show_somebody_is_refused(change, match, tmp_path):
    people = PEOPLE.append_column("age", pa.array([float(k) for k in range(9)]))
    source = as_source("csv" if "read" in change else "arrow", people, tmp_path)
    for verb in (dc.plan, dc.release):
        with pytest.raises(InvalidInput, match=match):
            verb(source, **{**ASKED, **change}, epsilon=1)


# --- what is published ---


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("capped") / "out"
    dc.release(
        PEOPLE,
        **{**ASKED, "count": {"ill": "ill", "smoking": SMOKING}},
        epsilon=1,
        output=folder,
        format="csv",
    )
    return folder


def test_a_bundle_is_read_back_and_verified(made, capsys):
    r = dc.read_release(made)
    assert all(sum(row[1:4]) == sum(row[4:]) == 5 for row in rows(r))
    with pytest.raises(SystemExit) as end:
        main(["verify", str(made)])
    assert not end.value.code and "the guarantee is stated as it follows" in capsys.readouterr().out
    assert r.manifest.wording == 5


@pytest.mark.parametrize(
    ("edit", "raised"),
    [
        (lambda m, level, c: c["domain"].update(cap=6), Contradiction),
        (
            lambda m, level, c: [one["domain"].update(cap=6) for one in level["counts"]],
            Contradiction,
        ),
        (lambda m, level, c: c["domain"].pop("cap"), Contradiction),
        (lambda m, level, c: c["domain"].update(cap=0), InvalidFile),
        (lambda m, level, c: c["domain"].update(cap=True), InvalidFile),
        (lambda m, level, c: c["domain"].update(answers=["yes", ABSENT, "no"]), Contradiction),
        (lambda m, level, c: level.update(groups_by_size={"4": 3}), Contradiction),
        (lambda m, level, c: m.update(size="n"), Contradiction),
        (lambda m, level, c: m["excess"].update(keys="refuse"), Contradiction),
        (lambda m, level, c: m.update(contributions=2), Contradiction),
        (lambda m, level, c: m.update(wording=2), Contradiction),
    ],
)
def test_an_edited_manifest_is_refused(made, tmp_path, edit, raised):
    folder = shutil.copytree(made, tmp_path / "out")
    manifest = manifest_of(folder)
    edit(manifest, manifest["levels"][0], manifest["levels"][0]["counts"][0])
    write_manifest(folder, manifest)
    with pytest.raises(raised):
        dc.read_release(folder)


def test_the_wording_is_frozen():
    """A wording that was published stays as it was: this digest never changes, a new wording gets a new number."""
    whole = hashlib.sha256()
    for epsilon, counts, cap in product(("1/2", "3"), (1, 2), (1, 12)):
        facts = {
            "epsilon": Fraction(epsilon),
            "counts": counts,
            "contributions": 1,
            "checked": True,
            "of_people": True,
        }
        whole.update(statement(Promise(**facts, histograms=True, cap=cap), 5).encode())
    assert whole.hexdigest() == "97e361386d72e23f9987af29d6f1ce784ab7de41ea0a81854594c91679e27a69"


def test_the_command_line_knows_it(tmp_path, capsys):
    path = as_source("csv", PEOPLE, tmp_path)
    (tmp_path / "keys.csv").write_text("ward\na\nb\nc\n")
    words = [
        "--by",
        "ward",
        "--count",
        "ill",
        "--unit",
        "who",
        "--cap",
        "5",
        "--nulls",
        "0",
        "--epsilon",
        "1",
    ]
    words += ["--keys", str(tmp_path / "keys.csv"), "--other-keys", "drop", "--excess", "drop"]
    with pytest.raises(SystemExit) as end:
        main(["release", path, *words, "--output", str(tmp_path / "out")])
    said = capsys.readouterr().out
    assert (
        not end.value.code
        and "3 groups, of each at most 5 people" in said
        and "one size" not in said
    )


# --- reading it ---


@pytest.fixture(scope="module")
def wards():
    """Thirty wards of 0 to 9 people, at most 6 of them counted; who is kept is known, and so are their answers."""
    rng = Random(3)
    rows = [
        (f"w{k}", f"p{k}-{j}", rng.random() < 0.3)
        for k in range(30)
        for j in range(rng.randint(0, 9))
    ]
    people = pa.table(
        {name: [row[k] for row in rows] for k, name in enumerate(("ward", "who", "ill"))}
    )
    asked = {**ASKED, "keys": [f"w{k}" for k in range(30)], "cap": 6}
    with patch.object(kept_people, "order_key", lambda: "key"):
        places = true(people, **asked).values()
        release = dc.release(people, **asked, epsilon=2)
    return release, [sum(column) for column in zip(*places, strict=True)]


def test_totals_of_answers_and_of_people_are_those_of_people_kept(wards):
    release, (yes, no, absent) = wards
    found = dc.estimate(release)
    assert (found.groups, found.cap, found.answers) == (30, 6, (YES, NO))
    for name, count in ((YES, yes), (NO, no)):
        # eight standard errors: a false alarm far below 1 in a million
        assert abs(found.totals[name].value - count) < 8 * found.totals[name].standard_error
    assert abs(found.people.value - (180 - absent)) < 8 * found.people.standard_error
    assert found.people.low <= found.people.value <= found.people.high
    assert sum(q.value for q in found.totals.values()) == pytest.approx(
        found.people.value, abs=1e-9
    )
    assert found.full == sum(row[-1] == 0 for row in rows(release))
    text = " ".join(str(found).split())
    assert (
        f"{found.full} groups were released without an absent place" in text
        and "nothing in the release says" in text
    )
    assert (
        found.to_dict()["people"]["value"] == found.people.value and "people" in found._repr_html_()
    )


def test_strata_and_single_groups_are_read_too(wards):
    release, _ = wards
    found = dc.estimate(release)
    one = found.by("ward")["w3"]
    assert one.groups == 1 and one.cap == 6 and one.people.groups == 1
    assert sum(q.value for q in one.totals.values()) == pytest.approx(one.people.value, abs=1e-9)
    assert tuple(found.group(3).released.values()) == rows(release)[3][1:]
    assert len(found.table()) == 90
    with pytest.raises(InvalidInput, match=r"`index` must be in 0\.\.29"):
        found.group(30)


def test_what_needs_the_number_of_people_is_refused_in_words(wards):
    found = dc.estimate(wards[0])
    for name in ("mean", "shares", "contrast", "difference"):
        assert not hasattr(found, name)
        with pytest.raises(
            InvalidInput, match=f"`{name}` cannot be had with a cap, where people are estimated too"
        ):
            getattr(found, name)
    with pytest.raises(
        InvalidInput, match="`subtotals` cannot be had with a cap: `by` reads each part"
    ):
        found.subtotals("ward")
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = found.nothing


def test_the_command_line_reads_it(wards, tmp_path, capsys):
    wards[0].save(tmp_path / "out")
    for more in ([], ["--by", "ward"], ["--json"], ["--by", "ward", "--json"]):
        with pytest.raises(SystemExit) as end:
            main(["estimate", str(tmp_path / "out"), *more])
        assert not end.value.code and "people" in capsys.readouterr().out
    for refused in (["--scores", "yes=1", "--scores", "no=0"], ["--adding-up"]):
        with pytest.raises(SystemExit) as end:
            main(["estimate", str(tmp_path / "out"), *refused])
        assert end.value.code and "which cap hides" in capsys.readouterr().err


def test_moments_and_texts_that_python_cannot_hold_are_missing_under_a_cap():
    pandas = pytest.importorskip("pandas")
    array = pandas.arrays.ArrowExtensionArray
    far = pa.array([0, 10**14, None], pa.timestamp("s"))
    bad = pa.array([b"a", b"\xff", None]).view(pa.string())
    for column, keys in ((far, [datetime(1970, 1, 1)]), (bad, ["a"])):
        frame = pandas.DataFrame(
            {"who": ["1", "2", "3"], "ward": pandas.Series(array(column)), "ill": ["1"] * 3}
        )
        (places,) = true(frame, **{**ASKED, "keys": keys}).values()
        assert places == (1, 0, ASKED["cap"] - 1)
