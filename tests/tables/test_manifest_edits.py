"""Every value of a manifest edited to every plausible other one, alone and in pairs, with the digests made right again.

Reading either refuses with an error of ours, or what was edited is in the list of what the publisher states (`stated`),
or the edit makes another statement that the bundle proves, which `PROVEN` names with the reason. Nothing else escapes:
not from reading, estimating, showing or reporting.
"""

from __future__ import annotations

import copy
import json
import os
import random
import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import require
from tests.tables.bundles import manifest_of, write_manifest

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.cli import main
from discreet.core.losses import read_prior
from discreet.core.rationals import product_below
from discreet.errors import DiscreetError, InvalidFile, InvalidInput, ProofFailed
from discreet.tables.asking.price import Promise, statement, wording_of
from discreet.tables.published.checking.manifest_checks import loss_named
from discreet.tables.published.manifest import GIVEN, RETROFITTED, Manifest, write_fraction
from discreet.tables.published.manifest_files import parse_manifest, stated

SLOW = bool(os.environ.get("DISCREET_SLOW"))
FIXTURES = Path(__file__).parent.parent / "fixtures"
WARDS = [3, 3, 4, 6]
ROWS = range(sum(WARDS))
PEOPLE = pa.table(
    {
        "who": list(ROWS),
        "region": ["n" if k < 10 else "s" for k in ROWS],
        "ward": [f"w{place}" for place, size in enumerate(WARDS) for _ in range(size)],
        "age": [20 + 10 * (k % 5) for k in ROWS],
        "smoker": [k % 3 == 0 for k in ROWS],
        "ill": [k % 2 == 0 for k in ROWS],
        "diet": [("all", "vegan", "other")[k % 3] for k in ROWS],
    }
)
COUNTS = pa.table({"ward": ["=a", "b"], "patients": [3, 5], "ill": [1, 4]})
DIET = {"answers": ["all", "vegan"], "other": "other", "nulls": "other"}
CAP = {
    "unit": "who",
    "cap": 3,
    "keys": pa.table({"ward": ["w0", "w1", "w2", "w3"]}),
    "excess": "drop",
    "other_keys": "drop",
}
KINDS: dict[str, dict[str, Any]] = {
    "plain": {
        "by": "ward",
        "count": ["smoker", "ill"],
        "epsilon": 3,
        "split": [2, 1],
        "unit": "who",
        "contributions": 3,
        "where": "ward <> 'w9'",
        "properties": "F",
        "prior": "Binomial(0.3)",
        "intervals": "0.9",
        "excess": "drop",
    },
    "answers": {
        "by": "ward",
        "count": {"diet": ["all", "vegan", "other"], "ill": "ill"},
        "epsilon": 2,
        "format": "csv",
    },
    "cells": {
        "by": "ward",
        "count": {"diet": {"answers": ["all", "vegan", "other"], "cells": True}},
        "epsilon": 2,
        "loss": "L2",
    },
    "levels": {
        "by": ["region", "ward"],
        "count": "ill",
        "epsilon": 2,
        "levels": "rollup",
        "adding_up": True,
        "level_properties": {"region": "F"},
    },
    "cap": {"by": "ward", "count": {"ill": "ill", "diet": DIET}, "epsilon": 2, "nulls": "0", **CAP},
    "cap of answers": {"by": "ward", "count": {"diet": DIET}, "epsilon": 2, **CAP},
    "smallest": {
        "by": {"ward": "ward", "band": "age - age % 20"},
        "count": "ill",
        "epsilon": 1,
        "smallest": 2,
    },
    "counts": {
        "by": "ward",
        "count": "ill",
        "size": "patients",
        "epsilon": 1,
        "format": "csv",
        "escape_formulas": True,
    },
    "together": {
        "by": "ward",
        "count": "ill",
        "epsilon": 1,
        "unit": "who",
        "contributions": 2,
        "together": True,
        "format": "jsonl",
    },
}
KEPT = ("release", "release-ranges")
ALL = (*KINDS, "own mechanism", "retrofit", *KEPT)

