"""Designs kept on disk: found by content, checked on load, safe among processes, shown and cleared."""

import json
import os
import pickle
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import discreet as dc
from discreet.core.certificate import read_problem
from discreet.core.mechanism import Mechanism, content_id
from discreet.designer.cache import Store, key, open_store
from discreet.designer.many import design_many
from discreet.proof import examine, sealed
from discreet.proof.files import to_bytes
from discreet.proof.kept import digest_of

ASKED = {"n": 5, "alpha": "10/11", "properties": "CM", "loss": "L1"}


@pytest.fixture
def solved(monkeypatch):
    """How often the linear program was really solved."""
    from discreet.designer.lp import answer

    calls = []
    real = answer.solve_linear
    monkeypatch.setattr(
        answer,
        "solve_linear",
        lambda problem, **more: (calls.append(problem), real(problem, **more))[1],
    )
    return calls


def test_a_design_is_solved_once(tmp_path, solved):
    first = dc.design(**ASKED, cache=tmp_path)
    second = dc.design(**ASKED, cache=tmp_path)
    assert first == second
    assert first.id == second.id
    assert second.origin.certificate == first.origin.certificate
    assert len(solved) == 1
    assert dc.design(**ASKED, cache=False) == first
    assert len(solved) == 2


def test_theorems_need_no_cache(tmp_path):
    dc.design(n=5, alpha="10/11", cache=tmp_path)
    assert Store(folder=tmp_path).to_dict()["designs"] == 0


def test_the_accounted_epsilon_is_the_callers_own(tmp_path):
    first = dc.design(n=5, epsilon=0.5, properties="CM", loss="L1", cache=tmp_path)
    again = dc.design(n=5, alpha=first.alpha, properties="CM", loss="L1", cache=tmp_path)
    assert first.epsilon == dc.Alpha(value=first.alpha, epsilon=first.epsilon).epsilon
    assert again.alpha == first.alpha
    assert again.form == first.form


def test_different_questions_have_different_keys():
    base = read_problem(**ASKED)
    others = [
        read_problem(**{**ASKED, **change})
        for change in (
            {"n": 6},
            {"alpha": "9/10"},
            {"properties": "CM WH"},
            {"properties": "CM ODP:1/2"},
            {"loss": "L2"},
            {"worst_case": True},
            {"prior": "Binomial(1/3)"},
        )
    ]
    assert len({key(p) for p in [base, *others]}) == len(others) + 1
    table = [[abs(i - j) for j in range(6)] for i in range(6)]
    assert key(read_problem(**{**ASKED, "loss": table})) == key(base), (
        "the same costs are the same question"
    )


def only_file(folder) -> Path:
    (path,) = folder.iterdir()
    return path


