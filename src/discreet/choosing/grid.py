"""The settings a comparison runs over: every combination of group sizes and privacy parameters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypedDict

from discreet.core.forms import DENSE_LIMIT
from discreet.core.mechanism import Mechanism
from discreet.core.rationals import Alpha, read_alpha, read_count
from discreet.errors import InvalidInput

Setting = tuple[int, Alpha]


class Asked(TypedDict, total=False):
    """A privacy parameter as one keyword argument: `alpha` or `epsilon`."""

    alpha: Fraction
    epsilon: Fraction


def as_asked(privacy: Alpha) -> Asked:
    """Return the keyword argument that gives exactly this parameter again: epsilon where epsilon
    was given.

    From alpha the accounts would take an epsilon that is rounded up, and 0.5 must stay 0.5.

    >>> as_asked(read_alpha(epsilon=0.5))
    {'epsilon': Fraction(1, 2)}
    """
    by_epsilon = read_alpha(epsilon=privacy.epsilon)
    return {"epsilon": privacy.epsilon} if by_epsilon == privacy else {"alpha": privacy.value}


def read_settings(held: Sequence[Mechanism], n: Any, alpha: Any, epsilon: Any) -> list[Setting]:
    """Read n and alpha or epsilon, each one value or many; what is not given is taken from the
    mechanisms held.
    """
    if n is None and not held:
        raise InvalidInput(
            "n", "must be given", "nothing", remedy="e.g. `n=8`, or `n=[4, 8, 12]` for a grid"
        )
    sizes = _several(n) if n is not None else list(dict.fromkeys(m.n for m in held))
    sizes = [read_count("n", size, most=DENSE_LIMIT) for size in sizes]
    if alpha is None and epsilon is None and held:
        return _settings_of(held, sizes)
    if alpha is not None and epsilon is not None:
        read_alpha(alpha=1, epsilon=1)  # raises: exactly one of the two
    name = "alpha" if alpha is not None else "epsilon"
    privacies = [
        read_alpha(**{name: value}) for value in _several(alpha if alpha is not None else epsilon)
    ]
    if not sizes or not privacies:
        raise InvalidInput("n" if not sizes else name, "must not be an empty list", found="[]")
    return [
        (size, privacy) for size in dict.fromkeys(sizes) for privacy in dict.fromkeys(privacies)
    ]


def _settings_of(held: Sequence[Mechanism], sizes: list[int]) -> list[Setting]:
    """Take the settings from the mechanisms; one that ignores its input (alpha = 1) joins the
    others of its n.
    """
    own = list(dict.fromkeys((m.n, m.privacy) for m in held if m.n in sizes))
    useful = [(n, p) for n, p in own if p.value < 1 or all(q.value == 1 for k, q in own if k == n)]
    if not useful:
        raise InvalidInput(
            "n", "must be the n of a mechanism given, or come with alpha or epsilon", sizes
        )
    return useful


def _several(value: Any) -> list[Any]:
    """Return a list from one value or from many; a string is one value."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]
