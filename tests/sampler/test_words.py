"""The one door for randomness: fresh keys, no shared keystream, no copies, and seeds only with eyes open."""

from __future__ import annotations

import copy
import os
import pickle
import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import discreet.sampler
from discreet.errors import InvalidInput
from discreet.sampler import (
    SystemWords,
    predictable_words_for_tests_only_NOT_PRIVATE,
    system_words,
    words,
)

# Among a million ideal words two are equal with chance 2.7e-8: the false-alarm rate of every "all different" below.


class Counting:
    """A cipher that counts what it makes."""

    def __init__(self, cipher, made):
        self.cipher, self.bytes = cipher, 0
        made.append(self)

    def update_into(self, data, buffer):
        self.bytes += len(data)
        return self.cipher.update_into(data, buffer)


@pytest.fixture
def ciphers(monkeypatch):
    fresh, made = words._fresh_cipher, []
    monkeypatch.setattr(words, "_fresh_cipher", lambda: Counting(fresh(), made))
    return made


@pytest.mark.parametrize("count", [0, 1, 2, 16383, 16384, 16385, 100_000])
def test_words_are_as_many_as_asked_for_and_all_different(count):
    taken = SystemWords().take(count)
    assert taken.dtype == np.uint64
    assert taken.shape == (count,)
    assert len(set(taken.tolist())) == count


def test_every_bit_of_a_word_is_used():
    """With 100,000 ideal words each of 64 bits is set 50,000 +- 1,600 times (ten standard deviations: 1e-22)."""
    taken = SystemWords().take(100_000)
    for bit in range(64):
        ones = int(((taken >> np.uint64(bit)) & np.uint64(1)).sum())
        assert abs(ones - 50_000) < 1_600


