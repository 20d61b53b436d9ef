"""What can be audited: callables, commands, tables; and what happens when they misbehave."""

import os
import sys
import time

import numpy as np
import pytest
from tests.conftest import require

import discreet as dc
from discreet.auditing.boxes import ask, from_callable, from_command, layout, looks_like_file
from discreet.auditing.draws import code_outcomes
from discreet.auditing.pairs import read_pairs
from discreet.cli import main
from discreet.errors import InvalidData, InvalidFile, InvalidInput

ECHO = "import sys\nfor line in sys.stdin: print(int(line))"


def command(code):
    return [sys.executable, "-I", "-c", code]


def test_the_layout_asks_every_count_equally_often_and_is_the_same_every_time():
    counts = layout(4, 1001)
    assert set(np.bincount(counts).tolist()) == {200, 201}
    assert (counts == layout(4, 1001)).all()
    assert (np.diff(counts) == 0).sum() > 100  # equal neighbours, as the tests of independence need


def test_every_call_asks_the_same():
    seen = []
    draws = ask(lambda counts: seen.append(counts) or counts, n=3, draws=1000, calls=4)
    assert len(seen) == 4
    assert all((counts == seen[0]).all() for counts in seen)
    assert draws.counts.size >= 1000
    assert (draws.outcomes == draws.counts).all()


def test_a_box_cannot_change_the_questions():
    def box(counts):
        counts[:] = 0
        return counts

    tally = ask(box, n=2, draws=300, calls=2).tally
    assert tally[0].tolist() == [100, 100, 100]


def test_one_count_at_a_time():
    assert dc.audit(lambda count: int(count), n=3, draws=400, vectorised=False).epsilon_bound > 2


def test_a_command_maps_lines_to_lines():
    report = dc.audit(command(ECHO), n=3, draws=4000, calls=2, claimed_epsilon=1)
    assert report.verdict == "refuted"
    assert report.epsilon_bound > 4
    assert np.array_equal(report.matrix, np.eye(4))


def test_a_command_may_be_one_string_and_knows_no_shell(tmp_path):
    canary = tmp_path / "canary"
    script = tmp_path / "echo.py"
    script.write_text(ECHO)
    text = f"{sys.executable} -I {script} ; touch {canary}"
    assert dc.audit(text, n=1, draws=100, calls=2).tally[:2].sum() >= 100
    assert not canary.exists()


@pytest.mark.parametrize(
    ("code", "timeout", "rule"),
    [
        ("import sys; sys.exit('out of luck')", 300, "exit with status 0.*out of luck"),
        ("print(1)", 300, "one line for each count"),
        ("while True: print('9' * 1000)", 300, "print at most"),
        ("import time; time.sleep(300)", 0.5, "within 0.5 seconds"),
        ("import os, time\nif os.fork(): os._exit(0)\ntime.sleep(300)", 0.5, "within 0.5 seconds"),
    ],
)
def test_a_command_that_misbehaves_is_stopped_and_told_of(code, timeout, rule):
    started = time.monotonic()
    with pytest.raises(InvalidInput, match=rule):
        dc.audit(command(code), n=2, draws=60, timeout=timeout)
    assert time.monotonic() - started < 200, "it was not waited for"


def test_a_command_that_does_not_exist():
    with pytest.raises(InvalidInput, match="No such file"):
        from_command(["no-such-program-anywhere"], timeout=1)(np.array([0]))
    with pytest.raises(InvalidInput, match="must name a command"):
        dc.audit("", n=2)


def test_a_command_that_reads_a_file_is_a_command(tmp_path):
    assert looks_like_file("pairs.csv")
    assert not looks_like_file("cat pairs.csv")
    assert not looks_like_file("cat")
    (tmp_path / "two words.csv").write_text("a,b")
    assert looks_like_file(str(tmp_path / "two words.csv"))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--epsilon", "0.5"], 1),
        (["--epsilon", "100"], 0),
        (["--claimed", "PROOF"], 1),
        (["--json"], 0),
        (["--confidence", "2"], 2),
        (["--timeout", "-1"], 2),
    ],
)
def test_the_command_line(words, code, tmp_path, capsys):
    proof = tmp_path / "m.json"
    dc.fair(n=3, epsilon=1).save(proof)
    script = tmp_path / "echo.py"
    script.write_text(ECHO)
    words = [str(proof) if word == "PROOF" else word for word in words]
    box = f"{sys.executable} -I {script}"
    with pytest.raises(SystemExit) as ended:
        main(["audit", box, "--n", "3", "--draws", "400", *words])
    assert ended.value.code == code
    assert "Traceback" not in capsys.readouterr().err


def test_a_command_with_an_open_quote_is_refused_in_words(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["audit", "it's", "--n", "3"])
    assert ended.value.code == 2
    assert "No closing quotation" in capsys.readouterr().err


