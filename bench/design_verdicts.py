"""What is required of a design's speed, and whether the measurements of `bench/design.py` meet it.

python -m bench.design_verdicts design.json        (verdicts anew from stored measurements)
"""

from __future__ import annotations

import json
import math
import statistics
import sys
from pathlib import Path

CVXPY = ("HIGHS", "CLARABEL", "SCIPY")
PEERS = (*CVXPY, "paper")
Row = dict[str, object]


def geometric_mean(values: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, values))) if values else math.nan


def case(row: Row) -> str:
    """A case in words."""
    privacy = f"alpha {row['alpha']}" if "alpha" in row else f"epsilon {row['epsilon']}"
    return f"{row['loss']}, {{{row['shape']}}}, {privacy}"


def ratio(row: Row, peers: tuple[str, ...] = CVXPY) -> float | None:
    """How many times as long as ours the fastest of some peers takes; None if none of them
    finished.
    """
    times = [row[peer] for peer in peers if peer in row]
    return min(times) / row["ours"] if times else None


def guess(row: Row) -> float:
    """The factor by which the estimate is off."""
    return max(row["ours"] / row["estimate"], row["estimate"] / row["ours"])


def summary(rows: list[Row]) -> str:
    """By size: our times, and the ratios to the fastest of CVXPY's solvers and to the paper's
    LP.
    """
    said = []
    for program, title in ((True, "linear programs"), (False, "closed forms")):
        for n in sorted({row["n"] for row in rows}):
            chosen = [row for row in rows if row["n"] == n and row["program"] == program]
            if not chosen:
                continue
            text = f"{title:<16}n={n:<4}{len(chosen):>3} cases, ours median "
            text += f"{statistics.median(row['ours'] for row in chosen):.6f} s"
            for name, peers in (("fastest CVXPY", CVXPY), ("the paper's LP", ("paper",))):
                found = [value for row in chosen if (value := ratio(row, peers)) is not None]
                if found:
                    text += (
                        f"; {name} / ours: {geometric_mean(found):.1f}x, least {min(found):.1f}x"
                    )
            for word, chosen_by in (("stopped", bool), ("not asked", lambda after: after == 0)):
                cut = [
                    p
                    for row in chosen
                    for p in PEERS
                    if chosen_by(row.get(f"{p} stopped after", None))
                ]
                counts = ", ".join(f"{peer} {cut.count(peer)}" for peer in PEERS if peer in cut)
                text += f"; {word}: {counts}" if counts else ""
            if all("written out" in row for row in chosen):
                whole = [{**row, "ours": row["ours"] + row["written out"]} for row in chosen]
                found = [value for row in whole if (value := ratio(row)) is not None]
                text += (
                    f"; with matrix and multipliers written out {geometric_mean(found):.1f}x"
                    if found
                    else ""
                )
            if program:
                text += f"; estimate off by at most {max(map(guess, chosen)):.1f}x"
            said.append(text)
    return "\n".join(said)


def verdicts(rows: list[Row]) -> list[str]:
    """One line for each requirement: met, not met, or not measured."""
    programs = [row for row in rows if row["program"]]
    said = []
    for n in (20, 40, 60, 100):
        found = [
            (value, case(row))
            for row in programs
            if row["n"] == n and (value := ratio(row)) is not None
        ]
        least = min(found, default=(math.nan, ""))
        said.append(
            _verdict(
                f"n={n}: every linear program faster than the fastest CVXPY solver",
                bool(found) and least[0] > 1 if found else None,
                f"{len(found)} cases, least {least[0]:.2f}x ({least[1]})",
            )
        )
    at_60 = [row for row in programs if row["n"] == 60]
    for words, peers, least in (
        ("at least 3x the fastest CVXPY solver", CVXPY, 3),
        ("at least 6x the paper's LP on HiGHS", ("paper",), 6),
        ("stretch, 10x the fastest CVXPY solver", CVXPY, 10),
    ):
        found = [value for row in at_60 if (value := ratio(row, peers)) is not None]
        mean = geometric_mean(found)
        words = f"n=60: geometric mean of the linear programs {words}"
        said.append(
            _verdict(words, mean >= least if found else None, f"{len(found)} cases, {mean:.2f}x")
        )
    forms = [
        (value, f"n={row['n']}, {case(row)}")
        for row in rows
        if not row["program"] and (value := ratio(row))
    ]
    least = min(forms, default=(math.nan, ""))
    said.append(
        _verdict(
            "closed forms at least 100x the fastest CVXPY solver",
            least[0] >= 100 if forms else None,
            f"{len(forms)} cases, least {least[0]:.0f}x ({least[1]})",
        )
    )
    for n in (60, 100):
        found = [(guess(row), case(row)) for row in programs if row["n"] == n]
        most = max(found, default=(math.nan, ""))
        words = f"n={n}: time said beforehand within a factor of 4"
        said.append(
            _verdict(
                words, most[0] <= 4 if found else None, f"off by at most {most[0]:.2f}x ({most[1]})"
            )
        )
    compared = [row["agree"] for row in rows if "agree" in row]
    said.append(
        _verdict("all proven optimal", all(row["proven"] for row in rows), f"{len(rows)} designs")
    )
    told = f"{sum(map(bool, compared))} of {len(compared)} comparisons"
    said.append(
        _verdict("costs agree with the solvers'", all(compared) if compared else None, told)
    )
    return said


def _verdict(words: str, met: bool | None, numbers: str) -> str:
    return (
        f"not measured  {words}"
        if met is None
        else f"{'MET' if met else 'NOT MET':<12}  {words}: {numbers}"
    )


if __name__ == "__main__":
    measured = json.loads(Path(sys.argv[1]).read_text())
    print(summary(measured), *verdicts(measured), sep="\n")
