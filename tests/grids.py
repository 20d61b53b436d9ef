"""A cheap statement at every point of a grid, as one test: a test of its own for each point takes longer than the points."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any


def everywhere(**grid: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Run a test with every combination of these values; the first at which it fails is named."""
    points = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]

    def spread(test: Callable[..., None]) -> Callable[[], None]:
        def run() -> None:
            for point in points:
                try:
                    test(**point)
                except BaseException as error:
                    error.add_note(
                        "at " + ", ".join(f"{name} = {value}" for name, value in point.items())
                    )
                    raise

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        return run

    return spread
