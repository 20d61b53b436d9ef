"""The mechanisms of a setting: the design, what stands beside it, their names, colours and costs.

Designs are kept in memory: moving a slider back costs nothing, and the prices of the properties
share most of their designs with each other.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from discreet.choosing.grid import as_asked
from discreet.core.named import NAMED, PAPER, recognised
from discreet.core.properties import Shape
from discreet.errors import InvalidInput
from discreet.show.colours import mechanism_colour

if TYPE_CHECKING:
    from discreet.choosing.recommendation import Recommendation
    from discreet.core.mechanism import Mechanism
    from discreet.core.rationals import Alpha
    from discreet.studio.settings import Reading, Setting


def design_of(reading: Reading, shape: Shape | None = None) -> Mechanism:
    """Return the design a reading asks for, or the same with other properties."""
    if reading.n is None or reading.privacy is None or reading.shape is None:
        raise InvalidInput("setting", "must be valid to be designed")
    s = reading.setting
    wished = reading.shape if shape is None else shape
    prior = tuple(reading.prior) if isinstance(reading.prior, list) else reading.prior
    return _designed(reading.n, s.unit, s.privacy, wished, s.loss, prior, s.worst_case)


@lru_cache(maxsize=512)
def _designed(
    n: int, unit: str, privacy: str, shape: Shape, loss: str, prior: Any, worst_case: bool
) -> Mechanism:
    from discreet.designer import design

    asked: dict[str, Any] = {unit: privacy}
    # not kept on disk: a slider passes through settings that nobody will ever ask for again
    made: Mechanism = design(
        n=n, properties=shape, loss=loss, prior=prior, worst_case=worst_case, cache=False, **asked
    )
    return made


@lru_cache(maxsize=128)
def _recommended(n: int, unit: str, privacy: str, shape: Shape) -> Recommendation:
    from discreet.choosing.recommendation import recommend

    asked: dict[str, Any] = {unit: privacy}
    found: Recommendation = recommend(n=n, properties=shape, **asked)
    return found


@lru_cache(maxsize=128)
def named(name: str, n: int, privacy: Alpha) -> Mechanism:
    """Return GM, WM, EM or UM for a setting."""
    return NAMED[name].build(n=n, **as_asked(privacy))


def advised(reading: Reading) -> Recommendation:
    """Return the recommendation of the paper's flowchart for a reading."""
    n, _, shape = valid(reading)
    return _recommended(n, reading.setting.unit, reading.setting.privacy, shape)


def rival_of(reading: Reading) -> Mechanism:
    """Return what stands on the left."""
    n, privacy, _ = valid(reading)
    beside = reading.setting.beside
    return design_of(reading, Shape()) if beside == "none" else named(beside, n, privacy)


def valid(reading: Reading) -> tuple[int, Alpha, Shape]:
    """Return what was read of a valid setting: size, privacy, properties."""
    if reading.n is None or reading.privacy is None or reading.shape is None:
        raise InvalidInput("setting", "must be valid to be shown")
    return reading.n, reading.privacy, reading.shape


class Costs:
    """The cost of mechanisms under the loss and prior of a reading, each worked out once."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._known: dict[Mechanism, Fraction] = {}

    def __call__(self, m: Mechanism) -> Fraction:
        """Return the cost of one."""
        s = self._reading.setting
        if m not in self._known:
            self._known[m] = m.score(s.loss, self._reading.prior, worst_case=s.worst_case)
        return self._known[m]


def title_of(reading: Reading) -> str:
    """Name a design by all that was asked: "n = 8, alpha = 10/11, F, L0"."""
    s = reading.setting
    words = [
        f"n = {s.n}",
        f"{s.unit} = {s.privacy}",
        str(reading.shape) or "no property",
        objective(s),
    ]
    return ", ".join([*words, *([s.prior] if s.prior != "uniform" else [])])


def objective(setting: Setting) -> str:
    """Name what is minimised: "L0", or "worst-case L0"."""
    return f"worst-case {setting.loss}" if setting.worst_case else setting.loss


def best_known(setting: Setting) -> bool:
    """Whether GM, and EM among the fair, are known to be best: for L0 on average over a uniform
    prior.
    """
    return (
        setting.loss == "L0"
        and setting.prior == "uniform"
        and not setting.worst_case
        and not setting.output_dp
    )


def known_name(m: Mechanism) -> str:
    """Name a mechanism that has a name: GM, WM, EM or UM."""
    found = recognised(m)
    return found.short if found else ""


def short_label(beside: str, m: Mechanism) -> str:
    """Name the left-hand mechanism briefly; the design without properties by what it turned out
    to be.
    """
    if beside != "none":
        return f"{NAMED[beside].full} ({beside})" if beside in PAPER else NAMED[beside].full
    return ": ".join(["best without properties", *filter(None, [full_name(m)])])


def full_name(m: Mechanism) -> str:
    """Name a mechanism that has a name, its code second: "geometric mechanism (GM)"."""
    found = recognised(m)
    return f"{found.full} ({found.short})" if found else ""


def own_colour(m: Mechanism) -> str:
    """Return the colour of a design: its name's, if it has one."""
    return mechanism_colour(known_name(m))
