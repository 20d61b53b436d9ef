"""Several levels in one release: what each draw costs, what is counted, and what the bundle holds."""

from __future__ import annotations

import shutil
from fractions import Fraction
from math import prod
from pathlib import Path

import pytest
from tests.conftest import require
from tests.tables.bundles import manifest_of, write_manifest

require("tables")

import pyarrow as pa
import pyarrow.parquet

import discreet as dc
from discreet.errors import BudgetError, Contradiction, InvalidInput
from discreet.ledger import open_ledger
from discreet.tables.asking.request import Request, question_digest
from discreet.tables.published import bundle
from discreet.tables.published.level_tables import table_names
from discreet.tables.published.manifest import table_digest

SURELY = 600
"""An epsilon at which every draw is the true count, but for one chance in 10^20."""

PEOPLE = pa.table(
    {
        "who": [1, 2, 3, 4, 5, 5, 6, 7, 8, 9],
        "region": ["n", "n", "n", "s", "s", "s", None, None, "", "s"],
        "clinic": ["a", "a", "b", "a", "c", "c", None, "a", "a", "z"],
        "ill": [True, False, True, True, True, True, True, False, False, True],
        "smoker": [True] * 10,
    }
)
BY = ["region", "clinic"]


def rows(table):
    return {
        tuple(row[name] for name in table.column_names[:-1] if name != "n"): row
        for row in table.to_pylist()
    }


def test_a_draw_costs_the_shares_of_its_level_and_its_count_over_the_rows_of_a_person():
    r = dc.release(
        PEOPLE,
        by=BY,
        count=["ill", "smoker"],
        split=[2, 1],
        epsilon="3/2",
        contributions=2,
        levels="rollup",
        level_split={"total": "1/10", "region": 0.2},
    )
    finest, region, total = r.manifest.levels
    assert [level.keys for level in r.manifest.levels] == [("region", "clinic"), ("region",), ()]
    assert [level.share for level in r.manifest.levels] == ["7/10", "1/5", "1/10"]
    assert [count.epsilon for count in total.counts] == ["1/20", "1/40"]  # 3/2 * 1/10 * 2/3 / 2
    assert [count.share for level in r.manifest.levels for count in level.counts] == [
        "2/3",
        "1/3",
    ] * 3
    draws = [count for level in (finest, region, total) for count in level.counts]
    assert sum(Fraction(count.epsilon) for count in draws) * 2 == Fraction("3/2")
    assert prod(Fraction(count.alpha) for count in draws) ** 2 >= Fraction(r.manifest.alpha)
    assert "at all 3 levels together" in r.manifest.guarantee
    assert {m.epsilon for m in r.mechanisms.values()} == {
        Fraction(count.epsilon) for count in draws
    }


def test_coarser_counts_are_sums_of_the_finest_and_a_missing_key_is_a_key():
    r = dc.release(
        PEOPLE,
        by=BY,
        count="ill",
        epsilon=SURELY,
        levels="cube",
        level_split={"region": 0.2, "clinic": 0.2, "total": 0.2},
    )
    assert list(r.tables) == ["region,clinic", "region", "clinic", "total"]
    assert r.table.equals(r.tables["region,clinic"])
    assert r.tables["total"].to_pylist() == [{"n": 10, "ill": 7}]
    assert r.tables["region"].to_pylist() == [
        {"region": "", "n": 1, "ill": 0},
        {"region": "n", "n": 3, "ill": 2},
        {"region": "s", "n": 4, "ill": 4},
        {"region": None, "n": 2, "ill": 1},
    ]
    assert rows(r.tables["clinic"])[None,]["n"] == 1
    assert rows(r.tables["clinic"])["a",] == {"clinic": "a", "n": 5, "ill": 2}
    assert rows(r.table)[None, "a"]["n"] == 1


