"""The paper's pathologies (Figure "anomalies" and Section IV), each with the property that cures
it.

Settings are chosen where the fault is plain and the numbers certain: see the errata on the paper's
captions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import log
from typing import TYPE_CHECKING

from discreet.core.properties import EVERYDAY
from discreet.show.cells import largest
from discreet.show.pictures.svg import heatmap
from discreet.studio.settings import Setting, read_setting
from discreet.studio.telling.lead import gist
from discreet.studio.telling.wording import conduct, never_given

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism


@dataclass(frozen=True, slots=True, kw_only=True)
class Pathology:
    """A pathology: where it is seen, which property cures it, and why that one."""

    title: str
    ill: Setting
    cure: str
    why: str

    @property
    def cured(self) -> Setting:
        """The same setting with the property added."""
        return self.ill.but(properties=(self.cure,))


PATHOLOGIES = (
    Pathology(
        title="Spikes",
        ill=Setting(
            unit="alpha",
            beside="none",
            story="",
            n="8",
            privacy="4/5",
            properties=(),
            loss="L0",
            count="4",
        ),
        cure="F",
        why="every true count must have the same chance of being reported",
    ),
    Pathology(
        title="Gaps",
        ill=Setting(
            unit="alpha",
            beside="none",
            story="",
            n="7",
            privacy="3/4",
            properties=(),
            loss="L1",
            count="0",
        ),
        cure="CH",
        why="the truth must be the likeliest answer, so every answer occurs",
    ),
    Pathology(
        title="Always answer 2",
        ill=Setting(
            unit="alpha",
            beside="none",
            story="",
            n="4",
            privacy="4/5",
            properties=(),
            loss="L2",
            count="0",
        ),
        cure="CM",
        why="answers may only get less likely away from the truth, so every one occurs",
    ),
    Pathology(
        title="The middle is silenced",
        ill=Setting(
            unit="alpha",
            beside="none",
            story="",
            n="2",
            privacy="3/4",
            properties=(),
            loss="L0",
            count="1",
        ),
        cure="F",
        why="the middle must be told as often as the ends",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A pathology as the page shows it: pictures and words before and after."""

    pathology: Pathology
    before: str
    after: str
    ill_words: str
    cured_words: str
    cure_name: str
    epsilon: str
    guess: str
    """How often blind guessing would be right: what the truth's chance is to be held against."""


@cache
def gallery() -> tuple[Card, ...]:
    """Design both sides of every pathology; they never change, so this is done once."""
    return tuple(_card(pathology) for pathology in PATHOLOGIES)


def _card(pathology: Pathology) -> Card:
    ill, cured = designed(pathology.ill), designed(pathology.cured)
    top = largest(ill, cured)
    before, after = (_habit(m, int(pathology.ill.count)) for m in (ill, cured))
    name = EVERYDAY[pathology.cure]
    return Card(
        pathology=pathology,
        before=heatmap(ill, top=top, title=f"Heatmap: {before}", small=True),
        after=heatmap(cured, top=top, title=f"Heatmap with {name}: {after}", small=True),
        ill_words=before,
        cured_words=after,
        cure_name=name,
        epsilon=f"{-log(ill.alpha):.2f}",
        guess=f"{1 / (ill.n + 1):.0%}",
    )


def _habit(m: Mechanism, count: int) -> str:
    """Say what a mechanism never does, or what it mostly answers to one true count."""
    if never_given(m):
        return f"It {conduct(m, count)}."
    return f"When the truth is {count}, it {gist(m, count)}."


def designed(setting: Setting) -> Mechanism:
    """Return the design of one of these settings."""
    from discreet.studio.designs import design_of

    return design_of(read_setting(setting))
