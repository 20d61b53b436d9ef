"""Questions with several answers: how they are asked, priced, drawn, written and checked.

Epsilon 200 shows true counts (a draw differs from the truth with chance below 1e-80).
"""

from decimal import Decimal
from fractions import Fraction

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa
from tests.tables.sources import EXACT

import discreet as dc
from discreet.core.histogram import Histogram
from discreet.core.rationals import read_alpha
from discreet.errors import BudgetError, Contradiction, InvalidData, InvalidFile, InvalidInput
from discreet.ledger import open_ledger
from discreet.tables.asking.histogram_design import cell_privacy
from discreet.tables.asking.request import Request, question_digest
from discreet.tables.published import bundle as bundle_files

SMOKING = ["never", "former", "current"]
PEOPLE = pa.table(
    {
        "clinic": ["a"] * 3 + ["b"] * 2 + ["c"] * 20,
        "smoking": ["never", "never", "current", "former", "former", *["never", "former"] * 10],
        "mood": [1, 2, 3, 4, 5] * 5,
        "ill": [True, False] * 12 + [True],
    }
)


def rows(source=PEOPLE, **asked):
    made = dc.release(source, **{"by": "clinic", "epsilon": EXACT, **asked})
    return [tuple(row.values()) for row in made.table.to_pylist()]


# --- what is counted ---


def test_values_of_a_column_are_counted_by_answer():
    found = rows(count={"smoking": SMOKING})
    assert found == [("a", 3, 2, 0, 1), ("b", 2, 0, 2, 0), ("c", 20, 10, 10, 0)]


def test_bits_and_histograms_mix_and_columns_are_named_by_answer():
    made = dc.release(
        PEOPLE,
        by="clinic",
        count={"ill": "ill", "smoking": SMOKING, "old": "mood > 3"},
        epsilon=EXACT,
    )
    assert made.table.column_names == [
        "clinic",
        "n",
        "ill",
        "smoking_never",
        "smoking_former",
        "smoking_current",
        "old",
    ]
    assert [tuple(row.values())[2:] for row in made.table.to_pylist()][:2] == [
        (2, 2, 0, 1, 0),
        (1, 0, 2, 0, 2),
    ]


@pytest.mark.parametrize(
    "asked",
    [
        {"column": "smoking", "answers": ["never"], "other": "ever"},
        {"never": "smoking = 'never'", "ever": "smoking <> 'never'"},
    ],
    ids=["values", "predicates"],
)
def test_two_answers_are_one_count_of_the_first(asked):
    made = dc.release(PEOPLE, by="clinic", count={"smoked": asked}, epsilon=1)
    (facts,) = made.manifest.counts
    assert facts.name == "smoked_never" and facts.answers == () and facts.epsilon == "1/1"
    assert made.mechanism(20) == dc.design(n=20, epsilon=1)
    assert made.table.column_names == ["clinic", "n", "smoked_never"]
    assert [row[2:] for row in rows(count={"smoked": asked})] == [(2,), (0,), (10,)]


def test_other_values_and_null_are_counted_as_an_answer_given_or_a_new_one():
    table = pa.table({"clinic": ["a"] * 5, "x": ["u", "v", "w", "", None]})
    with_other = {"column": "x", "answers": ["u", "v"], "other": "v", "nulls": "unknown"}
    made = dc.release(table, by="clinic", count={"q": with_other}, epsilon=1)
    assert made.manifest.counts[0].answers == ("u", "v", "unknown")
    assert made.manifest.counts[0].definition == "x is u, v; other values are v; NULL is unknown"
    assert rows(table.slice(0, 3), count={"q": with_other}) == [("a", 3, 1, 2, 0)]
    assert rows(table.slice(2), count={"q": with_other}) == [("a", 3, 0, 2, 1)]
    same = {"column": "x", "answers": ["u"], "other": "rest", "nulls": "rest"}
    assert rows(table, count={"q": same}) == [("a", 5, 1)]


