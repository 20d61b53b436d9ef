"""Fairness after the fact: numbers that GM released, mapped at random and at no cost."""

import json
import random
from fractions import Fraction

import numpy as np
import pytest
from tests.cli.test_frame import invoke
from tests.conftest import require

import discreet as dc
from discreet.errors import Contradiction, InvalidInput
from discreet.sampler import predictable_words_for_tests_only_NOT_PRIVATE as predictable_words
from discreet.tables.published.manifest import RETROFITTED

require("tables")


@pytest.fixture
def published(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCREET_CACHE", str(tmp_path / "cache"))
    chance = random.Random(3)
    rows = [f"{k % 7},{chance.randint(0, 1)},{chance.randint(0, 1)}" for k in range(30)]
    (tmp_path / "people.csv").write_text("\n".join(["clinic,smoker,old", *rows]) + "\n")
    return dc.release(
        "people.csv", by="clinic", count=["smoker", "old"], epsilon="1/2", output="published"
    )


def test_a_mechanism_becomes_fair_and_its_map_is_exact():
    gm = dc.geometric(n=6, alpha="9/10")
    fair = dc.retrofit(gm)
    assert fair.mechanism == dc.postprocess(gm, fair.map)
    assert fair.mechanism.satisfies("F") and fair.mechanism.privacy == gm.privacy
    assert fair.mechanism.truth(3) == dc.fair(n=6, alpha="9/10").truth(3)
    assert (
        dc.retrofit(gm, "WH").mechanism.score()
        == dc.design(n=6, alpha="9/10", properties="WH", cache=False).score()
    )
    assert str(fair).startswith("GM for n = 6 becomes ")


def test_what_is_drawn_is_the_map(monkeypatch):
    """Of 40,000 zeros each output comes as often as T says, within 5 standard errors (a false alarm in a million runs)."""
    fair = dc.retrofit(dc.geometric(n=4, alpha="9/10"))
    assert type(fair.apply(0)) is int and fair.apply([4, 2])[1] == 2, (
        "inner outputs stay as they are"
    )
    found = np.bincount(fair.apply(np.zeros(40_000, dtype=np.int64)), minlength=5)
    chances = np.array([float(row[0]) for row in fair.map])
    assert (np.abs(found / 40_000 - chances) <= 5 * np.sqrt(chances * (1 - chances) / 40_000)).all()


def test_a_release_becomes_fair(published, tmp_path):
    new = dc.retrofit(published)
    old = published.manifest
    assert new.manifest.release == old.release and new.manifest.epsilon == old.epsilon
    assert new.manifest.guarantee == old.guarantee and new.manifest.properties == "F"
    assert new.manifest.retrofit == {"of": old.finest.table_sha256, "said": RETROFITTED}
    assert " ".join(RETROFITTED.split()) in " ".join(str(new).split())
    saved = new.save("fair")
    again = dc.read_release("fair")
    assert again.table.equals(saved.table) and again.table.column_names == [
        "clinic",
        "n",
        "smoker",
        "old",
    ]
    for size in map(int, old.groups_by_size):
        m = again.mechanism(size, "smoker")
        assert m.satisfies("F") and dc.derives_from_geometric(m)
        assert m == dc.retrofit(published.mechanism(size, "smoker")).mechanism
    assert "every claim holds" in " ".join(invoke("verify", "fair").split())


def test_the_words_are_fresh(published, monkeypatch):
    """The new numbers are drawn by the map from the old ones, with words of the system's taken for them alone."""
    import discreet.sampler

    taken = []

    def fresh():
        taken.append(predictable_words(7))
        return taken[-1]

    monkeypatch.setattr(discreet.sampler, "system_words", fresh)
    new = dc.retrofit(published)
    assert len(taken) == 2, "one source for each count"
    groups = published.manifest.groups
    assert [words.taken for words in taken] == [groups, groups]
    for row_old, row_new in zip(published.table.to_pylist(), new.table.to_pylist(), strict=True):
        n = row_old["n"]
        assert (row_old["clinic"], n) == (row_new["clinic"], row_new["n"])
        for name in ("smoker", "old"):
            made = dc.retrofit(published.mechanism(n, name))
            assert made.map[row_new[name]][row_old[name]] > 0


def test_old_and_new_are_one_piece_of_evidence(published):
    fair = dc.retrofit(published)
    fair.save("fair")
    first, second = dc.estimate(published, count="smoker"), dc.estimate("fair", count="smoker")
    with pytest.raises(
        InvalidInput, match="must be different releases, not the same release twice"
    ):
        dc.combine(first, second)
    with pytest.raises(
        InvalidInput, match="must be different releases, not the same release twice"
    ):
        second.change(first)
    assert np.isfinite(second.total.value)


def test_intervals_are_left_out(published):
    told = dc.release("people.csv", by="clinic", count="smoker", epsilon=1, intervals=0.9)
    assert dc.retrofit(told, "WH").table.column_names == ["clinic", "n", "smoker"]


def test_only_gm_can_be_mapped(published):
    with pytest.raises(InvalidInput, match="must have been released by GM at its own alpha"):
        dc.retrofit(dc.fair(n=4, alpha="1/2"))
    weaker = dc.core.mechanism.Mechanism(
        privacy=dc.Alpha(value=Fraction(1, 4), epsilon=Fraction(3, 2)),
        form=dc.geometric(n=4, alpha="1/2").form,
    )
    with pytest.raises(InvalidInput, match="must have been released by GM at its own alpha"):
        dc.retrofit(weaker)
    with pytest.raises(InvalidInput, match="must have groups of at most 128"):
        dc.retrofit(dc.geometric(n=129, alpha="1/2"))
    with pytest.raises(InvalidInput, match=r"smoker for groups of \d"):
        dc.retrofit(
            dc.release("people.csv", by="clinic", count="smoker", epsilon=1, properties="F")
        )
    with pytest.raises(InvalidInput, match="of one table"):
        dc.retrofit(
            dc.release("people.csv", by="clinic", count="smoker", epsilon=1, levels="rollup")
        )
    with pytest.raises(InvalidInput, match="counts that one person moves by one"):
        dc.retrofit(
            dc.release(
                "people.csv",
                by="clinic",
                count={"smoker": ["0", "1", "2"]},
                epsilon=1,
                read={"types": {"smoker": "VARCHAR"}},
            )
        )
    with pytest.raises(InvalidInput, match="must not be retrofitted already"):
        dc.retrofit(dc.retrofit(published))


def test_a_manifest_cannot_pretend(published):
    """What was not retrofitted cannot say so, and what is said cannot be changed."""
    fair = dc.retrofit(published).save("fair")
    for change in (
        lambda d: d["retrofit"].update(said="fair, even beside the old ones"),
        lambda d: d.update(mechanisms_given=False),
        lambda d: d.pop("mechanisms_given"),
        lambda d: d["retrofit"].pop("of"),
    ):
        document = json.loads((fair.path / "manifest.json").read_text())
        change(document)
        path = fair.path / "manifest.json"
        before = path.read_text()
        path.write_text(json.dumps(document))
        with pytest.raises((Contradiction, InvalidInput)):
            dc.read_release(fair.path)
        path.write_text(before)
    given = dc.release(
        "people.csv",
        by="clinic",
        count="smoker",
        output="given",
        mechanism={n: dc.fair(n=n, epsilon=1) for n in (4, 5)},
    )
    document = json.loads((given.path / "manifest.json").read_text())
    document["retrofit"] = {"of": "0" * 64, "said": RETROFITTED}
    (given.path / "manifest.json").write_text(json.dumps(document))
    with pytest.raises(Contradiction, match="derives from GM"):
        dc.read_release(given.path)


def test_the_command(published):
    said = invoke("retrofit", "published", "-o", "fair", "--format", "csv")
    assert "one piece of evidence" in " ".join(said.split())
    assert dc.read_release("fair").manifest.properties == "F"
    assert "exists already" in invoke("retrofit", "published", "-o", "fair", code=2)
    dc.geometric(n=5, alpha="9/10").save("gm.json")
    assert "proof file: honest.json" in invoke(
        "retrofit", "gm.json", "-p", "WH", "-o", "honest.json"
    )
    assert dc.load("honest.json").satisfies("WH") and "derives from GM" in invoke(
        "verify", "honest.json"
    )
