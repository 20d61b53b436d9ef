"""An unknown keyword of a public function is refused with the nearest known one, on every version of Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import ParamSpec, TypeVar

from discreet.errors import UnknownKeyword, did_you_mean

P = ParamSpec("P")
R = TypeVar("R")


def with_known_keywords(verb: Callable[P, R], *, besides: Sequence[str] = ()) -> Callable[P, R]:
    """Wrap a function so that unknown keywords are refused before it runs; its signature, help and types stay.

    `besides` lists further keywords to suggest: those that a caller takes itself before it passes the rest on.

    >>> def design(*, n, properties=""): ...
    >>> with_known_keywords(design)(n=8, propertys="F")
    Traceback (most recent call last):
        ...
    discreet.errors.UnknownKeyword: design() has no parameter `propertys`: did you mean properties?
    """
    parameters = signature(verb).parameters.values()
    if any(each.kind is Parameter.VAR_KEYWORD for each in parameters):
        return verb  # it passes keywords on to a function that checks its own
    named = {each.name for each in parameters if each.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)}

    @wraps(verb)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in kwargs:
            if name not in named:
                nearest = did_you_mean(name, sorted({*named, *besides}))
                raise UnknownKeyword(f"{verb.__name__}() has no parameter `{name}`", remedy=nearest)
        return verb(*args, **kwargs)

    return checked
