"""An edited manifest is refused wherever its files show that it was edited; what they cannot show is listed here."""

from __future__ import annotations

import copy
import hashlib
import json
import shutil
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from tests.conftest import require
from tests.tables.bundles import manifest_of, mend_table, write_manifest

require("tables")

import pyarrow as pa
import pyarrow.parquet

import discreet as dc
from discreet.cli import main
from discreet.core.rationals import product_below, read_alpha
from discreet.errors import Contradiction, DiscreetError, InvalidFile, InvalidInput, ProofFailed
from discreet.tables.asking.price import WORDINGS, Promise, statement
from discreet.tables.published.checking.consistency import UNKNOWN
from discreet.tables.published.manifest import write_fraction

FIXTURES = Path(__file__).parent.parent / "fixtures"

GROUPS = [3, 9, 9, 12]
PEOPLE = pa.table(
    {
        "who": list(range(sum(GROUPS))),
        "ward": [f"w{place}" for place, size in enumerate(GROUPS) for _ in range(size)],
        "smoker": [k % 3 == 0 for k in range(sum(GROUPS))],
        "ill": [k % 2 == 0 for k in range(sum(GROUPS))],
    }
)
ASKED = {
    "by": "ward",
    "count": ["smoker", "ill"],
    "properties": "F",
    "prior": "Binomial(0.3)",
    "unit": "who",
}


@pytest.fixture(scope="module", params=["epsilon", pytest.param("alpha", marks=pytest.mark.slow)])
def made(request, tmp_path_factory):
    """A real bundle with most of what a manifest can hold: three draws of each count, intervals, a filter."""
    folder = tmp_path_factory.mktemp("made") / "out"
    price = {"epsilon": 3} if request.param == "epsilon" else {"alpha": "1/20"}
    asked = {
        **ASKED,
        **price,
        "split": [2, 1],
        "contributions": 3,
        "where": "ward <> 'w9'",
        "intervals": "0.9",
    }
    dc.release(PEOPLE, **asked, output=folder)
    return folder


@pytest.fixture
def bundle(made, tmp_path):
    return Path(shutil.copytree(made, tmp_path / "out"))


def verify(folder):
    """The exit code of the command."""
    with pytest.raises(SystemExit) as end:
        main(["verify", str(folder)])
    return end.value.code


def at(manifest, path):
    for key in path:
        manifest = manifest[key]
    return manifest


def changed(manifest, path, value):
    copied = copy.deepcopy(manifest)
    at(copied, path[:-1])[path[-1]] = value
    return copied


def estimate(folder):
    return dc.estimate(folder, count="smoker")


def refused(folder, ways=(dc.read_release, estimate)):
    """Whether it is refused: by reading and by estimating alike."""
    answers = []
    for read in ways:
        try:
            read(folder)
            answers.append(False)
        except (InvalidFile, ProofFailed):
            answers.append(True)
    assert len(set(answers)) == 1
    return answers[0]


def test_a_real_bundle_is_read(made):
    assert not refused(made)
    assert verify(made) == 0


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("public", "unit"), ""),
        (("release",), "june"),
        (("public", "size"), "ward"),
        (("excess", "rows"), ""),
        (("excess", "keys"), "keep"),
        (("nulls",), "drop"),
        (("source",), ""),
        (("loss",), "L"),
        (("prior",), "x"),
        (("escaped",), True),
        (("escaped",), None),
        (("question",), "x"),
        (("proofs",), "../proofs.zip"),
        (("proofs",), ""),
        (("levels", 0, "table"), ""),
        (("levels", 0, "table"), "../table.parquet"),
        (("levels", 0, "share"), "2/2"),
        (("levels", 0, "counts", 0, "share"), "4/6"),
        (("contributions",), 10**30),
    ],
)
def test_words_that_could_not_be_there_are_refused(bundle, path, value):
    write_manifest(bundle, changed(manifest_of(bundle), path, value))
    assert refused(bundle)


@pytest.mark.parametrize(
    "within", [(), ("public",), ("excess",), ("levels", 0), ("levels", 0, "counts", 0)]
)
def test_every_object_has_its_fields_and_no_other(bundle, within):
    manifest = manifest_of(bundle)
    for name in at(manifest, within):
        fewer = copy.deepcopy(manifest)
        del at(fewer, within)[name]
        write_manifest(bundle, fewer)
        assert refused(bundle, (dc.read_release,))
    more = copy.deepcopy(manifest)
    at(more, within)["more"] = "x"
    write_manifest(bundle, more)
    with pytest.raises(InvalidFile, match=r"field (\w|\.|\[|\])*more"):
        dc.read_release(bundle)


