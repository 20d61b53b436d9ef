"""Formulas of the documentation: plain text in the sources, raised and lowered letters on the site (docs/.site/formulas.py)."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from tests.test_docs import FENCE, PAGES

SITE = Path(__file__).parents[1] / "docs" / ".site"
_spec = spec_from_file_location("site_formulas", SITE / "formulas.py")
formulas = module_from_spec(_spec)
_spec.loader.exec_module(formulas)


def plain(html: str) -> str:
    """HTML with the marks of formulas as brackets, for reading."""
    html = re.sub(r"<var\b[^>]*>", "[", re.sub(r"</?i>", "", html)).replace("</var>", "]")
    return html.replace("<sup>", "^{").replace("<sub>", "_{").replace("</sup>", "}").replace("</sub>", "}")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("so d_i >= 1/(n+1). The", "so [d_{i} ≥ 1/(n+1)]. The"),
        ("Pr[i|j] = x a^|i-j| for i = 0", "[Pr[i|j] = x a^{|i−j|}] for [i = 0]"),
        ("of a^m + a^(m+1) in place", "of [a^{m} + a^{m+1}] in place"),
        ("d_j = a^-(m-j)/(n+1) for", "[d_{j} = a^{−(m−j)}/(n+1)] for"),
        ("the weight lambda of y_EM", "the weight [λ] of [y_{EM}]"),
        ("sum_i a^max(p-t,0) w^t", "[∑_{i} a^{max(p−t,0)} w^{t}]"),
        ("the loss O_{p,sum} of", "the loss [O_{p,sum}] of"),
        ("M_s(o, t) is private", "[M_{s}(o, t)] is private"),
        ("the fourth (L1, n = 6) is", "the fourth (L1, [n = 6]) is"),
        ("n = 1 GM has", "[n = 1] GM has"),
        ("the bound of a proof, at every a, and", "the bound of a proof, at every [a], and"),
        ("a-private and column-honest", "a-private and column-honest"),
        ("Figure 9(a): GM's 18 s, 3e-16", "Figure 9(a): GM's 18 s, 3e-16"),
    ],
)
def test_formulas_of_a_page_on_mathematics(text, shown):
    assert plain(formulas.set_text(text, mathematical=True)) == shown


@pytest.mark.parametrize(
    "text", ["n = 3 people", "x86_64", "epsilon_needed", "a table", "and/or", "a column of 0 and 1"]
)
def test_other_pages_keep_their_words(text):
    assert formulas.set_text(text, mathematical=False) == text


@pytest.mark.parametrize("code", ["n=8", "best_cost", "a/b", "WH CM", "dc.design(n=8)", "--epsilon 1", "x86_64"])
def test_code_stays_code(code):
    assert formulas.set_code(code) is None


def test_a_line_of_its_own_keeps_what_stands_apart():
    block = formulas.set_block("WM = lambda GM + (1-lambda) EM,      lambda = (z - u)/(z - y),")
    assert plain(block).count("<span>") == 2
    assert formulas.set_block("20 True 551/3645") is None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_line_begins_with_a_sign_that_would_quote_it(page):
    assert not re.search(r"^>=", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
