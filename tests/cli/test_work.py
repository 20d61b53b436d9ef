"""The main job from the command line: plan, release, estimate, verify, draw, and a whole run from a file."""

import json
import random
import re
import shlex
import tomllib
from datetime import date
from pathlib import Path

import pytest
from tests.cli.test_frame import invoke, run
from tests.conftest import require

import discreet as dc
import discreet.proof.loading
from discreet.cli.config import SETTINGS

require("tables")


@pytest.fixture
def people(tmp_path, monkeypatch):
    """A small population, in a folder of its own that is also where commands run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCREET_CACHE", str(tmp_path / "cache"))
    chance = random.Random(5)
    rows = [
        f"{k},{k % 30:02d},{'north' if k % 30 < 15 else 'south'},{int(chance.random() < 0.4)},{chance.randint(15, 90)}"
        for k in range(240)
    ]
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["person,clinic,region,smoker,age", *rows]) + "\n")
    return path


ASKED = [
    "people.csv",
    "--by",
    "region",
    "--by",
    "clinic",
    "--count",
    "smoker",
    "--epsilon",
    "1",
    "-p",
    "F",
    "--unit",
    "person",
]


@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize(("name", "proofs"), [("release", 6), ("release/proofs.zip", 6)])
def test_each_proof_is_verified_once(monkeypatch, name, proofs, options):
    """By the verifier, that is: building the mechanism checks once more, in code of its own."""
    seen = []

    def examine(data, **how):
        seen.append(data)
        return verifier(data, **how)

    verifier = discreet.proof.examine
    for module in (discreet.proof, discreet.proof.loading):
        monkeypatch.setattr(module, "examine", examine)
    told = invoke("verify", str(Path(__file__).parent.parent / "fixtures" / name), *options)
    assert len(seen) == len(set(seen)) == proofs
    if options:
        assert len(json.loads(told)["proofs"]) == proofs


def test_levels_from_the_shell_and_from_a_file(people, tmp_path):
    asked = [
        *ASKED,
        "--levels",
        "region,clinic",
        "--levels",
        "total",
        "--level-split",
        "total=0.2",
        "-o",
        "out",
    ]
    asked += ["--level-properties", "total=WH"]
    text = invoke(
        "plan", *ASKED, "--levels", "rollup", "--level-importance", "total=2", "--details"
    )
    assert "a tenth of epsilon more, or less" in text and "more for region" in text
    invoke("release", *asked, "--save-config", "levels.toml")
    settings = tomllib.loads((tmp_path / "levels.toml").read_text())
    assert settings["levels"] == [["region", "clinic"], []] and settings["level_split"] == {
        "total": "0.2"
    }
    assert settings["level_properties"] == {"total": "WH"}
    text = invoke("release", "--config", "levels.toml")
    assert "levels, and their groups: region, clinic 30; total 1" in text
    levels = dc.read_release("out").manifest.levels
    assert [(level.share, level.properties) for level in levels] == [
        ("4/5", levels[0].properties),
        ("1/5", "WH"),
    ]
    text = invoke("verify", "out")
    assert (
        "as their manifest and proofs say" in text and "the other levels likewise (total 1)" in text
    )
    told = json.loads(invoke("plan", "--config", "levels.toml", "--json"))
    assert [level["share"]["exact"] for level in told["levels"]] == ["4/5", "1/5"]
    wrong = (tmp_path / "levels.toml").read_text().replace('[["region", "clinic"], []]', "3")
    (tmp_path / "wrong.toml").write_text(wrong)
    assert "'levels' must be text or a list, not 3" in invoke(
        "plan", "--config", "wrong.toml", code=2
    )


def test_plan_release_estimate_verify(people, tmp_path):
    assert "epsilon 1 in total" in invoke("plan", *ASKED)
    invoke("ledger", "open", "budget.db", "clinics", "--budget", "1")
    text = invoke("release", *ASKED, "--ledger", "budget.db", "--dataset", "clinics", "-o", "out")
    assert "30 groups" in text and "folder: " in text
    assert "budget clinics: 1 spent now, 0 of 1 left" in text
    assert "as their manifest and proofs say" in invoke("verify", "out")
    for command, phases in (
        ("verify out", "checking proofs"),
        ("estimate out", "estimating"),
        ("report out -o report.html", "writing the report"),
    ):
        assert f'"phase": "{phases}"' in invoke(*command.split(), "--progress", "json")
    assert "Verified: every claim of the proof file holds" in invoke("verify", "out/proofs.zip")
    assert "total" in invoke("estimate", "out")
    facts = json.loads(invoke("estimate", "out", "--json"))
    assert (
        facts["people"] == 240
        and facts["total"]["low"] <= facts["total"]["value"] <= facts["total"]["high"]
    )
    regions = invoke("estimate", "out", "--by", "region")
    in_python = str(dc.estimate("out").subtotals("region"))
    shown, python = ([line.split() for line in text.splitlines()] for text in (regions, in_python))
    for row, same in zip(shown[3:5], python[2:4], strict=True):
        assert (row[:2], row[2:5], row[6]) == (same[:2], same[3:6], same[2]), (
            "the same numbers as in Python"
        )
    both = invoke("estimate", "out", "--by", "region", "--by", "clinic")
    assert (
        re.search(r"^  region +clinic +n +95% interval +number *\n  north +00 ", both, re.MULTILINE)
        and len(re.findall(r"^  (?:north|south) ", both, re.MULTILINE)) == 30
    )
    assert both.endswith("  Fewer rows: --by region. The whole table as a file: --csv FILE.\n")
    assert "Fewer rows" not in regions
    listed = json.loads(invoke("estimate", "out", "--by", "region", "--by", "clinic", "--json"))
    assert listed[0]["keys"] == {"region": "north", "clinic": "00"} and len(listed) == 30
    quoted = dc.estimate("out").quotable("region", "clinic").to_dict()["rows"]
    for row, said in zip(listed, quoted, strict=True):
        assert row["keys"] == {"region": said["region"], "clinic": said["clinic"]}
        told = {name: said[name] for name in ("number", "low", "high", "interval")}
        assert row["to_quote"] == told, "a script is told what the terminal shows"
        assert row["to_quote"]["interval"] == "95% credible"
    of_sums = json.loads(invoke("estimate", "out", "--by", "region", "--json"))
    by_region = dc.estimate("out").quotable("region").to_dict()["rows"]
    for row, said in zip(of_sums, by_region, strict=True):
        assert (
            row["keys"]["region"] == said["region"]
            and row["to_quote"]["interval"] == "95% confidence"
        )
        assert row["to_quote"]["number"] == said["number"], "of a sum, too"
        assert (row["to_quote"]["low"], row["to_quote"]["high"]) == (
            row["total"]["low"],
            row["total"]["high"],
        )
    said = "Not protected: region, clinic and the size of each group (n) are published as they are."
    assert said in text and said in " ".join(invoke("plan", *ASKED).split())
    left = json.loads(invoke("ledger", "show", "budget.db", "--json"))
    assert left[0]["remaining"]["exact"] == "0"
    asked = ["nothere.csv", *ASKED[1:]]  # the budget is asked before the table is looked for
    refused = invoke(
        "release", *asked, "--ledger", "budget.db", "--dataset", "clinics", "-o", "out2", code=3
    )
    assert "remains" in refused and not (tmp_path / "out2").exists()


def test_whole_numbers_and_changes_from_the_shell(people):
    invoke("release", *ASKED, "-o", "may")
    invoke("release", *ASKED, "-o", "june")
    tables = json.loads(invoke("estimate", "may", "--adding-up", "--json"))["tables"]
    assert [sum(row["smoker"] for row in table["rows"]) for table in tables] == [
        tables[0]["rows"][0]["smoker"]
    ] * 3
    assert "Do not print one alone" in invoke("estimate", "may", "--adding-up")
    by_region = invoke("estimate", "may", "--adding-up", "--by", "region", "--csv", "whole.csv")
    assert "'smoker' by region" in by_region and "Do not print one alone" in by_region
    assert Path("whole.csv").read_text(encoding="utf-8").startswith("region,n,smoker\nnorth,")
    told = invoke("estimate", "june", "--change-from", "may", "--csv", "change.csv")
    assert (
        "change.csv: 30 rows of changes" in told
        and "would exclude it even if nothing had changed" in " ".join(told.split())
    )
    assert len(Path("change.csv").read_text(encoding="utf-8").splitlines()) == 31
    assert (
        told.startswith("Change of 'smoker' from may to june\n  all groups: ")
        and "above 0 there are more in the second" in told
    )
    assert (
        len(json.loads(invoke("estimate", "june", "--change-from", "may", "--json"))["rows"]) == 30
    )
    assert "--change-from must be different releases" in invoke(
        "estimate", "may", "--change-from", "may", code=2
    )
    by_region = invoke("estimate", "june", "--change-from", "may", "--by", "region")
    assert "more in the second" in by_region and "clinic" not in by_region
    refused = invoke("estimate", "june", "--change-from", "may", "--adding-up", code=2)
    assert "--change-from is for counts of people" in refused and "leave out --adding-up" in refused


def test_keys_made_of_columns_from_the_shell_and_from_a_file(people):
    asked = [
        *ASKED[:1],
        "--by-as",
        "first",
        "clinic[1]",
        "--by",
        "first",
        "--by",
        "region",
        "--count",
        "smoker",
    ]
    invoke("release", *asked, "--epsilon", "1", "-o", "out", "--save-config", "asked.toml")
    assert '"first" = "clinic[1]"' in Path("asked.toml").read_text(encoding="utf-8")
    told = invoke("release", "--config", "asked.toml")
    assert (
        "Not protected: first = clinic[1], region and the size of each group (n) are published"
        in told
    )
    told = invoke(
        "plan", *ASKED[:1], "--by-as", "b", "smoker", "--count", "smoker", "--epsilon", "1", code=2
    )
    assert "--by-as must not use a column that a count reads" in told


def test_what_a_release_does_not_have_is_refused_before_it_is_read(people):
    """Its proofs are not checked first, which may take long: nothing is said but the refusal."""
    invoke("release", *ASKED, "-o", "out")
    said = invoke("estimate", "out", "--by", "age", "--progress", "json", code=2)
    assert (
        said.startswith("error: --by must name a key column of the release, not age: choose from")
        and "{" not in said
    )
    invoke("release", *ASKED[:5], "--count-as", "old", "age > '64'", *ASKED[7:], "-o", "other")
    said = "error: --change-from must have a count of the same name, smoker (other): it has old"
    assert invoke("estimate", "out", "--change-from", "other", code=2).strip() == said


def test_a_total_that_is_exact_is_called_so(people):
    asked = [*ASKED[: ASKED.index("--epsilon")], "--unit", "person", "--epsilon"]
    plan = " ".join(invoke("plan", *asked, "100").split())
    assert "Total: exact (in 95% of draws; its interval will still reach ±1)." in plan
    assert "Total: usable if half say yes" in " ".join(invoke("plan", *asked, "1").split())


def test_an_output_is_not_overwritten_unless_told(people):
    invoke("release", *ASKED, "-o", "out")
    assert "out" in invoke("release", *ASKED, "-o", "out", code=2)
    invoke("release", *ASKED, "-o", "out", "--overwrite")


@pytest.mark.parametrize(
    ("kind", "header"), [("csv", "region,clinic,other"), ("csv", "clinic,region"), ("parquet", "")]
)
def test_keys_from_a_file_make_empty_groups_appear(people, kind, header):
    rows = [("north" if k < 15 else "south", f"{k:02d}", "x") for k in range(30)] + [
        ("south", "99", "x")
    ]
    if kind == "csv":
        order = [("region", "clinic", "other").index(name) for name in header.split(",")]
        lines = [header, *(",".join(row[place] for place in order) for row in rows)]
        (people.parent / "keys.csv").write_text("\n".join(lines) + "\n")
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns = {"region": [row[0] for row in rows], "clinic": [row[1] for row in rows]}
        pq.write_table(pa.table(columns), people.parent / "keys.parquet")
    done = json.loads(invoke("release", *ASKED, "-o", "out", "--keys", f"keys.{kind}", "--json"))
    assert done["groups"] == 31
    table = dc.read_release("out").table.to_pylist()
    assert table[-1] == {"region": "south", "clinic": "99", "n": 0, "smoker": 0}


def test_keys_of_a_typed_column_take_its_type_from_the_source(people):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(
        pa.table({"clinic": [1, 1, 2], "smoker": [True, False, True]}),
        people.parent / "people.parquet",
    )
    (people.parent / "keys.csv").write_text("clinic\n1\n2\n3\n")
    asked = ["people.parquet", "--by", "clinic", "--count", "smoker", "--epsilon", "1"]
    invoke("release", *asked, "-o", "out", "--keys", "keys.csv")
    assert dc.read_release("out").table["clinic"].to_pylist() == [1, 2, 3]


def test_a_plan_takes_the_file_of_a_release(people):
    invoke(
        "release",
        *ASKED,
        "-o",
        "out",
        "--overwrite",
        "--format",
        "csv",
        "--save-config",
        "release.toml",
    )
    assert "30 groups" in invoke("plan", "--config", "release.toml")


def test_a_whole_run_from_a_file(people):
    words = [
        "--count-as",
        "old",
        "age > 64",
        "--type",
        "age=INTEGER",
        "--split",
        "smoker=2",
        "--split",
        "old=1",
        "-o",
        "out",
        "--format",
        "csv",
    ]
    assert "release.toml" in invoke("release", *ASKED, *words, "--save-config", "release.toml")
    saved = tomllib.loads((people.parent / "release.toml").read_text())
    assert saved["count"] == {"smoker": "smoker", "old": "age > 64"} and saved["by"] == [
        "region",
        "clinic",
    ]
    invoke("release", "--config", "release.toml")
    header = next((people.parent / "out").glob("*.csv")).read_text().splitlines()[0]
    assert header == "region,clinic,n,smoker,old"
    # what is typed wins over the file
    done = json.loads(
        invoke("release", "--config", "release.toml", "-o", "other", "--epsilon", "2", "--json")
    )
    assert done["path"].endswith("other") and done["epsilon"] in ("2", "2/1")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("epsiln = 1", "did you mean epsilon?"),
        ("= 1", "must be TOML"),
        ("by = 'clinic'", "'source' is needed"),
        ("\xff", "must be TOML"),
    ],
)
def test_a_bad_config_is_named(people, text, hint):
    (people.parent / "bad.toml").write_bytes(text.encode("latin-1"))
    assert hint in invoke("release", "--config", "bad.toml", code=2)


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_a_setting_of_another_kind_is_refused(people, name):
    kinds = {
        str: '"x"',
        int: "3",
        float: "1.5",
        bool: "true",
        list: "[[1]]",
        dict: "{a = 1}",
        date: "1979-05-27",
    }
    start = {
        "source": '"people.csv"',
        "by": '"clinic"',
        "count": '"smoker"',
        "epsilon": "1",
        "output": '"out"',
    }
    for kind in kinds.keys() - set(SETTINGS[name]):
        lines = [f"{key} = {value}" for key, value in (start | {name: kinds[kind]}).items()]
        (people.parent / "odd.toml").write_text("\n".join(lines))
        text = invoke("release", "--config", "odd.toml", code=2)
        assert text.startswith(f"error: '{name}' must be ") and not (people.parent / "out").exists()


def test_errors_about_data_show_no_values(people):
    people.write_text("person,clinic,smoker\n1,a,7\n2,a,1\n")
    text = invoke(
        "release",
        "people.csv",
        "--by",
        "clinic",
        "--count",
        "smoker",
        "--epsilon",
        "1",
        "-o",
        "out",
        code=2,
    )
    assert "7" not in text.replace("row", "") and "column '" in text
    assert not (people.parent / "out").exists()


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (
            ["people.csv", "--by", "clinc", "--count", "smoker", "--epsilon", "1"],
            "did you mean clinic?",
        ),
        (["peple.csv", "--by", "clinic", "--count", "smoker", "--epsilon", "1"], "people.csv"),
        (["people.csv", "--by", "clinic", "--count", "smoker", "--epsilon", "0"], "epsilon"),
        (["people.csv", "--by", "clinic", "--count", "sum(smoker)", "--epsilon", "1"], "count"),
        (
            ["people.csv", "--by", "clinic", "--count", "smoker", "--epsilon", "1", "--split", "x"],
            "NAME=VALUE",
        ),
    ],
)
def test_mistakes_about_a_table(people, words, hint):
    assert hint in invoke("release", *words, "-o", "out", code=2)


def test_a_release_that_would_not_be_kept_is_refused_before_it_spends(people, tmp_path):
    invoke("ledger", "open", "budget.db", "clinics", "--budget", "1")
    assert "--output is needed" in invoke("release", *ASKED, "--ledger", "budget.db", code=2)
    assert (
        json.loads(invoke("ledger", "show", "budget.db", "--json"))[0]["remaining"]["exact"] == "1"
    )


def test_design_saves_a_proof_that_verifies(people):
    assert "proof file: m.json" in invoke(
        "design", "-n", "5", "--alpha", "10/11", "-p", "WH CM", "--loss", "L1", "-o", "m.json"
    )
    assert "Verified: every claim of the file holds" in invoke("verify", "m.json")
    facts = json.loads(
        invoke("design", "-n", "5", "--alpha", "10/11", "-p", "WH CM", "--loss", "L1", "--json")
    )
    assert (
        facts["optimal"] is True
        and facts["alpha"]["exact"] == "10/11"
        and facts["id"] == dc.load("m.json").id
    )
    spoilt = (people.parent / "m.json").read_text().replace('"WH"', '"F"')
    (people.parent / "m.json").write_text(spoilt)
    assert "FAILED" in invoke("verify", "m.json", code=1)


def test_recommend_and_compare(people):
    asked = ["recommend", "-n", "8", "--epsilon", "0.5", "-p", "F"]
    brief, full = invoke(*asked), invoke(*asked, "--details")
    assert "explicit fair mechanism" in full and "Lemma" in full
    assert (
        "As you asked (F), use the best fair noise (EM)" in brief
        and "make it with: discreet design --n 8 --epsilon 0.5 -p F" in brief
    )
    assert not re.search(r"Lemma|Theorem|alpha|L0|\bWM\b|\bUM\b", brief), (
        "no words of the paper on the first screen"
    )
    text = invoke("compare", "GM", "WH CM", "-n", "4", "--alpha", "10/11", "--csv", "table.csv")
    assert "GM" in text and (people.parent / "table.csv").exists()
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.slow
def test_plot_writes_a_picture(people):
    require("plots")
    for name in ("EM", "GM"):
        invoke("plot", name, "-n", "4", "--epsilon", "1", "-o", f"{name}.png")
        assert (people.parent / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_the_cache_can_be_shown_and_cleared(people):
    invoke("design", "-n", "5", "--alpha", "10/11", "-p", "WH CM")
    assert "1" in invoke("cache", "show")
    assert "1 design" in invoke("cache", "clear")


_CHANCE = re.compile(r"\b[0-9a-f]{8}\b|\d[\d,.]*")
"""What another draw changes: numbers, and the id of a release."""


@pytest.mark.smoke
@pytest.mark.slow
def test_the_demo_prints_what_its_commands_print_when_they_are_typed_again(tmp_path):
    """In the folder that it leaves, in its order, as they stand: only what the noise decides may differ."""
    shown = run("demo", "-o", str(tmp_path / "demo")).stdout
    assert max(map(len, shown.replace(str(tmp_path), "").splitlines())) <= 80
    assert re.search(
        r"The truth, which only this demo knows: 834 smokers, (in|out)side the interval\.", shown
    )
    first, _, to_type = shown.partition("Now type them yourself")
    typed = re.findall(r"^\$ discreet ((?:.*\\\n)*.*)\n((?:(?!\$ ).+\n)+)", first, re.MULTILINE)
    assert [line.split()[0] for line, _ in typed] == [
        "plan",
        "ledger",
        "release",
        "estimate",
        "verify",
        "report",
    ]
    assert "\x1b" not in shown and to_type.count("$ discreet ") == 5
    assert all(f"$ discreet {line}\n" in to_type for line, _ in typed[1:]), (
        "all but the plan, which is free"
    )
    assert shown.count(f"$ cd {tmp_path / 'demo'}\n") == 2, "again beside what is to be typed"
    assert shown.count(" more lines: ") == 1 and re.search(
        r"^  Total: .* \(±[\d.]+ of [\d,]+\)", shown, re.MULTILINE
    )
    assert " its largest.\n... " in shown, "with what the columns are"
    for line, said in typed:
        words = shlex.split(line.replace("\\\n", " "))
        again, there = run(*words, cwd=tmp_path / "demo").stdout, words[0] in ("estimate", "verify")
        parts = [
            part.strip("\n")
            for part in re.split(r"^\.\.\. \d+ more lines: .*$", said, flags=re.MULTILINE)
        ]
        assert any(parts)
        if there:  # the very release, which the demo has put aside
            same = run(*words, cwd=tmp_path / "demo" / "made").stdout
            assert all(part in same for part in parts), line
        alike = words[0] in ("plan", "ledger", "report")
        for part in (
            part.partition("As the publisher states")[0] for part in parts
        ):  # when it was made, and by whom
            assert part in again if alike else _masked(part) in _masked(again), line
    assert (tmp_path / "demo" / "made" / "published" / "manifest.json").exists()


def _masked(text: str) -> str:
    return re.sub(r" +", " ", _CHANCE.sub("#", text))


def test_the_demo_wants_a_folder_of_its_own(people):
    assert (
        invoke("demo", "-o", ".", code=2)
        == "error: --output must be a new folder, or an empty one, not .\n"
    )


def test_a_chance_that_is_not_0_is_never_printed_as_0_and_codes_of_a_proof_stand_behind_words(
    people,
):
    shown = invoke("design", "-n", "8", "--epsilon", "3/2", "-p", "CM", "-o", "m.json")
    assert " <.001" in shown and ".000" not in shown and "found by  closed form\n" in shown
    assert "closed form: Theorem 3" in invoke("design", "-n", "8", "--epsilon", "3/2", "--details")
    checked = " ".join(invoke("verify", "m.json").split())
    assert "no farther answer likelier (CM), never worse than guessing (WH)" in checked
    assert (
        "score: mean cost of wrong answers, scaled as in the paper (L0, uniform prior) = "
        in checked
    )
    assert any(
        "properties: RH RM CH CM WH" in check
        for check in json.loads(invoke("verify", "m.json", "--json"))["checks"]
    )


def test_what_a_retrofit_and_an_audit_name_by_code_they_explain(people):
    invoke(
        "release",
        str(people),
        "--by",
        "clinic",
        "--count",
        "smoker",
        "--epsilon",
        "1/2",
        "-o",
        "gm",
    )
    fair = invoke("retrofit", "gm", "-o", "fair")
    assert "properties: F." in fair and "Codes: F fair to every count" in fair
    audited = invoke("audit", "--n", "1", "--epsilon", "1", "--draws", "2000", "cat", code=1)
    assert "undecided" in audited and "RM closer counts fit better" in " ".join(audited.split())


def test_one_file_of_a_release_is_refused_with_its_folder(people):
    invoke(
        "release",
        "people.csv",
        "--by",
        "clinic",
        "--count",
        "smoker",
        "--epsilon",
        "1",
        "-o",
        "published",
        "-q",
    )
    for command in ("verify", "estimate", "report"):
        for name in ("table.csv", "manifest.json"):
            said = " ".join(invoke(command, f"published/{name}", code=2).split())
            assert (
                said
                == f"error: published/{name} is one file of a release: did you mean the folder published?"
            )
    assert "Verified" in invoke("verify", "published/proofs.zip"), "which is proofs alone"


@pytest.mark.parametrize(
    "dataset", ["budget.db", "Budget.SQLITE", "postgresql://ann:topsecret@host/db", "kept"]
)
def test_a_ledger_and_a_dataset_that_changed_places_make_no_ledger(people, dataset):
    (people.parent / "kept").touch()
    before = sorted(people.parent.iterdir())
    text = invoke("ledger", "open", "patients", dataset, "--budget", "2", code=2)
    assert (
        text.startswith("error: patients must be the ledger, and ")
        and "the ledger comes first" in text
    )
    assert "topsecret" not in text and text.rstrip().endswith(" patients --budget 2")
    assert sorted(people.parent.iterdir()) == before


def test_a_dataset_may_be_called_like_a_file_in_a_ledger_that_there_is(people):
    invoke("ledger", "open", "budgets", "patients", "--budget", "2")
    invoke("ledger", "open", "budgets", "survey.2026", "--budget", "2")
    invoke("ledger", "open", "budgets", "old.db", "--budget", "2")
    invoke("ledger", "open", "new.db", "survey.db", "--budget", "2")
