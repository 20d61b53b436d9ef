"""Keyed random words: a group's word is a keyed function of its digest, so work done twice gives
the same rows.

A cluster may evaluate a release again (retry, speculation, a second action on the same frame). With
fresh words that would be a second release, and a reader of both would pay twice. `KeyedWords` makes
the word of each group a pseudo-random function, under a 256-bit secret made for one release, of the
group's digest:

    key(attempt, width)   = HMAC-SHA256(secret, label | width | attempt)
    word(digest, attempt) = first 64 bits of CBC-MAC-AES-256(key(attempt, width), digest)

attempt 0 is the draw's own word, attempts 1, 2, ... are the further words of a tie. For a 16-byte
digest the CBC-MAC is one block of AES. A draw by binary digits reads a stream besides, two words
from each block of AES:

    tag(digest)                    = CBC-MAC-AES-256(HMAC-SHA256(secret, tag label | width),
                                   digest), all 128 bits
    words 2b and 2b + 1 of digest  = AES-256(HMAC-SHA256(secret, stream label | width | b),
                                   tag(digest))

Why words of distinct (digest, attempt) are independent for anyone without the secret:

1. label, width and attempt have fixed lengths, so distinct (width, attempt) are distinct HMAC
   inputs; HMAC-SHA256 is a pseudo-random function, so the derived keys are as good as independent
   uniform keys. The secret itself is used for nothing else.
2. Under one derived key all digests have one width (the width is part of what the key is derived
   from), and CBC-MAC over inputs of one fixed length is a pseudo-random function when the block
   cipher is a pseudo-random permutation (Bellare, Kilian, Rogaway). For 16 bytes this is the plain
   switching lemma: q distinct digests give q outputs within q(q-1) / 2^129 of independent uniform
   blocks (10^9 groups: below 2^-69); a digest of m blocks stays within 2 (m q)^2 / 2^128. Keeping
   64 of 128 bits cannot add distance.
3. So the words of distinct (digest, attempt) are, within those distances, independent uniform
   64-bit words. Equal digests give equal words: digests must be distinct in one release. That is
   the caller's duty across batches; within one batch it is checked here.
4. The labels differ and none begins another, so the keys of tags and streams are independent of
   those above and of each other. By 2. the tags of q digests are within 2 (m q)^2 / 2^128 of
   independent uniform blocks, and two of those are equal with chance below q^2 / 2^129. Distinct
   tags give, for each b, q outputs of a permutation with a key of its own: within q^2 / 2^129 of
   independent uniform blocks. For 10^9 groups with digests of 64 bytes and 16 blocks each all this
   is below 2^-62.

The secret shows nowhere by itself: not in repr, not in a pickle. `ReleaseSecret.reveal` is the
explicit way out, for the task closure that must carry it.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from discreet.errors import InvalidInput
from discreet.sampler.words import Uncopyable, fresh_key

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LABEL = b"discreet/keyed-words/1\0"
_TAG_LABEL = b"discreet/keyed-tags/1\0"
_STREAM_LABEL = b"discreet/keyed-streams/1\0"
_BLOCK = 16


class ReleaseSecret(Uncopyable):
    """The 256-bit secret of one release: made fresh, hidden in print, and never pickled by
    accident.

    >>> secret = ReleaseSecret.fresh()
    >>> secret
    ReleaseSecret(hidden)
    >>> import pickle
    >>> pickle.dumps(secret)
    Traceback (most recent call last):
        ...
    TypeError: ReleaseSecret cannot be pickled or copied: ...
    """

    __slots__ = ("_bytes",)

    def __init__(self, revealed: bytes) -> None:
        if not isinstance(revealed, bytes) or len(revealed) != 32:
            raise InvalidInput(
                "secret", "must be 32 bytes", remedy="make one with ReleaseSecret.fresh()"
            )
        self._bytes = revealed

    @classmethod
    def fresh(cls) -> ReleaseSecret:
        """Make a new secret from the operating system's generator."""
        return cls(fresh_key())

    def reveal(self) -> bytes:
        """Return the bytes, for a task's closure and nowhere else; `ReleaseSecret(revealed)`
        reads them.
        """
        return self._bytes

    def __repr__(self) -> str:
        return "ReleaseSecret(hidden)"


