"""A recorded problem as a call of today's interface, and the answer as plain values.

The records stay while the code is re-cut and its interface is renamed: whoever renames something changes this module and
nothing else here. A problem and an answer are JSON values whose words belong to the records (`problems` and `questions`
list them), not to the interface; of a content id they hold the first half. An answer that changes on purpose goes into `MAY_CHANGE`, with the reason.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from hashlib import sha256
from typing import Any

import discreet as dc
from discreet.core.certificate import score
from discreet.core.family import THEOREMS
from discreet.errors import DiscreetError, Infeasible
from discreet.proof import examine
from discreet.proof.files import to_bytes

MAY_CHANGE: Mapping[str, str] = {}
"""Parts of answers, by their name at any depth, that are no longer compared, with the reason."""

NAMED = {
    "GM": dc.geometric,
    "WM": dc.weakly_honest,
    "EM": dc.fair,
    "UM": dc.uniform,
    "RR": dc.randomized_response,
    "exponential": dc.exponential,
    "Laplace": dc.laplace,
    "staircase": dc.staircase,
}
SEVEN = ("RH", "RM", "CH", "CM", "WH", "F", "S")
LARGE = 64
"""Beyond this group size a record has the score by L0 alone, and no verdicts that compare every entry."""


def exact(value: Fraction) -> str:
    """An exact number; a long one as a float of 12 digits beside the beginning of its digest.

    >>> exact(Fraction(1, 3)), exact(Fraction(1, 3**60))
    ('1/3', '2.35898248759e-29 bc1bac7696264ccb')
    """
    text = f"{value.numerator:x}/{value.denominator:x}"
    if len(text) <= 18:
        return str(value)
    return f"{float(value):.12g} {sha256(text.encode()).hexdigest()[:16]}"


def answer(problem: Mapping[str, Any], *, proof: bool = False) -> dict[str, Any]:
    """The answer to a problem; with `proof` its certificate is verified too, which raises if it does not hold."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _ANSWERS[problem["kind"]](problem, proof)
    except Infeasible as error:
        if proof and error.proof is not None:
            examine(error.proof.to_bytes())
        return {**_refusal(error), "proven": error.proof is not None}
    except DiscreetError as error:
        return _refusal(error)


def _refusal(error: DiscreetError) -> dict[str, Any]:
    words = {today: word for word, today in _SAME.items()}
    parameter = words.get(error.parameter or "", error.parameter)
    return {"refused": type(error).__name__, "code": error.code, "parameter": parameter}


# --- designs --------------------------------------------------------------------------------------------------------


def mechanism(problem: Mapping[str, Any]) -> Any:
    """The mechanism of a problem, or the cells of a large histogram."""
    privacy = {name: problem[name] for name in ("alpha", "epsilon") if name in problem}
    if problem["kind"] == "matrix":
        return dc.from_matrix(problem["rows"], **privacy)
    if problem["kind"] == "named":
        more = {name: problem[name] for name in ("width", "step") if name in problem}
        if problem["name"] == "exponential":
            more["quality"] = problem.get("quality") or _nearness
        return NAMED[problem["name"]](n=problem["n"], **privacy, **more)
    properties: list[Any] = list(problem.get("properties", ()))
    if "output_dp" in problem:
        properties.append(f"ODP:{problem['output_dp']}")
    for one in problem.get("constraints", ()):
        properties.append(dc.rows(one["name"], one["rows"]))
    asked = {
        name: problem[name]
        for name in ("loss", "prior", "worst_case", "gap", "step", "categories", "derivable")
        if name in problem
    }
    if "priors" in problem:
        asked |= {"priors": problem["priors"], "regret": True}
    if "seconds" in problem:
        asked["seconds"] = problem["seconds"]
    return dc.design(n=problem["n"], properties=properties, cache=False, **privacy, **asked)


def _nearness(truth: int, output: int) -> int:
    return -abs(output - truth)


