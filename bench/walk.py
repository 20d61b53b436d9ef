"""How many of our modules one release and one design walk through: those of which a function runs, and which.

    python -m bench.walk

What runs while a module is imported is not counted, nor are the bodies of classes. Whoever reads the code to follow a
release must open these files and no others.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

import discreet
from discreet.errors import NotAccounted

SOURCE = str(Path(discreet.__file__).parent)
RELEASE = ["release", "people.csv", "--by", "clinic", "--count", "smoker", "--epsilon", "0.5", "--output", "out"]
_FUNCTION = 1  # CO_OPTIMIZED: the code of a function, not of a class or module


@contextlib.contextmanager
def walked() -> Iterator[set[str]]:
    """The modules of ours whose functions run inside, in every thread that runs our code."""
    found: set[str] = set()
    importing = threading.local()

    def look(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if code.co_name == "<module>":
            importing.depth = getattr(importing, "depth", 0) + {"call": 1, "return": -1}.get(event, 0)
        elif event == "call" and code.co_flags & _FUNCTION and code.co_filename.startswith(SOURCE):
            found.update([] if getattr(importing, "depth", 0) else [code.co_filename[len(SOURCE) + 1 :]])

    from discreet.tables.noise import Noise

    def seen(method: Callable[..., Any]) -> Callable[..., Any]:
        """DuckDB draws in threads that are not Python's, which know of no profile."""

        def run(*given: Any) -> Any:
            before = sys.getprofile()
            sys.setprofile(look)
            try:
                return method(*given)
            finally:
                sys.setprofile(before)

        return run

    ready, draw = (patch.object(Noise, name, seen(getattr(Noise, name))) for name in ("make_ready", "__call__"))
    with ready, draw:
        threading.setprofile(look)
        sys.setprofile(look)
        try:
            yield found
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


def release() -> set[str]:
    """The modules of one release from a CSV file, as typed at a shell."""
    from discreet.cli import main

    home = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, _no_cache(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore", NotAccounted)  # advice on the next release is no part of this one
        os.chdir(folder)
        try:
            rows = "".join(f"{'abc'[k % 3]},{k % 2}\n" for k in range(20))
            Path("people.csv").write_text(f"clinic,smoker\n{rows}", encoding="utf-8")
            with walked() as found, contextlib.suppress(SystemExit):
                main(RELEASE)
            if not Path("out", "manifest.json").exists():
                raise RuntimeError("nothing was released")
        finally:
            os.chdir(home)
    return found


def design() -> set[str]:
    """The modules of one design that no theorem covers, and that is in no cache."""
    with _no_cache(), walked() as found:
        discreet.design(n=8, epsilon=0.5, properties="WH CM", loss="L2")
    return found


@contextlib.contextmanager
def _no_cache() -> Iterator[None]:
    """An empty cache of designs."""
    before = os.environ.get("DISCREET_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DISCREET_CACHE"] = folder
        try:
            yield
        finally:
            os.environ.pop("DISCREET_CACHE")
            if before is not None:
                os.environ["DISCREET_CACHE"] = before


def main() -> None:
    """Print both walks."""
    for name, found in (("discreet " + " ".join(RELEASE), release()), ("one linear-program dc.design", design())):
        print(f"{name}: {len(found)} modules")
        for module in sorted(found):
            print(f"  {module}")


if __name__ == "__main__":
    main()
