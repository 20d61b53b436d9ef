"""Files appear whole or not at all, and one module writes them."""

import ast
import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import discreet
from discreet.errors import InvalidFile
from discreet.proof.whole_files import whole_file, write_whole

SOURCE = Path(discreet.__file__).parent


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch, call):
    path = tmp_path / "a"
    write_whole(path, b"before")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os if call == "fsync" else Path, call, full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before"
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_an_interrupted_writer_leaves_nothing(tmp_path):
    def stopped(path):
        with whole_file(path) as partial:
            partial.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_many_writers_of_one_file_leave_one_whole_file(tmp_path):
    path = tmp_path / "a"
    written = [bytes([k]) * 100_000 for k in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda data: write_whole(path, data), written * 5))
    assert path.read_bytes() in written
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_a_file_has_the_permissions_of_any_new_file_unless_it_is_private(tmp_path):
    (tmp_path / "plain").touch()
    write_whole(tmp_path / "a", "x")
    assert mode(tmp_path / "a") == mode(tmp_path / "plain")
    with whole_file(tmp_path / "a", private=True) as partial:
        assert mode(partial) == 0o600, "before anything is in it"
    assert mode(tmp_path / "a") == 0o600


@pytest.mark.parametrize("where", ["", "missing/a", "."])
def test_a_folder_or_a_missing_folder_is_refused_under_the_name_of_the_parameter(tmp_path, where):
    with pytest.raises(InvalidFile, match="`csv` must name a file in a folder that exists"):
        write_whole(tmp_path / where, "x", parameter="csv")
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "a")
    for text in ("first", "second"):
        write_whole(tmp_path / "link", text)
        assert (tmp_path / "link").is_symlink() and (tmp_path / "there" / "a").read_text() == text


@pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, "through")
    reader.join()
    assert read == [b"through"] and stat.S_ISFIFO(pipe.stat().st_mode)


def test_no_other_module_writes_files():
    """But into the hidden folder of a bundle, which is flushed and renamed as a whole."""
    allowed = {"proof/whole_files.py", "tables/published/result.py"}
    found = set()
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            modes = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            writes = name in ("write_text", "write_bytes") or (name == "open" and set("wxa") & set("".join(modes)))
            on_partial = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "partial"
            if (writes and not on_partial) or name in ("fsync", "mkstemp", "NamedTemporaryFile"):
                found.add(place)
    assert found - allowed == set()