@pytest.mark.parametrize(
    "field", sorted(["guarantee", "epsilon", "alpha", "levels", "public", "version"])
)
def test_a_field_left_out_or_added_or_twice_is_refused(bundle, field):
    manifest = manifest_of(bundle)
    write_manifest(bundle, {name: value for name, value in manifest.items() if name != field})
    assert refused(bundle)
    write_manifest(bundle, {**manifest, f"{field}s": manifest[field]})
    assert refused(bundle)
    text = json.dumps(manifest)
    (bundle / "manifest.json").write_text(
        f"{text[:-1]}, {json.dumps(field)}: {json.dumps(manifest[field])}}}"
    )
    with pytest.raises(InvalidFile, match="twice"):
        dc.read_release(bundle)


def stated(manifest, epsilon):
    """Make everything in the manifest say epsilon, as whoever wants to be believed would."""
    edited, before = copy.deepcopy(manifest), Fraction(manifest["epsilon"])
    edited["epsilon"] = write_fraction(Fraction(epsilon))
    draws = []
    for count in edited["levels"][0]["counts"]:
        share = Fraction(count["epsilon"]) / before * Fraction(epsilon)
        draws.append(read_alpha(epsilon=share).value)
        count["epsilon"], count["alpha"] = write_fraction(share), write_fraction(draws[-1])
    together = product_below(draws, edited["contributions"])
    edited["alpha"] = write_fraction(min(read_alpha(epsilon=epsilon).value, together))
    for words in ("exp({})", "epsilon = {} for"):
        told, wanted = words.format(before), words.format(Fraction(epsilon))
        edited["guarantee"] = edited["guarantee"].replace(told, wanted)
    return edited


@pytest.mark.parametrize("epsilon", ["1/100", "2999999999/1000000000", "5"])
def test_another_epsilon_everywhere_in_the_manifest_is_refused_by_the_proofs(bundle, epsilon):
    write_manifest(bundle, stated(manifest_of(bundle), epsilon))
    with pytest.raises(Contradiction, match="mechanism"):
        dc.read_release(bundle)
    assert refused(bundle)
    assert verify(bundle) == 1


def test_a_larger_epsilon_everywhere_and_in_the_proofs_is_refused_by_alpha(bundle):
    """Accounting more than was spent is safe, and still not what was done."""
    manifest = manifest_of(bundle)
    edited = stated(manifest, Fraction(manifest["epsilon"]) * 2)
    edited["alpha"] = manifest["alpha"]
    for count, before in zip(
        edited["levels"][0]["counts"], manifest["levels"][0]["counts"], strict=True
    ):
        count["alpha"] = before["alpha"]
    write_manifest(bundle, edited)
    with pytest.raises(Contradiction, match="alpha"):
        dc.read_release(bundle)


@pytest.mark.parametrize("rows", [1, 2, 6])
def test_another_number_of_rows_a_person_is_refused_though_the_text_says_so_too(bundle, rows):
    manifest = manifest_of(bundle)
    manifest["guarantee"] = manifest["guarantee"].replace(
        "each person has at most 3 rows",
        "each person has one row in one group"
        if rows == 1
        else f"each person has at most {rows} rows",
    )
    write_manifest(bundle, {**manifest, "contributions": rows})
    with pytest.raises(Contradiction, match="come to"):
        dc.read_release(bundle)


def test_a_count_taken_out_everywhere_is_refused(bundle):
    manifest = manifest_of(bundle)
    del manifest["levels"][0]["counts"][1]
    write_manifest(bundle, manifest)
    assert refused(bundle)


def retable(folder, change):
    """Edit the table, and the digest of it."""
    file = folder / "table.parquet"
    pyarrow.parquet.write_table(change(pyarrow.parquet.read_table(file)), file)
    mend_table(folder)


