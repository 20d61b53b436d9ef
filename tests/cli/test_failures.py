"""A failing command: one exit code for each kind of error, one page that lists them, and JSON for machines."""

import ast
import json

import pytest
from click.testing import CliRunner
from tests.cli.test_frame import invoke
from tests.cli.test_work import ASKED
from tests.cli.test_work import people as _people
from tests.conftest import require
from tests.source import trees

require("tables")

import discreet as dc
from discreet import errors
from discreet.cli import main
from discreet.cli.failures import EXIT_CODES, failure

people = _people


def kinds():
    return [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.DiscreetError)
    ]


def test_every_code_has_an_exit_code():
    """The codes of classes, and the finer ones that calls give."""
    used = {kind.code for kind in kinds()}
    for _, tree in trees("code=", "code ="):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                given = [word.value for word in node.keywords if word.arg == "code"]
                used |= {
                    one.value
                    for one in given
                    if isinstance(one, ast.Constant) and isinstance(one.value, str)
                }
    assert used - {""} == set(EXIT_CODES)
    assert len({kind.code for kind in kinds()}) == len(kinds()), "each class has a code of its own"


def test_the_help_lists_the_exit_codes():
    assert "Exit codes: 0 done, 1 a check said no, 2 bad request, 3 budget spent" in invoke(
        "--help"
    )


def answer(*words, code):
    """What a command that fails says as JSON, and nothing else."""
    with CliRunner().isolation() as (out, err, _):
        with pytest.raises(SystemExit) as end:
            main([*words, "--json"])
        text, wrong = out.getvalue().decode(), err.getvalue().decode()
    assert (end.value.code, text, wrong.count("\n")) == (code, "", 1), text + wrong
    (told,) = json.loads(wrong).values()
    assert list(told) == [
        "code",
        "parameter",
        "rule",
        "remedy",
        "consequence",
        "message",
        "private",
        "exit_code",
    ]
    assert told["exit_code"] == code == EXIT_CODES[told["code"]]
    assert told["private"] == ("keep this message to yourself" in told["message"])
    return told


def test_errors_as_json_are_parts_in_the_words_of_the_command_line(people):
    told = answer("design", "-n", "4", "--epsilon", "1", "-p", "MC", code=2)
    assert (told["code"], told["parameter"], told["rule"], told["remedy"]) == (
        "unknown-name",
        "properties",
        "has an unknown name",
        "did you mean CM?",
    )
    assert told["message"] == "--properties has an unknown name (MC): did you mean CM?"
    invoke("release", *ASKED, "-o", "out")
    assert answer("release", *ASKED, "-o", "out", code=2)["remedy"] == (
        "choose another --output, or give --overwrite. Either way it is another release, and costs its epsilon again"
    )


JSON = [
    ["design", "-n", "4", "--epsilon", "-1"],
    ["recommend", "-n", "4", "--epsilon", "-1"],
    ["compare", "-n", "4", "--epsilon", "-1"],
    ["census", "-n", "4", "--epsilon", "-1"],
    ["plan", "none.csv", *ASKED[1:]],
    ["release", "none.csv", *ASKED[1:], "-o", "out"],
    ["estimate", "folder"],
    ["verify", "folder"],
    ["draw", "none.json", "3"],
    ["report", "folder", "-o", "report.html"],
    ["retrofit", "folder", "-o", "out"],
    ["audit", "cat", "-n", "4", "--epsilon", "-1"],
    ["ledger", "open", "b.db", "d", "--budget", "0"],
    ["ledger", "show", "none.db"],
    ["ledger", "verify", "none.db"],
    ["cache", "show", "--nonsense"],
]


@pytest.mark.parametrize("words", JSON, ids=lambda words: " ".join(words[:2]))
def test_every_command_with_json_fails_in_json(people, words):
    (people.parent / "folder").mkdir()
    assert answer(*words, code=2)["message"]


def test_no_command_with_json_was_forgotten():
    from discreet.cli import app

    def having_json(group, before):
        for name in group.list_commands(None):
            command = group.get_command(None, name)
            if hasattr(command, "list_commands"):
                yield from having_json(command, (*before, name))
            elif any("--json" in option.opts for option in command.params):
                yield (*before, name)

    asked = {tuple(words[:2]) if words[0] in ("ledger", "cache") else (words[0],) for words in JSON}
    assert asked == set(having_json(app, ()))


def test_a_spent_budget_is_3(people):
    invoke("ledger", "open", "b.db", "d", "--budget", "1/2")
    told = answer("release", *ASKED, "--ledger", "b.db", "-o", "out", code=3)
    assert told["code"] == "budget-exceeded" and told["consequence"] == "Nothing was spent."
    assert (
        "(0.5 of 0.5 remains)" in told["rule"] and "with epsilon 0.5 or less fits" in told["remedy"]
    )
    for way in (
        "discreet ledger show b.db d",
        "\n    discreet ledger set-budget b.db d \\\n        --budget 1 --reason WHY --by WHO",
        "Refused?",
    ):
        assert way in told["remedy"]


def test_a_check_that_says_no_is_1(people):
    invoke("release", *ASKED, "-o", "out")
    manifest = people.parent / "out" / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"epsilon": "2/1"}))
    assert answer("verify", "out", code=1)["code"] in ("contradiction", "proof-failed")
    assert answer("estimate", "out", code=1)["code"] in ("contradiction", "proof-failed")
    dc.fair(n=4, alpha="1/2").save(people.parent / "m.json")
    proof = people.parent / "m.json"
    proof.write_text(proof.read_text().replace('"method": "', '"method": "x'))
    assert answer("verify", "m.json", code=1)["code"] == "proof-failed"
    assert invoke("verify", "m.json", code=1).startswith("FAILED: m.json: ")
    invoke("ledger", "open", "b.db", "d", "--budget", "1")
    assert (
        answer("ledger", "verify", "b.db", "--head", f"1:{'0' * 64}", code=1)["code"]
        == "broken-chain"
    )


