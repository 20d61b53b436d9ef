"""Fixed sets of released outputs, described by plain values alone: nothing here calls the library.

Each is made of Python's own random numbers from a seed, once; the record keeps the outputs themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

ALPHAS = ("77880078307/100000000000", "3/5", "3/8", "1/7", "1/55")
"""Epsilon 1/4, about 1/2, 1, 2 and 4."""
EPSILONS = dict(zip(ALPHAS, ("1/4", "1/2", "1", "2", "4"), strict=True))
WORDS: Mapping[str, Mapping[str, Any]] = {
    "GM": {"kind": "geometric"},
    "EM": {"kind": "fair"},
    "WM": {"kind": "weakly_honest"},
    "RR": {"kind": "randomized_response"},
    "Laplace": {"kind": "laplace"},
    "WH CM": {"kind": "design", "properties": "WH CM"},
    "RH CM S": {"kind": "design", "properties": "RH CM S"},
    "CH": {"kind": "design", "properties": "CH"},
    "F": {"kind": "design", "properties": "F"},
    "L1 WH": {"kind": "design", "properties": "WH", "loss": "L1"},
    "L2 RM": {"kind": "design", "properties": "WH RM", "loss": "L2"},
    "lopsided": {"kind": "design", "properties": "WH CM", "prior": "Binomial(0.2)"},
    "worst case": {"kind": "design", "properties": "WH", "worst_case": True},
    "step 2": {"kind": "design", "step": 2, "properties": "WH"},
    "step 3": {"kind": "design", "step": 3, "properties": "WH"},
}
CLOSED = ("GM", "EM", "WM")
DESIGNED = ("WH CM", "RH CM S", "CH", "F", "L1 WH", "L2 RM", "lopsided", "worst case")


def sets() -> Iterator[dict[str, Any]]:
    """Every set: its kind, its name and its releases."""
    for kind, make in MAKERS.items():
        for number, releases in enumerate(make(Random(f"estimates {kind}"))):
            yield {"kind": kind, "name": f"{kind} {number}", "releases": releases}


Releases = list[dict[str, Any]]


def _one_group(rng: Random) -> Iterator[Releases]:
    """One group: every output of small ones, some of larger ones."""
    for name in CLOSED:
        for alpha in ALPHAS:
            for n in (1, 2, 5, 30):
                for output in (0, n // 3, n) if n == 5 else (n // 3,) if n == 30 else (0, n):
                    yield [_flat(name, alpha, [n], [output])]
    for name in DESIGNED:
        for alpha in ("3/5", "1/7"):
            yield [_flat(name, alpha, [n := rng.choice((3, 5, 7))], [rng.randint(0, n)])]
    for n, output in ((600, 0), (600, 211), (5_000, 5_000), (5_000, 2_017)):
        yield [_flat("GM", "3/5", [n], [output])]
    yield [_flat("EM", "3/5", [600], [37])]


def _few_groups(rng: Random) -> Iterator[Releases]:
    """2 to 20 groups: worst-case intervals, of one size and of mixed sizes."""
    for name in (*CLOSED, *CLOSED, *DESIGNED, "RR", "Laplace"):
        for alpha in rng.sample(ALPHAS, 3):
            groups = rng.choice((2, 3, 5, 8, 13, 19))
            largest = 7 if name in DESIGNED else 12
            sizes = (
                [rng.randint(2, largest)] * groups
                if rng.random() < 0.4
                else _sizes(rng, groups, 1, largest)
            )
            yield [_drawn(rng, name, alpha, sizes, keys=_regions(groups, 2))]
    for name in CLOSED:
        for groups in (2, 20):
            for alpha in ("3/5", "1/7"):
                yield [
                    _drawn(rng, name, alpha, _sizes(rng, groups, 1, 5), keys=_regions(groups, 4))
                ]


def _many_groups(rng: Random) -> Iterator[Releases]:
    """21 to 200 groups, and a few more: the normal limit, and Chernoff's bound where a few groups make up the noise."""
    for name in (*CLOSED, *CLOSED, "WH CM", "L1 WH", "CH", "lopsided", "RR"):
        for alpha in rng.sample(ALPHAS, 3):
            groups = rng.choice((21, 22, 35, 60, 130, 200))
            largest = 6 if name in DESIGNED else 12
            sizes = (
                [rng.randint(2, largest)] * groups
                if rng.random() < 0.3
                else _sizes(rng, groups, 1, largest)
            )
            yield [_drawn(rng, name, alpha, sizes, keys=_regions(groups, rng.choice((2, 5, 7))))]
    for name in CLOSED:  # more sums than are worked out one by one
        yield [_drawn(rng, name, "3/8", _sizes(rng, 404, 1, 5), keys=_regions(404, 202))]
    for name in ("EM", "WM", "RR"):  # noise that grows with n: one or two large groups make it up
        for alpha in ("3/5", "3/8", "1/7"):
            groups = rng.choice((25, 40, 80))
            sizes = [rng.choice((60, 90)), *_sizes(rng, groups - 1, 1, 3)]
            yield [_drawn(rng, name, alpha, sizes, keys=_regions(groups, 2))]