def _mechanism_answer(problem: Mapping[str, Any], proof: bool) -> dict[str, Any]:
    m = mechanism(problem)
    if hasattr(m, "cell_epsilon"):
        return _cells_answer(m)
    found: dict[str, Any] = {
        "id": m.id[:32],
        "alpha": exact(m.alpha),
        "epsilon": exact(m.epsilon),
        "how": _how(m),
    }
    if proof and m.n <= 200:
        examine(to_bytes(m))
    if problem["kind"] == "design":
        found |= _optimality(problem, m)
    found["scores"] = {
        _score_name(asked): exact(m.score(*asked[:2], worst_case=asked[2]))
        for asked in _scores(problem)
    }
    if m.n > LARGE:
        return found
    verdicts = {name: m.check(name) for name in SEVEN}
    found["has"] = " ".join(name for name in SEVEN if verdicts[name].holds)
    found["misses"] = {
        name: exact(verdict.violation) for name, verdict in verdicts.items() if not verdict.holds
    }
    found["tight_alpha"], found["output_dp"] = exact(m.tight_alpha), exact(m.output_dp)
    if "categories" not in problem and "step" not in problem:
        found["derives"] = bool(dc.derives_from_geometric(m))
    if problem["kind"] == "matrix":
        found["cells"] = {
            name: list(verdict.cell) for name, verdict in verdicts.items() if not verdict.holds
        }
    return found


def _how(m: Any) -> str:
    """What the origin says: by definition, by which theorem, or by linear program."""
    if m.origin.problem is None:
        return "definition"
    names = {text: name for name, text in THEOREMS.items() if text}
    names["Ghosh et al.: GM with each output relabelled as is best on average"] = "relabelled"
    return names.get(m.origin.theorem, m.origin.theorem) or "program"


def _optimality(problem: Mapping[str, Any], m: Any) -> dict[str, Any]:
    asked, certificate = m.origin.problem, m.origin.certificate
    cost = score(m.form, asked.loss, asked.prior, worst_case=asked.worst_case)
    found = {"optimal": m.origin.optimal, "cost": exact(cost)}
    if certificate is not None and not certificate.optimal:
        found["bound"] = exact(certificate.bound)
    if asked.regret is not None:
        found["cost"] = exact(asked.regret.value)
        found["optima"] = [exact(each.cost) for each in asked.regret.optima]
    for one in problem.get("constraints", ()):
        assert m.satisfies([dc.rows(one["name"], one["rows"])])
    assert certificate is None or certificate.cost == cost
    return found


def _scores(problem: Mapping[str, Any]) -> list[tuple[Any, Any, bool]]:
    if problem["n"] > LARGE:
        return [("L0", None, False)]
    if "scores" in problem:
        return [tuple(asked) for asked in problem["scores"]]
    return [("L0", None, False), ("L1", None, False), ("L2", None, True)]


def _score_name(asked: tuple[Any, Any, bool]) -> str:
    loss, prior, worst = asked
    return " ".join(
        str(part) for part in (loss, prior, "worst" if worst else None) if part is not None
    )


def _cells_answer(found: Any) -> dict[str, Any]:
    names = (
        "alpha",
        "epsilon",
        "cell_alpha",
        "cell_epsilon",
        "cost",
        "bound",
        "misplaced",
        "least_misplaced",
    )
    numbers = {name: exact(getattr(found, name)) for name in names}
    scores = {loss: exact(found.score(loss)) for loss in ("L0", "L1", "L2")}
    has = " ".join(name for name in SEVEN if name in found.shape)
    return {"how": "cells", "id": found.mechanism.id[:32], **numbers, "scores": scores, "has": has}


def _cells(problem: Mapping[str, Any], proof: bool) -> dict[str, Any]:
    names = ("n", "categories", "alpha", "epsilon", "properties", "loss")
    return _cells_answer(dc.cells(**{name: problem[name] for name in names if name in problem}))


def _least_cost(problem: Mapping[str, Any], proof: bool) -> dict[str, Any]:
    found = dc.best_cost(
        **{
            name: problem[name]
            for name in ("n", "alpha", "epsilon", "properties")
            if name in problem
        }
    )
    return {"cost": exact(found.cost), "bound": exact(found.bound), "optimal": found.optimal}


# --- questions about tables -----------------------------------------------------------------------------------------


