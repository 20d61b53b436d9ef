"""Values of the library as JSON can hold them, for --json."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.designer.orbits.cell_by_cell import Cells


def plain(value: Any) -> Any:
    """Turn a value into what JSON can hold; an exact number keeps its fraction beside the decimal.

    >>> plain({"alpha": Fraction(10, 11)})
    {'alpha': {'exact': '10/11', 'decimal': 0.9090909090909091}}
    """
    if isinstance(value, Fraction):
        # Python refuses to print integers of more than 4,300 decimal digits
        exact = (
            str(value)
            if value.denominator.bit_length() < 4096
            else f"{value.numerator:#x}/{value.denominator:#x}"
        )
        return {"exact": exact, "decimal": float(value)}
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return str(value) if isinstance(value, Path) else value


def describe(m: Mechanism | Cells) -> dict[str, Any]:
    """Return a mechanism, or a histogram's release cell by cell, as plain facts for --json."""
    from discreet.core.mechanism import Mechanism

    if not isinstance(m, Mechanism):
        return m.to_dict()
    matrix = (
        m.array.tolist()
    )  # first: it is refused where it is too large, and scores would take as long
    certificate = m.origin.certificate
    return {
        "n": m.n,
        "alpha": m.alpha,
        "epsilon": m.epsilon,
        "tight_alpha": m.tight_alpha,
        "properties": list(m.shape),
        "scores": {loss: m.score(loss) for loss in ("L0", "L0,1", "L1", "L2")},
        "method": m.origin.method,
        "optimal": certificate.optimal if certificate else None,
        "cost": certificate.cost if certificate else None,
        "bound": certificate.bound if certificate else None,
        "id": m.id,
        "matrix": matrix,
    }
