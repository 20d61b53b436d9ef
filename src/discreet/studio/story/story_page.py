"""What the template of the story names, for the page that the studio serves and for the one that
is exported.
"""

from __future__ import annotations

import json
from typing import Any

from discreet import __version__
from discreet.studio.settings import Setting
from discreet.studio.story.noises import EPSILON, NOTHING_FROM
from discreet.studio.story.story_numbers import exact_columns, story_numbers
from discreet.studio.telling.lead import spelled
from discreet.studio.telling.stories import STORIES

SCREENS = ("answer", "chance", "attack", "dial", "reading", "months", "usual", "turn")
"""The screens by their names in an address, in their order."""

LESSONS = {
    "answer": "An exact count gives you away to whoever knows the others.",
    "chance": "A number drawn by chance may be the truth, and nobody can be sure.",
    "attack": f"At epsilon {EPSILON} the best attacker is right 73 times in 100.",
    "dial": "Epsilon decides how alike your yes and your no look.",
    "reading": "In a sum, too high and too low cancel.",
    "months": "Every new number costs: epsilon adds up.",
    "usual": "At a small epsilon, other noise may serve better.",
}
"""What each screen but the last has shown."""

SCRIPTS = (
    "page",
    "chance",
    "story_group",
    "story_draws",
    "story_bars",
    "story_moving",
    "story_answer",
    "story_chance",
    "story_attack",
    "story_dial",
    "story_reading",
    "story_piles",
    "story_months",
    "story_usual",
    "copying",
    "story",
)
"""The scripts, each after those it needs."""


def story_words() -> dict[str, Any]:
    """Return the words of the page that is served: draws come from the sampler, and links lead
    to the instrument.
    """
    clinic = f"/?{Setting().query()}"
    paper = f"/?{STORIES['paper'].setting.query()}"
    return _words(story_numbers()) | {
        "studio": clinic,
        "plan": f"{clinic}#own",
        "home": "",
        "lesson": "",
        "paper": paper,
    }


def exported_words(*, home: str, studio: str, plan: str, lesson: str) -> dict[str, Any]:
    """Return the words of a page in one file: it draws by itself, from exact chances that it
    carries.
    """
    numbers = story_numbers() | {"columns": exact_columns()}
    leads = {"studio": studio, "plan": plan, "home": home, "lesson": lesson, "paper": ""}
    return _words(numbers) | leads | {"exported": True}


def _words(numbers: dict[str, Any]) -> dict[str, Any]:
    return {
        "numbers": json.dumps(numbers, separators=(",", ":"), ensure_ascii=False),
        "shown": numbers,
        "nothing_from": NOTHING_FROM,
        "screens": SCREENS,
        "lessons": LESSONS,
        "many": spelled(len(SCREENS)),
        "exported": False,
        "version": __version__,
    }