def _mixed_sizes(rng: Random) -> Iterator[Releases]:
    """A heavy tail of sizes, and mechanisms that differ with the size."""
    for alpha in ALPHAS:
        for name in CLOSED:
            groups = rng.choice((10, 30, 60))
            sizes = [min(60, int(1 / (1 - rng.random()) ** 0.9)) for _ in range(groups)]
            yield [_drawn(rng, name, alpha, sizes, keys=_regions(groups, 3))]
    for alpha in ("3/5", "3/8"):
        groups = 24
        sizes = _sizes(rng, groups, 2, 9)
        small, large = (sorted({n for n in sizes if (n < 6) == under}) for under in (True, False))
        mechanisms = [_words("EM", alpha, small), _words("GM", alpha, large)]
        yield [_drawn(rng, "GM", alpha, sizes, keys=_regions(groups, 3), mechanisms=mechanisms)]
    for seed in range(4):
        sizes = [2 + seed % 2] * rng.choice((4, 30))
        yield [_drawn(rng, "GM", "1/2", sizes, mechanisms=[_matrix(sizes[0])])]


def _extreme(rng: Random) -> Iterator[Releases]:
    """All outputs 0, all n, or each one or the other."""
    for name in (*CLOSED, "WH CM", "L1 WH"):
        for alpha in ("77880078307/100000000000", "3/8", "1/55"):
            for pattern in ("none", "all", "both"):
                groups = rng.choice((4, 9, 40))
                sizes = _sizes(rng, groups, 1, 6)
                share = {"none": 0.0, "all": 1.0, "both": 0.5}[pattern]
                outputs = [n if rng.random() < share else 0 for n in sizes]
                yield [_flat(name, alpha, sizes, outputs, keys=_regions(groups, 2))]


def _one_person(rng: Random) -> Iterator[Releases]:
    """Groups of one."""
    for name in (*CLOSED, "RR"):
        for alpha in ALPHAS:
            groups = rng.choice((3, 15, 50))
            yield [_drawn(rng, name, alpha, [1] * groups, keys=_regions(groups, 2))]


def _nobody(rng: Random) -> Iterator[Releases]:
    """Some groups, or all of them, of nobody; a key that is missing."""
    for name in CLOSED:
        for alpha in ("3/5", "1/7"):
            for groups in (2, 8, 45):
                sizes = [rng.choice((0, 0, 1, 4, 7)) for _ in range(groups)]
                keys = _regions(groups, 3)
                keys["region"][0] = None
                yield [_drawn(rng, name, alpha, sizes, keys=keys)]
    yield [_flat("GM", "1/2", [0, 0], [0, 0], keys=_regions(2, 2))]
    yield [_flat("GM", "1/2", [0], [0])]