def test_strange_outputs_are_kept_as_outcomes_of_their_own():
    values = [
        0,
        2,
        -1,
        3,
        0.5,
        float("nan"),
        None,
        "1",
        "x",
        float("inf"),
        -float("inf"),
        10**400,
        -(10**400),
        True,
    ]
    assert code_outcomes(values, 2).tolist() == [0, 2, 3, 4, 5, 6, 6, 1, 6, 4, 3, 4, 3, 1]
    assert code_outcomes(np.ma.array([1.0, 2.0], mask=[False, True]), 2).tolist() == [1, 6]
    assert code_outcomes(np.array([2**64 - 1, 1], dtype=np.uint64), 2).tolist() == [4, 1]


def test_an_answer_missing_on_one_count_only_tells_that_count():
    def box(counts):
        return np.where(counts == 0, np.nan, 1.0)

    report = dc.audit(box, n=2, draws=3000, claimed_epsilon=1)
    assert report.verdict == "refuted"
    assert report.outside == {"missing": 1008}
    assert "missing" in report.witness.event or report.witness.event == "output 1"


@pytest.mark.parametrize(
    ("box", "rule"),
    [
        (lambda counts: counts[:-1], "one output for each count"),
        (lambda counts: 3, "one output for each count.*vectorised=False"),
        (lambda counts: np.stack([counts, counts], axis=1), "flat list"),
        (lambda counts: 1 // 0, "raised ZeroDivisionError"),
    ],
)
def test_a_callable_that_misbehaves(box, rule):
    with pytest.raises(InvalidInput, match=rule):
        dc.audit(box, n=2, draws=100)


def test_callables_are_not_guessed_to_take_arrays():
    with pytest.raises(InvalidInput, match="vectorised=False"):
        from_callable(lambda count: {0: 1}[count], vectorised=True)(np.array([0, 1]))


# --- tables ---------------------------------------------------------------------------------------------------

INPUTS, OUTPUTS = [0, 1, 2, 2, 1], [0, 2, 2, 1, 1]
TALLY = [[1, 0, 0], [0, 1, 1], [0, 1, 1]]


def write_csv(path, header="true,released"):
    path.write_text(
        "\n".join([header, *(f"{j},{i}" for j, i in zip(INPUTS, OUTPUTS, strict=True))]) + "\n"
    )
    return path


def test_pairs_from_arrays_mappings_and_csv(tmp_path):
    path = write_csv(tmp_path / "pairs.csv")
    for table in [
        (INPUTS, OUTPUTS),
        np.array([INPUTS, OUTPUTS]).T,
        {"true": INPUTS, "released": OUTPUTS},
        path,
        str(path),
    ]:
        assert read_pairs(table, n=None, columns=None).tally[:3].tolist() == TALLY


def test_pairs_from_parquet_and_arrow(tmp_path):
    require("tables")
    import pyarrow as pa
    import pyarrow.parquet as parquet

    table = pa.table({"other": [0] * 5, "true": INPUTS, "released": OUTPUTS})
    parquet.write_table(table, tmp_path / "pairs.parquet")
    for given in (table, tmp_path / "pairs.parquet", str(tmp_path / "pairs.parquet")):
        assert read_pairs(given, n=2, columns=("true", "released")).tally[:3].tolist() == TALLY


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_pairs_from_data_frames(library):
    require(library)
    frame = pytest.importorskip(library).DataFrame({"true": INPUTS, "released": OUTPUTS})
    assert read_pairs(frame, n=2, columns=None).tally[:3].tolist() == TALLY


def test_tables_with_faults(tmp_path):
    with pytest.raises(InvalidInput, match="did you mean released"):
        read_pairs(write_csv(tmp_path / "a.csv"), n=2, columns=("true", "relased"))
    with pytest.raises(InvalidInput, match="column of true counts"):
        read_pairs(write_csv(tmp_path / "b.csv", "true"), n=2, columns=None)
    with pytest.raises(InvalidData, match="row 5"):
        read_pairs(([0, 1, 2, 0, 3], [0] * 5), n=2, columns=None)
    with pytest.raises(InvalidInput, match="one length"):
        read_pairs(([0, 1], [0]), n=2, columns=None)
    with pytest.raises(InvalidInput, match="at least one row"):
        read_pairs(([], []), n=2, columns=None)
    with pytest.raises(InvalidFile, match="No such file"):
        read_pairs(tmp_path / "none.csv", n=2, columns=None)
    (tmp_path / "bytes.csv").write_bytes(b"a,b\n\xff\xfe,1\n")
    with pytest.raises(InvalidFile, match="readable CSV"):
        read_pairs(tmp_path / "bytes.csv", n=2, columns=None)
    with pytest.raises(InvalidInput, match="something to ask"):
        dc.audit(object(), n=2)


def test_a_short_row_is_a_missing_output(tmp_path):
    (tmp_path / "short.csv").write_text("true,released\n0,0\n1\n\n1,1\n")
    assert read_pairs(tmp_path / "short.csv", n=1, columns=None).tally[-1].tolist() == [0, 1]


def test_a_damaged_parquet_file_is_refused(tmp_path):
    require("tables")
    (tmp_path / "bad.parquet").write_bytes(os.urandom(500))
    with pytest.raises(InvalidFile, match="readable Parquet"):
        read_pairs(tmp_path / "bad.parquet", n=2, columns=None)
