"""`discreet verify` checks proofs; `discreet audit` tests a black box, which can be refuted but
never proven.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from discreet.cli.bars import progress_options, watching
from discreet.cli.codes import explained
from discreet.cli.existing import Existing, refuse_part
from discreet.cli.shared import Command, emit, json_option, privacy_options
from discreet.core.progress import Progress
from discreet.core.properties import EVERYDAY, PROPERTIES
from discreet.core.rationals import in_decimals
from discreet.errors import InvalidFile, InvalidInput, about_file
from discreet.show.text import folded

if TYPE_CHECKING:
    from discreet.proof import Report
    from discreet.tables.published.manifest import Manifest


@click.command(cls=Command)
@click.argument("path", type=Existing())
@progress_options
@json_option
def verify_command(path: str, progress: str, as_json: bool) -> None:
    """Check a proof file, a container of proofs, or a whole release; exit 1 when a claim does not
    hold.

    Of a release everything that follows from its files is checked. They cannot show whether the
    table was really drawn by these mechanisms. What they only state, such as what each count means,
    is listed.

    \b
    discreet verify m.json
    discreet verify published             (a release)
    discreet verify published/proofs.zip  (its proofs alone)
    """
    from discreet.proof import verify, verify_all
    from discreet.proof.container import is_container

    with about_file(path), watching(progress) as watch:
        if not is_container(path):
            _refuse_other(path)
            watch(Progress(phase="checking the proof"))
            report = verify(path)
            emit(report, as_json=as_json, text=_in_words(report))
            return
        if not Path(path).is_dir():
            found = {}
            for report in verify_all(path):
                found[report.id] = report
                watch(Progress(phase="checking proofs", detail=f"{len(found):,} checked"))
            lines = "\n".join(
                report.line.replace(report.id, report.id[:16], 1) for report in found.values()
            )
            several = f"the {len(found):,} proof files" if len(found) > 1 else "the proof file"
            text = f"Verified: every claim of {several} holds.\n{lines}\n{_PROOFS_ALONE}"
            emit({"proofs": found}, as_json=as_json, text=text)
            return
        from discreet.tables.published.result import verified_release

        release, reports = verified_release(path, progress=watch)
    from discreet.tables.published.checking.consistency import UNKNOWN
    from discreet.tables.published.manifest_files import stated

    fields = stated(release.manifest)
    text = "\n".join(
        [_verified(release, reports), *folded(_NOT_SHOWN, width=79), *_as_stated(fields)]
    )
    emit({"proofs": reports, "unknown": UNKNOWN, "stated": fields}, as_json=as_json, text=text)


def _as_stated(fields: dict[str, Any]) -> Iterator[str]:
    """The fields that nothing in the bundle shows: what is counted in lines of their own, the
    rest in a paragraph.
    """
    yield from folded(_STATED, width=79)
    plain = {name: _plainly(value) for name, value in fields.items()}
    definitions = [name for name in plain if name.endswith(".definition")]
    for name in definitions:
        yield from folded(f"{name}: {plain.pop(name)}", width=79, first="  ", later="    ")
    words = "; ".join(f"{name} {value}" for name, value in plain.items())
    yield from folded(words, width=79, first="  ", later="  ")


def _plainly(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {about}" for name, about in value.items())
    return ("yes" if value else "no") if isinstance(value, bool) else str(value or "none")


_NOT_SHOWN = "No file can show that the table was really drawn so, nor from which data."
_STATED = "As the publisher states, because nothing in these files shows it:"
_PROOFS_ALONE = "No proof can show that a table was drawn by these mechanisms."
"""What follows a verdict; --json says it in full."""

_LOSSES = {
    "L0": "cost of wrong answers, scaled as in the paper",
    "L0,1": "cost of being more than 1 off, scaled as in the paper",
    "L1": "distance",
    "L2": "distance squared",
}
_COST = re.compile(r"\b(mean|worst-case) (L0,1|L0|L1|L2) \(")


def _in_words(report: Report) -> str:
    """A report of a proof with its codes in brackets, behind what they mean."""
    said = str(replace(report, checks=tuple(map(_worded, report.checks))))
    whole = re.sub(
        r"\n {4,}(?=\S)", " ", said
    )  # its lines are of 80 columns, and a terminal may be wider
    return "\n".join(line for text in whole.split("\n") for line in _checked(text))


def _checked(text: str) -> list[str]:
    """A check, or another line of a report, as wide as the terminal."""
    later = " " * (6 if text.startswith("  ok  ") else 4)
    return folded(
        text.lstrip(), width=79, first=text[: len(text) - len(text.lstrip())], later=later
    )


def _worded(check: str) -> str:
    """One check; --json has it as the verifier says it.

    >>> _worded("properties: CM WH"), _worded("score: mean L1 (uniform prior) = 0.7")
    ('properties: no farther answer likelier (CM), never worse than guessing (WH)', \
'score: mean distance (L1, uniform prior) = 0.7')
    """
    what, colon, codes = check.partition("properties: ")
    if colon:
        named = (
            f"{EVERYDAY[code]} ({code})" if code in EVERYDAY else code for code in codes.split()
        )
        return f"{what}{colon}{', '.join(named)}"
    return _COST.sub(lambda found: f"{found[1]} {_LOSSES[found[2]]} ({found[2]}, ", check)


def _refuse_other(path: str) -> None:
    """Refuse a file that cannot be a proof, such as a table, with what can be checked."""
    with Path(path).open("rb") as file:
        start = file.read(4096).lstrip()
    if Path(path).name == "manifest.json" or not start.startswith(b"{"):
        refuse_part(path, "path")
        remedy = "give a proof such as m.json, the folder of a release, or its proofs.zip"
        raise InvalidFile("file", "is neither a proof nor a release", remedy=remedy)


def _verified(release: Any, reports: dict[str, Any]) -> str:
    facts, proofs = release.manifest, len(reports)
    lines = [
        f"{facts.groups:,} rows, as many of each size as the manifest says, and every count "
        "within 0..n",
        f"{proofs} proof file{'' if proofs == 1 else 's'}: sizes, alphas and properties are those "
        "of the manifest, and every claim holds",
        "the draws of one person come to epsilon = "
        f"{in_decimals(Fraction(facts.epsilon))}{_if_declared(facts)}",
        "the guarantee is stated as it follows from these facts, word for word",
    ]
    if len(facts.levels) > 1:
        from discreet.tables.asking.level_keys import level_name

        others = ", ".join(
            f"{level_name(level.keys)} {level.groups:,}" for level in facts.levels[1:]
        )
        lines.insert(
            1,
            f"the rows of the other levels likewise ({others}), and each size is the sum of its "
            "parts'",
        )
    if beyond := list(
        dict.fromkeys(report.by_theorem for report in reports.values() if report.by_theorem)
    ):
        more = " and others" if len(beyond) > 3 else ""
        lines.append(
            f"groups of {', '.join(beyond[:3])}{more} are too large to check number by number: "
            "there the conditions of the theorem that proves them were checked"
        )
    checked = [part for line in lines for part in _checked(f"  ok  {line}")]
    verdict = "Verified: the table and the mechanisms are as their manifest and proofs say."
    return "\n".join((verdict, str(release), *checked))


def _if_declared(facts: Manifest) -> str:
    """What the price of one person rests on where nothing checked who is who."""
    if facts.contributions_checked:
        return ""
    most = facts.contributions
    if facts.source != "people":
        counted = "is counted once" if most == 1 else f"is counted at most {most} times"
        return f", if each person {counted}, which no file can show"
    rows = "each row is another person" if most == 1 else f"no person has more than {most} rows"
    return f", if {rows}, which no file can show"


@click.command(cls=Command, aliases={"box": ("command", "table")})
@click.argument("command", required=False)
@click.option(
    "--table", type=Existing(dir_okay=False), help="A table of input/output pairs instead."
)
@click.option(
    "--n", "-n", type=int, required=True, help="The group size: inputs and outputs in 0..n."
)
@click.option("--draws", type=int, help="How many draws in all.")
@privacy_options
@click.option(
    "--claimed", type=Existing(dir_okay=False), help="A proof file: the matrix it should have."
)
@click.option(
    "--confidence", default="0.99", show_default=True, metavar="NUMBER", help="Of a verdict."
)
@click.option("--calls", type=int, help="In how many calls of the command; 16 unless said.")
@click.option(
    "--timeout", type=float, metavar="SECONDS", help="That one call of the command may take."
)
@click.option(
    "--plot", "path", type=click.Path(dir_okay=False), help="Draw the estimated matrix here."
)
@progress_options
@json_option
def audit_command(
    command: str | None,
    table: str | None,
    n: int,
    draws: int | None,
    epsilon: str | None,
    alpha: str | None,
    claimed: str | None,
    confidence: str,
    calls: int | None,
    timeout: float | None,
    path: str | None,
    progress: str,
    as_json: bool,
) -> int:
    """Test a black box for counts against its claim (--epsilon, --alpha or --claimed); exit 1 when
    refuted.

    COMMAND reads lines of counts and writes lines of outputs. A test can refute, never prove.

    \b
    discreet audit "python their_mechanism.py" --n 8 --epsilon 0.5
    discreet audit --table pairs.csv --n 8 --epsilon 0.5
    """
    import discreet as dc
    from discreet.auditing.boxes import split_words

    if (command is None) == (table is None):
        raise InvalidInput(
            "command",
            "or `table` must be given, exactly one of them",
            "both" if command else "neither",
        )
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
    emit(report, as_json=as_json, text=None if as_json else f"{report}\n\n{explained(*PROPERTIES)}")
    return 1 if report.refuted else 0


def _claim(path: str) -> Any:
    import discreet as dc

    with about_file(path):
        return dc.load(path)