PROVEN = {
    # several words name one loss or prior, and one that refers to the proof files says what stands there
    "loss": lambda before, after: (
        after == GIVEN or loss_named(after, 3, None) == loss_named(before, 3, None)
    ),
    "prior": lambda before, after: after == GIVEN or read_prior(after, 3) == read_prior(before, 3),
    # other confidences can have the same intervals, which then hold the true count with that confidence
    "confidence": lambda before, after: 0 < Fraction(after) < 1,
    # a mechanism that was given has every property that it is checked for, whichever were asked
    "properties": lambda before, after: True,
}
"""By the last part of a field's path, the values that make another statement that the bundle proves."""


@pytest.fixture(scope="module")
def bundles(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("bundles")
    made = {name: Path(shutil.copytree(FIXTURES / name, folder / name)) for name in KEPT}
    for name, asked in KINDS.items():
        dc.release(COUNTS if "size" in asked else PEOPLE, **asked, output=folder / name)
    by_size = {n: dc.design(n=n, epsilon=1, properties="F") for n in {*WARDS}}
    own = {"by": "ward", "count": "ill", "mechanism": by_size, "properties": "F"}
    dc.release(PEOPLE, **own, output=folder / "own mechanism")
    plain = dc.release(PEOPLE, by="ward", count="ill", epsilon=1, output=folder / "before")
    dc.retrofit(plain).save(folder / "retrofit")
    return made | {name: folder / name for name in (*KINDS, "own mechanism", "retrofit")}


@pytest.fixture
def bundle(request, bundles, tmp_path) -> Path:
    return Path(shutil.copytree(bundles[request.param], tmp_path / "out"))


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value, containers too."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*path, key))


def at(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


def put(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> None:
    """Edit one value; a definition at every level, which must be the same."""
    if value is LEFT_OUT:
        del at(document, path[:-1])[path[-1]]
        return
    at(document, path[:-1])[path[-1]] = value
    if path[-1] == "definition" and path[0] == "levels":
        for level in document["levels"]:
            level["counts"][path[3]]["definition"] = value


LEFT_OUT = object()
"""Edited so, a field is not there."""

STATED_ANYWHERE = (
    "release",
    "created",
    "dataset",
    "caller",
    "question",
    "source",
    "public.where",
    "public.unit",
    "public.size",
    "public.made",
    "public.smallest",
    "contributions",
    "excess.rows",
    "excess.keys",
    "nulls",
    "loss",
    "prior",
    "mechanisms_given",
    "retrofit",
    "escaped",
    "engine",
    "versions",
    *(f"counts.{name}.definition" for name in ("smoker", "smokers", "ill", "diet", "said")),
)
"""All that a bundle may only state, so that the list grows by nothing unseen."""

WRONG_TYPES = (None, True, False, 0, 1, 1.5, float("nan"), [], {}, [""], {"": ""})
NUMBERS = (-1, 2, 3, 10**19, 10**30, 1 << 62)
RATIOS = (
    "9/5",
    "1/1",
    "0/1",
    "1/0",
    "-1/2",
    "2/4",
    "1/2",
    "1/3",
    "99/100",
    "1/100",
    f"1/{10**400}",
    "1000/1",
    "1001/1",
    "0.5",
    "1",
)
TEXTS = (
    "",
    " ",
    "x",
    "not smoker",
    "0",
    "1",
    "refuse",
    "drop",
    "people",
    "counts",
    "duckdb",
    "parquet",
    "csv",
    "L1",
    "0.5",
    "uniform",
    "Binomial(0.4)",
    "Multinomial(1/2, 1/4, 1/4)",
    "F",
    "CM",
    "WH CM",
    "ZZ",
    GIVEN,
    "n",
    "who",
    "ward",
    "ill",
    "smoker",
    "absent",
    "histogram",
    "../x",
    "table.csv",
    "0" * 32,
    "0" * 64,
    "2026-11-19T00:00:00+00:00",
    "2026-13-19T00:00:00+00:00",
    "2026-11-19",
    "a\nb",
    "\x1b[2J",
    "<script>",
    "x" * 10_000,
    "\u202e",
    "; NULL is other",
    "the source's own filter reads age",
)


def other_values(value: Any) -> list[Any]:
    """Plausible other values: of other types, out of range, of the same form, and what stands in other fields."""
    others: list[Any] = [*WRONG_TYPES]
    if isinstance(value, str):
        others += [*TEXTS, f"not {value}", f"{value} ", value.upper(), value[:-1]]
        if "/" in value:
            near = Fraction(value) * (1 + Fraction(1, 10**8)) if value[0].isdigit() else 0
            others += [*RATIOS, f"{near.numerator}/{near.denominator}"]
    elif isinstance(value, int):
        others += [*NUMBERS, value + 1, value - 1]
    elif isinstance(value, list):
        others += [value[:-1], value + value[:1], value[::-1], [*value, "x"], [*value, 1]]
    elif isinstance(value, dict):
        fewer = dict(list(value.items())[1:])
        others += [
            fewer,
            {**value, "x": "y"},
            {**value, "1": 1},
            {**value, "cap": 3},
            {**value, "step": 2},
        ]
        others += [
            dict.fromkeys(value, one)
            for one in (0, "", "x", list(value.values())[-1] if value else None)
        ]
    return [other for other in others if type(other) is not type(value) or other != value]


FOLLOWING = ("contributions_checked", "guarantee", "wording")
"""What follows from other fields, and is made to follow from them unless an edit is of these themselves."""


def masked(document: dict[str, Any], fields: set[str]) -> dict[str, Any]:
    """The document without the fields that the publisher states, and without those that follow from them."""
    bare = copy.deepcopy(document)
    for name in fields:
        parts = name.split(".")
        if parts[0] == "counts":
            for level in bare["levels"]:
                for count in level["counts"]:
                    count.pop("definition", None)
        elif len(parts) > 1:
            bare[parts[0]].pop(parts[1], None)
        else:
            bare.pop(name, None)
    for name in FOLLOWING:
        bare.pop(name, None)
    return bare


def mend(document: dict[str, Any]) -> None:
    """Make what follows from other fields follow from them again, as whoever wants to be believed would."""
    try:
        facts = parse_manifest(document)
    except DiscreetError:
        return
    document["contributions_checked"] = bool(facts.public.unit)
    promise = promise_of(facts)
    document["guarantee"] = statement(promise)
    if "wording" in document:
        document["wording"] = wording_of(promise)


def promise_of(facts: Manifest) -> Promise:
    return Promise(
        epsilon=Fraction(facts.epsilon),
        counts=len(facts.counts),
        contributions=facts.contributions,
        checked=bool(facts.public.unit),
        of_people=facts.source == "people",
        together=any(count.step > 1 for count in facts.counts),
        levels=len(facts.levels),
        histograms=any(count.answers for count in facts.counts),
        cap=facts.cap,
    )


def read(folder: Path, document: dict[str, Any]) -> Any:
    """The release that is read with this manifest; None where it is refused by an error of ours."""
    write_manifest(folder, document)
    try:
        return dc.read_release(folder)
    except (InvalidFile, ProofFailed):
        return None


def use(release: Any) -> None:
    """Read, show and estimate: whatever escapes is an error of ours."""
    assert str(release) and repr(release) and release._repr_html_()
    for count in release.manifest.counts:
        try:
            str(dc.estimate(release.path, count=count.name))
        except DiscreetError:
            continue


def excused(before: dict[str, Any], after: dict[str, Any], paths: list[tuple[Any, ...]]) -> bool:
    """Whether what differs, beyond what the publisher states, is another statement that the bundle proves."""
    for path in paths:
        name = str(path[-1])
        if (
            name in PROVEN
            and name in (at(after, path[:-1]) or ())
            and PROVEN[name](at(before, path), at(after, path))
        ):
            after = copy.deepcopy(after)
            put(after, path, at(before, path))
    return before == after


def judged(bundle: Path, original: dict[str, Any], edits: list[tuple[tuple[Any, ...], Any]]) -> Any:
    """Edit, read and use a manifest; return the release if it was read, and if rightly so."""
    document = copy.deepcopy(original)
    for path, value in edits:
        try:
            put(document, path, value)
        except (KeyError, IndexError, TypeError):  # the other edit took its place away
            return None
    if all(path[-1] not in FOLLOWING for path, _ in edits):
        mend(document)
    release = read(bundle, document)
    if release is None:
        return None
    fields = set(stated(release.manifest))
    bare, was = masked(document, fields), masked(original, fields)
    paths = [path for path, _ in edits]
    assert bare == was or excused(was, bare, paths), f"{edits} was read as if nothing were edited"
    return release


def fields_of(document: dict[str, Any], fields: set[str], path: tuple[Any, ...]) -> set[str]:
    """The stated fields that an edit at this path is about."""
    name = ".".join(map(str, path))
    if path[-1] == "definition":
        count = at(document, path[:-1])["name"]
        return fields & {f"counts.{count}.definition"}
    return {field for field in fields if f"{name}.".startswith(f"{field}.")}


def edits_of(document: dict[str, Any]) -> list[tuple[tuple[Any, ...], list[Any]]]:
    """Every place of a manifest, those of fields that were left out too, with what can be put there instead."""
    places = [(path, other_values(at(document, path))) for path in leaves(document)]
    places += [(path, [LEFT_OUT]) for path in leaves(document) if isinstance(path[-1], str)]
    said = {"of": "", "said": RETROFITTED}
    more = {
        ("adding_up",): [True, False],
        ("mechanisms_given",): [True, False],
        ("retrofit",): [said, {}],
        ("public", "made"): [{document["public"]["keys"][0]: "age"}, {}],
        ("public", "smallest"): [2, 0],
    }
    return places + [
        (path, values) for path, values in more.items() if path[-1] not in at(document, path[:-1])
    ]


@pytest.mark.parametrize(
    ("kind", "bundle"), [(name, name) for name in ALL], indirect=["bundle"], ids=ALL
)
def test_every_value_edited_alone_is_refused_or_listed_as_stated(bundle, kind):
    original = manifest_of(bundle)
    fields = set(stated(dc.read_release(bundle).manifest))
    chance, passed = random.Random(kind), set()
    for path, others in edits_of(original):
        used = False
        for other in others if SLOW else chance.sample(others, min(len(others), 9)):
            release = judged(bundle, original, [(path, other)])
            if release is not None:
                passed |= fields_of(original, fields, path)
                if not used:
                    use(release)
                    used = True
    if SLOW:  # all that is listed can be edited, the rest of it together with another field
        assert fields - passed <= {"contributions", "source", "public.smallest", "retrofit"}


@pytest.mark.parametrize(
    ("kind", "bundle"), [(name, name) for name in ALL], indirect=["bundle"], ids=ALL
)
def test_values_edited_in_pairs_are_refused_or_listed_as_stated(bundle, kind):
    original = manifest_of(bundle)
    places, chance = edits_of(original), random.Random(f"pairs of {kind}")
    free = [
        (path, others) for path, others in places if fields_of(original, set(STATED_ANYWHERE), path)
    ]
    for turn in range(100 if SLOW else 40):
        # half of the pairs have an edit that is likely to pass, so that the other one is what decides
        pair = [chance.choice(places), chance.choice(free if turn % 2 else places)]
        release = judged(bundle, original, [(path, chance.choice(others)) for path, others in pair])
        if release is not None and turn % 8 == 1:
            use(release)


@pytest.mark.parametrize(
    ("kind", "bundle"), [(name, name) for name in ALL], indirect=["bundle"], ids=ALL
)
def test_a_release_whose_stated_fields_are_all_odd_is_shown_and_reported(bundle, kind, capsys):
    original = manifest_of(bundle)
    odd = "<script>\x1b[2J\u202e\n" + "x" * 300
    document = copy.deepcopy(original)
    for path in leaves(original):
        if path[-1] == "definition":
            put(document, path, odd)
    within = document["public"]
    within["where"] = "the source's own filter reads " + odd if "cap" in kind else odd
    if within["unit"]:
        within["unit"] = odd
    document["versions"] = {odd: "\u202e"}
    if kind == "cap of answers":  # where `nulls` does not say it, the definition does
        document["nulls"] = "1"
    mend(document)
    release = read(bundle, document)
    assert release is not None
    use(release)
    page = bundle / "report.html"
    try:
        dc.report(bundle).save(page)
        assert "<script>\x1b" not in page.read_text()
    except DiscreetError:
        assert kind in ("cells", "cap")
    with pytest.raises(SystemExit) as end:
        main(["verify", str(bundle)])
    assert end.value.code == 0 and "\x1b" not in capsys.readouterr().out


KNOWN = [
    ("plain", "confidence", "9/5", "between 0 and 1"),
    ("plain", "confidence", "1/1", "between 0 and 1"),
    ("plain", "created", "x", "a time in UTC"),
    ("plain", "created", "2026-02-30T00:00:00+00:00", "a time in UTC"),
    ("plain", "public.unit", "ward", "must not be a key"),
    ("cells", "confidence", "9/10", "every question has several answers"),
    ("cells", "loss", "junk", "words that name one"),
    ("cap", "nulls", "refuse", "must count a missing answer"),
    ("cap", "public.where", "age > 3", "must be empty with a cap"),
    ("cap", "excess.keys", "refuse", "must be dropped with a cap"),
    ("own mechanism", "loss", "L0", "must not be named"),
    (
        "release-ranges",
        "loss",
        "0.5",
        "must be that of the mechanism",
    ),  # once written out for 10^9 people
]


@pytest.mark.parametrize(
    ("bundle", "field", "value", "said"),
    KNOWN,
    indirect=["bundle"],
    ids=[f"{k[0]} {k[1]} {k[2]}" for k in KNOWN],
)
def test_a_value_out_of_its_range_or_beside_the_others_is_refused_with_its_name_and_rule(
    bundle, field, value, said
):
    document = manifest_of(bundle)
    put(document, tuple(field.split(".")), value)
    mend(document)
    write_manifest(bundle, document)
    with pytest.raises(InvalidFile, match=said) as caught:
        dc.read_release(bundle)
    assert caught.value.parameter == field and caught.value.remedy


@pytest.mark.parametrize("bundle", ["plain"], indirect=True)
def test_verify_lists_what_it_can_only_repeat(bundle, capsys):
    """An inverted definition verifies, and it is said that the publisher states it."""
    document = manifest_of(bundle)
    put(document, ("levels", 0, "counts", 0, "definition"), "not smoker")
    write_manifest(bundle, document)
    for words in ([], ["--json"]):
        with pytest.raises(SystemExit) as end:
            main(["verify", str(bundle), *words])
        assert end.value.code == 0
    text, _, listed = capsys.readouterr().out.partition("{")
    assert "As the publisher states, because nothing in these files shows it:" in text
    assert (
        "  counts.smoker.definition: not smoker\n" in text
        and f"created {document['created']};" in text
    )
    fields = json.loads("{" + listed)["stated"]
    assert fields["counts.smoker.definition"] == "not smoker" and set(fields) <= set(
        STATED_ANYWHERE
    )


@pytest.mark.parametrize("bundle", ["plain"], indirect=True)
def test_how_many_rows_a_person_has_is_stated_and_the_price_rests_on_it(bundle):
    """Three rows a person at epsilon 3 are one row at epsilon 1 to whoever has the draws alone."""
    document = manifest_of(bundle)
    document |= {"contributions": 1, "epsilon": "1/1"}
    each = [Fraction(count["alpha"]) for count in document["levels"][0]["counts"]]
    document["alpha"] = write_fraction(product_below(each, 1))
    mend(document)
    release = read(bundle, document)
    assert release is not None and stated(release.manifest)["contributions"] == 1


@pytest.mark.parametrize("words", [{"loss": "junk"}, {"prior": "Binomial(0.3)"}])
def test_a_word_that_would_be_refused_on_reading_is_refused_before_cells_are_drawn(words):
    """Cells are GM whatever the loss and prior are, so that nothing looked at the words before."""
    with pytest.raises(InvalidInput, match="is not a known"):
        dc.release(PEOPLE, **KINDS["cells"] | words)


def test_as_many_answers_as_can_be_asked_for_are_read_back_with_a_cap(tmp_path):
    """The bundle has one more, for a place that nobody takes."""
    count = {"diet": {**DIET, "answers": ["all", "vegan", *map(str, range(61))]}}
    dc.release(PEOPLE, by="ward", count=count, epsilon=1, **CAP, output=tmp_path / "out")
    assert len(dc.read_release(tmp_path / "out").manifest.counts[0].answers) == 65
