"""Settings to start from, each an everyday question; the last is the paper's own example."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.studio.settings import Setting
from discreet.studio.telling.lead import spelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A setting with the question that it stands for."""

    title: str
    brief: str
    """The title where there is little room."""
    about: str
    says: str
    """What was true: "{some} of {all} patients said that they smoke", in the past tense, whose
    verbs have one form.
    """
    place: str = "group"
    """What such a group is, where `says` names it as {place}."""
    most: int = 40
    """The largest group that is called so; beyond it, it is called a group."""
    setting: Setting
    did: tuple[str, str]
    """The same in the title of the page, of one person and of several: "smokes", "smoke"."""
    opening: str = ""
    """What the page opens with, where the story is about a whole table."""

    def truth(self, count: int, n: int) -> str:
        """Say what was true: "One of eight patients said that they smoke."."""
        said = self.says.format(
            some=spelled(count), all=spelled(n), place=self.place if n <= self.most else "group"
        )
        return f"{said[:1].upper()}{said[1:]}."

    def in_short(self, count: int, n: int) -> str:
        """Say what was true in the title: "One of eight smokes."."""
        some = spelled(count)
        return f"{some[:1].upper()}{some[1:]} of {spelled(n)} {self.did[count != 1]}."

    def is_that_of(self, setting: Setting) -> bool:
        """Whether a setting is still the story's own, whatever count is being watched."""
        if self.opening:
            return (self.setting.sizes, self.setting.questions) == (
                setting.sizes,
                setting.questions,
            )
        return (
            self.setting.but(count="", answer="").as_pin()
            == setting.but(count="", answer="").as_pin()
        )


STORIES = {
    "clinic": Story(
        title="A clinic",
        brief="Clinic",
        about="Eight patients; who smokes?",
        says="{some} of {all} patients said that they smoke",
        setting=Setting(),
        did=("smokes", "smoke"),
    ),
    "monthly": Story(
        title="A clinic, more private",
        brief="Private",
        about="The same clinic at epsilon 0.25: a number every month of a year then costs 3",
        says="{some} of {all} patients said that they smoke",
        setting=Setting(
            privacy="0.25", properties=("CM",), beside="GM", count="1", story="monthly"
        ),
        did=("smokes", "smoke"),
    ),
    "classroom": Story(
        title="A classroom",
        brief="Class",
        about="20 pupils; who was bullied?",
        says="{some} of {all} pupils said that they were bullied",
        setting=Setting(
            n="20",
            privacy="0.5",
            properties=("CM",),
            loss="L1",
            beside="Laplace",
            count="2",
            story="classroom",
        ),
        did=("was bullied", "were bullied"),
    ),
    "team": Story(
        title="A team survey",
        brief="Teams",
        about="Twelve teams; marks 1 to 5",
        says="{some} of {all} colleagues gave a 4 or a 5",
        setting=Setting(
            story="team",
            privacy="2",
            properties=(),
            count="",
            sizes="12 of 8",
            questions="mark: 1, 2, 3, 4, 5",
        ),
        did=("gave a 4 or a 5",) * 2,
        opening="Twelve teams of eight gave their work a mark from 1 to 5. Before anything is "
        "spent, the plan says how far each published number may be off.",
    ),
    "household": Story(
        title="Households",
        brief="Homes",
        about="Three at home; who was ill?",
        says="{some} of {all} people in a {place} fell ill",
        place="household",
        most=10,
        setting=Setting(
            n="3", privacy="0.5", properties=("F",), beside="GM", count="1", story="household"
        ),
        did=("fell ill",) * 2,
    ),
    "paper": Story(
        title="The paper's example",
        brief="Paper",
        about="Much more private",
        says="{some} of {all} said yes",
        setting=Setting(
            unit="alpha", privacy="10/11", properties=("F",), beside="none", count="", story="paper"
        ),
        did=("said yes",) * 2,
    ),
}
"""Every story by its name in an address."""

OPENING_TABLE = Setting(sizes="80 of 8, 40 of 9", questions="smoker", table_epsilon="1")
"""The table whose plan stands under Your own table before anything is typed."""

_PLAIN = STORIES["paper"]


TITLE = "What privacy costs a small group"
"""The title of a page that shows nothing."""


def current(setting: Setting) -> str:
    """Return the story whose own setting is on the page, by its name; none once it was changed."""
    story = STORIES.get(setting.story)
    return setting.story if story and story.is_that_of(setting) else ""


def opening_of(setting: Setting) -> str:
    """Return what the page opens with, where the story's table is still the one on the page."""
    return STORIES[name].opening if (name := current(setting)) else ""


def truth_of(setting: Setting, count: int, n: int) -> str:
    """Say what was true in the words of the setting's story, or plainly."""
    return STORIES.get(setting.story, _PLAIN).truth(count, n)


def short_truth_of(setting: Setting, count: int, n: int) -> str:
    """Say the same as briefly as a title does."""
    return STORIES.get(setting.story, _PLAIN).in_short(count, n)
