"""Keyed words: a pseudo-random function of secret, digest and attempt, and of nothing else."""

from __future__ import annotations

import copy
import hashlib
import hmac
import pickle

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.errors import InvalidInput
from discreet.sampler import KeyedWords, ReleaseSecret, draw

SECRET = ReleaseSecret(bytes(range(32)))


def digests(count, width=16, salt=b""):
    rows = [hashlib.shake_256(salt + str(k).encode()).digest(width) for k in range(count)]
    return np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(count, width)


def by_hand(secret, digest, attempt):
    """The definition, one digest at a time: HMAC for the key, CBC with zero start, last block, first 64 bits."""
    name = b"discreet/keyed-words/1\0" + len(digest).to_bytes(8, "big") + attempt.to_bytes(8, "big")
    key = hmac.new(secret, name, hashlib.sha256).digest()
    blocks = Cipher(algorithms.AES(key), modes.CBC(bytes(16))).encryptor().update(digest)
    return int.from_bytes(blocks[-16:][:8], "little")


def stream_by_hand(secret, digest, number):
    """Word `number` of a digest's stream: a tag by CBC with zero start, then one block of AES for two words."""
    width = len(digest).to_bytes(8, "big")
    key = hmac.new(secret, b"discreet/keyed-tags/1\0" + width, hashlib.sha256).digest()
    tag = Cipher(algorithms.AES(key), modes.CBC(bytes(16))).encryptor().update(digest)[-16:]
    name = b"discreet/keyed-streams/1\0" + width + (number // 2).to_bytes(8, "big")
    key = hmac.new(secret, name, hashlib.sha256).digest()
    block = Cipher(algorithms.AES(key), modes.CBC(bytes(16))).encryptor().update(tag)
    return int.from_bytes(block[8 * (number % 2) :][:8], "little")


@pytest.mark.parametrize("width", [16, 64])
@pytest.mark.parametrize(("first", "count"), [(0, 0), (0, 1), (0, 4), (1, 4), (63, 2), (128, 31)])
def test_streams_are_what_the_definition_says(width, first, count):
    rows, places = digests(20, width), np.array([3, 19, 0])
    found = KeyedWords(SECRET, rows).stream(places, first, count)
    assert found.shape == (count, 3)
    assert found.tolist() == [
        [stream_by_hand(SECRET.reveal(), rows[k].tobytes(), number) for k in places]
        for number in range(first, first + count)
    ]


def test_no_word_of_a_draw_is_a_word_of_another():
    """Own words, further words and streams of 200 draws, another width and another secret: all different.

    False alarm 1e-10: 60,000 words are pairwise different but for a chance of 60,000^2 / 2^65.
    """
    seen = []
    for secret in (SECRET, ReleaseSecret(bytes(32))):
        for rows in (digests(200), digests(200, 64)):
            source = KeyedWords(secret, rows)
            seen += source.take(200).tolist()
            seen += [source.more(k, attempt) for k in range(10) for attempt in (1, 2)]
            seen += source.stream(np.arange(200), 0, 70).ravel().tolist()
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("width", [16, 32, 64])
def test_words_are_what_the_definition_says(width):
    rows = digests(50, width)
    source = KeyedWords(SECRET, rows)
    assert source.take(50).tolist() == [by_hand(SECRET.reveal(), row.tobytes(), 0) for row in rows]
    assert [source.more(k, a) for k in (0, 49) for a in (1, 2)] == [
        by_hand(SECRET.reveal(), rows[k].tobytes(), a) for k in (0, 49) for a in (1, 2)
    ]


def test_words_never_change_between_versions():
    """A release retried on another node or after an upgrade must give the same rows."""
    source = KeyedWords(SECRET, np.arange(32, dtype=np.uint8).reshape(2, 16))
    assert [hex(word) for word in source.take(2).tolist()] == KNOWN
    assert hex(source.more(1, 1)) == KNOWN_MORE
    assert [
        hex(word) for word in source.stream(np.array([1, 0]), 2, 2).ravel().tolist()
    ] == KNOWN_STREAM


KNOWN = ["0x5bc279ba7aee3352", "0xce29dbf282e56169"]
KNOWN_MORE = "0xf4e2cd82e144c566"
KNOWN_STREAM = [
    "0x1bfb363ca9ee6bbb",
    "0x268b695140a92002",
    "0x3cb82b503d865b8b",
    "0x3f175e1c98ef50fc",
]


@given(st.permutations(range(12)), st.integers(0, 12))
def test_a_groups_word_does_not_depend_on_its_place_or_batch(order, cut):
    rows = digests(12)
    straight = KeyedWords(SECRET, rows).take(12)
    first, second = KeyedWords(SECRET, rows[order[:cut]]), KeyedWords(SECRET, rows[order[cut:]])
    together = np.concatenate([first.take(cut), second.take(12 - cut)])
    assert together.tolist() == straight[order].tolist()


def test_secret_digest_width_and_attempt_each_change_the_word():
    """All different: false alarm 1e-15."""
    narrow, wide = digests(100), digests(100, 32)
    wide = np.concatenate([narrow, wide[:, 16:]], axis=1)
    other = ReleaseSecret(bytes(32))
    seen = []
    for secret in (SECRET, other):
        for rows in (narrow, wide):
            source = KeyedWords(secret, rows)
            seen += [
                *source.take(100).tolist(),
                *(source.more(k, a) for k in range(5) for a in (1, 2, 3, 256)),
            ]
    assert len(set(seen)) == len(seen)


def test_fresh_secrets_differ():
    assert len({ReleaseSecret.fresh().reveal() for _ in range(100)}) == 100


def test_the_same_draw_again_gives_the_same_rows():
    """A retry, in another order and in two batches: small groups, large ones of two families, one by columns."""
    mechanisms = [
        dc.geometric(n=3, alpha="10/11"),
        dc.geometric(n=200, alpha="10/11"),
        dc.fair(n=900, alpha="0.999"),
    ]
    mechanisms += [dc.geometric(n=8, alpha="1/2"), dc.weakly_honest(n=130, alpha="0.99")]
    which = np.arange(100) % 5
    counts = np.array([3, 150, 800, 0, 70])[which]
    rows, order = digests(100), np.random.default_rng(1).permutation(100)
    once = draw(mechanisms, which, counts, KeyedWords(SECRET, rows))
    again = draw(mechanisms, which[order], counts[order], KeyedWords(SECRET, rows[order]))
    assert once[order].tolist() == again.tolist()
    first = order[:37]
    part = draw(mechanisms, which[first], counts[first], KeyedWords(SECRET, rows[first]))
    assert part.tolist() == again[:37].tolist()


def test_a_repeated_digest_is_refused_and_a_shared_beginning_is_not():
    rows = digests(1000).copy()
    rows[700] = rows[3]
    with pytest.raises(InvalidInput, match="row 701 is a repeat"):
        KeyedWords(SECRET, rows)
    rows[700, 15] ^= 1
    assert len(set(KeyedWords(SECRET, rows).take(1000).tolist())) == 1000


def test_there_is_one_word_for_each_digest_and_no_more():
    source = KeyedWords(SECRET, digests(3))
    source.take(2)
    with pytest.raises(InvalidInput, match="one for each draw"):
        source.take(2)
    assert source.take(1).shape == (1,)
    assert source.taken == 3
    assert KeyedWords(SECRET, digests(0)).take(0).shape == (0,)


def test_changing_the_array_afterwards_changes_no_word():
    rows = digests(4).copy()
    source = KeyedWords(SECRET, rows)
    rows[:] = 0
    assert source.take(4).tolist() == KeyedWords(SECRET, digests(4)).take(4).tolist()


@pytest.mark.parametrize(
    "bad",
    [
        digests(3).astype(np.int16),
        digests(3)[0],
        digests(3, 8),
        digests(3, 24),
        digests(3, 2048),
        [bytes(16)],
        np.zeros((3, 0), dtype=np.uint8),
    ],
    ids=["dtype", "flat", "narrow", "ragged", "vast", "list", "empty"],
)
def test_digests_of_another_shape_are_refused(bad):
    with pytest.raises(InvalidInput, match="digests"):
        KeyedWords(SECRET, bad)


@pytest.mark.parametrize("bad", [b"", bytes(31), bytes(33), "x" * 32, None, bytearray(32)])
def test_a_secret_is_32_bytes(bad):
    with pytest.raises(InvalidInput, match="32 bytes"):
        ReleaseSecret(bad)
    with pytest.raises(InvalidInput, match="ReleaseSecret"):
        KeyedWords(bad, digests(1))


@pytest.mark.parametrize("held", [SECRET, KeyedWords(SECRET, digests(1))], ids=repr)
@pytest.mark.parametrize("duplicate", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_secret_is_neither_copied_nor_shown(held, duplicate):
    with pytest.raises(TypeError, match="cannot be pickled"):
        duplicate(held)
    assert "hidden" in repr(held)
    assert SECRET.reveal().hex() not in repr(held)
    assert ReleaseSecret(SECRET.reveal()).reveal() == SECRET.reveal()
