"""Every entry that takes outside data, as a function of bytes that may only return or raise a `DiscreetError`."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fuzz.mutation import damaged_bytes, damaged_json, damaged_text

from discreet.errors import DiscreetError

FIXTURES = Path(__file__).parents[1] / "fixtures"
Mutator = Callable[[bytes, random.Random], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One entry: where inputs start from, how they are damaged, and what is done with them in a scratch folder."""

    name: str
    seeds: Callable[[], list[bytes]]
    mutators: tuple[Mutator, ...]
    run: Callable[[bytes, Path], None]
    share: int = 1  # of all cases
    guided: bool = True  # whether inputs that reach new lines are kept and damaged further


def fixtures(pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(FIXTURES.glob(pattern))]


def words(*texts: str) -> Callable[[], list[bytes]]:
    return lambda: [text.encode() for text in texts]


def scratch(data: bytes, folder: Path, name: str) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


# --- proof files ----------------------------------------------------------------------------------------------


def seal_proof(document: Any) -> bytes:
    from discreet.proof import sealed

    return sealed(document).encode()


def run_proof(data: bytes, folder: Path) -> None:
    from discreet.proof import examine
    from discreet.proof.loading import from_bytes

    report, _ = examine(data)
    str(report)
    from_bytes(data)


# --- words and numbers ------------------------------------------------------------------------------------------


def run_properties(data: bytes, folder: Path) -> None:
    from discreet.core.properties import closure, read_shape

    shape = closure(read_shape(data.decode("utf-8", "replace")))
    assert read_shape(str(shape)) == shape


def run_numbers(data: bytes, folder: Path) -> None:
    from discreet.core.rationals import read_alpha

    text = data.decode("utf-8", "replace")
    with contextlib.suppress(DiscreetError):
        str(read_alpha(alpha=text))
    privacy = read_alpha(epsilon=text)
    assert 0 < privacy.value <= 1


def run_losses(data: bytes, folder: Path) -> None:
    from discreet.core.losses import read_loss, read_prior

    text = data.decode("utf-8", "replace")
    with contextlib.suppress(DiscreetError):
        read_prior(text, 5)
    read_loss(text, 5).cost(1, 4)


def run_matrix(data: bytes, folder: Path) -> None:
    from discreet.core.exchange.matrices import from_matrix

    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return
    str(from_matrix(document, alpha="1/2"))


# --- ledgers ----------------------------------------------------------------------------------------------------


def run_backup(data: bytes, folder: Path) -> None:
    from discreet.ledger.backups import read_backup

    read_backup(scratch(data, folder, "ledger.backup"))


def seal_backup(data: bytes, rng: random.Random) -> bytes:
    """Damage one entry of a backup and seal all the lines again, as a forger would."""
    from discreet.ledger.entries import seal_of

    lines = data.decode("ascii", "replace").split("\n")
    if len(lines) < 3:
        return damaged_bytes(data, rng)
    k = rng.randrange(1, len(lines) - 1)
    damage = rng.choice(
        (damaged_text, damaged_json(lambda document: json.dumps(document).encode()))
    )
    lines[k] = "x" * 65 + damage(lines[k][65:].encode(), rng).decode("utf-8", "replace").replace(
        "\n", " "
    )
    lines[1:-1] = [f"{seal_of(line[65:])} {line[65:]}" for line in lines[1:-1]]
    return "\n".join(lines).encode("utf-8", "replace")


def run_ledger(data: bytes, folder: Path) -> None:
    from discreet.ledger import open_ledger

    for old in folder.glob("ledger.db*"):
        old.unlink()
    ledger = open_ledger(scratch(data, folder, "ledger.db"), create=False, timeout=1)
    ledger.verify()
    for account in ledger.datasets():
        str(account)
    ledger.history()


def run_head(data: bytes, folder: Path) -> None:
    from discreet.ledger.entries import read_head

    read_head(data.decode("utf-8", "replace"))


# --- settings, tables of pairs, commands ------------------------------------------------------------------------

CONFIG = b"""source = "people.csv"
by = ["clinic"]
epsilon = "0.5"
properties = "F"
output = "out"

[count]
smoker = "smoker"
"""


def run_config(data: bytes, folder: Path) -> None:
    from discreet.cli.config import read_config, write_config

    settings = read_config(scratch(data, folder, "release.toml"))
    with contextlib.suppress(TypeError):  # dates and times are TOML and no settings
        write_config(folder / "again.toml", settings)