def _steps(rng: Random) -> Iterator[Releases]:
    """A person with several rows in one group: mechanisms that hide two or three of them."""
    for name in ("step 2", "step 3"):
        for alpha in ("3/5", "3/8", "1/7"):
            for groups in (1, 6, 30):
                yield [
                    _drawn(rng, name, alpha, _sizes(rng, groups, 3, 7), keys=_regions(groups, 2))
                ]


def _rollup(rng: Random) -> Iterator[Releases]:
    """Clinics within regions within a nation; some with a middle level of districts, some without the nation."""
    for name in (*CLOSED, "WH CM", *CLOSED, "GM", "GM", "GM"):
        for alpha in rng.sample(ALPHAS, 4):
            groups = rng.choice((6, 18, 40, 120))
            keys = _regions(groups, rng.choice((2, 3, 6)))
            designed = name in DESIGNED
            sizes = _sizes(rng, groups, 0 if rng.random() < 0.3 else 1, 3 if designed else 9)
            coarser = rng.choice(([["region"], []], [["region"]], [[]]))
            yield [
                _levels(rng, "GM" if designed else name, alpha, sizes, keys, coarser, finest=name)
            ]
    for alpha in ALPHAS:
        groups = 36
        keys = {"area": [f"a{k % 3}" for k in range(groups)], **_regions(groups, 6)}
        yield [
            _levels(
                rng,
                "GM",
                alpha,
                _sizes(rng, groups, 1, 9),
                keys,
                [["area"], ["area", "region"], []],
            )
        ]


def _cube(rng: Random) -> Iterator[Releases]:
    """Two keys that cross, with both margins and the total, or some of them; not every cell exists."""
    for name in ("GM", "EM", "GM", "WM", "GM"):
        for alpha in ALPHAS:
            regions = rng.choice((2, 3, 8, 30))
            cells = [(f"r{r}", sex) for r in range(regions) for sex in "fmx"[: rng.choice((2, 3))]]
            cells = [cell for cell in cells if rng.random() < 0.9] or cells
            keys = {"region": [r for r, _ in cells], "sex": [s for _, s in cells]}
            coarser = rng.choice(([["region"], ["sex"], []], [["region"], ["sex"]], [["sex"], []]))
            yield [_levels(rng, name, alpha, _sizes(rng, len(cells), 1, 8), keys, coarser)]


def _two_releases(rng: Random) -> Iterator[Releases]:
    """Two or three releases of the same groups: changes, differences, and all of them as one."""
    for name in (*CLOSED, "WH CM", *CLOSED, "GM"):
        for alpha in rng.sample(ALPHAS, 3):
            groups = rng.choice((1, 2, 7, 16, 60))
            sizes, keys = _sizes(rng, groups, 1, 6), _regions(groups, 2)
            counts = _true_counts(rng, sizes)
            alphas = [alpha, rng.choice(ALPHAS), rng.choice(ALPHAS)][: rng.choice((2, 2, 3))]
            yield [_drawn(rng, name, a, sizes, keys=keys, counts=counts) for a in alphas]


def _grown(rng: Random) -> Iterator[Releases]:
    """Two releases of groups that grew, shrank, came or went: what changed."""
    for name in (*CLOSED, "GM"):
        for alpha in rng.sample(ALPHAS, 4):
            groups = rng.choice((4, 12, 50))
            releases = []
            for month in (0, 1):
                rows = [k for k in range(groups) if month or k % 4]
                keys = {
                    column: [values[k] for k in rows]
                    for column, values in _regions(groups, 2).items()
                }
                releases.append(_drawn(rng, name, alpha, _sizes(rng, len(rows), 1, 7), keys=keys))
            yield releases