def test_a_key_makes_no_more_than_its_bytes(ciphers):
    source = SystemWords()
    source.take(1000)
    source.take(words.REKEY_BYTES // 8)
    source.take(2 * words.REKEY_BYTES // 8 + 5)
    assert [cipher.bytes for cipher in ciphers] == [words.REKEY_BYTES] * 3 + [8 * 1005]


def test_further_words_are_fresh_and_count_as_no_draw():
    source = SystemWords()
    first = source.take(10)
    assert source.taken == 10
    further = {source.more(3, attempt) for attempt in range(1, 11)}
    assert source.taken == 10
    assert len(further | set(first.tolist())) == 20


def test_an_interrupted_call_never_repeats_keystream(monkeypatch):
    source = SystemWords()
    source.take(4)
    stream = source._local.stream

    class Interrupted:
        def update_into(self, data, buffer):
            raise KeyboardInterrupt

    left, cipher = stream.left, stream.cipher
    stream.cipher = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        source.take(4)
    stream.cipher = cipher
    assert stream.left == left - 32


def test_threads_never_share_keystream(ciphers):
    source, results, start = SystemWords(), [], threading.Barrier(8)

    def work():
        start.wait()
        for _ in range(20):
            results.append(source.take(500))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ciphers) == 8
    assert len(set(np.concatenate(results).tolist())) == 8 * 20 * 500


SCRIPT = """
import multiprocessing, os, sys
from discreet.sampler import system_words

def some(_=None):
    return system_words().take(300).tolist()

def forked(fork):
    system_words().take(7)          # the parent has a key before it forks
    inward, outward = os.pipe()
    child = fork()
    if child == 0:
        os.write(outward, repr(some()).encode())
        os._exit(0)
    mine = some()
    os.close(outward)
    with open(inward, "rb") as pipe:
        theirs = eval(pipe.read())
    os.waitpid(child, 0)
    return mine + theirs

if __name__ == "__main__":
    way = sys.argv[1]
    if way == "fork":
        words = forked(os.fork)
    elif way == "fork in C":        # runs no Python handler: only the process id tells
        import ctypes
        words = forked(ctypes.CDLL(None).fork)
    else:
        mine = some()
        with multiprocessing.get_context(way).Pool(3) as pool:
            words = mine + some() + sum(pool.map(some, range(6), chunksize=1), [])
    print(len(words), len(set(words)))
"""

WAYS = [
    pytest.param("fork", marks=pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")),
    pytest.param(
        "fork in C",
        marks=pytest.mark.skipif(sys.platform != "linux", reason="calls the C library of Linux"),
    ),
    pytest.param("spawn", marks=pytest.mark.slow),
    pytest.param(
        "forkserver", marks=pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
    ),
]


@pytest.mark.parametrize("way", WAYS)
def test_processes_never_share_keystream(way, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    source = str(Path(discreet.sampler.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-W", "error", script, way],
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    made, different = map(int, done.stdout.split())
    assert made == different >= 600


def test_a_fork_is_noticed_even_when_the_process_id_is_used_again(monkeypatch, ciphers):
    source = SystemWords()
    source.take(1)
    monkeypatch.setattr(words, "_forks", words._forks + 1)
    source.take(1)
    assert len(ciphers) == 2


def test_a_process_id_that_changed_is_noticed_without_any_handler(monkeypatch, ciphers):
    source = SystemWords()
    source.take(1)
    monkeypatch.setattr(os, "getpid", lambda: -1)
    source.take(1)
    assert len(ciphers) == 2


@pytest.mark.parametrize(
    "source",
    [system_words(), SystemWords(), predictable_words_for_tests_only_NOT_PRIVATE(1)],
    ids=repr,
)
@pytest.mark.parametrize(
    "duplicate", [pickle.dumps, copy.copy, copy.deepcopy, lambda x: pickle.dumps(x, protocol=0)]
)
def test_a_source_cannot_be_pickled_or_copied(source, duplicate):
    with pytest.raises(TypeError, match="cannot be pickled or copied"):
        duplicate(source)


def test_nothing_of_the_state_is_printed(monkeypatch):
    key = b"\x41" * 32
    monkeypatch.setattr(words, "fresh_key", lambda: key)
    source = SystemWords()
    source.take(1)
    assert repr(source) == str(source) == "SystemWords()"
    assert "NOT PRIVATE" in repr(predictable_words_for_tests_only_NOT_PRIVATE(1))


def test_a_seed_gives_the_same_words_however_they_are_taken():
    whole = predictable_words_for_tests_only_NOT_PRIVATE(2024)
    pieces = predictable_words_for_tests_only_NOT_PRIVATE(2024)
    assert not whole.private
    assert whole.take(1000).tolist() == [
        *pieces.take(1).tolist(),
        *pieces.take(0).tolist(),
        *pieces.take(999).tolist(),
    ]
    assert whole.more(7, 1) == pieces.more(7, 1) != whole.more(7, 2)
    assert whole.more(7, 1) != whole.more(8, 1)
    assert whole.taken == pieces.taken == 1000


def test_a_seed_gives_the_same_words_on_every_machine():
    source = predictable_words_for_tests_only_NOT_PRIVATE("fixed")
    assert [hex(word) for word in source.take(2).tolist()] == KNOWN
    assert hex(source.more(0, 1)) == KNOWN_MORE


KNOWN = ["0xd69f0d0cfd21a7d6", "0xe182802c433d5629"]
KNOWN_MORE = "0x73320198e59d1619"


def test_seeds_of_different_value_or_type_give_different_words():
    seeds = [0, 1, -1, "1", "0", ""]
    firsts = {int(predictable_words_for_tests_only_NOT_PRIVATE(seed).take(1)[0]) for seed in seeds}
    assert len(firsts) == len(seeds)


@pytest.mark.parametrize("seed", [None, True, 1.5, b"x", (1,)])
def test_a_seed_is_an_int_or_a_str(seed):
    with pytest.raises(InvalidInput, match="seed"):
        predictable_words_for_tests_only_NOT_PRIVATE(seed)


def test_no_other_module_of_the_sampler_has_a_door_of_its_own():
    door = re.compile(
        r"\b(urandom|getrandom|secrets\.|import secrets|import random|from random|np\.random|token_bytes)\b"
    )
    folder = Path(discreet.sampler.__file__).parent
    assert [path.name for path in sorted(folder.glob("*.py")) if door.search(path.read_text())] == [
        "words.py"
    ]