def run_pairs(data: bytes, folder: Path) -> None:
    from discreet.auditing import audit

    str(audit(scratch(data, folder, "pairs.csv"), n=4, claimed_epsilon=1))


def parquet_seeds() -> list[bytes]:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    sink = io.BytesIO()
    parquet.write_table(
        pa.table({"true": [0, 1, 2, 3, 4] * 20, "released": [0, 1, 2, None, 9] * 20}), sink
    )
    return [sink.getvalue()]


def run_parquet_pairs(data: bytes, folder: Path) -> None:
    from discreet.auditing import audit

    audit(scratch(data, folder, "pairs.parquet"), n=4)


def run_studio(data: bytes, folder: Path) -> None:
    """An address typed into the studio's page: every mistake is said beside its control."""
    from discreet.studio.settings import read_setting, read_text
    from discreet.studio.taking.code_lines import python_lines, shell_line

    setting = read_text(data.decode("utf-8", "replace"))
    reading = read_setting(setting)
    assert all(reading.errors.values())
    read_text(setting.query())
    if reading.valid:
        compile(python_lines(reading), "studio", "exec")
        shell_line(reading)


def run_box_output(data: bytes, folder: Path) -> None:
    from discreet.auditing.draws import code_outcomes

    codes = code_outcomes(data.decode("utf-8", "replace").splitlines(), 4)
    assert codes.size == 0 or (codes.min() >= 0 and codes.max() <= 8)


def cli(arguments: list[str]) -> str:
    """Run the command line in this process; it must end in an exit code and never in a traceback."""
    from discreet.cli import main

    out, err, code = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as stop:
            code = stop.code
    assert code in (0, 1, 2, None), f"exit code {code}"
    assert "Traceback" not in err.getvalue()
    return out.getvalue()


def run_cli_verify(data: bytes, folder: Path) -> None:
    cli(["verify", str(scratch(data, folder, "proof.json"))])


CLI_LINES = words(
    "design --n 3 --epsilon 0.5 -p F",
    "design --n 2 --alpha 10/11 --loss L1 --json",
    "compare --n 3 --epsilon 1/2",
    "recommend --n 4 --epsilon 1",
    "ledger show ledger.db",
    "audit 'cat' --n 2 --epsilon 1 --draws 100",
    "verify missing.json",
    "estimate nowhere",
    "plan missing.csv --by a --count b --epsilon 1",
)
_WITHOUT_EFFECT = {
    "studio",
    "demo",
    "paper",
    "cache",
}  # start servers, take minutes or clear the real cache


def run_cli_words(data: bytes, folder: Path) -> None:
    import shlex

    try:
        arguments = shlex.split(data.decode("utf-8", "replace").replace("\x00", ""))
    except ValueError:
        return
    # only commands that end soon: sizes and draws are cut, what writes or runs is left out
    if not arguments or arguments[0] in _WITHOUT_EFFECT or len(arguments) > 30:
        return
    if arguments[0] == "audit" or any(
        "/" in word and "output" in arguments[max(0, k - 1)] for k, word in enumerate(arguments)
    ):
        return
    arguments = ["4" if word.isdigit() and int(word) > 6 else word for word in arguments]
    with contextlib.chdir(folder):
        cli(arguments)


# --- releases: manifests, tables, predicates, settings from end to end ------------------------------------------


def bundle(folder: Path, kind: str) -> Path:
    """A fresh copy of a released bundle."""
    copy = folder / "bundle"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(FIXTURES / kind, copy)
    return copy


def read_all(folder: Path) -> None:
    import discreet as dc

    release = dc.read_release(folder)
    str(release)
    for count in release.manifest.counts:
        str(dc.estimate(release, count=count.name))


def run_manifest(data: bytes, folder: Path) -> None:
    copy = bundle(folder, "release-csv")
    (copy / "manifest.json").write_bytes(data)
    read_all(copy)


def run_released_table(data: bytes, folder: Path) -> None:
    """A damaged table whose digest in the manifest was mended."""
    kind = "release" if data.startswith(b"PAR1") else "release-csv"
    copy = bundle(folder, kind)
    manifest = json.loads((copy / "manifest.json").read_bytes())
    (level,) = manifest["levels"]
    (copy / level["table"]).write_bytes(data)
    level["table_sha256"] = hashlib.sha256(data).hexdigest()
    (copy / "manifest.json").write_text(json.dumps(manifest))
    read_all(copy)