def test_numbers_are_compared_by_value_and_texts_by_their_characters():
    table = pa.table(
        {
            "k": ["a"] * 3,
            "whole": [1, 2, 2],
            "real": [1.0, 2.0, 2.0],
            "truth": [True, False, False],
            "text": ["1", "2", "2"],
            "label": pa.array(["1", "2", "2"]).dictionary_encode(),
            "padded": ["1", " 2", "02"],
            "single": pa.array([1, 2, 2], pa.float32()),
        }
    )
    for name in ("whole", "real", "single", "text", "label"):
        assert rows(table, by="k", count={name: [1, 2, "3"]}) == [("a", 3, 1, 2, 0)], name
    assert rows(
        table, by="k", count={"truth": {"answers": [True, "false"], "nulls": "unknown"}}
    ) == [("a", 3, 1, 2, 0)]
    with pytest.raises(InvalidData, match="one of the answers given"):
        rows(table, by="k", count={"padded": [1, 2, 3]})
    with pytest.raises(InvalidData, match="one of the answers given"):
        rows(pa.table({"k": ["a"], "whole": [1.5]}), by="k", count={"whole": [1, 2, 3]})


def test_an_empty_group_has_one_histogram():
    found = rows(count={"smoking": SMOKING}, keys=["a", "b", "c", "z"])
    assert found[-1] == ("z", 0, 0, 0, 0)
    made = dc.release(
        PEOPLE, by="clinic", count={"smoking": SMOKING}, epsilon=1, keys=["a", "b", "c", "z"]
    )
    assert "0" in made.manifest.counts[0].mechanisms


def test_a_table_of_counts_has_a_column_for_each_answer():
    table = pa.table(
        {"k": ["a", "b"], "n": [3, 20], "x": [1, 5], "y": ["2", "5"], "z": [0.0, 10.0]}
    )
    asked = {"q": {"low": "x", "middle": "y", "high": "z"}}
    assert rows(table, by="k", count=asked, size="n") == [("a", 3, 1, 2, 0), ("b", 20, 5, 5, 10)]
    for wrong in ([1, 4], [1, None], [1, 2**61]):
        with pytest.raises(InvalidData, match=r"add up to its size \(row 2"):
            rows(table.set_column(2, "x", [wrong]), by="k", count=asked, size="n")
    with pytest.raises(InvalidInput, match="must map each answer of q to its column"):
        rows(table, by="k", count={"q": ["low", "high"]}, size="n")
    with pytest.raises(InvalidInput, match="must be a column when `size`"):
        rows(table, by="k", count={"q": {"low": "x + 1", "high": "y"}}, size="n")


# --- what is refused ---

BAD = [
    ({"smoking": ["never"]}, "must have 2 to 64 answers"),
    ({"smoking": []}, "must give the answers of smoking"),
    ({"smoking": [f"a{k}" for k in range(65)]}, "must have 2 to 64 answers"),
    ({"smoking": ["never", "former", "never"]}, "twice"),
    ({"smoking": ["never", ""]}, "printable text"),
    ({"smoking": ["never", 1.5]}, "printable text"),
    ({"smoking": ["never", None]}, "printable text"),
    ({"smoking": ["never", "a\nb"]}, "printable text"),
    ({"smoking": {"answers": ["never", "former"], "other": ""}}, "printable text"),
    ({"smoking": {"answers": ["never", "former"], "others": "x"}}, "did you mean other"),
    ({"smoking": {"never": "smoking = 'never'", "rest": 3}}, "must give a predicate"),
    ({"smoking": {"never": "smoking = 'never'"}}, "must have 2 to 64 answers"),
    ({"smoke": SMOKING}, "did you mean smoking"),
    (
        {"q": {"column": "smoking || 'x'", "answers": SMOKING}},
        "must be true or false|must name the column",
    ),
    ({"smoking": ["never", "Never", "former"]}, "two columns named"),
    ({"smoking": SMOKING, "smoking_never": "ill"}, "two columns named"),
    ({"mood": ["1", "two", "3"]}, "must have whole numbers as answers"),
    ({"mood": ["1", "01", "3"]}, "must have whole numbers as answers"),
    ({"ill": ["yes", "no"]}, "answers true and false"),
    ({"clinic": SMOKING}, "must not use a column that a count reads"),
]


