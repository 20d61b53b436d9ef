"""`dc.estimate` from real releases: in memory, from a bundle on disk, and from bundles that somebody meddled with."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conftest import require
from tests.tables.bundles import manifest_of, mend_table, proofs_of, write_manifest, write_proofs

import discreet as dc
from discreet.errors import DiscreetError, InvalidFile, InvalidInput, ProofFailed
from discreet.proof.files import to_bytes

require("tables")

import pyarrow as pa
import pyarrow.parquet


@pytest.fixture(scope="module")
def counts():
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 6, 400)
    return pa.table(
        {
            "region": ["north" if k % 3 else "south" for k in range(400)],
            "clinic": [f"c{k:03d}" for k in range(400)],
            "size": sizes,
            "smokers": rng.binomial(sizes, 0.3),
            "vaccinated": rng.binomial(sizes, 0.8),
        }
    )


@pytest.fixture(scope="module")
def release(counts):
    return dc.release(
        counts,
        by=["region", "clinic"],
        count=["smokers", "vaccinated"],
        size="size",
        epsilon=4,
        split=[3, 1],
        properties="WH",
    )


@pytest.fixture
def folder(release, tmp_path):
    release.save(tmp_path / "out")
    return tmp_path / "out"


def test_a_release_is_read_from_memory_and_from_its_folder_alike(release, folder, counts):
    here, there = (dc.estimate(source, count="smokers") for source in (release, folder))
    assert here.total == there.total
    assert here.groups == 400
    assert here.people == sum(counts["size"].to_pylist())
    assert set(here.by("region")) == {"north", "south"}
    assert sum(part.total.value for part in there.by("region").values()) == pytest.approx(
        there.total.value
    )
    truth = sum(counts["smokers"].to_pylist())
    # six standard errors: a false alarm below 1 in a hundred million
    assert abs(here.total.value - truth) < 6 * here.total.standard_error
    assert here.to_dict()["release"] == release.manifest.release


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
def test_every_format_of_table_is_read(release, tmp_path, format):
    release.save(tmp_path / "out", format=format)
    found = dc.estimate(tmp_path / "out", count="vaccinated")
    assert found.total == dc.estimate(release, count="vaccinated").total
    assert found.by("clinic")["c007"].groups == 1


def test_the_table_of_groups_carries_the_keys(release):
    table = dc.estimate(release, count="smokers").table(prior="estimated")
    arrow = table.to_arrow()
    assert arrow.column_names[:4] == ["region", "clinic", "n", "released"]
    assert arrow["clinic"].to_pylist() == release.table["clinic"].to_pylist()
    assert len(table.to_pandas()) == 400
    assert max(map(len, str(table).splitlines())) <= 80


def test_two_releases_of_the_same_people_are_combined_by_key(counts, release):
    again = dc.release(counts, by=["clinic"], count="smokers", size="size", epsilon=1)
    first = dc.estimate(release, count="smokers")
    other = dc.release(counts, by=["region", "clinic"], count="smokers", size="size", epsilon=1)
    both = dc.combine(first, dc.estimate(other))
    assert both.total.standard_error < first.total.standard_error
    assert dc.combine(first, dc.estimate(again)).total.standard_error < first.total.standard_error
    with pytest.raises(InvalidInput, match="different releases"):
        dc.combine(first, dc.estimate(release, count="smokers"))


@pytest.mark.parametrize("unknown", [None, float("nan")])
def test_a_key_that_is_not_known_is_one_stratum(unknown):
    """NaN equals nothing, not even itself; as a key it is still one value."""
    kinds = pa.array([1.5, unknown, unknown, 2.5] * 10, pa.float64())
    table = pa.table(
        {"kind": kinds, "place": list("aabb") * 10, "ill": [True, False, True, True] * 10}
    )
    first, second = (
        dc.estimate(dc.release(table, by=["kind", "place"], count="ill", epsilon=2))
        for _ in range(2)
    )
    assert sorted(part.groups for part in first.by("kind").values()) == [1, 1, 2]
    assert dc.combine(first, second).total.groups == 4


def test_a_release_with_several_counts_asks_which(release):
    with pytest.raises(InvalidInput, match=r"count.*choose from smokers, vaccinated"):
        dc.estimate(release)
    with pytest.raises(InvalidInput, match="did you mean smokers"):
        dc.estimate(release, count="smoker")


def test_a_count_is_not_the_same_people_counted_again(release):
    """Two counts of one release have keys in common but count different things; the names say so."""
    first, second = dc.estimate(release, count="smokers"), dc.estimate(release, count="vaccinated")
    with pytest.raises(InvalidInput, match="one count"):
        dc.combine(first, second)


def rewrite(folder, change):
    """Edit the table and make the manifest's digest of it right again, as a forger would."""
    file = folder / "table.parquet"
    pyarrow.parquet.write_table(change(pyarrow.parquet.read_table(file)), file)
    mend_table(folder)


