"""The studio in one file: it carries the library's exact numbers, draws from them by itself, and needs nothing else."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from tests.conftest import require

require("studio")


import discreet as dc
from discreet.cli import main
from discreet.errors import InvalidInput
from discreet.studio import export
from discreet.studio.numbers import fractions
from discreet.studio.taking.export_page import MODULES, joined_scripts, plain_numbers

SETTINGS = ("n=3&epsilon=1&properties=F&beside=GM", "?n=2&alpha=9/10&properties=&loss=L0&beside=UM")
DOCS = Path(__file__).parents[2] / "docs" / "studio-page.html"


def holds(numbers, left, right):
    for side, m in enumerate((left, right)):
        for j in range(m.n + 1):
            assert numbers["exact"][j][side] == fractions(m, j)
            assert numbers["chances"][side][j] == pytest.approx(
                [float(x) for x in m.column(j)], abs=1e-6
            )
            weights = [int(weight) for weight in numbers["weights"][j][side]]
            assert [Fraction(weight, sum(weights)) for weight in weights] == list(m.column(j)), (
                "what it draws from"
            )
    assert len(numbers["says"]) == right.n + 1


def test_the_page_carries_exact_numbers_and_asks_for_nothing(tmp_path):
    export(tmp_path / "page.html", SETTINGS)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    first, second = plain_numbers(page)
    holds(first, dc.geometric(n=3, epsilon=1), dc.fair(n=3, epsilon=1))
    holds(second, dc.uniform(n=2), dc.geometric(n=2, alpha="9/10"))
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', page)
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")


def test_the_scripts_are_joined_without_imports():
    script = joined_scripts()
    assert not re.search(r"^(import|export)\b", script, flags=re.MULTILINE)
    names = re.findall(r"^(?:async )?(?:function|const|let) (\w+)", script, flags=re.MULTILINE)
    assert len(names) == len(set(names)), "modules that are joined share no names"
    assert len(MODULES) == 18


def test_the_command_writes_it(tmp_path, capsys):
    with pytest.raises(SystemExit) as done:
        main(["studio", "--export", str(tmp_path / "page.html"), "--setting", "n=1&epsilon=2"])
    assert not done.value.code
    assert "one page that needs nothing but a browser" in capsys.readouterr().out
    with pytest.raises(SystemExit) as done:
        main(["studio", "--setting", "n=1"])
    assert done.value.code == 2
    with pytest.raises(InvalidInput, match=r"`setting` cannot be shown: n must be"):
        export(tmp_path / "none.html", ["n=x"])
    with pytest.raises(InvalidInput, match="must be at most 12"):
        export(tmp_path / "none.html", ["n=1"] * 13)


def test_settings_that_differ_in_privacy_only_share_a_slider(tmp_path):
    shown = ["n=1&epsilon=1", "n=2&epsilon=1&properties=F", "n=1&alpha=0.9", "n=1&epsilon=2"]
    export(tmp_path / "page.html", shown)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    places = json.loads(re.search(r'id="privacies">(.*?)</script>', page)[1])
    assert places == [
        [["2", "alpha = 0.9"], ["0", "epsilon = 1"], ["3", "epsilon = 2"]],
        [["1", "epsilon = 1"]],
    ]
    assert re.findall(r">(Groups of[^<]*)</a>", page) == [
        "Groups of 1",
        "Groups of 2: fair to every count",
    ]
