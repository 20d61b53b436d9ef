"""`discreet verify` and `discreet audit`: what can be proven, and what can only be tested."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from discreet.cli.common import emit, json_option, privacy_options, say
from discreet.cli.progress import progress_options, watching
from discreet.cli.spelling import Command, about
from discreet.errors import ProofFailed


@click.command(cls=Command)
@click.argument("path", type=click.Path(exists=True))
@json_option
def verify_command(path: str, as_json: bool) -> int:
    """Check a proof file, or a release with all its proofs; exit 1 when a claim does not hold.

    \b
    discreet verify m.json
    discreet verify out/            (a released bundle)
    """
    import discreet as dc

    try:
        with about(path):
            if not Path(path).is_dir():
                emit(dc.verify(path), as_json=as_json)
                return 0
            release = dc.read_release(path)
            proofs = Path(path) / "mechanisms"
            reports = {m.id: str(dc.verify(proofs / f"{m.id}.json")) for m in release.mechanisms.values()}
    except ProofFailed as error:
        say(f"FAILED: {error}", err=True)
        return 1
    text = f"{release!r}\nthe table and {len(reports)} mechanisms are as their manifest and proofs say"
    emit(reports, as_json=as_json, text=text)
    return 0


@click.command(cls=Command, aliases={"box": ("command", "table")})
@click.argument("command", required=False)
@click.option("--table", type=click.Path(exists=True, dir_okay=False), help="A table of input/output pairs instead.")
@click.option("--n", "-n", type=int, required=True, help="The group size: inputs and outputs in 0..n.")
@click.option("--draws", type=int, help="How many draws in all.")
@privacy_options
@click.option(
    "--claimed", type=click.Path(exists=True, dir_okay=False), help="A proof file: the matrix it should have."
)
@click.option("--confidence", default="0.99", show_default=True)
@click.option("--calls", type=int, help="In how many calls of the command; 16 unless said.")
@click.option("--timeout", type=float, help="Seconds that one call of the command may take.")
@click.option("--plot", "path", type=click.Path(dir_okay=False), help="Draw the estimated matrix here.")
@progress_options
@json_option
def audit_command(
    command: str | None, table: str | None, n: int, draws: int | None, epsilon: str | None, alpha: str | None,
    claimed: str | None, confidence: str, calls: int | None, timeout: float | None, path: str | None, progress: str,
    as_json: bool,
) -> int:  # fmt: skip
    """Test somebody's black box for counts against its claim (--epsilon, --alpha or --claimed); exit 1 when refuted.

    COMMAND reads lines of counts and writes lines of outputs. A test can refute, never prove.

    \b
    discreet audit "python their_mechanism.py" --n 8 --epsilon 0.5
    discreet audit --table pairs.csv --n 8 --epsilon 0.5
    """
    import discreet as dc
    from discreet.auditing.boxes import split_words
    from discreet.errors import InvalidInput

    if (command is None) == (table is None):
        raise InvalidInput("command", "or `table` must be given, exactly one of them", "both" if command else "neither")
    options: dict[str, Any] = {
        "draws": draws,
        "claimed_epsilon": epsilon,
        "claimed_alpha": alpha,
        "claimed": _claim(claimed) if claimed else None,
        "calls": calls,
        "timeout": timeout,
    }
    box = Path(table) if table else split_words(command or "")
    given = {name: value for name, value in options.items() if value is not None}
    with watching(progress) as watch:
        report = dc.audit(box, n=n, confidence=confidence, **given, progress=watch)
    if path:
        report.plot(path=path)
    emit(report, as_json=as_json)
    return 1 if report.refuted else 0


def _claim(path: str) -> Any:
    import discreet as dc

    with about(path):
        return dc.load(path)
