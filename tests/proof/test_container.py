"""Many proofs in one file: all of them verified, and nothing unpacked that is not what it should be."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path

import pytest

import discreet as dc
from discreet import proof
from discreet.errors import InvalidFile, ProofFailed
from discreet.proof import container
from discreet.proof.container import read_container, write_container
from discreet.proof.files import to_bytes

FIXTURES = Path(__file__).parent.parent / "fixtures"
SOURCE = Path(proof.__file__).parents[2]
PROOFS = {m.id: to_bytes(m) for m in (dc.fair(n=n, alpha="1/2") for n in range(1, 6))}
FIRST, *_ = sorted(PROOFS)


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "proofs.zip"
    write_container(path, sorted(PROOFS.items()))
    return path


def entries_of(path):
    with path.open("rb") as file:
        return dict(read_container(file))


def archive(path, entries=None, *, comment=b"", method=zipfile.ZIP_DEFLATED, **attributes):
    """Write a zip archive as anyone might: entries as given, with these attributes."""
    with zipfile.ZipFile(path, "w") as made:
        for name, data in entries or [
            (f"{name}.json", data) for name, data in sorted(PROOFS.items())
        ]:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = method
            for attribute, value in attributes.items():
                setattr(entry, attribute, value)
            made.writestr(entry, data)
        made.comment = comment
    return path


def test_what_was_written_is_read_and_verified(good):
    assert entries_of(good) == PROOFS
    assert [report.id for report in proof.verify_all(good)] == sorted(PROOFS)
    with zipfile.ZipFile(good) as opened:  # any program that reads zip archives reads this one
        assert opened.testzip() is None
        assert opened.namelist() == [f"{name}.json" for name in sorted(PROOFS)]


def test_the_same_proofs_give_the_same_bytes_whenever_they_are_written(good, tmp_path):
    again = tmp_path / "again.zip"
    write_container(again, sorted(PROOFS.items()))
    assert again.read_bytes() == good.read_bytes()
    with zipfile.ZipFile(good) as opened:
        told = {
            (entry.date_time, entry.create_system, entry.external_attr)
            for entry in opened.infolist()
        }
    assert told == {
        ((1980, 1, 1, 0, 0, 0), 3, 0o644 << 16)
    }  # not the clock, the system or the rights of here


def test_a_single_proof_is_not_a_container_and_the_other_way_round(good, tmp_path):
    one = tmp_path / "m.json"
    one.write_bytes(PROOFS[FIRST])
    assert not container.is_container(one)
    assert container.is_container(good)
    with pytest.raises(InvalidFile, match="python -m discreet.proof, checks every one"):
        dc.verify(good)


def test_a_proof_under_the_name_of_another_fails(good):
    first, second, *_ = sorted(PROOFS)
    write_container(good, sorted({**PROOFS, first: PROOFS[second]}.items()))
    with pytest.raises(ProofFailed, match=f"{first}.json: id"):
        list(proof.verify_all(good))


def test_a_proof_that_claims_too_much_is_named(good):
    edited = PROOFS[FIRST].replace(b'"n": ', b'"n":  ').replace(b'"RH"', b'"CM"', 1)
    write_container(good, sorted({**PROOFS, FIRST: edited}.items()))
    with pytest.raises(ProofFailed, match=FIRST):
        list(proof.verify_all(good))


NAMES = {
    "parent": f"../{FIRST}.json",
    "absolute": f"/tmp/{FIRST}.json",
    "folder": f"a/{FIRST[2:]}.json",
    "backslash": f"..\\{FIRST[3:]}.json",
    "another ending": f"{FIRST}.exe ",
    "upper case": f"{FIRST.upper()}.json",
    "short": "m.json",
    "empty": "",
    "hidden behind a zero": f"{FIRST[:59]}\0.json.json",
    "line break": f"{FIRST[:63]}\n.json",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_that_is_no_content_id_is_refused(tmp_path, name):
    with zipfile.ZipFile(tmp_path / "p.zip", "w") as made:
        entry = zipfile.ZipInfo("x")
        entry.filename, entry.compress_type = name, zipfile.ZIP_DEFLATED
        made.writestr(entry, PROOFS[FIRST])
    with pytest.raises(InvalidFile, match="named by content id|damaged"):
        entries_of(tmp_path / "p.zip")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_twice_or_out_of_order_is_refused(tmp_path):
    listed = [(f"{name}.json", data) for name, data in sorted(PROOFS.items())]
    for entries in ([listed[0], listed[0]], listed[::-1], [*listed, listed[2]]):
        with pytest.raises(InvalidFile, match="once, in ascending order"):
            entries_of(archive(tmp_path / "p.zip", entries))


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ({"comment": b"hello"}, "comment"),
        ({"method": zipfile.ZIP_STORED}, "deflated"),
        ({"method": zipfile.ZIP_BZIP2}, "deflated"),
        ({"method": zipfile.ZIP_LZMA}, "deflated|named by content id"),
        ({"extra": b"\x01\x00\x00\x00"}, "named by content id"),
        ({"comment": b"", "extra": b"\x99\x99\x02\x00ab"}, "named by content id"),
    ],
)
def test_an_archive_written_in_another_way_is_refused(tmp_path, made, message):
    with pytest.raises(InvalidFile, match=message):
        entries_of(archive(tmp_path / "p.zip", **made))


def patched(path, *, local=None, listed=None):
    """Overwrite two bytes in every entry's header and in every line of the directory, at these places."""
    data = bytearray(path.read_bytes())
    for mark, change in ((b"PK\x03\x04", local), (b"PK\x01\x02", listed)):
        at = data.find(mark)
        while at >= 0 and change:
            place, value = change
            data[at + place : at + place + len(value)] = value
            at = data.find(mark, at + 4)
    path.write_bytes(data)


