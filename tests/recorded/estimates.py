"""What today's code reads from fixed sets of outputs, recorded so that the estimator can be re-cut without changing it.

A set is described by plain values alone: releases with their levels, and for each level the key columns, the sizes of
the groups, the numbers that were released, and the mechanisms by kind, properties, alpha (as text) and the sizes they
served. `estimate_sets` made these descriptions. This module turns one into a call of the library and the result into
plain numbers, so a later change of the interface changes this module alone. The record holds both, and a replay reads
the stored outputs again: it draws nothing.

    python -m tests.recorded.estimates --write     makes the record anew
    python -m tests.recorded.estimates             replays all of it and prints what differs
"""

from __future__ import annotations

import json
import lzma
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from tests.recorded.estimate_sets import sets

import discreet as dc
from discreet.errors import DiscreetError
from discreet.reading.estimates import Estimate
from discreet.reading.histograms.capped_estimates import CappedEstimate
from discreet.reading.histograms.histogram_estimates import HistogramEstimate
from discreet.reading.histograms.histogram_sample import HistogramSample
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.samples import Sample, from_outputs

RECORD = Path(__file__).with_name("estimates.jsonl.xz")
CONFIDENCES = ("0.95", "0.8")
DIGITS = 12
TOLERANCE = 1e-9
MOST_ROWS = 24
"""A table with more rows is recorded in about twelve of them: one number of twelve digits takes six bytes."""
LARGEST_POSTERIOR = 12
"""People in the largest group whose exact posterior is recorded."""


# --- reading a set with today's code ------------------------------------------------------------------------------


