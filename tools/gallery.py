"""Draw the pictures of the documentation: `python -m tools.gallery [folder]`, by default docs/images.

Every picture of the README and of docs/gallery.md comes from here, from fixed settings and a fixed seed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from discreet.core.named import fair, geometric, uniform, weakly_honest
from discreet.core.transforms import postprocess
from discreet.errors import InvalidInput

ALPHA = "10/11"


def _three(n: int = 8) -> dict[str, Any]:
    return {"GM": geometric(n=n, alpha=ALPHA), "WM": weakly_honest(n=n, alpha=ALPHA), "EM": fair(n=n, alpha=ALPHA)}


def _estimated() -> Any:
    """A made-up town of 2,000 households of 8, released with GM at epsilon = 1."""
    import numpy as np

    from discreet.reading.estimates import estimate

    rng = np.random.default_rng(2026)
    m = geometric(n=8, epsilon=1)
    truth = rng.binomial(8, 0.3, 2_000)
    released = [int(rng.choice(9, p=m.array[:, x])) for x in truth]
    return estimate(released, mechanism=m).distribution()


def _towns() -> Any:
    """Made-up towns of 3 to 9 people in four regions, released with GM at epsilon = 1."""
    from dataclasses import replace

    import numpy as np

    from discreet.reading.estimates import estimate

    rng = np.random.default_rng(2026)
    sizes = rng.integers(3, 10, 240)
    mechanisms = {n: geometric(n=n, epsilon=1) for n in range(3, 10)}
    truth = rng.binomial(sizes, np.repeat([0.2, 0.3, 0.3, 0.5], 60))
    pairs = zip(sizes.tolist(), truth.tolist(), strict=True)
    released = [int(rng.choice(n + 1, p=mechanisms[n].array[:, x])) for n, x in pairs]
    found = estimate(released, mechanism=mechanisms, sizes=sizes.tolist())
    regions = np.repeat(np.array(["north", "east", "south", "west"], dtype=object), 60)
    towns = np.array([f"town {k:03d}" for k in range(240)], dtype=object)
    named = replace(found.sample, keys={"region": regions, "town": towns}, name="smoker")
    return replace(found, sample=named)


def _compared(**settings: Any) -> Any:
    from discreet.choosing.comparison import compare

    return compare(["GM", "WM", "WH CM", "EM", "UM"], **settings)


def _answers(names: list[str]) -> Any:
    from discreet.choosing.comparison import compare

    return compare(["joint", "F", "cells", "RR"], n=8, categories=names, epsilon=1, loss="L1")


def _scale() -> dict[str, Any]:
    """Eight people on a five-point scale: the best joint mechanism, and each count by itself."""
    from discreet.designer import design
    from discreet.designer.orbits.cell_by_cell import cells

    names = ["very bad", "bad", "fair", "good", "very good"]
    joint = design(n=8, categories=names, epsilon=1, loss="L1")
    return {"joint": joint, "cells": cells(n=8, categories=names, epsilon=1)}


def _broken() -> dict[str, Any]:
    """For every property but one that forbids the same, a mechanism for n = 4 that lacks it."""
    gm = geometric(n=4, alpha="9/10")
    swapped = postprocess(gm, [[int(i == (0, 3, 2, 1, 4)[j]) for j in range(5)] for i in range(5)])
    lopsided = postprocess(gm, [[int(i == min(j, 3)) for j in range(5)] for i in range(5)])
    return {"RH": swapped, "RM": swapped, "CH": gm, "CM": gm, "WH": gm, "F": gm, "S": lopsided}


def figures() -> dict[str, Callable[[], Any]]:
    """Name every figure and say how it is drawn."""
    from discreet.show.charts import plot, plot_costs

    return {
        "readme": lambda: plot(_three(), title="Three private mechanisms for a group of 8"),
        "properties": lambda: plot(
            {f"{name} fails": m for name, m in _broken().items()},
            mark={f"{name} fails": name for name in _broken()},
            title="What each property forbids",
        ),
        "heatmap": lambda: plot(geometric(n=8, alpha=ALPHA)),
        "heatmap-large": lambda: plot(fair(n=100, epsilon="0.1")),
        "columns": lambda: plot(fair(n=8, epsilon=1), "columns"),
        "accuracy": lambda: plot({**_three(), "UM": uniform(n=8)}, "accuracy"),
        "intervals": lambda: plot({"GM": geometric(n=8, epsilon=1), "EM": fair(n=8, epsilon=1)}, "intervals"),
        "scores-n": lambda: plot(_compared(n=range(2, 17), alpha=ALPHA), "scores"),
        "scores-alpha": lambda: plot(
            _compared(n=8, alpha=["1/2", "0.6", "0.7", "0.8", "0.85", "0.9", "0.95", "0.99"]), "scores"
        ),
        "costs": lambda: plot_costs(n=8, alpha=ALPHA),
        "distribution": lambda: plot(_estimated()),
        "estimate": lambda: plot(_towns()),
        "triangle": lambda: _answers(["never", "former", "current"]).plot("triangle", truth=(5, 2, 1)),
        "answers": lambda: plot(_scale(), "answers", truth=(0, 1, 3, 3, 1)),
        "rivals": lambda: _answers(["never", "former", "current"]).plot("rivals"),
    }


def draw(folder: str | Path = "docs/images", only: list[str] | None = None) -> list[Path]:
    """Draw all figures (or some) as PNG files into a folder, which is made when it is not there."""
    from discreet.show.pictures.theme import write

    known = figures()
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    unknown = [name for name in only or [] if name not in known]
    if unknown:
        raise InvalidInput("only", "must name figures of the gallery", unknown[0], remedy=", ".join(known))
    return [write(known[name](), target / f"{name}.png") for name in only or known]


if __name__ == "__main__":
    for file in draw(sys.argv[1] if len(sys.argv) > 1 else "docs/images"):
        print(file)
