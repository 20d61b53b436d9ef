"""The title of the page: what was true, and what each of the two mechanisms says most often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from discreet.core.named import recognised
from discreet.studio.telling.lead import USUAL, YOURS, capital, own_name, percents
from discreet.studio.telling.wording import listed, runs

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

_OTHER = "The best design"


def headline(left: Mechanism, design: Mechanism, count: int, *, truth: str, beside: str) -> str:
    """Say what each of the two answers most often to one true count, or what the one does if they
    are the same.

    >>> from discreet.core.named import fair, geometric, uniform
    >>> from discreet.designer import design
    >>> gm, cm = geometric(n=8, epsilon="1/4"), design(n=8, epsilon="1/4", properties="CM")
    >>> headline(gm, cm, 1, truth="One of eight smokes.", beside="GM")
    'One of eight smokes. The usual noise says 0 most often, this design 0 and 1 equally often.'
    >>> headline(gm, cm, 4, truth="Four smoke.", beside="GM")
    'Four smoke. The usual noise says 0 and 8 equally often, this design guesses blindly.'
    >>> headline(gm, cm, 0, truth="None smoke.", beside="GM")
    'None smoke. The usual noise says 0 most often, and so does this design.'
    >>> headline(
    ...     fair(n=8, epsilon=1), geometric(n=8, epsilon=1), 0, truth="None smoke.", beside="EM"
    ... )
    'None smoke. The fair mechanism says 0 most often, and so does the usual noise.'
    """
    if left == design:
        return f"{truth} {_alone(design, count)}"
    found = recognised(left)
    name = beside if beside in USUAL else found.short if found else ""
    theirs, ours = (_most(m, count) for m in (left, design))
    own = "the usual noise" if own_name(design) != YOURS else "this design"
    said = f"{truth} {capital(USUAL[name]) if name in USUAL else _OTHER} says {theirs}"
    if theirs == ours:
        return f"{said}, and so does {own}."
    return f"{said}, {own} {'guesses blindly' if ours == _BLIND else ours}."


def _alone(m: Mechanism, count: int) -> str:
    """Say what is published most often of one true count, and how often the truth is.

    >>> from discreet.core.named import geometric, uniform
    >>> _alone(geometric(n=8, epsilon=1), 3), _alone(uniform(n=8), 0)
    ('The truth is published most often: in 46% of cases.', 'Every number is published equally
    often.')
    >>> _alone(geometric(n=8, epsilon="1/4"), 1), _alone(geometric(n=8, epsilon="1/4"), 4)
    ('0 is published most often, the truth in 12% of cases.', '0 and 8 are published most often, the
    truth in 12% ...')
    """
    column, whole = m.form.column(count)
    likeliest = _likeliest(column)
    often = percents(column[count], whole)
    if len(column) == len(likeliest) > 1:
        return "Every number is published equally often."
    if likeliest == [count]:
        return (
            f"The truth is published most often: in {often} of cases."
            if column[count] < whole
            else _ALWAYS
        )
    said = (
        f"{listed(runs(likeliest), 'and')} {'is' if len(likeliest) == 1 else 'are'} published "
        "most often"
    )
    return f"{said}, {'each' if count in likeliest else 'the truth'} in {often} of cases."


_ALWAYS = "The truth is published."
_BLIND = "every number equally often"


def _most(m: Mechanism, count: int) -> str:
    """The likeliest answers to a true count, and whether they are several."""
    column, _ = m.form.column(count)
    likeliest = _likeliest(column)
    if len(likeliest) == 1:
        return f"{likeliest[0]} most often"
    return (
        _BLIND
        if len(likeliest) == len(column)
        else f"{listed(runs(likeliest), 'and')} equally often"
    )


def _likeliest(column: Sequence[int]) -> list[int]:
    top = max(column)
    return [k for k, chance in enumerate(column) if chance == top]