def test_bad_questions_are_refused_and_nothing_is_spent(tmp_path):
    book = open_ledger(tmp_path / "b.db")
    book.open("d", budget=1)
    for count, rule in BAD:
        with pytest.raises(InvalidInput, match=rule):
            dc.release(PEOPLE, by="clinic", count=count, epsilon=1, ledger=book, dataset="d")
    assert book.remaining("d") == 1


def test_a_row_without_one_answer_is_named_and_its_value_is_not():
    for count, rule in [
        ({"smoking": ["never", "former"]}, r"must be one of the answers given \(row 3"),
        (
            {"q": {"a": "smoking = 'never'", "b": "smoking = 'former'"}},
            r"exactly one answer that holds \(row 3",
        ),
        ({"q": {"a": "mood > 0", "b": "mood = 3"}}, r"exactly one answer that holds \(row 3"),
    ]:
        with pytest.raises(InvalidData, match=rule) as caught:
            rows(count=count)
        assert "current" not in str(caught.value)
    gaps = pa.table({"clinic": ["a", "a"], "smoking": ["never", None]})
    with pytest.raises(
        InvalidData, match=r"must not be empty \(NULL\) \(row 2.*`count=.*'nulls': 'ANSWER'"
    ):
        rows(gaps, count={"smoking": SMOKING})
    with pytest.raises(InvalidData, match=r"must not be empty \(NULL\) \(row 2.*`nulls='0'`"):
        rows(gaps, count={"q": {"a": "smoking = 'never'", "b": "smoking <> 'never'"}})
    assert rows(
        gaps, count={"q": {"a": "smoking = 'never'", "b": "smoking IS NULL"}}, nulls="0"
    ) == [("a", 2, 1)]


def test_properties_that_cells_do_not_have_are_refused_before_anything_is_counted_on():
    with pytest.raises(InvalidInput, match="groups of 20 or more, which are drawn cell by cell"):
        rows(count={"smoking": SMOKING}, epsilon=1, properties="F")
    small = PEOPLE.slice(0, 5)
    made = dc.release(small, by="clinic", count={"smoking": SMOKING}, epsilon=1, properties="WH CM")
    assert made.mechanism(3).satisfies("WH CM")


