"""The one door for randomness: every random bit of the library comes through `WordSource.take`,
`stream` and `more`.

Every draw has one 64-bit word of its own (`take`) and a stream of words behind it, of which a draw
by binary digits (see `digits`) reads some (`stream`); a tie costs further words (`more`). Three
sources exist:

- `SystemWords`   AES-256-CTR keystream, key and starting counter from the operating system. What
  `release` uses.
- `KeyedWords`    (module `keyed`) a pseudo-random function of each group's digest, for work that
  may be retried.
- `predictable_words_for_tests_only_NOT_PRIVATE(seed)`   the same words every time. Its `private` is
  False, and whatever is drawn with it is marked: `release` warns with `NotPrivateWarning`, a
  table's manifest says it.

`SystemWords` holds one cipher for each thread of each process, and gives it a fresh key from the
operating system after every `REKEY_BYTES` bytes, in every new thread, and in every child of a fork
(noticed by a fork handler *and* by the process id, because a fork made outside Python runs no
handler). So no two threads or processes share keystream, and nothing here relies on fork. It cannot
be pickled or copied, which would share keystream too.

What is assumed: AES-256 in counter mode with a secret random key cannot be told from ideal words.
One key makes at most 2^20 blocks, so the distance from ideal by the switching lemma is below 2^40 /
2^129 = 2^-89 for each key. Python cannot wipe memory: a key lives in the process until its memory
is used again. A virtual machine restored twice from one snapshot repeats what is left of a key.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import threading
from typing import TYPE_CHECKING, NoReturn, Protocol

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers import CipherContext
    from numpy.typing import NDArray

REKEY_BYTES = (
    1 << 24
)  # 16 MiB, two million words: re-keying costs microseconds, so it costs nothing to do it often
_PIECE = (
    1 << 17
)  # bytes made by one call of the cipher; zeros of this size are kept to be encrypted
_ZEROS = memoryview(bytes(_PIECE))


class NotPrivateWarning(UserWarning):
    """Numbers were drawn with predictable words: anyone who knows the seed can undo the noise."""


class WordSource(Protocol):
    """Where draws take their 64-bit words from."""

    @property
    def private(self) -> bool:
        """Whether nobody outside can predict the words."""

    @property
    def taken(self) -> int:
        """How many words `take` has handed out so far: the position of the next one."""

    def take(self, count: int) -> NDArray[np.uint64]:
        """Return the next `count` words, one for each draw, in order."""

    def more(self, position: int, attempt: int) -> int:
        """Return one further word (attempt = 1, 2, ...) for the draw that had the word at
        `position`.
        """

    def stream(self, positions: NDArray[np.intp], first: int, count: int) -> NDArray[np.uint64]:
        """Return words first, first + 1, ... of the streams of the draws at `positions`: a row for
        each of `count`.

        They are independent of each other and of all that `take` and `more` give.
        """


class Uncopyable:
    """Refuses to be pickled or copied, since a copy would hand out the same words again."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(
            f"{type(self).__name__} cannot be pickled or copied: the copy would repeat its words"
        )

    def __copy__(self) -> NoReturn:
        self.__reduce_ex__(4)

    def __deepcopy__(self, memo: object) -> NoReturn:
        self.__reduce_ex__(4)


_forks = 0


def _note_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_note_fork)


def fresh_key() -> bytes:
    """Return 32 new bytes from the operating system's generator, for a cipher or a release's
    secret.
    """
    return secrets.token_bytes(32)


def _fresh_cipher() -> CipherContext:
    return Cipher(algorithms.AES(fresh_key()), modes.CTR(secrets.token_bytes(16))).encryptor()


class _Stream:
    """One thread's cipher, and for whom it was made."""

    __slots__ = ("cipher", "forks", "left", "pid", "taken")

    def __init__(self) -> None:
        self.taken = 0
        self.rekey()

    def rekey(self) -> None:
        self.pid, self.forks = os.getpid(), _forks
        self.cipher = _fresh_cipher()
        self.left = REKEY_BYTES

    @property
    def stale(self) -> bool:
        return self.left == 0 or self.pid != os.getpid() or self.forks != _forks