def run_container(data: bytes, folder: Path) -> None:
    """A damaged container of proofs, alone and in a bundle whose digest of it was mended."""
    from discreet.proof import verify_all

    copy = bundle(folder, "release-csv")
    manifest = json.loads((copy / "manifest.json").read_bytes())
    (copy / manifest["proofs"]).write_bytes(data)
    manifest["proofs_sha256"] = hashlib.sha256(data).hexdigest()
    (copy / "manifest.json").write_text(json.dumps(manifest))
    with contextlib.suppress(DiscreetError):
        list(verify_all(copy / manifest["proofs"]))
    read_all(copy)


def run_people(data: bytes, folder: Path) -> None:
    import discreet as dc

    source = scratch(data, folder, "people" + ending(data))
    dc.release(str(source), by="clinic", count="smoker", epsilon=1, properties="F", threads=1)


def ending(data: bytes) -> str:
    """The kind of file that some bytes pretend to be."""
    return ".parquet" if data.startswith(b"PAR1") else ".csv"


def run_keys(data: bytes, folder: Path) -> None:
    import pyarrow as pa

    import discreet as dc

    people = pa.table({"clinic": ["a", "a", "b"], "smoker": [True, False, True]})
    keys = scratch(data, folder, "keys" + ending(data))
    dc.release(
        people, by="clinic", count="smoker", epsilon=1, properties="F", keys=str(keys), threads=1
    )


def parquet(**columns: list[Any]) -> bytes:
    """A small Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet

    file = io.BytesIO()
    pyarrow.parquet.write_table(pa.table(columns), file)
    return file.getvalue()


def run_predicate(data: bytes, folder: Path) -> None:
    import pyarrow as pa

    import discreet as dc

    people = pa.table(
        {"clinic": ["a", "a", "b"], "age": [20, 50, 30], "smoker": [True, False, True]}
    )
    text = data.decode("utf-8", "replace")
    dc.release(people, by="clinic", count={"asked": text}, epsilon=1, properties="F", threads=1)


def run_cli_release(data: bytes, folder: Path) -> None:
    scratch(b"clinic,smoker\na,1\na,0\nb,1\n", folder, "people.csv")
    shutil.rmtree(folder / "out", ignore_errors=True)
    scratch(data, folder, "release.toml")
    with contextlib.chdir(folder):
        cli(["release", "--config", "release.toml"])


PREDICATES = words(
    "age < 35",
    "smoker AND age BETWEEN 20 AND 40",
    "clinic IN ('a', 'b')",
    "CAST(age AS VARCHAR) LIKE '2%'",
    "CASE WHEN smoker THEN age > 3 ELSE false END",
    "smoker IS NOT NULL",
)


def clean(folder: Path) -> None:
    """Empty a scratch folder."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