def test_rows_are_dropped_once_before_any_level():
    keys = [("n", "a"), ("n", "b"), ("s", "c"), ("x", "y")]
    r = dc.release(
        PEOPLE,
        by=BY,
        count="ill",
        epsilon=SURELY,
        levels="rollup",
        unit="who",
        excess="drop",
        keys=keys,
        other_keys="drop",
        level_split={"total": 0.3, "region": 0.3},
    )
    assert r.table["n"].to_pylist() == [2, 1, 1, 0]
    assert r.tables["region"].to_pylist() == [
        {"region": "n", "n": 3, "ill": 2},
        {"region": "s", "n": 1, "ill": 1},
        {"region": "x", "n": 0, "ill": 0},
    ]
    assert r.tables["total"]["n"].to_pylist() == [4]


def test_rows_that_are_together_in_a_group_are_together_at_every_level(tmp_path):
    visits = pa.table(
        {
            **{name: PEOPLE[name] for name in BY},
            "who": [1, 2, 3, 4, 5, 5, 6, 7, 8, 9],
            "ill": PEOPLE["ill"],
        }
    )
    asked = {
        "by": BY,
        "count": "ill",
        "epsilon": 1,
        "levels": "rollup",
        "level_split": {"total": 0.5, "region": 0.25},
    }
    r = dc.release(
        visits, **asked, unit="who", contributions=2, together=True, output=tmp_path / "out"
    )
    assert [level.counts[0].epsilon for level in r.manifest.levels] == ["1/4", "1/4", "1/2"]
    assert (
        "each person has at most 2 rows, all of them in one group of each level, which was checked"
        in r.manifest.guarantee
    )
    assert dc.read_release(tmp_path / "out").manifest == r.manifest
    dc.plan(visits, **asked | {"level_split": None}, unit="who", contributions=2, together=True)


def test_answers_are_drawn_one_by_one_at_coarser_levels(tmp_path):
    rows = [
        (region, f"{region}{clinic}", smoking)
        for region in "ns"
        for clinic in "ab"
        for smoking in ("no", "yes", "once")
    ]
    people = pa.table(
        {name: [row[k] for row in rows] for k, name in enumerate(("region", "clinic", "smoking"))}
    )
    asked = {
        "by": BY,
        "count": {"smoking": ["no", "yes", "once"], "yes": "smoking = 'yes'"},
        "levels": "rollup",
    }
    split = {"total": "1/4", "region": "1/4"}
    r = dc.release(people, **asked, epsilon=SURELY, level_split=split, output=tmp_path / "out")
    finest, region, total = dc.read_release(tmp_path / "out").manifest.levels
    assert list(finest.counts[0].mechanisms) == ["3"] and not finest.counts[0].cells
    assert list(region.counts[0].cells) == ["6"] and list(total.counts[0].cells) == ["12"]
    assert (region.counts[0].epsilon, region.counts[0].cell_epsilon) == ("75/1", "75/2")
    assert r.tables["total"].to_pylist() == [
        {"n": 12, "smoking_no": 4, "smoking_yes": 4, "smoking_once": 4, "yes": 4}
    ]
    assert "protected answers of one person" in r.manifest.guarantee
    assert "epsilon = 600 for both questions at all 3 levels together" in r.manifest.guarantee
    assert "GM cells" in str(dc.plan(people, **asked, epsilon=1))


