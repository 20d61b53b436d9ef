"""The paper from front to back: nothing it says is left out of the page of claims, and its smaller remarks hold."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

import discreet as dc
from discreet.errors import NotPrivate
from discreet.paper import CATALOGUE

PAGE = Path(__file__).parents[2] / "docs" / "paper" / "claims.md"
VERDICTS = {"agrees", "differs", "depends", "definition", "quoted", "carried out"}


def rows():
    """The rows of the section on the paper: where, what it says, verdict, checked by."""
    section = (
        PAGE.read_text(encoding="utf-8")
        .partition("## The paper from front to back")[2]
        .partition("\n## ")[0]
    )
    found = [row.strip("| ").split(" | ") for row in section.splitlines() if row.startswith("| ")]
    return [row for row in found if row[0] not in ("where", "---")]


def test_everything_that_the_paper_numbers_is_on_the_page():
    places = " ".join(row[0] for row in rows())
    numbered = {"Definition": 5, "Theorem": 4, "Lemma": 4, "Example": 1, "Figure": 13}
    missing = [
        f"{kind} {k}"
        for kind, last in numbered.items()
        for k in range(1, last + 1)
        if not re.search(rf"{kind} {k}\b", places)
    ]
    assert missing == []
    for section in (
        "I",
        "II-A",
        "II-B",
        "III",
        "IV-A",
        "IV-B",
        "IV-C",
        "IV-D",
        "V-A",
        "V-B",
        "V-C",
        "VI",
        "Appendix",
    ):
        assert re.search(rf"\b{section}\b", places), section


def test_every_claim_of_the_paper_has_a_verdict_and_names_a_check():
    """That each check exists is held for all pages, in tests/test_docs_names.py."""
    assert len(rows()) > 80
    for row in rows():
        assert len(row) == 4 and row[2] in VERDICTS, row
        assert re.search(r"`test_|`tests/|`discreet paper |\.md", row[3]) or row[2] == "quoted", row


def test_every_figures_run_is_among_the_checks():
    checks = " ".join(row[3] for row in rows())
    assert [name for name in CATALOGUE if f"`discreet paper {name}`" not in checks] == []


@pytest.mark.parametrize("alpha", ["1/2", "9/10", "99/100"])
def test_no_fair_mechanism_has_all_privacy_constraints_tight(alpha):
    """All tight means y a^|i-j|, and the columns of that have different sums."""
    a = Fraction(alpha)
    for n in range(2, 12):
        sums = [sum(a ** abs(i - j) for i in range(n + 1)) for j in (0, 1)]
        assert sums[0] != sums[1]


@pytest.mark.parametrize("alpha", ["1/10", "1/2", "9/10", "99/100"])
def test_em_has_a_larger_diagonal_than_gm_but_for_the_corners(alpha):
    for n in range(2, 12):
        em, gm = dc.fair(n=n, alpha=alpha), dc.geometric(n=n, alpha=alpha)
        assert gm[1, 1] < em[0, 0] < gm[0, 0]


@pytest.mark.parametrize("alpha", ["1/10", "1/2", "9/10", "99/100"])
def test_n_ary_randomised_response_reports_the_truth_less_often_than_em(alpha):
    """It keeps the input with chance p, else answers another uniformly: p = 1/(1 + n a) at best. From n = 3 on EM has more."""
    a = Fraction(alpha)
    for n in range(2, 12):
        p = 1 / (1 + n * a)
        other = (1 - p) / n
        m = dc.from_matrix(
            [[p if i == j else other for j in range(n + 1)] for i in range(n + 1)], alpha=a
        )
        assert m.tight_alpha == a and m.satisfies("F")
        assert p < dc.fair(n=n, alpha=a)[0, 0] or (n == 2 and m == dc.fair(n=n, alpha=a))


def test_answers_near_the_truth_are_likely_by_privacy():
    for m in (
        dc.geometric(n=6, alpha="9/10"),
        dc.fair(n=6, alpha="2/3"),
        dc.design(n=6, alpha="9/10", properties="WH CM"),
    ):
        assert all(m[i, j] >= m.alpha ** abs(i - j) * m[i, i] for i in range(7) for j in range(7))


def test_row_monotonicity_and_privacy_do_not_imply_each_other():
    private = dc.from_matrix(
        [["5/12", "5/12", "1/3"], ["1/3", "1/6", "1/3"], ["1/4", "5/12", "1/3"]], alpha="1/3"
    )
    assert not private.satisfies("RM")
    identity = [
        [int(i == j) for j in range(3)] for i in range(3)
    ]  # row monotone, and private at no alpha
    with pytest.raises(NotPrivate):
        dc.from_matrix(identity, alpha="1/1000")


def test_gm_of_example_1_is_neither_column_honest_nor_fair_nor_weakly_honest():
    m = dc.geometric(n=2, alpha="9/10")
    assert not any(m.satisfies(name) for name in ("CH", "CM", "F", "WH")) and m.satisfies("RM S")
