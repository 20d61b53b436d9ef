"""Settings to start from, each an everyday question; the last is the paper's own example."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.studio.settings import Setting
from discreet.studio.telling.lead import spelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A setting with the question that it stands for."""

    title: str
    about: str
    says: str
    """What was true: "{some} of {all} patients said that they smoke", in the past tense, whose verbs have one form."""
    setting: Setting
    point: str
    """What the picture shows, as the title of the page: of the story's own setting, whatever count is being watched."""
    opening: str = ""
    """What the page opens with instead, where the story is about a whole table."""

    def truth(self, count: int, n: int) -> str:
        """Say what was true: "Four of eight patients said that they smoke."."""
        said = self.says.format(some=spelled(count), all=spelled(n))
        return f"{said[:1].upper()}{said[1:]}."


STORIES = {
    "clinic": Story(
        title="A clinic",
        about="Eight patients, every month",
        says="{some} of {all} patients said that they smoke",
        setting=Setting(),
        point="Four of eight smoke. The usual noise says 0 or 8 most often, fairness says 4.",
    ),
    "classroom": Story(
        title="A classroom",
        about="20 pupils; who was bullied?",
        says="{some} of {all} pupils said that they were bullied",
        setting=Setting(
            n="20", privacy="0.5", properties=("CM",), loss="L1", beside="Laplace", count="2", story="classroom"
        ),
        point="Two of 20 were bullied. Laplace noise says 0 most often, this design says 2.",
    ),
    "team": Story(
        title="A team survey",
        about="Twelve teams; marks 1 to 5",
        says="{some} of {all} colleagues gave a 4 or a 5",
        setting=Setting(
            story="team", privacy="2", properties=(), beside="Laplace", sizes="12 of 8", questions="mark: 1, 2, 3, 4, 5"
        ),
        point="Twelve teams, marks from 1 to 5: what can be published of each?",
        opening="Twelve teams of eight gave their work a mark from 1 to 5.\n"
        "What can be published of every team without giving anybody away?\n"
        "The plan says how far each number may be off, before anything is spent.",
    ),
    "household": Story(
        title="Households",
        about="Three at home; who was ill?",
        says="{some} of {all} people in a household fell ill",
        setting=Setting(n="3", privacy="0.5", count="1", story="household"),
        point="One of three fell ill. The usual noise says 0 most often, fairness says 1.",
    ),
    "paper": Story(
        title="The paper's example",
        about="Much more private",
        says="{some} of {all} said yes",
        setting=Setting(unit="alpha", privacy="10/11", beside="none", story="paper"),
        point="Much more private: the best design mostly says 0 or 8, a fair one 4 most often.",
    ),
}
"""Every story by its name in an address."""

_PLAIN = STORIES["paper"]


TITLE = "What privacy costs a small group"


def point_of(setting: Setting) -> str:
    """Return the title of the page: the point of a story, as long as the design is the story's."""
    story = STORIES.get(setting.story)
    if story and story.setting.but(count="", answer="").as_pin() == setting.but(count="", answer="").as_pin():
        return story.point
    return TITLE


def opening_of(setting: Setting) -> str:
    """Return what the page opens with, where the story's table is still the one on the page."""
    story = STORIES.get(setting.story)
    same = story and (story.setting.sizes, story.setting.questions) == (setting.sizes, setting.questions)
    return story.opening if story and same else ""


def truth_of(setting: Setting, count: int, n: int) -> str:
    """Say what was true in the words of the setting's story, or plainly."""
    return STORIES.get(setting.story, _PLAIN).truth(count, n)