def test_a_table_of_counts_has_levels_too():
    counts = pa.table(
        {"region": ["n", "n", "s"], "clinic": [1, 2, 3], "patients": [3, 4, 5], "ill": [1, 4, 0]}
    )
    r = dc.release(
        counts,
        by=BY,
        count="ill",
        size="patients",
        epsilon=SURELY,
        levels=[["clinic", "region"], ["region"]],
        level_split={"region": 0.5},
        intervals=0.9,
    )
    assert r.tables["region"]["n"].to_pylist() == [7, 5]
    assert r.tables["region"]["ill"].to_pylist() == [5, 0]
    assert r.tables["region"].column_names == [
        "region",
        "n",
        "ill",
        "ill_estimate",
        "ill_low",
        "ill_high",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl"])
def test_a_bundle_has_a_table_for_each_level(tmp_path, format):
    asked = {
        "by": BY,
        "count": ["ill", "smoker"],
        "epsilon": 1,
        "properties": "F",
        "levels": "rollup",
        "intervals": 0.9,
    }
    r = dc.release(PEOPLE, output=tmp_path / "out", format=format, **asked)
    tables = {f"table.{format}", f"table-region.{format}", f"table-total.{format}"}
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "manifest.json",
        "proofs.zip",
    } | tables
    again = dc.read_release(tmp_path / "out")
    assert again.manifest == r.manifest
    assert [level.properties for level in again.manifest.levels] == ["F", "", ""]
    assert {name: table.num_rows for name, table in again.tables.items()} == {
        "region,clinic": 8,
        "region": 4,
        "total": 1,
    }
    assert again.tables["total"].to_pylist() == r.tables["total"].to_pylist()
    in_memory = dc.release(PEOPLE, **asked)
    saved = in_memory.save(tmp_path / "saved", format=format)
    assert (
        saved.tables["region"]["ill"].to_pylist() == in_memory.tables["region"]["ill"].to_pylist()
    )
    dc.read_release(tmp_path / "saved")


def test_the_shape_asked_for_is_that_of_the_finest_level():
    r = dc.release(
        PEOPLE,
        by=BY,
        count="ill",
        epsilon=1,
        properties="F",
        loss="L1",
        prior="Binomial(0.3)",
        levels="rollup",
    )
    assert r.mechanisms.level(0).of("ill", 2).satisfies("F")
    assert (
        dc.geometric(n=10, alpha=r.mechanisms.level(2).of("ill", 10).alpha).id
        == r.mechanisms.level(2).of("ill", 10).id
    )
    assert r.level(1).manifest.keys == ("region",)