def test_an_encrypted_entry_is_refused(good):
    patched(good, local=(6, b"\x01\x00"), listed=(8, b"\x01\x00"))
    with pytest.raises(InvalidFile, match="neither encrypted"):
        entries_of(good)


def test_an_entry_that_says_it_is_huge_is_not_unpacked(good):
    patched(good, listed=(24, struct.pack("<L", 1 << 30)))
    with pytest.raises(InvalidFile, match="unpack to at most"):
        entries_of(good)


def test_all_entries_together_have_a_limit(good, monkeypatch):
    monkeypatch.setattr(container, "MAX_UNPACKED", sum(map(len, PROOFS.values())) - 1)
    with pytest.raises(InvalidFile, match="in all"):
        entries_of(good)


@pytest.mark.slow
def test_a_bomb_that_lies_about_its_size_unpacks_to_what_it_says_and_no_more(tmp_path):
    """256 MiB of spaces in 260 kB, said to be 1,000 bytes: refused in little memory."""
    path = archive(tmp_path / "p.zip", [(f"{FIRST}.json", b" " * (1 << 28))])
    patched(path, local=(22, struct.pack("<L", 1000)), listed=(24, struct.pack("<L", 1000)))
    tracemalloc.start()
    try:
        with pytest.raises(InvalidFile):
            entries_of(path)
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_an_honest_bomb_is_refused_before_it_is_unpacked(tmp_path):
    path = archive(tmp_path / "p.zip", [(f"{FIRST}.json", b" " * (container.MAX_BYTES + 1))])
    tracemalloc.start()
    try:
        with pytest.raises(InvalidFile, match="unpack to at most"):
            entries_of(path)
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


def test_entries_that_share_their_bytes_are_refused(good):
    patched(good, listed=(42, struct.pack("<L", 0)))
    with pytest.raises(InvalidFile, match="overlap"):
        entries_of(good)


def test_something_before_or_behind_or_between_is_refused(good):
    data = good.read_bytes()
    for changed in (b"junk" + data, data + b"junk", data[:-22] + b"junk" + data[-22:]):
        good.write_bytes(changed)
        with pytest.raises(InvalidFile):
            entries_of(good)


def test_a_directory_longer_than_its_entries_is_not_read(good):
    """The end of an archive says how long its directory is: believed only if so many names fit."""
    data = bytearray(good.read_bytes())
    data[-22 + 8 : -22 + 12] = struct.pack("<2H", 65535, 65535)
    good.write_bytes(data)
    with pytest.raises(InvalidFile, match="named by content id"):
        entries_of(good)


def test_an_empty_archive_and_one_with_too_many_entries_are_refused(tmp_path, monkeypatch, good):
    with zipfile.ZipFile(tmp_path / "p.zip", "w"):
        pass
    with pytest.raises(InvalidFile, match="must hold 1 to"):
        entries_of(tmp_path / "p.zip")
    monkeypatch.setattr(container, "MAX_ENTRIES", len(PROOFS) - 1)
    with pytest.raises(InvalidFile, match="must hold 1 to 4 proofs"):
        entries_of(good)


@pytest.mark.slow
def test_more_entries_than_two_bytes_can_count(tmp_path):
    """Sizes are many in some tables: beyond 65,535 entries an archive ends in another way, which is read too."""
    with (tmp_path / "p.zip").open("wb") as file:
        write_container(file, ((f"{k:064x}", b"{}") for k in range(65_600)))
    with (tmp_path / "p.zip").open("rb") as file:
        found = read_container(file)
        assert next(found) == ("0" * 64, b"{}")
        assert sum(1 for _ in found) == 65_599


@pytest.mark.parametrize("cut", [0, 1, 21, 22, 40, 100, 2000, -1, -22, -23, -300])
def test_an_archive_cut_short_is_refused(good, cut):
    good.write_bytes(good.read_bytes()[:cut])
    with pytest.raises(InvalidFile):
        entries_of(good)


def test_a_single_byte_changed_is_noticed_or_harmless(good):
    """Whatever is flipped: the same proofs come out, or it is refused; dates and rights may differ."""
    data = good.read_bytes()
    for place in range(0, len(data), 3):
        flipped = bytearray(data)
        flipped[place] ^= 0x41
        try:
            found = dict(read_container(io.BytesIO(flipped)))
        except InvalidFile:
            continue
        assert found == PROOFS, place


# --- on the command line, with nothing installed ------------------------------------------------------------------


def run(*paths):
    command = [sys.executable, "-S", "-s", "-m", "discreet.proof", *map(str, paths)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(SOURCE)},
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(
    ("path", "proofs"),
    [
        ("release", 6),
        ("release/proofs.zip", 6),
        ("release-csv", 3),
    ],
)
def test_every_proof_of_a_bundle_is_verified_with_the_standard_library_alone(path, proofs):
    done = run(FIXTURES / path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("  ok  ") == proofs
    assert f"Every claim of the {proofs} proof files holds." in done.stdout


def test_what_fails_in_a_bundle_is_named(good, tmp_path):
    first, second, *_ = sorted(PROOFS)
    write_container(good, sorted({**PROOFS, first: PROOFS[second]}.items()))
    done = run(good)
    assert done.returncode == 1
    assert done.stderr.startswith("FAILED") and f"{first}.json: id" in done.stderr
    (tmp_path / "empty").mkdir()
    done = run(tmp_path / "empty")
    assert (done.returncode, done.stdout) == (2, "")
    assert "folder without proofs" in done.stderr
