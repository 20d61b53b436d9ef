"""What a figure says about a mechanism: its setting, its properties, a name for the title and one for the legend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from discreet.core.named import NAMED
from discreet.core.properties import PROPERTIES
from discreet.core.rationals import shown
from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism


def setting(m: Mechanism) -> str:
    """Say n, alpha and epsilon of a mechanism in one line."""
    return f"n = {m.n}, alpha = {shown(m.alpha)}, epsilon = {float(m.epsilon):.4g}"


def shape_line(m: Mechanism) -> str:
    """Say which properties it has and which it lacks."""
    missing = " ".join(name for name in PROPERTIES if name not in m.shape)
    has = str(m.shape) or "none of the seven properties"
    return f"has {has}" + (f"; lacks {missing}" if missing else "")


def short_name(m: Mechanism) -> str:
    """Name a mechanism by what it is the best for, or by how it was found."""
    problem = m.origin.problem
    if problem is None:
        method = _method(m)
        return method[:1].upper() + method[1:]
    best = "Best" if m.origin.optimal else "Near the best"
    parts = [f"{best} for {'the worst case of ' if problem.worst_case else ''}{problem.loss.name}"]
    asked = [str(problem.shape), *(rows.name for rows in problem.own)]
    if any(asked):
        parts.append(f"with {', '.join(filter(None, asked))}")
    if problem.derivable:
        parts.append("that derives from GM")
    if not problem.prior.uniform:
        parts.append(f"under {problem.prior.name}")
    return " ".join(parts)


def label(m: Mechanism) -> str:
    """Return a name short enough for a legend: GM, or "L1, CM WH"."""
    problem = m.origin.problem
    if problem is not None:
        own = (rows.name for rows in problem.own)
        return ", ".join(part for part in (problem.loss.name, str(problem.shape), *own) if part)
    method = _method(m)
    named = next((one for one in NAMED.values() if method.startswith(one.full)), None)
    if named is None:
        return short_name(m)
    # WM that is GM says so: "GM (weakly honest here)"
    return named.short + (method.removeprefix(named.title) if method.startswith(named.title) else "")


def _method(m: Mechanism) -> str:
    return m.origin.method.removeprefix("closed form: ")


def labelled(things: Any) -> dict[str, Mechanism]:
    """Read one mechanism, a list of them, or a dict from label to mechanism."""
    if isinstance(things, Mapping):
        found = {str(name): m for name, m in things.items()}
    elif isinstance(things, (list, tuple)):
        found = {}
        for m in things:
            name = label(m)
            found[name if name not in found else f"{name} ({len(found) + 1})"] = m
    else:
        found = {label(things): things}
    if not found:
        raise InvalidInput("mechanisms", "must hold at least one mechanism", 0)
    return found