def test_names_of_files_are_plain():
    assert table_names([("a", "b", "c"), ("a", "b"), ("a",), ()], "csv") == [
        "table.csv",
        "table-a-b.csv",
        "table-a.csv",
        "table-total.csv",
    ]
    assert table_names([("total", "x"), ("total",), ()], "csv")[1:] == [
        "table-total.csv",
        "table-2.csv",
    ]
    assert table_names([("../a", "x"), ("../a",)], "csv")[1:] == ["table-1.csv"]
    assert table_names([("A", "a"), ("A",), ("a",)], "csv")[1:] == ["table-A.csv", "table-2.csv"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"levels": "roll-up"}, "`levels` must be rollup or cube, .*did you mean rollup"),
        ({"levels": "cube", "by": "region"}, "`levels` needs two keys in `by` for a cube, not 1"),
        (
            {"levels": [["region"], []]},
            r"must hold the finest too, region,clinic, not region; total",
        ),
        ({"levels": ["region", "clinic"]}, "must be a list of key lists, not region"),
        (
            {"levels": [BY, ["regoin"]]},
            "must name keys that are in `by`, not regoin: did you mean region",
        ),
        ({"levels": [BY, ["region", "region"]]}, "must not repeat a key"),
        ({"levels": [BY, [], []]}, "`levels` has a level twice .total."),
        ({"levels": []}, "must be rollup or cube"),
        (
            {"levels": [[*BY, "who"], ["region"], ["clinic"]], "by": [*BY, "who"]},
            "must be nested in each other",
        ),
        ({"level_split": {"total": 0.1}}, "`level_split` needs `levels`"),
        ({"level_importance": {"total": 2}}, "`level_importance` needs `levels`"),
        ({"levels": "rollup", "level_split": [0.1, 0.9]}, "must be numbers by the name of a level"),
        (
            {"levels": "rollup", "level_split": {"total": 0.1}},
            "must give a share to each level .* without region",
        ),
        (
            {"levels": "rollup", "level_split": {"total": 0, "region": 0.1}},
            "must be above 0 for total, not 0",
        ),
        (
            {"levels": "rollup", "level_split": {"total": 0.5, "region": 0.5}},
            "must add up to 1, with something left",
        ),
        (
            {
                "levels": "rollup",
                "level_split": {"total": 0.5, "region": 0.1, "region,clinic": 0.1},
            },
            "must add up to 1",
        ),
        (
            {"levels": "rollup", "level_split": {"nation": 0.5}},
            "must name levels of the release, not nation",
        ),
        (
            {"levels": "rollup", "level_split": {"clinic, region": 1, "region,clinic": 1}},
            "must not name a level twice",
        ),
        ({"levels": "rollup", "level_importance": {"total": -1}}, "must be numbers of at least 0"),
        (
            {
                "levels": "rollup",
                "level_split": {"total": 0.1, "region": 0.1},
                "level_importance": {"total": 2},
            },
            "`level_importance` is for shares that are chosen",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_asked_of_levels_is_checked(asked, said):
    with pytest.raises(InvalidInput, match=said):
        dc.plan(PEOPLE, **{"by": BY, "count": "ill", "epsilon": 1, **asked})


def test_a_cube_that_could_not_be_read_is_refused(monkeypatch):
    monkeypatch.setattr("discreet.reading.levels.cube.LARGEST", 20)
    asked = {"by": BY, "count": "ill", "epsilon": 1, "levels": "cube"}
    with pytest.raises(
        InvalidInput, match="`levels` must have at most 20 places for cells, .* not 4 x 5: .*rollup"
    ):
        dc.release(PEOPLE, **asked, level_split={"region": 0.1, "clinic": 0.1, "total": 0.1})


def test_a_question_without_levels_keeps_its_name():
    """As it was made before there were levels."""
    asked = Request(by=["region", "clinic"], count="ill", epsilon=1)
    assert (
        question_digest(asked) == "ac4ebc1a138861d124ece8d6a30b739309d3d58e4db0282f549d1ce019750325"
    )
    several = Request(by=BY, count="ill", epsilon=1, levels=[BY, []], level_split={"total": 0.5})
    same = Request(
        by=BY,
        count="ill",
        epsilon=1,
        levels=[(), ("clinic", "region")],
        level_split={"total": "1/2"},
    )
    assert question_digest(several) == question_digest(same) != question_digest(asked)


def test_the_ledger_is_asked_for_all_levels_at_once(tmp_path):
    ledger = open_ledger(tmp_path / "budget.db")
    ledger.open("people", budget=2)
    dc.release(
        PEOPLE,
        by=BY,
        count="ill",
        epsilon="3/2",
        levels="rollup",
        ledger=ledger,
        output=tmp_path / "out",
    )
    assert ledger.remaining("people") == Fraction(1, 2)
    entry = ledger.find(dc.read_release(tmp_path / "out").manifest.release)
    assert (entry.state, entry.digest) == (
        "committed",
        table_digest(tmp_path / "out" / "manifest.json"),
    )


def test_levels_are_taken_up_again_as_they_were_drawn(tmp_path, monkeypatch):
    ledger = open_ledger(tmp_path / "budget.db")
    ledger.open("people", budget=1)
    words = {
        "by": BY,
        "count": "ill",
        "epsilon": 1,
        "levels": "rollup",
        "ledger": ledger,
        "output": tmp_path / "out",
    }
    with monkeypatch.context() as patched:
        patched.setattr(
            bundle, "publish", lambda *_, **__: (_ for _ in ()).throw(OSError(28, "No space left"))
        )
        with pytest.raises(InvalidInput, match="No space left.*resume="):
            dc.release(PEOPLE, **words)
    (entry,) = ledger.datasets()[0].unfinished
    with pytest.raises(BudgetError, match="question"):
        dc.release(PEOPLE, **words | {"levels": "cube"}, resume=entry.release_id)
    r = dc.release(PEOPLE, **words, resume=entry.release_id)
    assert r.manifest.digest == entry.digest and len(r.tables) == 3
    assert ledger.remaining("people") == 0


def test_a_plan_of_levels_names_the_questions_that_differ():
    asked = {
        "ill": "ill",
        "a question": {"no": "smoker = 0", "other": "smoker = 2", "yes": "smoker = 1"},
    }
    lines = (
        dc.plan(PEOPLE, by=BY, count=asked, epsilon=9, levels="rollup")
        .text(details=True)
        .splitlines()
    )
    place = next(k for k, line in enumerate(lines) if line.startswith("  clinic "))
    assert lines[place + 1].startswith("    ill ") and lines[place + 2].startswith(
        "    a question "
    )
    assert "  Standard errors of ill if one level had a tenth of epsilon more, or less:" in lines
    assert not any("over every" in line for line in lines), "levels say which sums are wanted"
    assert max(map(len, lines)) <= 80
    asked = {"ill": "ill", "a longer question": asked["a question"]}
    plan = dc.plan(PEOPLE, by=["who", *BY], count=asked, epsilon=9)
    assert "  a longer question: clinic, 5, over all earlier keys  " in str(plan), (
        "one shape leaves room"
    )
    flat = plan.text(details=True).splitlines()
    place = next(
        k for k, line in enumerate(flat) if line.startswith("  a longer question: clinic, 5  ")
    )
    assert flat[place + 1].strip() == "over all earlier keys" and "..." not in flat[place]


def test_levels_published_once_are_read_for_ever():
    r = dc.read_release(Path(__file__).parent.parent / "fixtures" / "release-levels")
    assert {name: table["n"].to_pylist() for name, table in r.tables.items()} == {
        "ward,day": [1, 1, 2, 1, 2, 1],
        "ward": [2, 3, 2, 1],
        "total": [8],
    }
    assert [level.share for level in r.manifest.levels] == ["13/20", "1/4", "1/10"]
    assert [count.epsilon for count in r.manifest.levels[2].counts] == ["1/20", "1/40"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("levels") / "out"
    dc.release(
        PEOPLE,
        by=BY,
        count="ill",
        epsilon=1,
        properties="F",
        levels="rollup",
        unit="who",
        contributions=2,
        level_split={"region": 0.25, "total": 0.25},
        output=folder,
    )
    return folder


def mended(folder, level, change):
    """Change a level's table, and make its digest right again."""
    manifest = manifest_of(folder)
    file = folder / manifest["levels"][level]["table"]
    table = change(pyarrow.parquet.read_table(file))
    pyarrow.parquet.write_table(table, file)
    sizes = sorted(table["n"].to_pylist())
    manifest["levels"][level] |= {
        "table_sha256": table_digest(file),
        "groups_by_size": {str(n): sizes.count(n) for n in dict.fromkeys(sizes)},
    }
    write_manifest(folder, manifest)


def with_column(name, values):
    return lambda table: table.set_column(table.column_names.index(name), name, pa.array(values))


@pytest.mark.parametrize(
    ("level", "change", "said"),
    [
        (
            1,
            lambda table: with_column("ill", [0] * 4)(with_column("n", [2, 3, 4, 1])(table)),
            "of level region must have the groups and sizes that the finest table adds up",
        ),
        (
            1,
            with_column("region", ["", "n", "s", "t"]),
            "of level region must have the groups and sizes",
        ),
        (
            1,
            with_column("region", ["", "n", "s", "s"]),
            "of level region must have the groups and sizes",
        ),
        (1, with_column("ill", [0, 4, 0, 0]), "must be in 0..3 for a group of 3"),
        (0, lambda table: table.take([1, 0, *range(2, table.num_rows)]), None),
    ],
)
def test_tables_that_do_not_fit_together_are_refused(made, tmp_path, level, change, said):
    folder = Path(shutil.copytree(made, tmp_path / "out"))
    mended(folder, level, change)
    if said is None:
        dc.read_release(folder)  # order is not promised
        return
    with pytest.raises(Contradiction, match=said):
        dc.read_release(folder)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda m: m["levels"].reverse(), "`table` must be table.parquet"),
        (lambda m: m["levels"].insert(1, m["levels"][1]), "`levels` has a level twice"),
        (lambda m: m["levels"].append(m["levels"].pop(1)), "`levels` must be in order"),
        (lambda m: m["levels"].pop(), "must be what the counts' epsilons come to"),
        (
            lambda m: m["levels"][1].update(share="1/2"),
            "`share` of a level must be what its draws cost",
        ),
        (
            lambda m: m["levels"][2].update(properties="F"),
            "`properties` must be those of the mechanism of ill for groups of size 10, none, not F",
        ),
        (
            lambda m: m["levels"][2].update(table="table-region.parquet"),
            "`table` of level total must be table-total",
        ),
        (
            lambda m: m["levels"][2]["counts"][0].update(definition="smoker"),
            "`counts` of level total must be those",
        ),
        (
            lambda m: m["levels"][2].update(groups_by_size={"11": 1}),
            "of level total must have as many people",
        ),
        (lambda m: m.update(wording=1), "`guarantee` is not the statement"),
    ],
)
def test_a_manifest_whose_levels_do_not_fit_together_is_refused(made, tmp_path, change, said):
    folder = Path(shutil.copytree(made, tmp_path / "out"))
    manifest = manifest_of(folder)
    change(manifest)
    write_manifest(folder, manifest)
    with pytest.raises(Contradiction, match=said):
        dc.read_release(folder)


