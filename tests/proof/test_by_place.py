"""Numbers of large matrices, written once in a proof file and named by their places."""

import copy
import json

import pytest
from tests.proof.proof_files import document_of, resealed

import discreet as dc
from discreet.errors import InvalidFile, ProofFailed
from discreet.proof import examine, sealed
from discreet.proof.by_place import BY_PLACE_FROM
from discreet.proof.files import to_bytes
from discreet.proof.loading import from_bytes
from discreet.proof.reading import MAX_BYTES, MAX_DIGITS


@pytest.fixture(scope="module")
def designed():
    return dc.design(n=BY_PLACE_FROM, alpha="2/3", properties="WH CM", loss="L1", cache=False)


@pytest.fixture
def document(designed):
    return document_of(designed)


def cell_by_cell(document):
    """The same file with each number where it stands."""
    old = copy.deepcopy(document)
    matrix, claim = old["matrix"], old["optimality"]
    texts, numerators = matrix.pop("values"), claim.pop("values")
    matrix["rows"] = [[texts[k] for k in row] for row in matrix["rows"]]
    claim["multipliers"] = [
        [kind, *flat[k : k + 3], numerators[flat[k + 3]]]
        for kind, flat in claim["multipliers"].items()
        for k in range(0, len(flat), 4)
    ]
    return old


def test_a_large_design_is_written_by_place_and_comes_back_whole(designed, document):
    assert isinstance(document["optimality"]["multipliers"], dict)
    distinct = {x for row in designed.form.rows for x in row}
    assert [int(x, 16) for x in document["matrix"]["values"]] == sorted(distinct)
    loaded = from_bytes(to_bytes(designed))
    assert loaded == designed and loaded.id == designed.id
    assert loaded.origin.problem == designed.origin.problem and loaded.origin.optimal
    assert loaded.origin.certificate == designed.origin.certificate
    smaller = dc.design(
        n=BY_PLACE_FROM - 1, alpha="2/3", properties="WH CM", loss="L1", cache=False
    )
    assert "values" not in document_of(smaller)["matrix"]


def test_the_other_way_to_write_it_says_the_same(designed, document):
    old = resealed(cell_by_cell(document))
    assert len(old) > 1.5 * len(to_bytes(designed)), "and the larger n the more"
    assert examine(old)[0] == examine(to_bytes(designed))[0]
    loaded = from_bytes(old)
    assert loaded == designed and loaded.origin.certificate == designed.origin.certificate


def longer(flat):
    flat.append(0)


TAMPERED = {
    "a place that does not exist": lambda d: d["matrix"]["rows"][3].__setitem__(
        4, len(d["matrix"]["values"])
    ),
    "a place below 0": lambda d: d["matrix"]["rows"][3].__setitem__(4, -1),
    "a place that is true": lambda d: d["matrix"]["rows"][3].__setitem__(4, True),
    "a number instead of its place": lambda d: d["matrix"]["rows"][3].__setitem__(4, "1f"),
    "values out of order": lambda d: d["matrix"]["values"].reverse(),
    "a value twice": lambda d: d["matrix"]["values"].insert(0, d["matrix"]["values"][0]),
    "values that are no list": lambda d: d["matrix"].update(values="0"),
    "a value that is none": lambda d: d["matrix"]["values"].__setitem__(0, None),
    "a row too short": lambda d: d["matrix"]["rows"][3].pop(),
    "multipliers in a list": lambda d: d["optimality"].update(multipliers=[["dp", 0, 0, 1, 0]]),
    "multipliers not by fours": lambda d: longer(d["optimality"]["multipliers"]["dp"]),
    "multipliers of a kind in no list": lambda d: d["optimality"]["multipliers"].update(dp=3),
    "a multiplier's place that does not exist": lambda d: d["optimality"]["multipliers"][
        "dp"
    ].__setitem__(3, 10**6),
    "multipliers' values out of order": lambda d: d["optimality"]["values"].reverse(),
    "version 2": lambda d: d.update(version=2),
    "multipliers of places without values": lambda d: d["optimality"].pop("values"),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_what_the_format_does_not_say_is_refused(document, how):
    TAMPERED[how](document)
    with pytest.raises(InvalidFile):
        examine(resealed(document))


@pytest.mark.parametrize("part", ["matrix", "optimality"])
def test_another_number_is_another_claim(document, part):
    values = document[part]["values"]
    k = next(k for k in range(len(values) - 1) if int(values[k], 16) + 1 < int(values[k + 1], 16))
    values[k] = f"{int(values[k], 16) + 1:x}"
    with pytest.raises((ProofFailed, InvalidFile), match="matrix|id|multiplier|optimality"):
        examine(resealed(document))


@pytest.mark.parametrize("kind", ["dp", "cm", "sum"])
def test_a_multiplier_of_another_number_proves_nothing(document, kind):
    flat = document["optimality"]["multipliers"][kind]
    flat[3] = flat[3] - 1 if flat[3] else 1
    with pytest.raises(ProofFailed, match="optimality"):
        examine(resealed(document))


def test_long_numbers_named_in_every_cell_are_refused_before_they_are_put_there(document):
    n = 512
    document["n"] = n
    document["matrix"]["values"] = ["f" * MAX_DIGITS]
    document["matrix"]["rows"] = [[0] * (n + 1)] * (n + 1)
    data = json.dumps(document | {"seal": sealed(document)}).encode()
    assert len(data) < MAX_BYTES // 50
    with pytest.raises(InvalidFile, match="each counted as often as it is named"):
        examine(data)
