"""`discreet compare`: what decides comes first, and what each mechanism is the best for is true."""

import re

import pytest
from tests.cli.test_frame import invoke

import discreet as dc
from discreet.show.chosen.brief_comparison import brief_text
from discreet.show.text import laid_out

ROW = re.compile(
    r"^  (\S.*?)? +(>?[\d.]+%) +(\S+) +(±\S+|none|too noisy|-)(?:  (.*))?$", re.MULTILINE
)


def best(text):
    text = re.sub(r"(%.*)\n {20,}", r"\1 ", text)  # words that have no room go on below
    text = re.sub(
        r"^(  \S.*\))\n {8,}", r"\1 ", text, flags=re.MULTILINE
    )  # a long name has a line of its own
    return {row[1]: row[5] or "" for row in ROW.finditer(text)}


def test_a_comparison_says_what_each_is_best_for_and_has_the_scores_where_asked():
    asked = ("compare", "-n", "8", "--epsilon")
    text = invoke(*asked, "1/4")
    assert best(text) == {
        "usual noise (GM)": "exact, totals",
        "no farther answer likelier (CM WH)": "small errors",
        "best fair (EM)": "",
        "blind guess (UM)": "",
    }
    assert (
        max(map(len, text.splitlines())) <= 80
        and "L0,1" not in text
        and "all true counts equally likely" in text
    )
    assert "Codes:" not in text and len(text.splitlines()) <= 12
    alike = invoke(*asked, "1")
    assert best(alike)["usual noise (GM)"] == "exact, small errors, totals"
    same = "Here best weakly honest (WM) and no farther answer likelier (CM WH) are the same as usual noise (GM)."
    assert same in " ".join(alike.split()), "words first, codes in brackets"
    assert "exact, totals\n" in invoke(*asked, "1/10"), (
        "on the line of its row, beside a long name too"
    )
    at_30 = best(invoke(*asked, "1/4", "--prior", "Binomial(0.3)"))
    assert "exact" not in at_30["usual noise (GM)"], (
        "which holds for equally likely true counts only"
    )
    full = invoke(*asked, "1/4", "--details")
    assert re.search(r"L0 +L0,1 +L1 +L2 +RMSE +bias +least\n", full) and "\nGM = WM " in full
    alone = invoke("compare", "GM", "-n", "4", "--epsilon", "1")
    assert not any(best(alone).values()) and "best for" not in alone, "alone, nothing is the best"
    assert list(best(invoke("compare", "F", "-n", "4", "--epsilon", "1"))) == [
        "usual noise (GM)",
        "fair to every count (F)",
    ]
    large = invoke("compare", "GM", "EM", "-n", "201", "--epsilon", "1")
    assert "It is not worked out for n > 200" in " ".join(large.split())


@pytest.mark.parametrize(("n", "epsilon"), [(2, "2"), (5, "0.1"), (8, "0.5"), (12, "0.3")])
def test_what_is_said_to_be_best_is(n, epsilon):
    table = dc.compare(
        [*dc.choosing.comparison.USUAL, "Laplace"], n=n, epsilon=epsilon, prior="Binomial(0.3)"
    )
    with laid_out(140):  # which leaves room for every word
        found = best(brief_text(table, more=""))
    said = {re.sub(r".*\((.*)\)", r"\1", label): words for label, words in found.items()}
    rows = {label: table[label] for label in said}
    assert len(said) == len({row.mechanism.id for row in table})
    right = max(row.measures.mean_truth for row in table)
    near = min(row.measures.l2 for row in table)
    for label, words in said.items():
        measures = rows[label].measures
        assert ("exact" in words) == (measures.mean_truth == right)
        assert ("small errors" in words) == (measures.l2 == near)


def test_properties_are_given_at_once_or_one_by_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    once = invoke("design", "-n", "4", "--alpha", "10/11", "-p", "CM WH F", "-o", "m.json")
    assert (
        invoke("design", "-n", "4", "--alpha", "10/11", "-p", "CM", "-p", "WH,F", "-o", "m.json")
        == once
    )


def test_a_name_that_is_like_none_gets_the_list():
    text = " ".join(invoke("compare", "GM", "FOO", "-n", "4", "--epsilon", "1", code=2).split())
    assert "(FOO): choose from GM, WM, EM, UM" in text and "did you mean" not in text