def _question(problem: Mapping[str, Any], proof: bool) -> dict[str, Any]:
    """What is paid and promised for a question, and the id of what each group size is drawn from."""
    source, asked = _source(problem["table"]), _parameters(problem)
    plan = dc.plan(source, **asked)
    made = dc.release(source, **asked)
    manifest = made.manifest
    assert (plan.guarantee, str(plan.epsilon)) == (
        manifest.guarantee,
        str(Fraction(manifest.epsilon)),
    )
    return {
        "digest": manifest.question,
        "guarantee": manifest.guarantee,
        "epsilon": _number(manifest.epsilon),
        "alpha": _number(manifest.alpha),
        "rows_per_person": manifest.contributions,
        "checked": manifest.contributions_checked,
        "source": manifest.source,
        "columns": list(made.table.column_names),
        "levels": [
            _level(level, made.mechanisms.level(place))
            for place, level in enumerate(manifest.levels)
        ],
    }


def _number(text: str) -> str:
    return exact(Fraction(text))


def _level(level: Any, mechanisms: Any) -> dict[str, Any]:
    counts = []
    for count in level.counts:
        by_size = mechanisms.by_size(count.name)
        found = {
            "name": count.name,
            "domain": count.domain,
            "share": _number(count.share),
            "epsilon": _number(count.epsilon),
            "alpha": _number(count.alpha),
            "drawn_from": {str(n): by_size[n].id[:32] for n in sorted(by_size)},
        }
        if count.cells:
            found |= {
                "cell_epsilon": _number(count.cell_epsilon),
                "cell_alpha": _number(count.cell_alpha),
            }
            found["cell_by_cell"] = sorted(count.cells)
        counts.append(found)
    return {
        "keys": list(level.keys),
        "share": _number(level.share),
        "sizes": level.groups_by_size,
        "counts": counts,
    }


@cache
def _source(table: str) -> Any:
    import pyarrow as pa
    from tests.recorded.questions import TABLES

    return pa.table(TABLES[table]())


_SAME = {
    "by": "by",
    "sizes": "size",
    "epsilon": "epsilon",
    "alpha": "alpha",
    "loss": "loss",
    "worst_case": "worst_case",
    "gap": "gap",
    "person": "unit",
    "rows_per_person": "contributions",
    "same_group": "together",
    "surplus": "excess",
    "where": "where",
    "missing": "nulls",
    "public": "public",
    "other_keys": "other_keys",
    "cap": "cap",
    "smallest": "smallest",
    "shares": "level_split",
}
"""The words of a question in the records, and today's parameters that mean the same."""


def _parameters(problem: Mapping[str, Any]) -> dict[str, Any]:
    asked: dict[str, Any] = {
        today: problem[word] for word, today in _SAME.items() if word in problem
    }
    if "made" in problem:
        asked["by"] = {name: problem["made"].get(name, name) for name in problem["by"]}
    if "levels" in problem:
        coarser = problem["levels"]
        asked["levels"] = coarser if isinstance(coarser, str) else [problem["by"], *coarser]
    if "properties" in problem:
        asked["properties"] = problem["properties"]
    if "prior" in problem:
        prior = problem["prior"]
        asked["prior"] = (
            {int(n): one for n, one in prior.items()} if isinstance(prior, dict) else prior
        )
    if "keys" in problem:
        import pyarrow as pa

        asked["keys"] = pa.table(problem["keys"])
    asked["count"] = {one["name"]: _count(one) for one in problem["counts"]}
    if any("weight" in one for one in problem["counts"]):
        asked["split"] = {one["name"]: one.get("weight", 1) for one in problem["counts"]}
    if "mechanisms" in problem:
        asked["mechanism"] = {
            name: [mechanism(one) for one in several]
            for name, several in problem["mechanisms"].items()
        }
    return asked


def _count(one: Mapping[str, Any]) -> Any:
    if "conditions" in one:
        return dict(one["conditions"])
    if "answers" not in one:
        return one.get("where") or one.get("column") or one["name"]
    words = {"column": "column", "other": "other", "missing": "nulls", "cells": "cells"}
    more = {today: one[word] for word, today in words.items() if word in one}
    return {"column": one["name"], "answers": one["answers"], **more}


_ANSWERS = {
    "named": _mechanism_answer,
    "design": _mechanism_answer,
    "matrix": _mechanism_answer,
    "cells": _cells,
    "least cost": _least_cost,
    "question": _question,
}
