"""Text tables: columns stay columns whatever is in them, and what people read fits 80 columns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.errors import NotIdentified
from discreet.show.text import WIDTH, beside, columns, folded, laid_out, table, wrapped

WORDS = st.text(alphabet="abcxyz0123456789.", min_size=1, max_size=12)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=6))
def test_a_long_cell_widens_its_column_for_all_rows(rows):
    lines = table(rows, "<3 >4 >0", gap=2)
    assert len({len(line) for line in lines}) == 1, "the last column ends at one place"
    assert [tuple(line.split()) for line in lines] == rows


@given(st.lists(WORDS, min_size=1, max_size=40))
def test_folding_keeps_the_words_and_the_width(words):
    for lines in (folded(" ".join(words)), beside("  label  ", " ".join(words))):
        assert all(len(line) <= WIDTH for line in lines)
    assert " ".join(folded(" ".join(words))).split() == words


def test_what_stands_in_quotes_is_copied_whole():
    lines = beside("  ", "word " * 14 + '"WH CM RM S"')
    assert any('"WH CM RM S"' in line for line in lines)


def test_a_mechanism_a_comparison_and_a_recommendation_fit_80_columns():
    things = [
        dc.fair(n=10, epsilon=1),
        dc.compare(n=8, epsilon=1),
        dc.recommend(n=8, alpha="10/11", properties="CM"),
    ]
    assert all(len(line) <= WIDTH for thing in things for line in str(thing).splitlines())


@pytest.mark.parametrize("n", [201, 202])
@pytest.mark.parametrize("build", [dc.geometric, dc.fair, dc.weakly_honest])
def test_what_a_large_closed_form_says_of_the_truth_is_the_matrixs_own(build, n):
    m = build(n=n, alpha="0.995")
    truths = [float(m.truth(j)) for j in range(n + 1)]
    least, most = f"{min(truths):.3g}", f"{max(truths):.3g}"
    said = f"chance {least}, whatever it is" if least == most else f"chance {least} to {most}"
    assert f"reported with {said}" in str(m)
    assert f"wrong answers (L0) {float(m.score('L0')):.4f}" in " ".join(str(m).split())


@pytest.mark.parametrize(
    "m", [dc.geometric(n=10**9, epsilon=1), dc.fair(n=10**9, epsilon=1), dc.uniform(n=10**9)]
)
def test_a_mechanism_for_a_nation_can_be_shown(m):
    assert "n = 1000000000" in str(m)
    assert "1000000000" in m._repr_html_()


def test_a_narrow_terminal_has_narrow_paragraphs_and_tables_of_80_columns():
    with laid_out(60):
        assert max(map(len, folded("word " * 60, width=79))) <= 59 and columns() == 80
        with laid_out(None, rows=3):
            assert max(map(len, folded("word " * 60, width=79))) <= 59
    with laid_out(10):
        assert 30 < max(map(len, folded("word " * 60))) <= 40


def test_a_number_is_not_parted_from_what_it_is_of_nor_a_command_within_its_quotes():
    said = "a release made by 'discreet release' is off by up to 3 of 8 in groups of 5-9 at epsilon 0.5, n = 8"
    for width in range(24, 90):
        lines = wrapped(said, width)
        for whole in ("'discreet release'", "3 of 8", "groups of 5-9", "epsilon 0.5", "n = 8"):
            assert any(whole in line for line in lines), (width, whole)


@pytest.mark.parametrize(
    ("shape", "lacks"), [("CM", "fair to every count (F)"), ("F", "no count fits better")]
)
def test_a_mechanism_says_in_words_what_it_has_and_lacks_within_80_columns(shape, lacks):
    text = str(dc.design(n=4, epsilon="1/2", properties=shape))
    has, _, rest = " ".join(text.split()).partition(" lacks ")
    assert "has no farther answer likelier (CM)" in has
    assert rest.startswith(lacks if lacks not in has else "nothing")
    assert all(len(line) <= WIDTH for line in text.splitlines())


def test_a_plan_is_one_line_at_the_prompt(tmp_path):
    (tmp_path / "people.csv").write_text("clinic,smoker\na,yes\na,no\n")
    with pytest.warns(NotIdentified):
        plan = dc.plan(
            tmp_path / "people.csv", by="clinic", count={"smoker": ["yes", "no"]}, epsilon="1/2"
        )
    assert repr(plan) == "<Plan: smoker_yes, groups: 1, epsilon 0.5; print(plan) shows it>"