class KeyedWords(Uncopyable):
    """The words of a batch of groups: the word at position k belongs to `digests[k]` wherever that
    stands.

    `digests` is a uint8 array of shape (groups, width), width a multiple of 16: rows are distinct
    digests of at least 128 bits. `take` walks along the rows; `more(k, attempt)` gives a tie's
    further words, `stream` those of the streams of some rows.

    >>> secret = ReleaseSecret(bytes(32))
    >>> digests = np.arange(32, dtype=np.uint8).reshape(2, 16)
    >>> there = KeyedWords(secret, digests).take(2)
    >>> back = KeyedWords(secret, digests[::-1]).take(2)
    >>> bool((there == back[::-1]).all())
    True
    """

    __slots__ = ("_digests", "_first", "_secret", "_tags", "_taken")

    def __init__(self, secret: ReleaseSecret, digests: NDArray[np.uint8]) -> None:
        if not isinstance(secret, ReleaseSecret):
            raise InvalidInput(
                "secret", "must be a ReleaseSecret", remedy="ReleaseSecret.fresh(), or of 32 bytes"
            )
        if not isinstance(digests, np.ndarray) or digests.dtype != np.uint8 or digests.ndim != 2:
            raise InvalidInput("digests", "must be a uint8 array of shape (groups, width)")
        width = digests.shape[1]
        if width < _BLOCK or width % _BLOCK or width > 1024:
            raise InvalidInput("digests", "must be 16, 32, ... or 1024 bytes wide", width)
        self._digests, self._secret, self._taken = digests.copy(), secret, 0
        self._tags: NDArray[np.uint8] | None = (
            None  # made when a stream is first read: small groups have none
        )
        self._first = self._words(self._digests, 0)
        _refuse_twins(self._digests, self._first)

    @property
    def private(self) -> bool:
        """True, as long as the secret is kept and dies with its release."""
        return True

    @property
    def taken(self) -> int:
        """Words handed out so far: the row of the next digest."""
        return self._taken

    def take(self, count: int) -> NDArray[np.uint64]:
        """Return the words of the next `count` digests."""
        if count > len(self._digests) - self._taken:
            raise InvalidInput("digests", "must be one for each draw", len(self._digests))
        start, self._taken = self._taken, self._taken + count
        return self._first[start : start + count].copy()

    def more(self, position: int, attempt: int) -> int:
        """Return the further word of (digest, attempt); the same whenever and wherever it is
        asked for.
        """
        return int(self._words(self._digests[position : position + 1], attempt)[0])

    def stream(self, positions: NDArray[np.intp], first: int, count: int) -> NDArray[np.uint64]:
        """Return words first, first + 1, ... of the digests at `positions`; the same whenever
        they are asked for.
        """
        width = self._digests.shape[1].to_bytes(8, "big")
        if self._tags is None:
            self._tags = _cbc_mac(self._key(_TAG_LABEL, width), self._digests)
        tags = self._tags[positions]
        start, stop = first // 2, (first + count + 1) // 2
        rows = np.empty((stop - start, 2, len(positions)), dtype=np.uint64)
        for b in range(start, stop):
            rows[b - start] = (
                _cbc_mac(self._key(_STREAM_LABEL, width, b.to_bytes(8, "big")), tags).view("<u8").T
            )
        return rows.reshape(-1, len(positions))[first - 2 * start :][:count]

    def _words(self, digests: NDArray[np.uint8], attempt: int) -> NDArray[np.uint64]:
        key = self._key(_LABEL, digests.shape[1].to_bytes(8, "big"), attempt.to_bytes(8, "big"))
        # Little-endian on every machine, so that the nodes of a mixed cluster agree.
        return _cbc_mac(key, digests).view("<u8")[:, 0].astype(np.uint64)

    def _key(self, *name: bytes) -> bytes:
        return hmac.digest(self._secret.reveal(), b"".join(name), "sha256")

    def __repr__(self) -> str:
        return f"KeyedWords(secret hidden, {len(self._digests)} digests)"


def _cbc_mac(key: bytes, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """CBC-MAC with AES-256 of every row, all rows in one call for each 16 bytes of width: an
    array of 16-byte rows.
    """
    # One bare block of AES at a time: this mode is meant, not overlooked.
    cipher = Cipher(algorithms.AES(key), modes.ECB()).encryptor()  # noqa: S305
    state = rows[:, :_BLOCK]
    for start in range(0, rows.shape[1], _BLOCK):
        if start:
            state = state ^ rows[:, start : start + _BLOCK]
        state = np.frombuffer(cipher.update(state.tobytes()), dtype=np.uint8).reshape(-1, _BLOCK)
    return state


def _refuse_twins(digests: NDArray[np.uint8], words: NDArray[np.uint64]) -> None:
    """Two groups with one digest would share their noise. Equal digests have equal words, so
    words tell most of it.
    """
    ordered = np.sort(words)
    if not (ordered[1:] == ordered[:-1]).any():
        return
    whole = np.ascontiguousarray(digests).view(np.dtype((np.void, digests.shape[1])))[:, 0]
    _, first = np.unique(whole, return_index=True)
    if len(first) < len(digests):
        row = int(np.setdiff1d(np.arange(len(digests)), first)[0])
        raise InvalidInput(
            "digests", f"must be distinct, or groups share their noise: row {row + 1} is a repeat"
        )
