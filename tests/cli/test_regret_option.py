"""`discreet design --priors ... --regret` and `--derivable`."""

from tests.cli.test_frame import invoke

import discreet as dc


def test_regret_and_derivable_from_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCREET_CACHE", str(tmp_path / "cache"))
    two = ["--priors", "Binomial(0.2)", "--priors", "Binomial(0.8)"]
    invoke("design", "-n", "3", "--alpha", "1/2", *two, "--regret", "-o", "m.json")
    assert dc.load(
        "m.json"
    ).origin.problem.regret.value > 1 and "regret: under each of 2" in invoke("verify", "m.json")
    assert "--regret must be asked with --priors" in invoke(
        "design", "-n", "3", "--alpha", "1/2", *two, code=2
    )
    invoke("design", "-n", "3", "--alpha", "9/10", "-p", "F", "--derivable", "-o", "d.json")
    assert dc.derives_from_geometric(dc.load("d.json"))