def test_what_may_be_tried_again_is_4(people, monkeypatch):
    """A ledger that cannot be reached is not a broken one."""
    nowhere = "postgresql://ann:topsecret@/x?host=%2Fno%2Fsuch"
    require("postgres")
    told = answer("ledger", "verify", nowhere, code=4)
    assert told["code"] == "unavailable" and "topsecret" not in json.dumps(told)
    long = ["--epsilon", "0.1", "-p", "WH CM RM", "--loss", "L1", "--quiet"]
    slow = answer("design", "-n", "40", *long, "--seconds", "0", code=4)
    assert (
        slow["code"] == "time-limit" and slow["remedy"] == "allow more --seconds, or accept a --gap"
    )
    real = dc.release

    def watched(*source, progress, **asked):
        def somebody_writes(event):
            with people.open("a") as file:
                file.write(f"{people.stat().st_size},00,north,1,40\n")

        return real(*source, progress=somebody_writes, **asked)

    monkeypatch.setattr("discreet.tables.releasing.release", watched)
    assert answer("release", *ASKED, "-o", "out", code=4)["code"] == "changed-meanwhile"


def test_a_fault_of_ours_is_5_and_quotes_nothing(monkeypatch):
    def careless(**asked):
        raise KeyError("the count of Ann Lee")

    monkeypatch.setattr("discreet.design", careless, raising=False)
    told = answer("design", "-n", "4", "--epsilon", "1", code=5)
    assert told["code"] == "fault" and "Ann Lee" not in json.dumps(told)
    assert failure(errors.NotProven("the proof failed its check", code="fault")).exit_code == 5


def test_an_interruption_is_130(monkeypatch):
    def stopped(**asked):
        raise KeyboardInterrupt

    monkeypatch.setattr("discreet.design", stopped, raising=False)
    assert answer("design", "-n", "4", "--epsilon", "1", code=130)["code"] == "interrupted"


def test_errors_about_data_show_no_value_in_json_either(people):
    people.write_text("person,region,clinic,smoker\n1,x,a,7531\n2,x,a,1\n")
    told = answer("release", *ASKED, "-o", "out", code=2)
    assert told["code"] == "invalid-data" and "7531" not in json.dumps(told)


def test_too_little_memory_is_no_fault():
    assert failure(MemoryError()).exit_code == 4


def test_a_second_budget_in_a_ledger_says_that_they_add_up(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "add up" not in invoke("ledger", "open", "b.db", "patients", "--budget", "1")
    assert "(patients): for people who are in the data of several, they add up." in invoke(
        "ledger", "open", "b.db", "survey", "--budget", "1"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["ledger", "history"],
            "did you mean show? There are open, set-budget, show, give-back, verify, backup, restore",
        ),
        (["ledger", "shwo"], "did you mean show? There are"),
        (["cache", "xyzzy"], "choose from show, clear"),
    ],
)
def test_a_subcommand_that_there_is_not_names_those_there_are(words, said):
    assert said in invoke(*words, code=2)


def test_what_is_missing_is_said_as_our_own_errors_say_it():
    assert "error: --n is needed: the group size" in invoke("design", "--epsilon", "1", code=2)
    assert "error: the folder that discreet release wrote, such as published, is needed" in invoke(
        "estimate", code=2
    )
    assert "did you mean draw?" in invoke("sample", code=2)
    assert "error: a proof file, such as discreet design -o m.json writes, is needed" in invoke(
        "draw", code=2
    )
    assert "error: --n must be 1 or more, not 0: a group of nobody" in invoke(
        "design", "-n", "0", code=2
    )


def test_words_without_an_option_are_written_as_the_options_they_look_like():
    said = "error: unexpected 8 1/4 WH CM: write --n 8 --epsilon 1/4 --properties 'WH CM'"
    assert said in invoke("design", "8", "1/4", "WH", "CM", code=2)


def test_help_of_a_command_is_found_under_help_too():
    assert invoke("help", "plan") == invoke("plan", "--help")
    assert invoke("help") == invoke("--help")
    assert "unknown command 'plans': did you mean plan?" in invoke("help", "plans", code=2)


def test_an_option_far_from_what_was_typed_is_not_proposed():
    said = invoke("plan", "people.csv", "--epsilom", "1", code=2)
    assert "did you mean --epsilon?" in said and "--prior" not in said


def test_standard_input_and_workbooks_are_refused_with_what_to_do(tmp_path):
    asked = ("--by", "a", "--count", "b", "--epsilon", "1")
    assert "error: - is standard input, which is not read: write it to a file" in invoke(
        "plan", "-", *asked, code=2
    )
    (tmp_path / "people.xlsx").write_bytes(b"PK")
    assert "save its sheet as CSV" in invoke("plan", str(tmp_path / "people.xlsx"), *asked, code=2)


def test_a_proof_file_that_does_not_exist_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "WHAT is neither a file that exists nor a known name (m.json)" in invoke(
        "plot", "m.json", code=2
    )
    assert "--n and --epsilon (or --alpha) are needed" in invoke("plot", "GM", code=2)


def test_a_manifest_that_was_cut_short_is_said_to_be(tmp_path):
    (tmp_path / "manifest.json").write_text('{"format": "discreet')
    said = " ".join(invoke("verify", str(tmp_path), code=2).split())
    assert "manifest was cut short or changed" in said
    assert "get the folder again from whoever published it" in said