def read(case: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the code reads from a set, in plain numbers by what was asked."""
    releases = case["releases"]
    try:
        estimates = [
            [_estimate(release, confidence) for confidence in CONFIDENCES] for release in releases
        ]
    except DiscreetError as error:
        return _refusal(error)
    if len(estimates) > 1:
        return _together(estimates, _key_sets(releases[0]))
    if "cap" in releases[0]:
        return _capped(estimates[0], _key_sets(releases[0]))
    if "answers" in releases[0]:
        return _answers(estimates[0], _key_sets(releases[0]))
    return _count(estimates[0], _key_sets(releases[0]))


def _estimate(release: Mapping[str, Any], confidence: str) -> Any:
    """The estimate of one release."""
    level = Fraction(confidence)
    if "answers" not in release:
        finest, *coarser = (_count_sample(each) for each in release["levels"])
        return Estimate(sample=finest, confidence=level, coarser=tuple(coarser))
    first, *others = (_answer_sample(each, release["answers"]) for each in release["levels"])
    if "cap" in release:
        return CappedEstimate(sample=first, confidence=level, cap=release["cap"])
    return HistogramEstimate(sample=first, confidence=level, coarser=tuple(others))


def _count_sample(level: Mapping[str, Any]) -> Sample:
    plain = from_outputs(level["outputs"], _mechanisms(level), level["sizes"])
    return replace(plain, keys=_columns(level), name="smoker")


def _answer_sample(level: Mapping[str, Any], answers: Sequence[str]) -> HistogramSample:
    sizes, outputs = (
        np.array(level["sizes"], dtype=np.int64),
        np.array(level["outputs"], dtype=np.int64),
    )
    return HistogramSample(
        answers=tuple(answers),
        sizes=sizes,
        outputs=outputs,
        mechanisms=_mechanisms(level),
        keys=_columns(level),
    )


def _columns(level: Mapping[str, Any]) -> dict[str, Any]:
    return {name: np.array(values, dtype=object) for name, values in level["keys"].items()}


def _mechanisms(level: Mapping[str, Any]) -> dict[int, Any]:
    return {
        n: _mechanism(json.dumps(each), n) for each in level["mechanisms"] for n in each["sizes"]
    }


@cache
def _mechanism(text: str, n: int) -> Any:
    """The mechanism for groups of size n that these words describe."""
    words = json.loads(text)
    kind = words.pop("kind")
    del words["sizes"]
    if kind == "joint":
        return dc.design(n=n, **words)
    if kind == "matrix":
        rows = [[Fraction(entry) for entry in row] for row in words["rows"]]
        return dc.from_matrix(rows, alpha=words["alpha"])
    return getattr(dc, kind)(n=n, **words)


def _answer(ask: Callable[[], Any]) -> Any:
    """The numbers, or the code of the refusal."""
    try:
        return ask()
    except DiscreetError as error:
        return _refusal(error)


def _refusal(error: DiscreetError) -> dict[str, str]:
    """Today the refusal for want of an unbiased estimate has a class of its own, and no code."""
    return {"refused": "not-estimable" if isinstance(error, NotEstimable) else error.code}


def _count(e: Sequence[Estimate], key_sets: Sequence[tuple[str, ...]]) -> dict[str, Any]:
    """All that one release of a count says."""
    first = e[0]
    result = {
        name: _answer(
            lambda name=name: _quantity([getattr(each, name) for each in e], whole=name == "total")
        )
        for name in ("total", "rate", "mean")
    }
    result["groups"] = _answer(lambda: _groups(e, None))
    if first.groups > 1:
        result["groups, prior estimated"] = _answer(lambda: _groups(e, "estimated"))
        result["whole numbers"] = _answer(lambda: _whole_numbers(first.adding_up(), key_sets))
    result["posteriors"] = _answer(lambda: _posteriors(e))
    result["subtotals"] = [_answer(lambda names=names: _subtotals(e, names)) for names in key_sets]
    if key_sets:
        result["strata"] = _answer(lambda: _strata(e, key_sets[0], lambda a, b: a.difference(b)))
    result["distribution"] = [
        _answer(lambda n=n: _distribution(e, n))
        for n in sorted(m.n for m in first.sample.mechanisms)[:2]
        if n <= 12
    ]
    return result


def _quantity(estimates: Sequence[Any], *, whole: bool = False) -> list[Any]:
    """Value, standard error, and the ends of the interval at each confidence."""
    ends = [end for q in estimates for end in (q.low, q.high)]
    return [
        estimates[0].value,
        estimates[0].standard_error,
        *([_whole(end) for end in ends] if whole else ends),
    ]


def _groups(e: Sequence[Any], prior: str | None) -> dict[str, list[Any]]:
    """Every group, or some of many, by itself."""
    tables = [each.table(prior=prior).columns for each in e]
    rows = _few(len(tables[0]["n"]))
    ends = (
        ("credible_low", "credible_high")
        if prior
        else ("low", "high", "credible_low", "credible_high")
    )
    numbers = {
        name: tables[0][name]
        for name in ("unbiased", "posterior_mean")
        if not (prior and name == "unbiased")
    }
    result = {name: _floats(values[rows]) for name, values in numbers.items()}
    return result | {
        f"{name} {at}": _integers(t[name][rows]) for t, at in _at(tables) for name in ends
    }


def _posteriors(e: Sequence[Estimate]) -> list[Any]:
    """The exact posteriors of the first, a middle and the last group under a prior of its own."""
    result = []
    for row in sorted({0, e[0].groups // 2, e[0].groups - 1}):
        if int(e[0].sample.sizes[row]) <= LARGEST_POSTERIOR:
            result.append(_posterior([each.group(row, "Binomial(0.3)") for each in e]))
    return result


def _posterior(groups: Sequence[Any]) -> dict[str, Any]:
    first = groups[0]
    ends = [end for g in groups for end in (*g.interval, *g.credible)]
    chances = _floats(map(float, first.posterior)) if first.n <= 6 else []
    return {
        "mean": float(first.mean),
        "likeliest": list(first.likeliest),
        "ends": ends,
        "chances": chances,
    }


def _subtotals(e: Sequence[Any], names: Sequence[str]) -> dict[str, Any]:
    """The sums by some key columns, in the order of their keys."""
    tables = [each.subtotals(*names) for each in e]
    return _table(tables, names, ("estimate", "standard_error"))


def _table(tables: Sequence[Any], names: Sequence[str], numbers: Sequence[str]) -> dict[str, Any]:
    """Some columns of tables that differ in confidence alone, in the order of their keys."""
    named = [name for name in (*names, "answer") if name in tables[0].columns]
    keys = [
        "|".join(str(key) for key in row)
        for row in zip(*(tables[0][name] for name in named), strict=True)
    ]
    order = np.array(
        sorted(range(len(tables[0])), key=lambda row: keys[row] if keys else ""), dtype=np.int64
    )
    rows = order[_few(len(order))]
    result: dict[str, Any] = {"keys": [keys[row] for row in rows] if keys else []}
    result |= {
        name: _integers(tables[0][name][rows])
        for name in ("n", "n_before", "n_after")
        if name in tables[0].columns
    }
    result |= {
        name: _floats(tables[0][name][rows]) for name in numbers if name in tables[0].columns
    }
    as_read = _integers if np.asarray(tables[0]["low"]).dtype.kind == "i" else _floats
    return result | {
        f"{name} {at}": as_read(t[name][rows]) for t, at in _at(tables) for name in ("low", "high")
    }


def _strata(e: Sequence[Any], names: Sequence[str], less: Callable[[Any, Any], Any]) -> list[Any]:
    """The first stratum less the second one, by the first key column."""
    parts = [list(each.by(names[0]).values()) for each in e]
    return _quantity([less(a, b) for a, b, *_ in parts]) if len(parts[0]) > 1 else []


def _distribution(e: Sequence[Estimate], n: int) -> dict[str, Any]:
    """The distribution of true counts over the groups of size n."""
    distributions = [each.distribution(n) for each in e]
    names = ("estimate", "standard_error", "projected", "likeliest")
    result = {name: _floats(getattr(distributions[0], name)) for name in names}
    exact = distributions[0].unbiased
    result["unbiased"] = [] if exact is None else _floats(map(float, exact))
    return result | {
        f"{name} {at}": _floats(getattr(d, name))
        for d, at in _at(distributions)
        for name in ("low", "high")
    }


def _whole_numbers(whole: Any, key_sets: Iterable[Sequence[str]]) -> dict[str, Any]:
    """Whole numbers that add up: of the groups, and of their sums."""
    result: dict[str, Any] = {"total": int(whole.total)}
    rows = _few(len(whole.sizes))
    result |= {
        f"groups of {name}": _integers(values[rows]) for name, values in whole.columns.items()
    }
    for names in key_sets:
        table = whole.subtotals(*names)
        keys = [
            "|".join(str(key) for key in row)
            for row in zip(*(table[name] for name in names), strict=True)
        ]
        order = np.array(sorted(range(len(keys)), key=lambda row: keys[row]), dtype=np.int64)
        for name in whole.columns:
            result[f"{name} by {', '.join(names)}"] = _integers(
                table[name][order[_few(len(order))]]
            )
    return result


def _answers(e: Sequence[HistogramEstimate], key_sets: Sequence[tuple[str, ...]]) -> dict[str, Any]:
    """All that one release of a question with several answers says."""
    first = e[0]
    scores = {answer: place for place, answer in enumerate(first.answers)}
    result: dict[str, Any] = {
        "totals": _answer(lambda: _by_answer(e, "totals", whole=True)),
        "shares": _answer(lambda: _by_answer(e, "shares")),
        "mean": _answer(lambda: _quantity([each.mean(scores) for each in e])),
        "contrast": _answer(lambda: _quantity([each.contrast(*first.answers[:2]) for each in e])),
        "groups": _answer(lambda: _answer_groups(e)),
        "whole numbers": _answer(lambda: _whole_numbers(first.adding_up(), key_sets)),
        "posteriors": _answer(lambda: _answer_posteriors(e)),
        "subtotals": [_answer(lambda names=names: _subtotals(e, names)) for names in key_sets],
        "means": [
            _answer(
                lambda names=names: _table([x.means(*names, scores=scores) for x in e], names, MEAN)
            )
            for names in key_sets[:1]
        ],
    }
    if key_sets:
        answer = first.answers[0]
        result["strata"] = _answer(
            lambda: _strata(e, key_sets[0], lambda a, b: a.difference(b, answer))
        )
        result["strata, scores"] = _answer(
            lambda: _strata(e, key_sets[0], lambda a, b: a.difference(b, scores=scores))
        )
    return result


MEAN = ("mean", "standard_error")


def _by_answer(e: Sequence[Any], name: str, *, whole: bool = False) -> dict[str, Any]:
    quantities = [getattr(each, name) for each in e]
    return {
        answer: _quantity([each[answer] for each in quantities], whole=whole)
        for answer in quantities[0]
    }


def _answer_groups(e: Sequence[Any]) -> dict[str, list[Any]]:
    tables = [each.table().columns for each in e]
    rows = _few(len(tables[0]["n"]))
    result: dict[str, list[Any]] = {"unbiased": _floats(tables[0]["unbiased"][rows])}
    return result | {
        f"{name} {at}": _integers(t[name][rows])
        for t, at in _at(tables)
        for name in ("low", "high")
    }


def _answer_posteriors(e: Sequence[Any]) -> list[Any]:
    """The posteriors of the histograms of the first and the last group."""
    result = []
    for row in sorted({0, e[0].groups - 1}):
        if 0 < int(e[0].sample.sizes[row]) <= LARGEST_POSTERIOR:
            groups = [each.group(row) for each in e]
            result.append(
                {
                    "mean": _floats(map(float, groups[0].mean.values())),
                    "likeliest": [list(point) for point in groups[0].likeliest[:4]],
                    "ends": [
                        end
                        for g in groups
                        for a in g.answers
                        for end in (*g.interval[a], *g.credible[a])
                    ],
                }
            )
    return result


def _capped(e: Sequence[CappedEstimate], key_sets: Sequence[tuple[str, ...]]) -> dict[str, Any]:
    """All that a release with private group sizes says, and the code by which it refuses the rest."""
    result: dict[str, Any] = {
        "totals": _answer(lambda: _by_answer(e, "totals", whole=True)),
        "people": _answer(lambda: _quantity([each.people for each in e], whole=True)),
        "full": e[0].full,
        "groups": _answer(lambda: _answer_groups(e)),
        "posteriors": _answer(lambda: _answer_posteriors(e)),
        "shares": _answer(lambda: e[0].shares),
        "change": _answer(lambda: e[0].change),
    }
    if key_sets:
        result["strata"] = _answer(lambda: _capped_strata(e, key_sets[0]))
    return result


def _capped_strata(e: Sequence[CappedEstimate], names: Sequence[str]) -> dict[str, Any]:
    """The totals of the first strata by the first key column."""
    parts = [each.strata(names) for each in e]
    return {
        "|".join(map(str, key)): _by_answer([p[key] for p in parts], "totals", whole=True)
        for key in parts[0]
    }


def _together(
    estimates: Sequence[Sequence[Any]], key_sets: Sequence[tuple[str, ...]]
) -> dict[str, Any]:
    """The change from the first release to the second, the difference of their rates, and all of them as one."""
    before, after = estimates[0], estimates[1]
    several = isinstance(before[0], HistogramEstimate)
    columns = [None, *(names[0] for names in key_sets if len(names) == 1)]
    result: dict[str, Any] = {
        "change": [_answer(lambda by=by: _change(before, after, by)) for by in columns],
        "difference": _answer(lambda: _difference(before, after)),
    }

    def combined() -> dict[str, Any]:
        both = [dc.combine(*each) for each in zip(*estimates, strict=True)]
        numbers = {
            "whole numbers": _whole_numbers(both[0].adding_up(), key_sets),
            "subtotals": [
                _answer(lambda names=names: _subtotals(both, names)) for names in key_sets
            ],
        }
        if several:
            scores = {answer: place for place, answer in enumerate(both[0].answers)}
            mean = _quantity([each.mean(scores) for each in both])
            return numbers | {"totals": _by_answer(both, "totals", whole=True), "mean": mean}
        total = _quantity([each.total for each in both], whole=True)
        groups = _answer(
            lambda: _table([each.table for each in both], tuple(both[0].fit.finest.names), ESTIMATE)
        )
        return numbers | {
            "total": total,
            "groups": groups,
            "posterior": _answer(lambda: _posterior([each.group(0) for each in both])),
        }

    return result | {"combined": _answer(combined)}


ESTIMATE = ("estimate", "standard_error")


def _change(before: Sequence[Any], after: Sequence[Any], by: str | None) -> dict[str, Any]:
    changes = [b.change(a, by=by, missing="empty") for a, b in zip(before, after, strict=True)]
    names = [name for name in changes[0].keys if name != "answer"]
    result = _table(changes, names, ("change", "standard_error"))
    if hasattr(changes[0], "totals"):
        return result | {"totals": _by_answer(changes, "totals", whole=True)}
    return result | {"total": _quantity([change.total for change in changes], whole=True)}


def _difference(before: Sequence[Any], after: Sequence[Any]) -> list[Any]:
    if isinstance(before[0], HistogramEstimate):
        answer = before[0].answers[0]
        return _quantity([b.difference(a, answer) for a, b in zip(before, after, strict=True)])
    return _quantity([b.difference(a) for a, b in zip(before, after, strict=True)])


def _key_sets(release: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Every set of key columns, and none of them where there are any: the total."""
    names = list(release["levels"][0]["keys"])
    sets = [chosen for k in range(1, len(names) + 1) for chosen in combinations(names, k)]
    return [*sets, ()] if sets else []


def _at(values: Sequence[Any]) -> Iterable[tuple[Any, str]]:
    return zip(values, CONFIDENCES, strict=True)


def _few(rows: int) -> Any:
    """All of a few rows, or about twelve of many."""
    return np.arange(0, rows, 1 if rows <= MOST_ROWS else math.ceil(rows / 12))


def _whole(value: float) -> float:
    """The end of an interval of a total as the whole number that it is; another is left for the comparison to see."""
    return int(value) if value == int(value) else value


def _integers(values: Iterable[Any]) -> list[int]:
    return [int(value) for value in values]


def _floats(values: Iterable[Any]) -> list[float]:
    return [float(value) for value in values]


# --- comparing ----------------------------------------------------------------------------------------------------


def differences(before: Any, now: Any, place: str = "") -> Iterator[str]:
    """What differs: whole numbers and words exactly, other numbers by more than one part in a billion."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in sorted(before.keys() | now.keys()):
            if name in before and name in now:
                yield from differences(before[name], now[name], f"{place}/{name}")
            else:
                yield f"{place}/{name}: {'no longer read' if name in before else 'not recorded'}"
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for row, pair in enumerate(zip(before, now, strict=True)):
            yield from differences(*pair, f"{place}/{row}")
    elif isinstance(before, float) and isinstance(now, float):
        same = math.isclose(before, now, rel_tol=TOLERANCE, abs_tol=TOLERANCE / 10)
        if not same and not (math.isnan(before) and math.isnan(now)):
            yield f"{place}: recorded {before!r}, now {now!r}"
    elif type(before) is not type(now) or before != now:
        yield f"{place}: recorded {before!r}, now {now!r}"


def rounded(value: Any) -> Any:
    """The same with twelve significant digits in every number that is not whole."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def replay(line: Mapping[str, Any]) -> list[str]:
    """Read one recorded set again and say what differs."""
    return [f"{line['name']}{each}" for each in differences(line["numbers"], read(line))]


@cache
def record() -> tuple[dict[str, Any], ...]:
    """The record: each line a set and what was read from it."""
    return tuple(json.loads(line) for line in lzma.decompress(RECORD.read_bytes()).splitlines())


# --- writing the record -------------------------------------------------------------------------------------------


def write() -> None:
    """Make the record anew and say what is in it."""
    start, lines, kinds = time.perf_counter(), [], Counter[str]()
    slow: list[tuple[float, str]] = []
    for case in sets():
        begin = time.perf_counter()
        line = {**case, "numbers": rounded(read(case))}
        slow.append((time.perf_counter() - begin, case["name"]))
        lines.append(json.dumps(line, separators=(",", ":")))
        kinds[case["kind"]] += 1
    data = lzma.compress("\n".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)
    RECORD.write_bytes(data)
    for kind, many in kinds.items():
        seconds_of_kind = sum(seconds for seconds, name in slow if name.rpartition(" ")[0] == kind)
        print(f"{many:4} {kind} ({seconds_of_kind:.1f} s)")
    print(
        f"{len(lines)} sets, {len(data):,} bytes, {time.perf_counter() - start:.0f} s; the slowest:"
    )
    print(*(f"  {seconds:.2f} s {name}" for seconds, name in sorted(slow)[-8:]), sep="\n")


def main(arguments: Sequence[str]) -> int:
    """Write the record, or replay it."""
    if arguments == ["--write"]:
        write()
        return 0
    if arguments:
        print(__doc__)
        return 2
    changes = [difference for line in record() for difference in replay(line)]
    print(*changes[:100], sep="\n")
    print(f"{len(record())} sets, {len(changes)} differences")
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
