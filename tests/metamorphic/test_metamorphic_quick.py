"""One person moves one count by one and nothing else: a small sample over every source, and that cases repeat."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import require

for part in ("tables", "pandas", "polars"):
    require(part)

from tests.metamorphic.capabilities import CAPABILITIES, make_case
from tests.metamorphic.laws import ASKED, DATA
from tests.metamorphic.predicates import catalogue, mentioned
from tests.metamorphic.running import hunt
from tests.metamorphic.sources import SOURCES

ROOT = Path(__file__).parents[2]


def test_one_person_moves_one_count_by_one_from_every_source():
    tally = hunt(list(SOURCES), 3 * len(SOURCES), first=10_000)
    assert not tally.breaks, str(tally)
    assert tally.released > 10
    assert set(tally.by_source) == set(SOURCES)


@pytest.mark.parametrize("source", SOURCES)
def test_a_case_is_made_of_its_seed_alone(source, tmp_path):
    one, two = (make_case("7", source, tmp_path)[1] for _ in range(2))
    assert one.told() == two.told()
    assert repr(one.before) == repr(two.before)


def test_a_predicate_names_the_columns_outside_its_texts():
    names = ("Smoker", "age", "a.b", "where")
    assert mentioned("SMOKER = 1", names) == {"Smoker"}
    assert mentioned('"age"(\'smoker\', "A.B")', names) == {"a.b"}
    assert mentioned("count(*) FILTER (WHERE true)", names) == set()


def test_the_whole_catalogue_is_walked():
    assert len(catalogue()) > 1000
    assert {kind for _, signatures in catalogue() for kind, *_ in signatures} >= {
        "scalar",
        "macro",
        "aggregate",
        "table",
    }


def test_refusals_that_depend_on_a_person_are_documented():
    page = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    missing = [why for why in DATA.values() if why not in " ".join(page.split())]
    assert not missing
    assert not set(DATA) & set(ASKED)


def test_every_capability_says_what_may_move():
    assert {
        name: bool(one.moved.__doc__ and one.make.__doc__) for name, one in CAPABILITIES.items()
    } == dict.fromkeys(CAPABILITIES, True)
