"""How a mechanism's matrix is stored: written out, or as a closed form that never needs to be.

`Dense` is integers over one denominator. `Geometric`, `Fair`, `Uniform`, `WeaklyHonest` and
`ColumnHonest` are given by n and alpha alone: each entry is a scale times an integer power of
alpha, so a group of 100,000 people can be checked, stored and sampled without its ten thousand
million entries. `Relabelled` is a `Dense` that is written out when it is needed. Every form answers
the same questions.

A matrix that equals a closed form is stored as one (`canonical`), so that equal mechanisms are
equal values.
"""

from __future__ import annotations

from discreet.core.forms.closed import Fair, Geometric, Uniform, WeaklyHonest
from discreet.core.forms.column_honest import ColumnHonest
from discreet.core.forms.dense import (
    DENSE_LIMIT,
    Dense,
    Form,
    canonical,
    check,
    dense_from,
    mixed,
    reduced,
)
from discreet.core.forms.folded import Folded, histogram_score
from discreet.core.forms.relabelled import Relabelled

__all__ = [
    "DENSE_LIMIT",
    "FORMS",
    "ColumnHonest",
    "Dense",
    "Fair",
    "Folded",
    "Form",
    "Geometric",
    "Relabelled",
    "Uniform",
    "WeaklyHonest",
    "canonical",
    "check",
    "dense_from",
    "histogram_score",
    "mixed",
    "reduced",
]

FORMS = (Dense, Geometric, Fair, WeaklyHonest, ColumnHonest, Uniform, Relabelled, Folded)
"""Every form there is: nothing else can be checked, so nothing else can be a mechanism."""