def test_what_is_for_counts_only_is_refused():
    asked = {"unit": "person", "contributions": 2, "together": True}
    table = PEOPLE.append_column("person", [[k // 2 for k in range(PEOPLE.num_rows)]])
    with pytest.raises(InvalidInput, match="is for counts, and smoking has several answers"):
        rows(table, count={"smoking": SMOKING, "ill": "ill"}, **asked)


def test_intervals_stand_beside_counts_only():
    asked = {"ill": "ill", "smoking": SMOKING}
    made = dc.release(PEOPLE, by="clinic", count=asked, epsilon=2, intervals=0.9)
    assert made.table.column_names[2:7] == [
        "ill",
        "ill_estimate",
        "ill_low",
        "ill_high",
        "smoking_never",
    ]
    with pytest.raises(InvalidInput, match="`intervals` stand beside counts"):
        rows(count={"smoking": SMOKING}, intervals=0.9)
    with pytest.raises(InvalidInput, match="two columns named ILL_low"):
        rows(
            count={
                "ill": "ill",
                "ILL": {"column": "smoking", "answers": ["low", "b"], "other": "b"},
            },
            intervals=0.9,
        )


# --- what is paid ---


def test_a_joint_draw_pays_epsilon_once_and_a_cell_half_of_it():
    made = dc.release(
        PEOPLE, by="clinic", count={"ill": "ill", "smoking": SMOKING}, epsilon=2, split=[1, 3]
    )
    ill, smoking = made.manifest.counts
    assert (ill.epsilon, smoking.epsilon, smoking.cell_epsilon) == ("1/2", "3/2", "3/4")
    assert list(smoking.mechanisms) == ["2", "3"] and list(smoking.cells) == ["20"]
    assert made.mechanism(3, "smoking").domain == Histogram(3, 3)
    assert made.mechanism(3, "smoking").epsilon == Fraction(3, 2)
    assert made.mechanism(20, "smoking") == dc.geometric(n=20, alpha=Fraction(smoking.cell_alpha))


@pytest.mark.parametrize(
    "asked", [{"epsilon": "1/3"}, {"alpha": "3/4"}, {"epsilon": 7, "contributions": 3}], ids=str
)
def test_two_cells_cost_no_more_than_the_question(asked):
    made = dc.release(PEOPLE, by="clinic", count={"smoking": SMOKING}, **asked)
    (facts,) = made.manifest.counts
    joint, cell = Fraction(facts.alpha), Fraction(facts.cell_alpha)
    assert cell * cell >= joint
    assert 2 * Fraction(facts.cell_epsilon) * asked.get("contributions", 1) == Fraction(
        made.manifest.epsilon
    )


def test_an_alpha_of_half_epsilon_is_rounded_toward_one():
    for each in (read_alpha(epsilon=1), read_alpha(alpha="1/3"), read_alpha(epsilon="1/1000")):
        half = cell_privacy(each)
        assert half.value**2 >= each.value and half.epsilon == each.epsilon / 2
        assert float(half.value**2 / each.value) < 1 + 1e-8


# --- what is said and written ---


def test_a_plan_says_which_sizes_are_drawn_whole_and_why():
    made = dc.plan(PEOPLE, by="clinic", count={"smoking": SMOKING, "ill": "ill"}, epsilon=2)
    assert [(line.count, line.n, line.name) for line in made.lines][:3] == [
        ("smoking", 2, "joint"),
        ("smoking", 3, "joint"),
        ("smoking", 20, "GM cells"),
    ]
    whole, cells = made.histograms
    assert whole == "smoking, groups of 2-3: all answers in one draw, at epsilon 1"
    assert cells.startswith("smoking, groups of 20: answer by answer, each by GM at epsilon 0.5 (")
    assert cells.endswith("Why: one draw of all would be too large to design")
    assert whole in made.text(details=True) and "several answers" not in made.guarantee
    joint = dc.design(n=3, categories=3, epsilon=1)
    line = made.lines[1]
    assert line.truth == pytest.approx(float(1 - joint.score("L0")))
    assert line.rmse**2 == pytest.approx(float(joint.score("L2")))
    assert min(joint.within(t, line.margin) for t in joint.domain.points) >= Fraction(95, 100)
    assert min(joint.within(t, line.margin - 1) for t in joint.domain.points) < Fraction(95, 100)


def test_the_digest_of_a_question_is_the_same_however_it_is_written():
    def digest(count):
        return question_digest(Request(by="clinic", count=count, epsilon=1))

    assert (
        digest({"q": [1, 2]})
        == digest({"q": ("1", "2")})
        == digest({"q": {"answers": ["1", "2"], "column": "q"}})
    )
    others = [
        {"q": ["2", "1"]},
        {"q": {"answers": ["1"], "other": "2"}},
        {"q": {"1": "2"}},
        {"r": ["1", "2"]},
        {"q": [1, 2.5]},
    ]
    assert len({digest(count) for count in [{"q": [1, 2]}, *others]}) == 1 + len(others)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("histograms") / "out"
    count = {"smoking": SMOKING, "ill": "ill", "two": {"low": "mood < 3", "high": "mood >= 3"}}
    return dc.release(PEOPLE, by="clinic", count=count, epsilon=3, output=folder, format="csv").path


def test_a_bundle_is_read_back_and_proven(bundle):
    made = dc.read_release(bundle)
    assert made.manifest.text == (bundle / "manifest.json").read_text()
    assert "protected answers of one person" in made.manifest.guarantee
    assert "all 3 questions together" in made.manifest.guarantee
    assert dc.estimate(made, count="ill").groups == 3


def edited(bundle, tmp_path, change=None, table=None):
    import json
    import shutil

    from discreet.tables.published.manifest import table_digest

    copy = tmp_path / "copy"
    shutil.copytree(bundle, copy)
    facts = json.loads((copy / "manifest.json").read_text())
    if table is not None:
        text = (copy / "table.csv").read_text().splitlines()
        (copy / "table.csv").write_text("\n".join(table(text)) + "\n")
        facts["levels"][0]["table_sha256"] = table_digest(copy / "table.csv")
    if change is not None:
        change(facts["levels"][0]["counts"])
        if "wording" in facts["levels"][0]["counts"][0]:
            facts["wording"] = facts["levels"][0]["counts"][0].pop("wording")
    (copy / "manifest.json").write_text(json.dumps(facts))
    return copy


EDITS = [
    (lambda c: c[0].update(cell_epsilon="1/3"), "half of epsilon"),
    (lambda c: c[0].update(cell_alpha="1/2"), "square at least alpha"),
    (lambda c: c[0].update(cell_alpha="9/10"), "square at least alpha"),
    (lambda c: c[0].update(cell_alpha="", cell_epsilon=""), "where there are cells"),
    (
        lambda c: (
            c[0]["mechanisms"].update(c[0]["cells"])
            or c[0].update(cells={}, cell_alpha="", cell_epsilon="")
        ),
        "must be that of its mechanism",
    ),
    (
        lambda c: c[0]["domain"].update(answers=["never", "former", "current", "x"]),
        "histograms over 4 answers|no column",
    ),
    (lambda c: c[0].update(wording=1), "guarantee"),
]


@pytest.mark.parametrize(
    ("change", "rule"), EDITS, ids=[rule[:20] + str(k) for k, (_, rule) in enumerate(EDITS)]
)
def test_an_edited_manifest_contradicts_its_proofs(bundle, tmp_path, change, rule):
    with pytest.raises(Contradiction, match=rule):
        dc.read_release(edited(bundle, tmp_path, change))


@pytest.mark.parametrize(
    "domain",
    [
        {"kind": "histogram"},
        {"kind": "histogram", "answers": ["a", "a", "b"]},
        {"kind": "histogram", "answers": ["never", "former"]},  # the count of the first
        {"kind": "trees"},
    ],
)
def test_a_domain_that_is_none_is_refused(bundle, tmp_path, domain):
    rule = "no field .*answers|must be 3 to|a newer discreet reads it"
    with pytest.raises(InvalidFile, match=rule):
        dc.read_release(edited(bundle, tmp_path, lambda counts: counts[0].update(domain=domain)))


@pytest.mark.parametrize(
    ("row", "values", "rule"),
    [
        (1, "3,1,1,0", "add up to n"),
        (1, "3,4,0,-1", "be in 0..n"),
        (3, "20,21,0,0", "be in 0..n"),
    ],
)
def test_an_edited_table_contradicts_its_manifest(bundle, tmp_path, row, values, rule):
    def change(lines):
        key, *_, ill, low = lines[row].split(",")
        return [*lines[:row], ",".join([key, values, ill, low]), *lines[row + 1 :]]

    with pytest.raises(Contradiction, match=rule):
        dc.read_release(edited(bundle, tmp_path, table=change))


def test_an_output_that_its_mechanism_never_gives_is_found(tmp_path):
    """An L1 optimum at epsilon 1 leaves some histograms unused."""
    table = pa.table({"k": ["a"] * 4, "x": ["u", "v", "w", "w"]})
    best = dc.design(n=4, categories=3, epsilon=1, loss="L1")
    asked = {"by": "k", "count": {"x": ["u", "v", "w"]}, "mechanism": best}
    with pytest.warns(
        UserWarning, match="x: totals and shares cannot be estimated from groups of 4"
    ):
        made = dc.release(table, **asked, output=tmp_path / "o", format="csv")
    m = made.mechanism(4)
    never = next(o for o, c in zip(m.domain.points, m.column((4, 0, 0)), strict=True) if not c)
    copy = edited(
        made.path, tmp_path, table=lambda lines: [lines[0], ",".join(map(str, ("a", 4, *never)))]
    )
    with pytest.raises(Contradiction, match="that its mechanism can give"):
        dc.read_release(copy)


def test_answers_are_drawn_by_themselves_where_that_is_asked_for():
    asked = {"by": "k", "epsilon": 2}
    table = pa.table({"k": ["a"] * 4 + ["b"] * 3, "x": ["u", "v", "w", "w", "u", "u", "v"]})
    for answers in (["u", "v", "w"], {each: f"x = '{each}'" for each in "uvw"}):
        count = {"x": {"answers": answers, "cells": True}}
        (note,) = dc.plan(table, **asked, count=count).histograms
        assert (
            "groups of 3-4: answer by answer, each by GM at epsilon 1 (" in note
            and note.endswith("Why: as asked for")
        )
        made = dc.release(table, **asked, count=count)
        (facts,) = made.manifest.counts
        assert facts.mechanisms == {} and facts.cell_epsilon == "1/1"
        assert dc.estimate(made).people == 7
    for wrong, rule in (
        ({"answers": ["u", "v", "w"], "cells": 1}, "must have true or false as 'cells'"),
        (
            {"answers": {"u": "x = 'u'", "v": "x <> 'u'"}, "other": "v"},
            "must not have 'other' beside a condition",
        ),
    ):
        with pytest.raises(InvalidInput, match=rule):
            dc.plan(table, **asked, count={"x": wrong})
    with pytest.raises(InvalidInput, match="leave them out, or 'cells'"):
        dc.plan(
            table,
            **asked,
            count={"x": {"answers": ["u", "v", "w"], "cells": True}},
            properties="WH",
        )


def test_an_interrupted_release_is_finished_by_the_same_question_however_it_is_written(
    tmp_path, monkeypatch
):
    book, people = open_ledger(tmp_path / "b.db"), PEOPLE.slice(0, 5)
    book.open("d", budget=1)
    asked = {
        "by": "clinic",
        "epsilon": 1,
        "ledger": book,
        "dataset": "d",
        "output": tmp_path / "out",
    }
    with monkeypatch.context() as patched:
        patched.setattr(bundle_files, "publish", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            dc.release(people, count={"smoking": SMOKING}, **asked)
    release = book.history("d")[-1].id
    with pytest.raises(BudgetError, match="another question"):
        dc.release(people, count={"smoking": SMOKING[::-1]}, resume=release, **asked)
    same = {"smoking": {"answers": tuple(SMOKING), "column": "smoking"}}
    made = dc.release(people, count=same, resume=release, **asked)
    assert made.manifest.release == release and book.remaining("d") == 0


def test_answers_too_long_for_a_decimal_are_refused_whatever_the_rows_are():
    for values in ([], ["1"], ["3"]):
        x = pa.array(map(Decimal, values), pa.decimal128(38, 37))
        table = pa.table({"clinic": pa.array(["a"] * len(x), pa.string()), "mood": x})
        with pytest.raises(InvalidInput, match=r"at most 1 digit, because column mood is DECIMAL"):
            rows(table, keys=["a"], count={"mood": {"answers": [1, 2, -99], "other": "else"}})
    assert rows(table, keys=["a"], count={"mood": {"answers": [1, -2], "other": "else"}}) == [
        ("a", 1, 0, 0, 1)
    ]
