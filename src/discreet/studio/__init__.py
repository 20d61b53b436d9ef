"""The studio: see in a browser what privacy costs a small group and what each property buys.

`discreet studio` serves two pages to this machine: a story of eight screens, and the instrument
that it leads to, whose address is its state. They hold no data of yours and ask nothing of any
other machine. Plain HTML from the server, with a few small scripts that swap the parts that
changed: every control works by keyboard. No mathematics lives in a page that is served; an exported
story draws its numbers itself, from exact chances.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike

from discreet.errors import MissingExtra

__all__ = ["PORT", "export", "export_story", "serve"]

PORT = 8417
"""Where the studio is found unless another port is asked for, so that an address can be kept."""


def serve(
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    open_browser: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Serve the studio until interrupted. By default only this machine can reach it.

    Without a port it is 8417, or a free one where that is taken; 0 picks a free one.
    """
    _need_extra()
    from discreet.studio.server import run

    run(host=host, port=port, open_browser=open_browser, say=say)


def export(
    path: str | PathLike[str], settings: Sequence[str] = (), *, home: str = "", story: str = ""
) -> None:
    """Write a page in one file, for any web server: chosen settings with exact numbers worked out
    in advance.

    A setting is the part of a studio's address after the question mark; without any, it is the
    studio's examples. `home` and `story` are addresses that the page links to: its documentation,
    and the story.
    """
    _need_extra()
    from discreet.studio.taking.export_page import export as write

    write(path, settings, home=home, story=story)


def export_story(
    path: str | PathLike[str], *, home: str = "", studio: str = "", plan: str = "", lesson: str = ""
) -> None:
    """Write the story that the studio opens with in one file, for any web server.

    It leads to the addresses given: the documentation, an exported studio, how to plan a table, and
    a lesson.
    """
    _need_extra()
    from discreet.studio.taking.export_story import export_story as write

    write(path, home=home, studio=studio, plan=plan, lesson=lesson)


def _need_extra() -> None:
    try:
        import altair  # noqa: F401 - figures to take away need it, and the extra carries it
        import jinja2  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise MissingExtra("studio", "the studio") from None