class SystemWords(Uncopyable):
    """Words from AES-256-CTR keyed by the operating system; a key of its own for each thread and
    process.

    >>> words = SystemWords()
    >>> words.take(3).dtype, words.private, words
    (dtype('uint64'), True, SystemWords())
    """

    __slots__ = ("_local",)

    def __init__(self) -> None:
        self._local = threading.local()

    @property
    def private(self) -> bool:
        """True: the key never leaves the process."""
        return True

    @property
    def taken(self) -> int:
        """Words handed out to this thread so far."""
        return self._stream().taken

    def take(self, count: int) -> NDArray[np.uint64]:
        """Return `count` fresh words."""
        words = self._keystream(count)
        self._stream().taken += count
        return words

    def more(self, position: int, attempt: int) -> int:
        """Return a fresh word; every word of this source is independent, so the position does
        not matter.
        """
        return int(self._keystream(1)[0])

    def stream(self, positions: NDArray[np.intp], first: int, count: int) -> NDArray[np.uint64]:
        """Return fresh words; every word of this source is independent, so neither positions nor
        first matter.
        """
        return self._keystream(count * len(positions)).reshape(count, len(positions))

    def _stream(self) -> _Stream:
        stream: _Stream | None = getattr(self._local, "stream", None)
        if stream is None:
            stream = self._local.stream = _Stream()
        elif stream.stale:
            stream.rekey()
        return stream

    def _keystream(self, count: int) -> NDArray[np.uint64]:
        words = np.empty(count, dtype="<u8")
        space = words.view(np.uint8).data
        done = 0
        while done < len(space):
            stream = self._stream()
            step = min(len(space) - done, stream.left, _PIECE)
            stream.left -= (
                step  # before use: an interrupted call loses keystream and never repeats it
            )
            stream.cipher.update_into(_ZEROS[:step], space[done : done + step])
            done += step
        return words.astype(np.uint64, copy=False)

    def __repr__(self) -> str:
        return "SystemWords()"


_SYSTEM = SystemWords()


def system_words() -> SystemWords:
    """Return the process's source: what `release` uses when no source is given."""
    return _SYSTEM


class PredictableWords(Uncopyable):
    """Words that follow from a seed. Not private; made by
    `predictable_words_for_tests_only_NOT_PRIVATE`.
    """

    __slots__ = ("_cipher", "_key", "_taken")

    def __init__(self, key: bytes) -> None:
        self._key, self._taken = key, 0
        self._cipher = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()

    @property
    def private(self) -> bool:
        """False: the seed tells every word."""
        return False

    @property
    def taken(self) -> int:
        """Words handed out so far."""
        return self._taken

    def take(self, count: int) -> NDArray[np.uint64]:
        """Return the next `count` words; how the calls are cut up does not change them."""
        words = np.frombuffer(self._cipher.update(bytes(8 * count)), dtype="<u8")
        self._taken += count
        return words.astype(np.uint64)

    def more(self, position: int, attempt: int) -> int:
        """Return the word of (position, attempt), in whatever order ties are met."""
        place = position.to_bytes(16, "big") + attempt.to_bytes(16, "big")
        return int.from_bytes(hmac.digest(self._key, place, "sha256")[:8], "little")

    def stream(self, positions: NDArray[np.intp], first: int, count: int) -> NDArray[np.uint64]:
        """Return the words of (position, number in the stream), in whatever order they are asked
        for.
        """
        places = np.empty((count, len(positions), 2), dtype="<u8")
        places[:, :, 0], places[:, :, 1] = positions, np.arange(first, first + count)[:, None]
        key = hmac.digest(self._key, b"stream", "sha256")
        blocks = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(places.tobytes())  # noqa: S305
        return np.frombuffer(blocks, dtype="<u8").reshape(places.shape)[:, :, 0].astype(np.uint64)

    def __repr__(self) -> str:
        return "PredictableWords(NOT PRIVATE)"


def predictable_words_for_tests_only_NOT_PRIVATE(seed: int | str) -> PredictableWords:  # noqa: N802 - it shouts on purpose
    """Return a source that gives the same words for the same seed, on every machine.

    For tests and teaching. Two releases drawn from one seed share their noise, and whoever guesses
    the seed takes the noise off again, so there is no privacy at all.

    >>> a, b = (predictable_words_for_tests_only_NOT_PRIVATE(7) for _ in range(2))
    >>> bool((a.take(5) == b.take(5)).all()), a.private
    (True, False)
    """
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise InvalidInput(
            "seed",
            "must be an int or a str",
            seed,
            remedy="leave the source out to release privately",
        )
    text = f"{type(seed).__name__}:{seed}".encode()
    return PredictableWords(
        hashlib.sha256(b"discreet: predictable words, not private\0" + text).digest()
    )
