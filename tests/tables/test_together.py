"""Several rows of one person in one group: one draw answers for all of them, checked, priced, proven and read."""

from __future__ import annotations

import hashlib
import shutil
from fractions import Fraction
from itertools import product

import pytest
from tests.conftest import require
from tests.tables.bundles import manifest_of, write_manifest

require("tables")

import pyarrow as pa
from tests.tables.sources import SPARK, as_source

import discreet as dc
from discreet.cli import main
from discreet.core.domains import Counts
from discreet.core.rationals import read_alpha
from discreet.errors import Contradiction, DiscreetError, InvalidFile, InvalidInput
from discreet.tables.asking.price import Promise, statement
from discreet.tables.asking.request import Request, question_digest
from discreet.tables.asking.together import MOST_ROWS, row_by_row

pytestmark = pytest.mark.filterwarnings(
    "ignore:PySpark does not yet fully support pandas:FutureWarning"
)

VISITS = {"a": 1, "b": 2, "c": 5, "d": MOST_ROWS + 1}
"""Two rows a person in groups of these sizes: of one row, of all rows of one person, ordinary, beyond the limit."""
ROWS = [(ward, f"{ward}{k // 2}", k % 3 == 0) for ward, size in VISITS.items() for k in range(size)]
TABLE = pa.table({name: [row[k] for row in ROWS] for k, name in enumerate(("ward", "who", "ill"))})
ASKED = {
    "by": "ward",
    "count": "ill",
    "unit": "who",
    "contributions": 2,
    "together": True,
    "epsilon": 2,
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("together") / "out"
    dc.release(TABLE, **ASKED, intervals="0.9", output=folder)
    return folder


def test_the_whole_share_is_one_draw_and_the_proofs_say_what_it_protects(made):
    r = dc.read_release(made)
    (count,) = r.manifest.counts
    assert count.domain == {"kind": "counts", "step": 2} and (count.epsilon, count.share) == (
        "2/1",
        "1/1",
    )
    assert (r.manifest.contributions, r.manifest.wording) == (2, 4)
    assert "at most 2 rows, all of them in one group, which was checked" in r.manifest.guarantee
    found = {n: r.mechanism(n) for n in VISITS.values()}
    assert {n: m.domain for n, m in found.items()} == {
        1: Counts(1),
        2: Counts(2, 2),
        5: Counts(5, 2),
        MOST_ROWS + 1: Counts(MOST_ROWS + 1),
    }
    whole, parts = read_alpha(epsilon=2), found.pop(MOST_ROWS + 1)
    assert all(m.privacy == whole for m in found.values())
    assert parts.epsilon == 1 and parts.alpha**2 >= whole.value  # each row pays for itself there
    assert dc.estimate(made).groups == len(VISITS)
    with pytest.raises(SystemExit) as end:
        main(["verify", str(made)])
    assert not end.value.code


@pytest.mark.parametrize(
    ("n", "rows", "expected"),
    [
        (12, 2, {"L0": (".374", ".538"), "L1": (".596", ".747"), "L2": ("1.30", "1.47")}),
        pytest.param(
            *(20, 4, {"L0": (".533", ".755"), "L1": ("1.42", "1.65"), "L2": ("4.88", "5.73")}),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_what_is_gained_over_rows_that_pay_one_by_one(n, rows, expected):
    visits = pa.table({"ward": ["a"] * n, "who": [k // rows for k in range(n)], "ill": [False] * n})
    for loss, costs in expected.items():
        together = dc.design(n=n, step=rows, epsilon=ASKED["epsilon"], loss=loss)
        alone = dc.design(n=n, epsilon=Fraction(ASKED["epsilon"], rows), loss=loss)
        for cost, mechanism in zip(costs, (together, alone), strict=True):
            assert round(float(mechanism.score(loss)), len(cost.partition(".")[2])) == float(cost)
    drawn = dc.release(visits, **{**ASKED, "contributions": rows}).mechanism(n)
    assert drawn.id == dc.design(n=n, step=rows, epsilon=ASKED["epsilon"]).id


@pytest.mark.parametrize("epsilon", ["1/10", 1, 3])
@pytest.mark.parametrize("rows", [2, 7, 10**6])
def test_what_each_row_pays_comes_to_no_more_than_the_whole(epsilon, rows):
    whole = read_alpha(epsilon=epsilon)
    drawn = row_by_row(whole, rows)
    assert drawn.epsilon * rows == Fraction(epsilon)
    if rows < 10:
        assert drawn.value**rows >= whole.value


def test_counts_share_the_price_and_a_plan_says_how_rows_are_paid():
    asked = {**ASKED, "count": {"ill": "ill", "well": "NOT ill"}, "split": [1, 3]}
    found = dc.plan(TABLE, **asked)
    assert found.each == (("ill", Fraction(1, 2)), ("well", Fraction(3, 2))) and found.together
    text = " ".join(str(found).split())
    assert "2 rows a person, paid for together; in groups of more than 24 one by one" in text
    assert "BasicDP, step 2" in text
    released = dc.release(TABLE, **asked)
    assert [count.epsilon for count in released.manifest.counts] == ["1/2", "3/2"]
    small = TABLE.slice(0, 8)
    assert "one by one" not in str(dc.plan(small, **asked))


def test_one_row_a_person_is_the_plain_count():
    single = TABLE.slice(1, 1)
    plain = {name: value for name, value in ASKED.items() if name != "together"} | {
        "contributions": 1
    }
    one, two = dc.release(single, **plain, together=True), dc.release(single, **plain)
    assert (
        one.manifest.counts == two.manifest.counts
        and one.manifest.guarantee == two.manifest.guarantee
    )


def test_questions_that_do_not_use_it_keep_their_digest():
    request = Request(by="clinic", count="smoker", epsilon="1/2", unit="person", contributions=2)
    assert (
        question_digest(request)
        == "097d630c618deaa0c79e3923402126e3942504361b20ecf12f92dc519e21fb62"
    )
    assert question_digest(Request(**ASKED)) != question_digest(
        Request(**{**ASKED, "together": False})
    )


def test_the_wording_is_frozen():
    """A wording that was published stays as it was: this digest never changes, a new wording gets a new number."""
    whole = hashlib.sha256()
    for epsilon, counts, rows in product(("1/2", "3"), (1, 2), (2, 3)):
        facts = {"epsilon": Fraction(epsilon), "counts": counts, "contributions": rows}
        whole.update(
            statement(Promise(**facts, checked=True, of_people=True, together=True), 4).encode()
        )
    assert whole.hexdigest() == "bccdaa8aabca792b5601fd1e8f8c8b51660ed50f73208ccd724d0931b883f370"


@pytest.mark.parametrize("kind", ["arrow", SPARK])
def test_rows_of_one_person_in_two_groups_are_refused(kind, tmp_path):
    apart = TABLE.slice(0, 8).append_column(
        "day", pa.array([0.0, -0.0, 0.0, 1.0, 3.0, None, None, 2.0])
    )
    source = as_source(kind, apart, tmp_path)
    assert dc.plan(source, **ASKED).groups == 3
    assert dc.plan(source, **{**ASKED, "by": []}).groups == 1
    for verb in (dc.plan, dc.release):
        with pytest.raises(
            InvalidInput, match="rows are in one group, and someone has rows in two"
        ) as error:
            verb(source, **{**ASKED, "by": ["ward", "day"]})
        assert "c0" not in str(error.value) and error.value.parameter == "together"
    # the same key in another form, and a missing one, is one group
    dc.plan(source, **{**ASKED, "by": ["ward", "day"], "where": "who IN ('b0', 'c1')"})
    with pytest.raises(InvalidInput, match=r"at most 2 rows each"):
        dc.plan(as_source(kind, pa.concat_tables([TABLE, TABLE]), tmp_path), **ASKED)
    kept = dc.plan(
        as_source(kind, pa.concat_tables([TABLE.slice(1, 2)] * 3), tmp_path), **ASKED, excess="drop"
    )
    assert [line.n for line in kept.lines] == [2]


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"unit": None}, "`together` needs `unit`"),
        ({"together": "yes"}, "`together` must be true or false"),
        ({"unit": None, "size": 30}, "`together` is for tables of people"),
        ({"contributions": 0}, "`contributions`"),
    ],
)
def test_what_cannot_be_asked(change, match):
    with pytest.raises(InvalidInput, match=match):
        dc.release(TABLE, **{**ASKED, **change})


@pytest.mark.parametrize(
    ("edit", "raised"),
    [
        (lambda m, c: c.update(domain={"kind": "counts", "step": 3}), Contradiction),
        (lambda m, c: c.update(domain={"kind": "counts"}), Contradiction),
        (lambda m, c: c.update(domain={"kind": "counts", "step": 1}), InvalidFile),
        (lambda m, c: c.update(domain={"kind": "counts", "step": True}), InvalidFile),
        (lambda m, c: m.update(contributions=3), Contradiction),
        (
            lambda m, c: (
                m.update(contributions=3),
                c.update(domain={"kind": "counts", "step": 3}),
            ),
            Contradiction,
        ),
        (
            lambda m, c: (m.update(contributions_checked=False), m["public"].update(unit="")),
            Contradiction,
        ),
        (lambda m, c: m.update(wording=1), Contradiction),
        (lambda m, c: c.update(epsilon="1/1"), Contradiction),
    ],
)
def test_an_edited_manifest_is_refused(made, tmp_path, edit, raised):
    folder = shutil.copytree(made, tmp_path / "out")
    manifest = manifest_of(folder)
    edit(manifest, manifest["levels"][0]["counts"][0])
    write_manifest(folder, manifest)
    with pytest.raises(raised):
        dc.read_release(folder)


def test_a_plain_mechanism_at_the_whole_price_is_refused(tmp_path):
    """A release that paid for one row and says it paid for two."""
    paid = {name: value for name, value in ASKED.items() if name != "together"} | {
        "contributions": 1
    }
    once = pa.table(
        {**{name: TABLE[name] for name in ("ward", "ill")}, "who": list(range(len(ROWS)))}
    )
    folder = tmp_path / "out"
    dc.release(once, **paid, output=folder)
    manifest = manifest_of(folder)
    manifest |= {"contributions": 2, "wording": 4}
    manifest["levels"][0]["counts"][0]["domain"] = {"kind": "counts", "step": 2}
    manifest["guarantee"] = dc.plan(TABLE, **ASKED).guarantee
    write_manifest(folder, manifest)
    with pytest.raises(
        Contradiction, match="must protect 2 rows of one person at once, and its mechanism does not"
    ):
        dc.read_release(folder)


def test_the_command_line_and_its_settings_know_it(tmp_path, capsys):
    path, settings = tmp_path / "visits.csv", tmp_path / "release.toml"
    path.write_text(
        "ward,who,ill\n" + "".join(f"{ward},{who},{int(ill)}\n" for ward, who, ill in ROWS[:8])
    )
    words = [
        "--by",
        "ward",
        "--count",
        "ill",
        "--unit",
        "who",
        "--contributions",
        "2",
        "--together",
        "--epsilon",
        "2",
    ]
    for asked in (
        ["release", str(path), *words, "--save-config", str(settings)],
        ["plan", "--config", str(settings)],
    ):
        with pytest.raises(SystemExit) as end:
            main(asked)
        assert not end.value.code
    assert (
        "together = true" in settings.read_text() and "paid for together" in capsys.readouterr().out
    )


def test_an_interval_that_no_estimate_supports_is_refused_before_anything_is_paid():
    """With the noise of a tiny epsilon an output may be unused, so that nothing unbiased can be said."""
    with pytest.raises(DiscreetError, match="unbiased"):
        dc.release(TABLE.slice(3, 5), **{**ASKED, "epsilon": "1/20", "loss": "L1"}, intervals="0.9")
