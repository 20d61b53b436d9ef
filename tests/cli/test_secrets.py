"""The password of a ledger's database comes out nowhere: not in a file, a message, a table or a manifest."""

import stat
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.cli.test_frame import invoke
from tests.cli.test_work import ASKED
from tests.cli.test_work import people as _people
from tests.conftest import require

require("tables")

from discreet.cli import main
from discreet.cli.config import read_config, write_config
from discreet.errors import InvalidInput

people = _people

NOWHERE = "postgresql://ann:topsecret@/budgets?host=%2Fno%2Fsuch"
SLIPS = (
    "postgresql:/ann:topsecret@host/db",
    "postgresql://ann:top@secret@host/db",
    "postgresql://ann:top secret@[host/db",
    "host=x password=topsecret",
)


def said(*words):
    """What a command says, whether it can do its work or not."""
    with CliRunner().isolation() as (out, err, _):
        with pytest.raises(SystemExit):
            main(list(words))
        return (out.getvalue() + err.getvalue()).decode()


def mode(path):
    return stat.S_IMODE(Path(path).stat().st_mode)


def test_a_saved_run_holds_no_password_and_says_so(people):
    told = invoke("release", *ASKED, "-o", "out", "--ledger", NOWHERE, "--save-config", "r.toml")
    assert "r.toml: without the ledger's password: set PGPASSWORD or use ~/.pgpass" in told
    assert (
        tomllib.loads(Path("r.toml").read_text())["ledger"]
        == "postgresql://ann@/budgets?host=%2Fno%2Fsuch"
    )
    assert "topsecret" not in told + Path("r.toml").read_text()
    assert "without" not in invoke(
        "release", *ASKED, "-o", "out", "--ledger", "budget.db", "--save-config", "r.toml"
    )


def test_a_saved_run_is_for_its_owner_alone(people):
    Path("there.toml").write_text("precious")
    Path("there.toml").chmod(0o644)
    for name in ("new.toml", "there.toml"):
        invoke("release", *ASKED, "-o", "out", "--save-config", name)
        assert mode(name) == 0o600
    assert "precious" not in Path("there.toml").read_text()


@pytest.mark.parametrize("slip", [*SLIPS, "MYSQL://ann:topsecret@host/db"])
def test_a_url_that_cannot_be_told_apart_is_not_saved(people, slip):
    text = invoke(
        "release", *ASKED, "-o", "out", "--ledger", slip, "--save-config", "r.toml", code=2
    )
    assert "secret" not in text and not Path("r.toml").exists()


def test_a_setting_that_is_refused_is_not_shown_when_it_is_the_ledger(tmp_path):
    (tmp_path / "r.toml").write_text('ledger = "postgresql://ann:topsecret@host/db\\u0000"')
    with pytest.raises(InvalidInput, match="`ledger` must have no NUL") as refused:
        read_config(tmp_path / "r.toml")
    assert "topsecret" not in str(refused.value) + repr(refused.value.value)


def test_what_is_written_is_what_is_read(tmp_path):
    settings = {
        "source": "p.csv",
        "ledger": "postgresql://ann@host/db",
        "by": ["a"],
        "count": {"x": "y"},
    }
    assert write_config(tmp_path / "r.toml", settings) == ()
    assert read_config(tmp_path / "r.toml") == settings


COMMANDS = [
    ["ledger", "open", "URL", "clinics", "--budget", "1"],
    ["ledger", "show", "URL"],
    ["ledger", "show", "URL", "clinics", "--json"],
    ["ledger", "show", "URL", "clincs"],
    ["ledger", "set-budget", "URL", "clinics", "--budget", "3", "--reason", "r", "--by", "b"],
    ["plan", *ASKED, "--ledger", "URL", "--dataset", "clinics"],
    ["release", *ASKED, "--ledger", "URL", "--dataset", "clinics", "-o", "out"],
    [
        "release",
        *ASKED,
        "--ledger",
        "URL",
        "--dataset",
        "clinics",
        "-o",
        "out2",
        "--resume",
        "none",
    ],
    ["release", *ASKED, "--ledger", "URL", "--dataset", "clinics", "-o", "out3", "--epsilon", "9"],
    ["ledger", "give-back", "URL", "none", "--reason", "r", "--by", "b"],
    ["ledger", "verify", "URL"],
    ["ledger", "verify", "URL", "--head", "1:" + "0" * 64],
    ["ledger", "backup", "URL", "saved"],
    ["ledger", "restore", "URL", "saved"],
    ["ledger", "URL"],
    ["URL"],
    ["ledger", "verify", "budget.db", "URL"],
    ["plan", *ASKED, "--ledgr", "URL"],
]


def told(people, url):
    """Everything all commands say and leave, when the ledger is at `url`."""
    texts = [said(*(url if word == "URL" else word for word in words)) for words in COMMANDS]
    made = [
        path.read_bytes().decode("latin-1") for path in people.parent.rglob("*") if path.is_file()
    ]
    return "\n".join(texts + made)


@pytest.mark.parametrize("url", [NOWHERE, *SLIPS])
def test_no_command_shows_a_password_when_the_ledger_cannot_be_had(people, url):
    assert "secret" not in told(people, url)


@pytest.mark.slow
@pytest.mark.postgres
def test_no_command_shows_a_password(people, postgres):
    url = postgres()
    text = told(people, f"{url}&password=topsecret")
    assert "secret" not in text
    assert "budget 1, 1 left" in text and '"table_format"' in text  # the commands did their work
    other = f"{postgres()}&password=topsecret"
    restored = invoke("ledger", "restore", other, "saved")
    assert "restored up to" in restored and "secret" not in restored