def _level_releases(rng: Random) -> Iterator[Releases]:
    """Releases of several levels, and of levels that only one of them has."""
    for alpha in ALPHAS:
        for coarser in ([["region"], []], [["region"]], []):
            groups = rng.choice((8, 30, 90))
            sizes, keys = _sizes(rng, groups, 1, 7), _regions(groups, 3)
            counts = _true_counts(rng, sizes)
            first = _levels(rng, "GM", alpha, sizes, keys, [["region"], []], counts=counts)
            second = _levels(rng, "GM", rng.choice(ALPHAS), sizes, keys, coarser, counts=counts)
            yield [first, second]
    for alpha in ("3/5", "3/8"):
        sizes, keys = _sizes(rng, 12, 1, 7), _regions(12, 3)
        counts = _true_counts(rng, sizes)
        regions = _levels(rng, "GM", alpha, sizes, keys, [["region"]], counts=counts)["levels"][1]
        yield [_drawn(rng, "GM", alpha, sizes, keys=keys, counts=counts), {"levels": [regions]}]


def _joint(rng: Random) -> Iterator[Releases]:
    """Several answers of a group drawn together."""
    for k, largest in ((3, 4), (4, 3), (3, 3), (3, 4)):
        for alpha in rng.sample(ALPHAS, 4):
            for groups in (1, rng.choice((4, 12)), rng.choice((30, 80))):
                yield [
                    _answered(
                        rng,
                        alpha,
                        _sizes(rng, groups, 1, largest),
                        k,
                        joint=largest,
                        keys=_regions(groups, 2),
                    )
                ]
    for alpha in ("3/5", "1/7"):
        sizes = _sizes(rng, 9, 2, 4)
        yield [_answered(rng, alpha, sizes, 3, joint=4, keys=_regions(9, 2), words={"loss": "L1"})]


def _cells(rng: Random) -> Iterator[Releases]:
    """Several answers drawn cell by cell, and some sizes together."""
    for k in (3, 5, 3):
        for alpha in ALPHAS:
            for groups in (1, rng.choice((5, 14)), rng.choice((25, 90))):
                yield [
                    _answered(
                        rng, alpha, _sizes(rng, groups, 1, 12), k, joint=0, keys=_regions(groups, 3)
                    )
                ]
    for alpha in ALPHAS:
        for groups in (6, 40):
            sizes = [rng.choice((0, 1, 2, 3, 6, 11)) for _ in range(groups)]
            yield [_answered(rng, alpha, sizes, 3, joint=3, keys=_regions(groups, 2))]


def _two_answers(rng: Random) -> Iterator[Releases]:
    """Two answers, of which the first is drawn."""
    for name in CLOSED:
        for alpha in ALPHAS:
            groups = rng.choice((1, 4, 11, 40))
            release = _drawn(rng, name, alpha, _sizes(rng, groups, 1, 8), keys=_regions(groups, 2))
            level = release["levels"][0]
            level["outputs"] = [
                [y, n - y] for y, n in zip(level["outputs"], level["sizes"], strict=True)
            ]
            yield [{"answers": ["no", "yes"], "levels": [level]}]