def column(table, name, values):
    return table.set_column(table.column_names.index(name), name, pa.array(values))


def edited(folder):
    rewrite(folder, lambda t: column(t, "smokers", [99, *t["smokers"].to_pylist()[1:]]))


def shorter(folder):
    rewrite(folder, lambda t: t.slice(1))


def without_column(folder):
    rewrite(folder, lambda t: t.drop_columns(["smokers"]))


def with_nulls(folder):
    rewrite(folder, lambda t: column(t, "smokers", [None, *t["smokers"].to_pylist()[1:]]))


def with_fractions(folder):
    rewrite(folder, lambda t: column(t, "smokers", [0.5] * 400))


def other_sizes(folder):
    rewrite(folder, lambda t: column(t, "n", [5] * 400))


def changed_table(folder):
    file = folder / "table.parquet"
    table = pyarrow.parquet.read_table(file)
    pyarrow.parquet.write_table(table.slice(0, 10), file)


def missing_proof(folder):
    proofs = proofs_of(folder)
    write_proofs(folder, {name: proofs[name] for name in sorted(proofs)[1:]})


def edited_mechanism(folder):
    proofs = proofs_of(folder)
    name = min(proofs)
    write_proofs(
        folder,
        {**proofs, name: proofs[name].replace(b'"worst_case": false', b'"worst_case": true', 1)},
    )


def swapped_mechanism(folder):
    proofs = proofs_of(folder)
    one, two = sorted(proofs)[:2]
    write_proofs(folder, {**proofs, one: proofs[two]})


def another_mechanism(folder):
    stranger = dc.uniform(n=77)
    write_proofs(folder, {**proofs_of(folder), stranger.id: to_bytes(stranger)})


def changed_proofs(folder):
    with (folder / "proofs.zip").open("ab") as file:
        file.write(b" ")


def missing_proofs(folder):
    (folder / "proofs.zip").unlink()


def missing_table(folder):
    (folder / "table.parquet").unlink()


def missing_manifest(folder):
    (folder / "manifest.json").unlink()


def manifest_of_something_else(folder):
    (folder / "manifest.json").write_text("{}")


@pytest.mark.parametrize(
    ("meddle", "message"),
    [
        (edited, r"outputs.*must be in 0\.\.\d for a group of \d \(row 1\), not 99.*edited"),
        (shorter, "must have the 400 groups its manifest names"),
        (without_column, "table.*column.*smokers"),
        (with_nulls, "column smokers must not hold empty values"),
        (with_fractions, "column smokers must be a list of whole numbers"),
        (other_sizes, "groups of size 1 its manifest names"),
        (changed_table, "not the one the manifest names"),
        (missing_proof, "no proof in the release"),
        (edited_mechanism, "id: .* the file was changed"),
        (swapped_mechanism, "not the one its proof is named after"),
        (another_mechanism, "not drawn from"),
        (changed_proofs, "their file was changed"),
        (missing_proofs, "proofs.*missing"),
        (missing_table, "table.*missing"),
        (missing_manifest, "manifest.*missing"),
        (manifest_of_something_else, "not a discreet release"),
    ],
)
def test_a_bundle_that_was_meddled_with_is_refused_by_name(folder, meddle, message):
    meddle(folder)
    with pytest.raises((InvalidFile, InvalidInput, ProofFailed), match=message):
        dc.estimate(folder, count="smokers")


def test_a_folder_that_is_not_there():
    with pytest.raises(DiscreetError, match="manifest.*missing"):
        dc.estimate("no-such-folder")


def test_a_release_without_groups(release, folder):
    """An empty table with an honest manifest: nothing to estimate, and said so."""
    rewrite(folder, lambda t: t.slice(0, 0))
    manifest = manifest_of(folder)
    manifest["levels"][0].update(groups=0, groups_by_size={})
    write_manifest(folder, manifest)
    with pytest.raises(InvalidInput, match="groups.*must be at least 1"):
        dc.estimate(folder, count="smokers")


def test_strata_by_several_columns_in_a_list_or_one_by_one(release):
    e = dc.estimate(release, count="smokers")
    names = list(release.manifest.keys)
    assert len(names) > 1
    one_by_one, listed = e.by(*names), e.by(names)
    assert list(one_by_one) == list(listed) == list(e.by(tuple(names))) == list(e.strata(names))
    assert all(isinstance(key, tuple) and len(key) == len(names) for key in listed)
    assert list(e.by(names[:1])) == list(e.by(names[0]))  # plain values, as for the name alone
    assert sum(part.groups for part in listed.values()) == e.groups
    for wrong, message in (
        ([], "at least one"),
        (names[:1] * 2, "repeat"),
        ([names], "names of key"),
        ([None], "names of"),
    ):
        with pytest.raises(InvalidInput, match=f"by.*{message}"):
            e.by(wrong)
