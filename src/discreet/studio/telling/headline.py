"""The title of the page: what was true, and what each of the two mechanisms says most often."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.core.named import recognised
from discreet.studio.telling.wording import listed, runs

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

_NOISE = {
    "Laplace": "Laplace noise",
    "GM": "The usual noise",
    "WM": "The weakly honest mechanism",
    "EM": "The fair mechanism",
    "UM": "Blind guessing",
}
_OTHER = "The best design"


def headline(left: Mechanism, design: Mechanism, count: int, *, truth: str, beside: str) -> str:
    """Say what each of the two answers most often to one true count.

    >>> from discreet.core.named import fair, geometric, uniform
    >>> from discreet.designer import design
    >>> gm, cm = geometric(n=8, epsilon="1/4"), design(n=8, epsilon="1/4", properties="CM")
    >>> headline(gm, cm, 1, truth="One of eight smokes.", beside="GM")
    'One of eight smokes. The usual noise says 0 most often, this design 0 and 1 equally often.'
    >>> headline(gm, cm, 4, truth="Four smoke.", beside="GM")
    'Four smoke. The usual noise says 0 and 8 equally often, this design guesses blindly.'
    >>> headline(gm, cm, 0, truth="None smoke.", beside="GM")
    'None smoke. The usual noise says 0 most often, and so does this design.'
    >>> headline(gm, gm, 0, truth="None smoke.", beside="none")
    'None smoke. The usual noise says 0 most often, and this design is the same.'
    >>> headline(uniform(n=8), uniform(n=8), 0, truth="None smoke.", beside="UM")
    'None smoke. Blind guessing says every number equally often, and this design is the same.'
    """
    found = recognised(left)
    name = beside if beside in _NOISE else found.short if found else ""
    theirs, ours = (_most(m, count) for m in (left, design))
    said = f"{truth} {_NOISE.get(name, _OTHER)} says {theirs}"
    if left == design:
        return f"{said}, and this design is the same."
    if theirs == ours:
        return f"{said}, and so does this design."
    return f"{said}, this design {'guesses blindly' if ours == _BLIND else ours}."


_BLIND = "every number equally often"


def _most(m: Mechanism, count: int) -> str:
    """The likeliest answers to a true count, and whether they are several."""
    column, _ = m.form.column(count)
    top = max(column)
    likeliest = [k for k, chance in enumerate(column) if chance == top]
    if len(likeliest) == 1:
        return f"{likeliest[0]} most often"
    return _BLIND if len(likeliest) == len(column) else f"{listed(runs(likeliest), 'and')} equally often"