TARGETS = (
    Target(
        name="proof",
        seeds=lambda: fixtures("mechanism-*.json"),
        mutators=(damaged_bytes, damaged_json(seal_proof), damaged_json(seal_proof)),
        run=run_proof,
        share=16,
    ),
    Target(
        name="properties",
        seeds=words("WH CM", "column monotonicity, F", "ODP:9/10 S", "row-honest + RM", ""),
        mutators=(damaged_text, damaged_bytes),
        run=run_properties,
        share=10,
    ),
    Target(
        name="numbers",
        seeds=words("10/11", "0.5", "1", "1e-3", " 3/4 ", "0"),
        mutators=(damaged_text, damaged_bytes),
        run=run_numbers,
        share=8,
    ),
    Target(
        name="losses",
        seeds=words("L0", "L1", "L0,1", "L2", "uniform", "Binomial(0.3)", "1/2"),
        mutators=(damaged_text, damaged_bytes),
        run=run_losses,
        share=6,
    ),
    Target(
        name="matrix",
        seeds=words('[["2/3", "1/3"], ["1/3", "2/3"]]', "[[1]]", "[[0.5, 0.5], [0.5, 0.5]]"),
        mutators=(damaged_json(lambda document: json.dumps(document).encode()), damaged_text),
        run=run_matrix,
        share=6,
    ),
    Target(
        name="backup",
        seeds=lambda: fixtures("ledger.backup"),
        mutators=(damaged_bytes, seal_backup, seal_backup),
        run=run_backup,
        share=6,
    ),
    Target(
        name="head",
        seeds=lambda: fixtures("ledger.head"),
        mutators=(damaged_text,),
        run=run_head,
        share=3,
    ),
    Target(
        name="ledger",
        seeds=lambda: fixtures("ledger.db"),
        mutators=(damaged_bytes,),
        run=run_ledger,
        share=3,
        guided=False,
    ),
    Target(
        name="config",
        seeds=lambda: [CONFIG],
        mutators=(damaged_text, damaged_bytes),
        run=run_config,
        share=4,
    ),
    Target(
        name="pairs",
        seeds=words("true,released\n" + "0,0\n1,2\n4,4\n3,2\n2,2\n" * 4),
        mutators=(damaged_text, damaged_bytes),
        run=run_pairs,
        share=2,
        guided=False,
    ),
    Target(
        name="parquet-pairs",
        seeds=parquet_seeds,
        mutators=(damaged_bytes,),
        run=run_parquet_pairs,
        share=3,
        guided=False,
    ),
    Target(
        name="cli-verify",
        seeds=lambda: fixtures("mechanism-*.json"),
        mutators=(damaged_bytes, damaged_json(seal_proof)),
        run=run_cli_verify,
        share=4,
        guided=False,
    ),
    Target(
        name="cli-words",
        seeds=CLI_LINES,
        mutators=(damaged_text,),
        run=run_cli_words,
        share=4,
        guided=False,
    ),
    Target(
        name="manifest",
        seeds=lambda: fixtures("release-csv/manifest.json"),
        mutators=(damaged_json(lambda document: json.dumps(document).encode()), damaged_bytes),
        run=run_manifest,
        share=3,
    ),
    Target(
        name="released-table",
        seeds=lambda: fixtures("release-csv/table.csv") + fixtures("release/table.parquet"),
        mutators=(damaged_bytes, damaged_text),
        run=run_released_table,
        guided=False,
    ),
    Target(
        name="container",
        seeds=lambda: fixtures("release*/proofs.zip"),
        mutators=(damaged_bytes,),
        run=run_container,
        share=2,
        guided=False,
    ),
    Target(
        name="people",
        seeds=lambda: [
            b"clinic,smoker\na,1\na,0\nb,1\nb,0\n",
            b"clinic,smoker\na,true\na,false\n",
            b'{"clinic": "a", "smoker": true}\n{"clinic": "b", "smoker": false}\n',
            parquet(clinic=["a", "a", "b"], smoker=[True, False, True]),
        ],
        mutators=(damaged_text, damaged_bytes),
        run=run_people,
        guided=False,
    ),
    Target(
        name="keys",
        seeds=lambda: [
            b"clinic\na\nb\nc\n",
            b'{"clinic": "a"}\n{"clinic": "b"}\n',
            parquet(clinic=["a", "b", "c"]),
        ],
        mutators=(damaged_text, damaged_bytes),
        run=run_keys,
        guided=False,
    ),
    Target(
        name="predicate",
        seeds=PREDICATES,
        mutators=(damaged_text,),
        run=run_predicate,
        guided=False,
    ),
    Target(
        name="cli-release",
        seeds=lambda: [CONFIG, CONFIG + b'smokers = "smoker = 1"\n'],
        mutators=(damaged_text,),
        run=run_cli_release,
        guided=False,
    ),
    Target(
        name="studio",
        seeds=words(
            "n=8&alpha=10/11&properties=F&loss=L0",
            "n=4&epsilon=0.5&properties=CM+WH+ODP:9/10&loss=L1&prior=Binomial(0.3)&worst_case=1&beside=geometric&count=2",
            "n=2&alpha=1/2&prior=1/4+1/2+1/4&pin=n%3D4&pin=n%3D5",
            "",
        ),
        mutators=(damaged_text, damaged_bytes),
        run=run_studio,
        share=6,
    ),
    Target(
        name="box-output",
        seeds=words("0\n1\n4\n-1\n2.5\nnan\n", "1e5\n\n 3 \n"),
        mutators=(damaged_text, damaged_bytes),
        run=run_box_output,
        share=2,
    ),
)