def with_column(table, name, change):
    values = table[name].to_pylist()
    return table.set_column(table.column_names.index(name), name, pa.array(change(values)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda t: with_column(t, "smoker", lambda v: [-1, *v[1:]]),
            r"must be in 0\.\.3 .*row 1\b",
        ),
        (lambda t: with_column(t, "ill", lambda v: [*v[:-1], 13]), r"must be in 0\.\.12 .*row 4\b"),
        (lambda t: with_column(t, "ill", lambda v: [*v[:-1], None]), "must not hold empty"),
        (lambda t: with_column(t, "ill", lambda v: [float(x) for x in v]), "whole numbers"),
        (lambda t: with_column(t, "n", lambda v: [3, 9, 12, 12]), "groups of size|its count"),
        (lambda t: with_column(t, "n", lambda v: [4, 9, 9, 12]), "groups of size 4"),
        (
            lambda t: with_column(t, "ill_low", lambda v: [x + 1 for x in v]),
            "ill_low that does not belong",
        ),
        (
            lambda t: with_column(t, "smoker_estimate", lambda v: [x + 0.01 for x in v]),
            "smoker_estimate",
        ),
        (lambda t: t.slice(1), "4 groups"),
        (lambda t: t.slice(0, 0), "4 groups"),
        (lambda t: pa.concat_tables([t, t]), "4 groups"),
        (lambda t: t.drop_columns(["ill_high"]), "no column ill_high"),
        (lambda t: t.append_column("truth", t["smoker"]), "must have the columns"),
        (lambda t: t.select(["n", "ward", *t.column_names[2:]]), "must have the columns"),
    ],
)
def test_a_table_that_its_manifest_does_not_describe_is_refused(bundle, change, message):
    retable(bundle, change)
    with pytest.raises(Contradiction, match=message):
        dc.read_release(bundle)
    assert verify(bundle) == 1


def test_intervals_of_other_counts_are_refused(tmp_path):
    people = pa.table({"g": [k % 60 for k in range(480)], "b": [k % 2 == 0 for k in range(480)]})
    folder = tmp_path / "out"
    dc.release(
        people, by="g", count="b", epsilon=1, intervals="0.95", output=folder, format="parquet"
    )
    retable(folder, lambda t: with_column(t, "b_low", lambda v: [max(x - 1, 0) for x in v]))
    with pytest.raises(Contradiction, match="b_low that does not belong"):
        dc.read_release(folder)


def test_an_output_that_the_mechanism_never_gives_is_refused(tmp_path):
    """The best answer for L2 at n = 3 never says 0: whoever finds a 0 knows that it was not drawn."""
    people = pa.table({"g": [1, 1, 1, 2, 2, 2], "b": [1, 0, 0, 1, 1, 0]})
    best = dc.design(n=3, epsilon="1/2", loss="L2")
    with pytest.warns(UserWarning, match="cannot be estimated"):
        done = dc.release(people, by="g", count="b", mechanism=best, output=tmp_path / "out")
    (m,) = done.mechanisms.values()
    never = [i for i, chance in enumerate(m.column(0)) if not chance]
    assert never
    retable(tmp_path / "out", lambda t: with_column(t, "b", lambda v: [never[0], *v[1:]]))
    with pytest.raises(Contradiction, match="can give"):
        dc.read_release(tmp_path / "out")


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_tables_of_text_are_checked_alike(tmp_path, format):
    dc.release(PEOPLE, **ASKED, epsilon=1, intervals="0.95", format=format, output=tmp_path / "out")
    dc.read_release(tmp_path / "out")
    file = tmp_path / "out" / f"table.{format}"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:-1]))
    mend_table(tmp_path / "out")
    with pytest.raises(Contradiction, match="4 groups"):
        dc.read_release(tmp_path / "out")


@pytest.mark.parametrize("name", ["release", "release-csv", "release-levels"])
def test_kept_bundles_hold_what_they_say(name, capsys):
    assert verify(FIXTURES / name) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert (
        told.startswith("Verified: ")
        and "No file can show that the table was really drawn so" in told
    )
    assert "whether the table was really drawn" in UNKNOWN
    assert "<" not in told.split("Not protected")[0]  # words for people, not Python's


def test_the_alpha_of_a_release_is_at_most_what_its_draws_come_to(tmp_path):
    """Epsilon 1 in three: what one draw at epsilon 1 has lies above what the three draws come to."""
    asked = {"by": "ward", "count": {"a": "smoker", "b": "ill", "c": "ill = smoker"}, "epsilon": 1}
    dc.release(PEOPLE, **asked, output=tmp_path / "out")
    manifest = manifest_of(tmp_path / "out")
    one = read_alpha(epsilon=1).value
    assert one > Fraction(manifest["levels"][0]["counts"][0]["alpha"]) ** 3
    write_manifest(tmp_path / "out", {**manifest, "alpha": write_fraction(one)})
    with pytest.raises(Contradiction, match="alpha"):
        dc.read_release(tmp_path / "out")


