"""A cache with a limit in bytes that drops the least recently used entry first."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable


class Sized(Protocol):
    """Something that knows its size in memory."""

    @property
    def nbytes(self) -> int:
        """Size in memory, in bytes."""


Thing = TypeVar("Thing", bound=Sized)


class Kept(Generic[Thing]):
    """Things by key, the least recently used dropped when all exceed `limit` bytes (one always stays).

    >>> kept = Kept[memoryview](limit=10)
    >>> for key in "abab":
    ...     _ = kept.get(key, lambda: memoryview(bytes(8)))
    >>> len(kept), kept.nbytes
    (1, 8)
    """

    __slots__ = ("_limit", "_lock", "_things", "nbytes")

    def __init__(self, limit: int) -> None:
        self._things: OrderedDict[Hashable, Thing] = OrderedDict()
        self._limit, self.nbytes = limit, 0
        self._renew_lock()
        if hasattr(os, "register_at_fork"):  # a lock held by another thread at a fork stays held in the child for ever
            os.register_at_fork(after_in_child=self._renew_lock)

    def _renew_lock(self) -> None:
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._things)

    def get(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """Return the thing called `key`, made now if it is not there."""
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
                return self._things[key]
        thing = make()  # outside the lock: it may take long, and made twice it is the same
        with self._lock:
            if key not in self._things:
                self._things[key] = thing
                self.nbytes += thing.nbytes
            while self.nbytes > self._limit and len(self._things) > 1:
                _, dropped = self._things.popitem(last=False)
                self.nbytes -= dropped.nbytes
        return thing
