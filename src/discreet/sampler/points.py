"""Draw histograms with `m.release`, a few at a time; a table's are drawn by `point_tables` too.

    a tuple, or a mapping of answer to count -> a tuple, or a mapping        a list of them -> a
                                                                             list of the same
    a NumPy array with a histogram in each row -> such an array

Everything is checked before anything is drawn; an error names the row, counted from 1, and the
rule, never the value.
"""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.forms import Folded
from discreet.errors import InvalidData
from discreet.sampler.alias import Kept
from discreet.sampler.drawing import KEPT_BYTES, release
from discreet.sampler.point_tables import PointTable, draw_points
from discreet.sampler.words import NotPrivateWarning, WordSource, system_words

if TYPE_CHECKING:
    from discreet.core.histogram import Histogram
    from discreet.core.mechanism import Mechanism

_tables: Kept[PointTable] = Kept(KEPT_BYTES)


def release_histograms(mechanism: Mechanism, x: Any, *, source: WordSource | None = None) -> Any:
    """Draw a released histogram for each true one, with exactly the chances of the mechanism."""
    if not isinstance(mechanism.form, Folded):
        raise InvalidData("x", "must be counts: the mechanism is not one of histograms")
    domain = mechanism.form.domain
    given, several = _several(x)
    truths = np.array(read_points(domain, given, several=several), dtype=np.int64).reshape(
        -1, domain.k
    )
    words: WordSource = system_words() if source is None else source
    if not words.private:
        warnings.warn(
            "drawn with predictable words: these numbers are NOT PRIVATE",
            NotPrivateWarning,
            stacklevel=3,
        )
    table = _tables.get(mechanism.id, partial(PointTable, mechanism.form))
    drawn = draw_points((table,), np.zeros(len(truths), dtype=np.intp), truths, words).tolist()
    if several and isinstance(x, np.ndarray):
        return np.array(drawn, dtype=np.int64).reshape(-1, domain.k)
    return _as_given(domain, list(map(tuple, drawn)), given, several=several)


def release_cells(
    mechanism: Mechanism, domain: Histogram, x: Any, *, source: WordSource | None = None
) -> Any:
    """Draw every count of every true histogram by itself; those of one histogram need not add up
    to n.
    """
    given, several = _several(x)
    counts = np.array(read_points(domain, given, several=several), dtype=np.int64).reshape(-1)
    drawn = release(mechanism, counts, source=source).reshape(-1, domain.k).tolist()
    if several and isinstance(x, np.ndarray):
        return np.array(drawn, dtype=np.int64).reshape(-1, domain.k)
    return _as_given(domain, list(map(tuple, drawn)), given, several=several)


def _several(x: Any) -> tuple[list[Any], bool]:
    """What was given as a list, and whether it was one; an array of rows is a list of them."""
    if isinstance(x, np.ndarray) and x.ndim == 2:
        return list(x), True
    several = isinstance(x, list) and not (
        x and all(isinstance(one, numbers.Integral) for one in x)
    )
    return (x if several else [x]), several


def _as_given(domain: Histogram, points: list[Any], given: list[Any], *, several: bool) -> Any:
    """Histograms in the form in which the true ones were given."""
    back = [
        dict(zip(domain.names, point, strict=True)) if isinstance(one, Mapping) else point
        for one, point in zip(given, points, strict=True)
    ]
    return back if several else back[0]


def read_points(domain: Histogram, given: list[Any], *, several: bool) -> list[tuple[int, ...]]:
    """True histograms, checked; of several an error names the row."""
    return [
        _point(domain, one, row=row if several else None) for row, one in enumerate(given, start=1)
    ]


def _point(domain: Histogram, given: Any, *, row: int | None) -> tuple[int, ...]:
    """The counts of a true histogram; what is wrong with it is said without showing it."""
    if isinstance(given, Mapping):
        if not set(given) <= set(domain.names):
            raise InvalidData("x", "must have the answers of the mechanism and no others", row=row)
        given = [given.get(name, 0) for name in domain.names]
    counts = given.tolist() if isinstance(given, np.ndarray) else given
    if not isinstance(counts, (tuple, list)) or len(counts) != domain.k:
        rule = f"must be a histogram: {domain.k} counts, as a tuple or by answer"
        raise InvalidData("x", rule, row=row)
    if any(isinstance(count, bool) or not isinstance(count, numbers.Integral) for count in counts):
        raise InvalidData("x", "must have whole numbers: ints", row=row)
    point = tuple(int(count) for count in counts)
    if min(point) < 0 or sum(point) != domain.n:
        raise InvalidData(
            "x", f"must have counts of at least 0 that add up to n = {domain.n}", row=row
        )
    return point
