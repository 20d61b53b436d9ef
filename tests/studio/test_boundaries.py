"""Whatever is typed, every part of the page is answered: with what was asked for, or with words on what is wrong."""

import pytest
from tests.conftest import require

require("studio")
require("tables")

from discreet.core.properties import OUTPUT_DP, PROPERTIES
from discreet.studio.settings import LARGEST, RIVALS, WEAKEST, read_setting, read_text
from discreet.studio.taking.downloads import FILES
from discreet.studio.telling.stories import STORIES
from discreet.studio.work.answering import PARTS, Question, answer

PRIVACY = ("0", "1e-9", "20", "20.0001", "1000", "1e9", "-1", "", "x")
WRONG = (
    "n=0",
    "n=",
    "n=-1",
    f"n={LARGEST + 1}",
    "n=²",
    "n=0&sizes=3 of 4",
    f"epsilon={WEAKEST + 1}",
)
SETTINGS = [
    *(f"n={n}&epsilon={epsilon}" for n in (0, 1, 2) for epsilon in PRIVACY),
    *(
        f"n={n}&alpha={alpha}&loss=L2"
        for n in (1, 2)
        for alpha in ("0", "1", "2", "1e-9", "1e-400")
    ),
    *(f"n=1&epsilon=1&beside={beside}&worst_case=1" for beside in RIVALS),
    *(f"n=2&epsilon=1&output_dp={ratio}" for ratio in ("0", "1", "²")),
    *(
        f"n=2&epsilon=1&prior={prior}"
        for prior in ("Binomial(0)", "Binomial(1)", "1 0 0", "1", "0 0 0")
    ),
    *(f"n=1&epsilon=1&loss={loss}" for loss in ("L0,1", "L0,9", "L1")),
    "n=1&epsilon=1&count=9&answer=9",
    f"n={LARGEST}&epsilon=1&properties=",
    *(f"n=2&epsilon=1&sizes=3 of 2&regions={regions}" for regions in ("0", "1", "3", "²", "-1")),
    *(
        f"n=2&{privacy}&sizes=1 2"
        for privacy in ("epsilon=1e-9", "epsilon=20", "alpha=1", "alpha=0")
    ),
    "n=2&epsilon=1&sizes=²",
    "n=2&epsilon=1&sizes=2&wishes=XX",
]
LEFT = {
    "price",
    "advice",
    "figure.svg",
    "figure.png",
    "figure.pdf",
}  # other designs and figures take long


@pytest.mark.parametrize(
    "part", ["screen", "page", *(part for part in (*PARTS, *FILES) if part not in LEFT)]
)
def test_no_part_fails_whatever_is_typed(part):
    for query in SETTINGS if part != "page" else SETTINGS[::12]:  # a page is a screen and more
        found = answer(Question(part=part, query=query, base=""))
        assert found.status in (200, 400), query
        assert found.body


def test_no_price_fails_at_the_ends_of_what_is_allowed():
    for query in (
        "n=1&epsilon=0",
        "n=1&epsilon=20",
        "n=2&epsilon=1e-9",
        f"n=2&epsilon={WEAKEST}&beside=UM&properties=F",
    ):
        for name in (*PROPERTIES, OUTPUT_DP):
            assert (
                answer(Question(part="price", query=query, base="", detail=name)).status == 200
            ), query
        assert answer(Question(part="advice", query=query, base="")).status == 200


@pytest.mark.parametrize(
    "name", [name for name, story in STORIES.items() if not story.setting.sizes]
)
def test_every_part_of_every_story_is_answered(name):
    query = STORIES[name].setting.query()
    for part in ("screen", "details", "draw", "exact"):
        assert answer(Question(part=part, query=query, base="")).status == 200, part


@pytest.mark.parametrize("query", WRONG)
def test_a_wrong_entry_is_marked_with_what_is_right(query):
    reading = read_setting(read_text(query))
    (control,) = reading.errors
    assert "must be" in reading.errors[control]
    text = answer(Question(part="screen", query=query, base="")).body.decode()
    assert text.count('aria-invalid="true"') == 1
    assert f'id="problem-{control}" role="status" data-live>{control} must be' in text