@pytest.mark.parametrize("damage", ["truncate", "bytes", "lie", "foreign", "empty"])
def test_what_does_not_verify_is_designed_again(tmp_path, solved, damage):
    good = dc.design(**ASKED, cache=tmp_path)
    path = only_file(tmp_path)
    data = path.read_bytes()
    if damage == "truncate":
        path.write_bytes(data[: len(data) // 2])
    elif damage == "bytes":
        path.write_bytes(data.replace(b"dense", b"dunse"))
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "lie":
        document = json.loads(data)
        document["optimality"]["multipliers"].pop()
        document["seal"] = sealed({k: v for k, v in document.items() if k != "seal"})
        path.write_text(json.dumps(document))
    else:
        other = dc.design(**{**ASKED, "loss": "L2"}, cache=tmp_path / "other")
        other.save(path)
        solved.pop()
    assert dc.design(**ASKED, cache=tmp_path) == good
    assert len(solved) == 2
    assert dc.design(**ASKED, cache=tmp_path) == good
    assert len(solved) == 2, "mended on disk too"


def test_a_file_that_its_name_does_not_tell_is_designed_again(tmp_path, solved, monkeypatch):
    good = dc.design(**ASKED, cache=tmp_path)
    named = only_file(tmp_path)
    named.rename(named.with_name(f"{named.name.rpartition('-')[0]}.design.json"))
    verified = counted(monkeypatch)
    assert dc.design(**ASKED, cache=tmp_path) == good
    assert only_file(tmp_path) == named and len(solved) == 2
    assert dc.design(**ASKED, cache=tmp_path) == good
    assert len(solved) == 2 and not verified, "a file that is what its name says is not verified"


def counted(monkeypatch) -> list[bytes]:
    """How often a proof file of the cache was verified whole."""
    from discreet.designer import cache

    calls: list[bytes] = []
    real = cache.unpacked
    monkeypatch.setattr(cache, "unpacked", lambda data: (calls.append(data), real(data))[1])
    return calls


def test_a_design_from_the_cache_is_checked_for_privacy_and_has_its_whole_proof(tmp_path):
    good = dc.design(**ASKED, cache=tmp_path)
    kept = dc.design(**ASKED, cache=tmp_path)
    assert kept.id == content_id(kept.alpha, kept.form) == good.id
    assert kept.origin.certificate == good.origin.certificate and kept.origin.optimal
    assert to_bytes(kept) == to_bytes(good) == only_file(tmp_path).read_bytes()
    dearer = Mechanism(
        privacy=dc.Alpha(value=good.alpha, epsilon=Fraction(1)), form=kept.form, origin=kept.origin
    )
    assert examine(to_bytes(dearer))[0].epsilon == 1, (
        "accounted at another epsilon, it is written anew"
    )
    assert pickle.loads(pickle.dumps(kept)).origin.certificate == good.origin.certificate
    (tmp_path / only_file(tmp_path)).unlink()
    assert examine(to_bytes(kept))[0].optimal, "a design outlives its file"


def test_a_crafted_file_that_is_not_private_is_designed_again(tmp_path, solved):
    good = dc.design(**ASKED, cache=tmp_path)
    path = only_file(tmp_path)
    document = json.loads(path.read_bytes())
    first = document["matrix"]["rows"][0]
    first[0], first[1] = first[1], first[0]
    data = json.dumps(document).encode()
    path.rename(path.with_name(f"{path.name.rpartition('-')[0]}-{digest_of(data)}.design.json"))
    only_file(tmp_path).write_bytes(data)
    assert dc.design(**ASKED, cache=tmp_path) == good
    assert len(solved) == 2 and only_file(tmp_path) == path


def test_it_is_shown_and_cleared(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCREET_CACHE", str(tmp_path / "designs"))
    assert Store().to_dict() == {
        "folder": str(tmp_path / "designs"),
        "designs": 0,
        "bytes": 0,
        "files": [],
    }
    dc.design(**ASKED)
    shown = Store().to_dict()
    assert shown["designs"] == 1
    assert shown["bytes"] > 500
    assert Store().clear() == 1
    assert Store().to_dict()["designs"] == 0
    assert open_store(False) is None


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert dc.design(**ASKED, cache=blocked).origin.certificate.optimal


def test_the_folder_follows_the_users_cache_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("DISCREET_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert Store().place == tmp_path / "discreet" / "designs"


@pytest.mark.slow
def test_processes_share_a_folder(tmp_path):
    code = (
        "import sys, discreet as dc\n"
        "print(*[dc.design(n=n, alpha='10/11', properties='CM', loss='L1', cache=sys.argv[1]).id for n in (4, 5, 6, 4, 5, 6)])"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(dc.__file__).parent.parent)}
    children = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        for _ in range(2)
    ]
    said = {child.communicate(timeout=300)[0] for child in children}
    assert all(child.returncode == 0 for child in children)
    assert len(said) == 1
    assert sorted(path.suffixes for path in tmp_path.iterdir()) == [[".design", ".json"]] * 3, (
        "nothing half-written"
    )


def test_many_sizes_are_what_single_designs_are(tmp_path):
    said = []
    found = design_many(
        [6, 3, 3, 0, 5],
        alpha="10/11",
        properties="CM",
        loss="L1",
        cache=tmp_path,
        progress=said.append,
    )
    assert list(found) == [0, 3, 5, 6]
    assert [event.done for event in said if event.total == 4][-1] == 4 and said[-1].left == 0
    for n, m in found.items():
        assert m == dc.design(n=n, alpha="10/11", properties="CM", loss="L1", cache=False)
    with pytest.raises(dc.DiscreetError, match="sizes"):
        design_many([-1], alpha="1/2")
    assert design_many([], alpha="1/2") == {}


@pytest.mark.slow
def test_many_sizes_use_processes_without_a_main_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import discreet.designer.many as many\n"
        "many.WORTH_A_PROCESS = 0\n"
        "found = many.design_many([4, 5, 6, 7], alpha='10/11', properties='CM', loss='L1', cache=False, workers=2)\n"
        "print(*[m.id for m in found.values()])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(dc.__file__).parent.parent)}
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=True,
    )
    expected = [
        dc.design(n=n, alpha="10/11", properties="CM", loss="L1", cache=False).id
        for n in (4, 5, 6, 7)
    ]
    assert done.stdout.split() == expected


@pytest.mark.slow
def test_an_error_in_a_worker_reaches_the_caller(monkeypatch):
    monkeypatch.setattr("discreet.designer.many.WORTH_A_PROCESS", 0)
    with pytest.raises(dc.DiscreetError, match="no proof of optimality"):
        design_many(
            [40, 41],
            alpha="10/11",
            properties="CM RM",
            loss="L1",
            cache=False,
            workers=2,
            seconds=0,
        )