def test_a_plan_of_levels_says_what_each_gets_and_what_that_buys():
    asked = {
        "by": BY,
        "count": ["ill", "smoker"],
        "epsilon": 1,
        "properties": "F",
        "levels": "rollup",
    }
    p = dc.plan(PEOPLE, **asked)
    r = dc.release(PEOPLE, **asked)
    assert [str(level.share) for level in p.levels] == [
        level.share.removesuffix("/1") for level in r.manifest.levels
    ]
    assert sum(level.share for level in p.levels) == 1
    assert (p.epsilon, p.alpha) == (1, Fraction(r.manifest.alpha))
    for planned, level in zip(p.levels, r.manifest.levels, strict=True):
        assert [str(epsilon) for _, epsilon in planned.each] == [
            count.epsilon for count in level.counts
        ]
        assert (planned.groups, planned.properties) == (level.groups, level.properties)
        assert all(0 < error.standard_error <= error.worst_error for error in planned.errors)
    text = p.text(details=True)
    assert "The shape F is that of clinic; coarser levels use GM." in text
    assert "a tenth of epsilon more, or less" in text and "more for total" in text
    assert max(map(len, text.splitlines())) <= 80
    assert p.to_dict()["levels"][2]["share"] == str(p.levels[2].share)
    assert "more for clinic" in p._repr_html_() and "levels" in r._repr_html_()


@pytest.mark.parametrize(
    ("by", "levels"), [(["region", "clinic"], [["clinic", "region"]]), ([], "rollup")]
)
def test_the_finest_level_alone_is_a_release_without_levels(by, levels):
    people = pa.table(
        {"region": ["a", "a", "b"], "clinic": ["x", "y", "z"], "ill": [True, False, True]}
    )
    r = dc.release(people, by=by, count="ill", epsilon=200, levels=levels)
    assert [count.epsilon for count in r.manifest.counts] == ["200/1"] and len(
        r.manifest.levels
    ) == 1
    assert sum(r.table["ill"].to_pylist()) == 2 and dc.plan(
        people, by=by, count="ill", epsilon=1, levels=levels
    )