def _answer_levels(rng: Random) -> Iterator[Releases]:
    """Several answers at several levels: rollups and cubes, together and cell by cell."""
    for joint in (0, 3):
        for alpha in ALPHAS:
            for cube in (False, True):
                groups = rng.choice((6, 18, 45))
                keys = _regions(groups, 3)
                coarser = [["region"], []]
                if cube:
                    keys = {
                        "region": [f"r{k // 2}" for k in range(groups)],
                        "sex": list("fm" * (groups // 2)),
                    }
                    keys["sex"] += ["f"] * (groups % 2)
                    coarser = [["region"], ["sex"], []]
                sizes = _sizes(rng, groups, 1, 3 if joint else 8)
                yield [_answered(rng, alpha, sizes, 3, joint=joint, keys=keys, coarser=coarser)]


def _answer_pairs(rng: Random) -> Iterator[Releases]:
    """Two releases of a question with several answers."""
    for joint in (0, 3):
        for alpha in ALPHAS:
            for coarser in ([], [["region"], []]):
                groups = rng.choice((3, 10, 40))
                sizes, keys = _sizes(rng, groups, 1, 3 if joint else 8), _regions(groups, 2)
                histograms = [_histogram(rng, n, 3) for n in sizes]
                common: dict[str, Any] = {"joint": joint, "keys": keys, "histograms": histograms}
                first = _answered(rng, alpha, sizes, 3, coarser=coarser, **common)
                yield [first, _answered(rng, rng.choice(ALPHAS), sizes, 3, **common)]


def _private_sizes(rng: Random) -> Iterator[Releases]:
    """Private group sizes under a cap: absence is an answer, drawn together or cell by cell."""
    for k, cap, joint in ((2, 3, 3), (1, 4, 0), (2, 8, 0), (3, 12, 0), (1, 20, 0)):
        for alpha in ALPHAS:
            groups = rng.choice((1, 5, 14, 50))
            release = _answered(
                rng, alpha, [cap] * groups, k + 1, joint=joint, keys=_regions(groups, 2)
            )
            answers = [*(f"a{c}" for c in range(k)), "absent"]
            yield [{**release, "answers": answers, "cap": cap}]


def _refused(rng: Random) -> Iterator[Releases]:
    """What has no unbiased estimate, and what cannot be read together."""
    for groups in (1, 5, 30):
        sizes, keys = _sizes(rng, groups, 1, 6), _regions(groups, 2)
        outputs = [n // 2 for n in sizes]
        blind = [{"kind": "uniform", "sizes": sorted(set(sizes))}]
        yield [_flat("GM", "1/2", sizes, outputs, keys=keys, mechanisms=blind)]
        yield [_flat("GM", "1", sizes, [0] * groups, keys=keys)]
        yield [_flat("EM", "99999/100000", [2] * groups, [1] * groups, keys=keys)]
        flat = [
            {
                "kind": "design",
                "alpha": "9/10",
                "properties": "F RM",
                "worst_case": True,
                "loss": "L2",
                "sizes": [4],
            }
        ]
        yield [_flat("GM", "1/2", [4] * groups, [2] * groups, keys=keys, mechanisms=flat)]
        half = [{"kind": "uniform", "sizes": [3]}, _words("GM", "1/2", [5])]
        yield [_flat("GM", "1/2", [3, 5] * groups, [1, 2] * groups, mechanisms=half)]
    one = _drawn(rng, "GM", "1/2", [3, 4, 5], keys=_regions(3, 2))
    yield [one, _drawn(rng, "GM", "1/2", [3, 4, 6], keys=_regions(3, 2))]
    yield [one, _drawn(rng, "GM", "1/2", [3, 4, 5], keys={"clinic": [0, 1, 2]})]
    yield [one, _drawn(rng, "GM", "1/2", [3, 4, 5])]
    yield [_flat("GM", "1/2", [3, 4], [1, 5])]
    yield [_flat("GM", "1/2", [3], [2], mechanisms=[_words("GM", "1/2", [4])])]
    yield [
        {
            "answers": ["a", "b", "c"],
            "levels": [_level([3], [[1, 1, 0]], {}, [_joint_words("1/2", [3], 3)])],
        }
    ]
    yield [
        {"answers": ["a", "b"], "levels": [_level([3], [[1, 1]], {}, [_words("GM", "1/2", [3])])]}
    ]
    blind = [{"kind": "uniform", "sizes": [3]}]
    yield [
        {"answers": ["a", "b", "c"], "levels": [_level([3, 3], [[1, 1, 0], [3, 0, 0]], {}, blind)]}
    ]


MAKERS: Mapping[str, Callable[[Random], Iterator[Releases]]] = {
    "one group": _one_group,
    "few groups": _few_groups,
    "many groups": _many_groups,
    "mixed sizes": _mixed_sizes,
    "extreme outputs": _extreme,
    "groups of one": _one_person,
    "groups of nobody": _nobody,
    "several rows a person": _steps,
    "rollup": _rollup,
    "cube": _cube,
    "several releases": _two_releases,
    "groups that changed": _grown,
    "several releases of levels": _level_releases,
    "answers together": _joint,
    "answers cell by cell": _cells,
    "two answers": _two_answers,
    "levels of answers": _answer_levels,
    "several releases of answers": _answer_pairs,
    "private sizes": _private_sizes,
    "refusals": _refused,
}


def _sizes(rng: Random, groups: int, least: int, most: int) -> list[int]:
    return [rng.randint(least, most) for _ in range(groups)]


def _regions(groups: int, regions: int) -> dict[str, list[Any]]:
    return {"region": [f"r{k % regions}" for k in range(groups)], "clinic": list(range(groups))}


def _words(name: str, alpha: str, sizes: Iterable[int]) -> dict[str, Any]:
    return {**WORDS[name], "alpha": alpha, "sizes": sorted(set(sizes))}


def _joint_words(alpha: str, sizes: Iterable[int], answers: int) -> dict[str, Any]:
    """At a small epsilon only weak honesty makes every histogram an output."""
    shape = {"properties": "WH"} if alpha in ALPHAS[:2] else {}
    return {
        "kind": "joint",
        "categories": answers,
        "alpha": alpha,
        **shape,
        "sizes": sorted(set(sizes)),
    }


def _matrix(n: int) -> dict[str, Any]:
    """A matrix of the caller's own: the truth with chance 1/2, else any answer."""
    rows = [
        [str(Fraction(1, 2) * (i == j) + Fraction(1, 2 * (n + 1))) for j in range(n + 1)]
        for i in range(n + 1)
    ]
    return {"kind": "matrix", "rows": rows, "alpha": str(Fraction(1, n + 2)), "sizes": [n]}


def _level(sizes: Any, outputs: Any, keys: Mapping[str, Any], mechanisms: Any) -> dict[str, Any]:
    return {
        "keys": dict(keys),
        "sizes": list(sizes),
        "outputs": list(outputs),
        "mechanisms": mechanisms,
    }


def _flat(
    name: str, alpha: str, sizes: Any, outputs: Any, *, keys: Any = None, mechanisms: Any = None
) -> Any:
    """A release of one level with these outputs."""
    return {
        "levels": [_level(sizes, outputs, keys or {}, mechanisms or [_words(name, alpha, sizes)])]
    }


def _drawn(
    rng: Random,
    name: str,
    alpha: str,
    sizes: Sequence[int],
    *,
    keys: Any = None,
    counts: Any = None,
    mechanisms: Any = None,
) -> dict[str, Any]:
    """A release of one level: outputs are true counts with geometric noise, whatever mechanism reads them."""
    true = _true_counts(rng, sizes) if counts is None else counts
    return _flat(
        name, alpha, sizes, _noisy(rng, alpha, sizes, true), keys=keys, mechanisms=mechanisms
    )


def _levels(
    rng: Random,
    name: str,
    alpha: str,
    sizes: Sequence[int],
    keys: Mapping[str, list[Any]],
    coarser: Sequence[Sequence[str]],
    *,
    finest: str = "",
    counts: Any = None,
) -> dict[str, Any]:
    """A release of several levels, each with its own alpha."""
    true = _true_counts(rng, sizes) if counts is None else counts
    levels = [
        _level(sizes, _noisy(rng, alpha, sizes, true), keys, [_words(finest or name, alpha, sizes)])
    ]
    for names in coarser:
        of_row, grouped = _grouped(keys, names, len(sizes))
        sums, people = (_sums(of_row, values) for values in (true, sizes))
        other = rng.choice(ALPHAS)
        levels.append(
            _level(people, _noisy(rng, other, people, sums), grouped, [_words(name, other, people)])
        )
    return {"levels": levels}


def _grouped(
    keys: Mapping[str, list[Any]], names: Sequence[str], rows: int
) -> tuple[list[int], dict[str, list[Any]]]:
    """The coarser group of each row, and the keys of these groups."""
    places: dict[tuple[Any, ...], int] = {}
    of_row = [
        places.setdefault(tuple(keys[name][row] for name in names), len(places))
        for row in range(rows)
    ]
    return of_row, {name: [key[place] for key in places] for place, name in enumerate(names)}


def _sums(of_row: Sequence[int], values: Sequence[Any]) -> list[Any]:
    sums: dict[int, Any] = {}
    for place, value in zip(of_row, values, strict=True):
        several = isinstance(value, list)
        before = sums.get(place, [0] * len(value) if several else 0)
        sums[place] = (
            [a + b for a, b in zip(before, value, strict=True)] if several else before + value
        )
    return [sums[place] for place in range(len(sums))]


def _answered(
    rng: Random,
    alpha: str,
    sizes: Sequence[int],
    k: int,
    *,
    joint: int,
    keys: Mapping[str, list[Any]],
    coarser: Sequence[Sequence[str]] = (),
    words: Mapping[str, Any] | None = None,
    histograms: Any = None,
) -> dict[str, Any]:
    """A release of k answers: groups of at most `joint` people are drawn together, others cell by cell."""
    true = [_histogram(rng, n, k) for n in sizes] if histograms is None else histograms
    levels = [_answer_level(rng, alpha, sizes, true, keys, joint, words or {})]
    for names in coarser:
        of_row, grouped = _grouped(keys, names, len(sizes))
        sums, people = _sums(of_row, true), _sums(of_row, sizes)
        levels.append(
            _answer_level(rng, rng.choice(ALPHAS), people, sums, grouped, joint, words or {})
        )
    return {"answers": [f"a{c}" for c in range(k)], "levels": levels}


def _answer_level(
    rng: Random,
    alpha: str,
    sizes: Sequence[int],
    true: Sequence[Any],
    keys: Any,
    joint: int,
    words: Mapping[str, Any],
) -> dict[str, Any]:
    k, outputs = len(true[0]), []
    for n, histogram in zip(sizes, true, strict=True):
        if k == 2:
            first = _noisy(rng, alpha, [n], histogram[:1])[0]
            outputs.append([first, n - first])
        elif 0 < n <= joint:
            outputs.append(_moved(rng, alpha, histogram))
        else:
            outputs.append(_noisy(rng, alpha, [n] * k, histogram))
    together, apart = (
        {n for n in sizes if (k > 2 and 0 < n <= joint) == whole} for whole in (True, False)
    )
    mechanisms = []
    if together:
        mechanisms.append({**_joint_words(alpha, together, k), **words})
    if apart:
        mechanisms.append(_words("GM", alpha, apart))
    return _level(sizes, outputs, keys, mechanisms)


def _histogram(rng: Random, n: int, k: int) -> list[int]:
    """The answers of n people, of whom the first answer has about half."""
    people = [0] * k
    for _ in range(n):
        people[0 if rng.random() < 0.5 else rng.randrange(k)] += 1
    return people


def _moved(rng: Random, alpha: str, histogram: Sequence[int]) -> list[int]:
    """A histogram some of whose people gave another answer."""
    moved = [0] * len(histogram)
    for answer, people in enumerate(histogram):
        for _ in range(people):
            moved[
                rng.randrange(len(moved)) if rng.random() < float(Fraction(alpha)) else answer
            ] += 1
    return moved


def _true_counts(rng: Random, sizes: Sequence[int]) -> list[int]:
    """Counts at a rate that differs between sets."""
    rate = rng.choice((0.05, 0.3, 0.5, 0.9))
    return [sum(rng.random() < rate for _ in range(n)) for n in sizes]


def _noisy(rng: Random, alpha: str, sizes: Sequence[int], counts: Sequence[int]) -> list[int]:
    """Counts with geometric noise, cut to 0..n; no function of the machine's mathematics takes part."""
    return [
        min(max(x + _geometric(rng, alpha) - _geometric(rng, alpha), 0), n)
        for n, x in zip(sizes, counts, strict=True)
    ]


def _geometric(rng: Random, alpha: str) -> int:
    again, steps = min(float(Fraction(alpha)), 0.99), 0
    while rng.random() < again:
        steps += 1
    return steps
