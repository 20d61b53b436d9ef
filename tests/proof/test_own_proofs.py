"""Files with own rows: whatever is changed in them is refused, or fails."""

import hashlib
import json

import pytest

import discreet as dc
from discreet.errors import Infeasible, InvalidFile, ProofFailed
from discreet.proof import examine, main
from discreet.proof.files import to_bytes
from discreet.proof.own.impossible_checks import FIELDS
from discreet.proof.reading import sealed

CAP = dc.rows("cap", [({(0, 0): 1}, "<=", "1/2"), ({(1, 0): 2, (3, 0): -1}, ">=", "1/9")])
MADE = to_bytes(dc.design(n=3, alpha="2/3", properties=["WH", CAP], cache=False))


def none_exists() -> bytes:
    with pytest.raises(Infeasible) as info:
        dc.design(
            n=3,
            alpha="2/3",
            properties=["WH", dc.rows("low", [({(1, 1): 1}, "<=", "1/9")])],
            cache=False,
        )
    return info.value.proof.to_bytes()


IMPOSSIBLE = none_exists()


def own(document):
    return next(row for row in document["optimality"]["multipliers"] if row[0] == "own")


def rows(document):
    return document["optimality"]["problem"]["rows"]


def changed(data: bytes, change) -> bytes:
    """The file after a change, with the digests that belong to it: only the mathematics can find it."""
    document = json.loads(data)
    change(document)
    if "matrix" in document:
        document["seal"] = sealed(document)
    else:
        head = {name: document[name] for name in FIELDS[:-1]}
        content = json.dumps(head, sort_keys=True, separators=(",", ":"))
        document["id"] = hashlib.sha256(content.encode()).hexdigest()
        document["seal"] = sealed(document, FIELDS)
    return json.dumps(document).encode()


def test_the_files_hold(tmp_path):
    report = examine(MADE)[0]
    assert report.optimal and any("and the own rows 'cap'" in check for check in report.checks)
    assert examine(IMPOSSIBLE)[0].impossible
    (tmp_path / "none.json").write_bytes(IMPOSSIBLE)
    assert main([str(tmp_path / "none.json")]) == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda d: own(d).__setitem__(4, "7ff"),
        lambda d: own(d).__setitem__(4, "-1"),
        lambda d: own(d).__setitem__(2, 1),
        lambda d: rows(d)[0]["rows"][0].update(least="0"),  # more than the matrix has
        lambda d: rows(d)[0]["rows"][0].update(
            least="-5"
        ),  # less, so that the multipliers prove less
        lambda d: rows(d)[0]["rows"][0]["cells"][0].__setitem__(2, "-1"),
        lambda d: rows(d)[0]["rows"][0]["cells"][0].__setitem__(1, 1),
        lambda d: rows(d)[0]["rows"].reverse(),
    ],
)
def test_a_lie_fails(change):
    with pytest.raises(ProofFailed):
        examine(changed(MADE, change))


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(version=2),
        lambda d: d.update(version=True),
        lambda d: d["optimality"]["problem"].pop("rows"),
        lambda d: d["optimality"]["problem"].update(rows=7),
        lambda d: rows(d)[0].pop("name"),
        lambda d: rows(d)[0].update(name="\x1b"),
        lambda d: rows(d)[0]["rows"].append({"cells": [], "least": "0"}),
        lambda d: rows(d)[0]["rows"].append({"cells": [[0, 4, "1"]], "least": "0"}),
        lambda d: rows(d)[0]["rows"].append({"cells": [[0, 0, "1"], [0, 0, "1"]], "least": "0"}),
        lambda d: rows(d)[0]["rows"].append({"cells": [[0, 0, "1/2"]], "least": "0"}),
        lambda d: d["optimality"]["multipliers"].append(own(d)),  # the same row once more
        lambda d: own(d).__setitem__(1, 1),
        lambda d: own(d).__setitem__(3, 1),
    ],
)
def test_what_the_format_does_not_say_is_refused(change):
    with pytest.raises(InvalidFile):
        examine(changed(MADE, change))


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(bound="1/3"),
        lambda d: d.update(multipliers=[], bound="0/1"),
        lambda d: d["problem"].update(properties=[]),
        lambda d: d["problem"]["rows"][0]["rows"][0].update(least="-8"),
        lambda d: d["multipliers"][0].__setitem__(4, "-1"),
        lambda d: d.update(epsilon="1/100"),
    ],
)
def test_a_false_impossibility_fails(change):
    with pytest.raises(ProofFailed):
        examine(changed(IMPOSSIBLE, change))


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(version=2),
        lambda d: d.update(n=-1),
        lambda d: d.pop("bound"),
        lambda d: d["problem"].pop("rows"),
    ],
)
def test_a_strange_impossibility_is_refused(change):
    document = json.loads(IMPOSSIBLE)
    change(document)
    document["seal"] = sealed(document, tuple(name for name in FIELDS if name in document))
    with pytest.raises((InvalidFile, ProofFailed)):
        examine(json.dumps(document).encode())


def test_damage_is_found():
    document = json.loads(IMPOSSIBLE)
    document["bound"] = "1/3"
    with pytest.raises(ProofFailed, match="seal"):
        examine(json.dumps(document).encode())
    document["seal"] = sealed(document, FIELDS)
    with pytest.raises(ProofFailed, match="id"):
        examine(json.dumps(document).encode())
