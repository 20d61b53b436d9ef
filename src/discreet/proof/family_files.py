"""Writing a family as its proof file, and making one of a file that was verified; the format is that of `families`."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from discreet.core.family import Family
from discreet.core.mechanism import Mechanism
from discreet.core.privacy import Alpha
from discreet.core.properties import PROPERTIES, Shape
from discreet.proof import Report, examine
from discreet.proof.families import FORMAT, VERSION
from discreet.proof.files import from_document, read_ratio, to_bytes, write_ratio


def entry_bytes(entry: Family | Mechanism) -> bytes:
    """The proof file of what answers one size, or many."""
    if isinstance(entry, Mechanism):
        return to_bytes(entry)
    family, shape = entry, entry.shape
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": family.kind,
        "alpha": write_ratio(family.privacy.value),
        "epsilon": write_ratio(family.privacy.epsilon),
        "sizes": [list(each) for each in family.sizes],
        "problem": {
            "properties": [name for name in PROPERTIES if name in shape.names],
            "output_dp": None if shape.output_dp is None else write_ratio(shape.output_dp),
            "loss": {"tail": 0},
            "prior": "uniform" if family.chance is None else {"binomial": write_ratio(family.chance)},
            "worst_case": family.worst_case,
        },
        "theorem": family.theorem,
        "id": family.id,
    }
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in document.items())
    return f"{{\n{lines}\n}}\n".encode()


def read_entry(data: bytes) -> tuple[Report, Family | Mechanism]:
    """Verify the proof file of a mechanism or of a family; return the report and what was verified."""
    report, document = examine(data)
    if document["format"] != FORMAT:
        return report, from_document(report, document)
    problem = document["problem"]
    return report, Family(
        kind=document["kind"],
        privacy=Alpha(value=report.alpha, epsilon=report.epsilon),
        sizes=tuple((low, high) for low, high in document["sizes"]),
        shape=Shape(names=frozenset(problem["properties"]), output_dp=_ratio(problem["output_dp"])),
        chance=None if problem["prior"] == "uniform" else _ratio(problem["prior"]["binomial"]),
        worst_case=problem["worst_case"],
        theorem=document["theorem"],
    )


def _ratio(text: str | None) -> Fraction | None:
    return None if text is None else read_ratio(text)
