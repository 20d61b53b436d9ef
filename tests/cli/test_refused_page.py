"""The page of refusals names each message as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.conftest import require

from discreet.cli import main
from discreet.errors import MissingExtra

PAGE = Path(__file__).parents[2] / "docs" / "refused.md"
HEADINGS = re.findall(r"^## `(.*)`$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
SMOKERS = ["--answers", "smoker", "yes,no"]
COUNT = ["--count", "smoker"]


def table(*answers: str, second: int = 1, clinic: str = "clinic") -> bytes:
    """Sixteen people of two clinics with these answers in turn; the second row may be another's."""
    people = [0, second, *range(2, 16)]
    rows = [f"{person},{clinic} {i % 2},{answers[i % len(answers)]},never" for i, person in enumerate(people)]
    return "\n".join(["person,clinic,smoker,content", *rows]).encode("latin-1")


WORDS = table("yes", "no")
CASES = [
    (WORDS, ["release", *SMOKERS, "--ledger", "budget.db", "--dataset", "patients"], 3),
    (table("1", "0", second=0), ["release", *COUNT], 2),
    (WORDS, ["release", *COUNT], 2),
    (table("1", "", "0"), ["release", *COUNT], 2),
    (WORDS, ["release", "--answers", "content", "often,rarely"], 2),
    (WORDS, ["release", *SMOKERS, "-o", "published"], 2),
    (WORDS, ["release", *SMOKERS, "--keys", "keys.csv"], 2),
    (table("1", "0", clinic="Z\xfcrich"), ["plan", *COUNT], 2),
    (None, ["plan", *COUNT], 2),
    (MissingExtra("tables", "a release of tables"), [], 2),
    (WORDS, ["release", *SMOKERS, "--epsilon", "0.4", "--loss", "L1"], 0),
]


def test_every_heading_has_a_case():
    assert len(HEADINGS) == len(CASES)


@pytest.mark.filterwarnings("always")
@pytest.mark.parametrize(("heading", "case"), list(zip(HEADINGS, CASES, strict=False)), ids=HEADINGS)
def test_a_heading_is_how_its_message_begins(heading, case, tmp_path, monkeypatch, capsys):
    require("tables")
    made, words, code = case
    if isinstance(made, MissingExtra):
        assert str(made).startswith(heading)
        return
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCREET_CACHE", str(tmp_path / "cache"))
    source = Path("book.xlsx" if made is None else "people.csv")
    source.write_bytes(b"PK" if made is None else made)
    Path("published").mkdir()
    Path("published", "manifest.json").write_text("{}")
    Path("keys.csv").write_text("clinic\nclinic 0\n")
    with pytest.raises(SystemExit):
        main(["ledger", "open", "budget.db", "patients", "--budget", "0.5"])
    given = [] if "--epsilon" in words else ["--epsilon", "1"]
    given += ["-o", "out"] if words[0] == "release" and "-o" not in words else []
    with pytest.raises(SystemExit) as ended:
        main([words[0], str(source), "--by", "clinic", "--unit", "person", *words[1:], *given])
    said = " ".join(capsys.readouterr().err.split())
    assert ended.value.code == code, said
    assert f"{'error' if code else 'warning'}: {heading}" in said