def test_every_kind_of_release_is_what_it_says(tmp_path):
    """Losses and priors by name, by number and by rows, all properties, tables of counts: none is refused as edited."""
    counts = pa.table({"g": [1, 2, 3], "n0": [0, 2, 4], "b": [0, 1, 3]})
    rows = {n: [Fraction(1, n + 1)] * (n + 1) for n in (0, 2, 4)}
    for k, asked in enumerate(
        [
            {"size": "n0", "loss": 0.5},
            {"size": "n0", "loss": 2, "prior": rows, "properties": "F CM"},
            {"size": 4, "loss": "L0,1", "properties": "ODP:9/10 S CH"},
            {"size": 4, "loss": [[abs(i - j) for j in range(5)] for i in range(5)]},
            {"size": 4, "prior": ["1/2", 0, 0, 0, "1/2"], "worst_case": True, "properties": "CH"},
            {"size": 4, "prior": " Uniform", "intervals": "0.5"},
            {"size": 300, "properties": "F"},
            {"size": 2000, "gap": "1/10", "properties": "RM"},
            {"size": "n0", "contributions": 5, "alpha": "9/10"},
        ]
    ):
        price = {} if "alpha" in asked else {"epsilon": "7/5"}
        dc.release(counts, by="g", count="b", **price, **asked, output=tmp_path / str(k))
        dc.read_release(tmp_path / str(k))


def test_wordings_are_frozen():
    """A wording that was published stays as it was: this digest never changes, a new wording gets a new number."""
    whole, of_levels = hashlib.sha256(), hashlib.sha256()
    for epsilon, counts, rows, checked, people in product(
        ("1/2", "3"), (1, 2), (1, 3), (True, False), (True, False)
    ):
        promise = Promise(
            epsilon=Fraction(epsilon),
            counts=counts,
            contributions=rows,
            checked=checked,
            of_people=people,
        )
        whole.update(statement(promise, 1).encode())
        of_levels.update(statement(replace(promise, levels=3), 3).encode())
    assert whole.hexdigest() == "877b10bca37fac132cecea688f01e5061f8cf1e9c1191c86579382735d20c70d"
    assert (
        of_levels.hexdigest() == "298c6b6a7d60f10d1b428e6954ffa250286349fec09f70a1f25d95edaf111775"
    )
    assert {1, 3} <= set(WORDINGS)


def test_a_folder_that_is_no_release_is_another_matter_than_one_that_lies(tmp_path):
    assert verify(tmp_path) == 2
    with pytest.raises(DiscreetError, match="missing"):
        dc.read_release(tmp_path)


def test_a_prior_that_only_looks_uniform_for_one_person_is_not_called_uniform(tmp_path):
    counts = pa.table({"g": ["a", "b"], "n": [1, 30], "c": [1, 7]})
    folder = tmp_path / "out"
    dc.release(
        counts,
        by="g",
        count="c",
        size="n",
        epsilon=1,
        properties="F",
        prior="Binomial(1/2)",
        output=folder,
    )
    manifest = manifest_of(folder)
    write_manifest(folder, manifest | {"prior": "uniform"})
    with pytest.raises(Contradiction, match="prior"):
        dc.read_release(folder)


def test_a_release_with_a_chance_of_very_many_digits_is_read_back(tmp_path):
    counts = pa.table({"g": ["a", "b"], "n": [12, 60], "c": [1, 7]})
    prior = f"Binomial(0.{'1' * 1900})"
    dc.release(
        counts,
        by="g",
        count="c",
        size="n",
        epsilon=1,
        properties="F",
        prior=prior,
        output=tmp_path / "out",
    )
    assert len(dc.read_release(tmp_path / "out").table) == 2
    dc.design(n=60, epsilon=1, properties="F", prior=prior).save(tmp_path / "m.json")
    assert dc.verify(tmp_path / "m.json").optimal
    with pytest.raises(
        InvalidInput, match="digits"
    ):  # what a proof file could not name is refused before it is paid
        dc.release(
            counts,
            by="g",
            count="c",
            size="n",
            epsilon=1,
            properties="F",
            prior=f"Binomial(0.{'1' * 1995})",
        )
