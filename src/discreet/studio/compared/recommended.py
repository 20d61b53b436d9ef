"""What the paper's flowchart recommends for a setting, in plain names; how it gets there follows
step by step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discreet.core.properties import EVERYDAY
from discreet.studio.designs import advised, design_of, known_name, objective
from discreet.studio.telling.glossary import GLOSSARY, quoted
from discreet.studio.telling.lead import USUAL, YOURS, own_name
from discreet.studio.telling.wording import listed
from discreet.studio.worth import totals_beside

if TYPE_CHECKING:
    from discreet.choosing.recommendation import Recommendation
    from discreet.studio.settings import Reading


def advice_words(reading: Reading) -> dict[str, Any]:
    """Return what the template of the recommendation names."""
    s = reading.setting
    advice, yours = advised(reading), design_of(reading)
    same = advice.mechanism == yours
    wished = [quoted(name) for name in EVERYDAY if name in advice.asked.names]
    return {
        "advice": advice,
        "setting": s,
        "usual_names": USUAL,
        "everyday": EVERYDAY,
        "glossary": GLOSSARY,
        "asked_words": listed(wished, "and") if wished else "",
        "covered": s.loss == "L0" and s.prior == "uniform" and not s.worst_case,
        "objective": objective(s),
        "plain": _plain(advice, same=same),
        "beside_yours": "" if same else totals_beside(advice.mechanism, yours, reading.prior),
    }


def _plain(advice: Recommendation, *, same: bool) -> str:
    """Name what is recommended as the rest of the page does."""
    known = USUAL.get(known_name(advice.mechanism), "")
    if same:
        return (
            f"{known}, your design"
            if known and own_name(advice.mechanism) == YOURS
            else known or YOURS
        )
    if known:
        return known
    if advice.box != "WH+CM":
        return f"the {advice.title.split(', ')[0]}"
    return f"the best design with {quoted('CM' if advice.mechanism.satisfies('CM') else 'CH')}"
