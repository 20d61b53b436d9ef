"""Nothing that comes from outside crashes, hangs or swallows memory: the kept corpus, and fresh damage each time.

`python -m tests.fuzz --cases 100000` is the long run; every input that ever failed stays in tests/fuzz/corpus.
"""

import pytest
from tests.conftest import require
from tests.fuzz.runner import corpus, fuzz
from tests.fuzz.targets import TARGETS

NAMES = [target.name for target in TARGETS]


@pytest.fixture(autouse=True)
def _components():
    require("tables")


@pytest.mark.parametrize("target", TARGETS, ids=NAMES)
def test_damaged_inputs_are_refused_in_words(target):
    cases = len(target.seeds()) + len(corpus(target.name)) + (60 if target.share > 1 else 15)
    tally = fuzz(target, cases, guided=False)
    assert not tally.failures, tally.failures[0]
    assert tally.cases == cases


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS, ids=NAMES)
def test_more_damage_guided_by_coverage(target):
    tally = fuzz(target, 30 * target.share, seed=7)
    assert not tally.failures, tally.failures[0]


def test_the_corpus_belongs_to_targets():
    from tests.fuzz.runner import CORPUS

    assert {path.name for path in CORPUS.iterdir()} <= set(NAMES)
