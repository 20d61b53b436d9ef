"""The story in one file, for any web server: its style, its scripts and the exact chances that
it draws with.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from discreet.proof.files import write_whole
from discreet.show.typeface.faces import with_letters_inside
from discreet.studio.story.story_page import SCRIPTS, exported_words
from discreet.studio.taking.export_page import joined_scripts, site_theme
from discreet.studio.work.answering import render

_STYLE = Path(__file__).parents[1] / "static" / "story.css"


def export_story(
    path: str | PathLike[str], *, home: str = "", studio: str = "", plan: str = "", lesson: str = ""
) -> None:
    """Write the story; the addresses are where its last screen leads."""
    words = exported_words(home=home, studio=studio, plan=plan, lesson=lesson)
    style = with_letters_inside(_STYLE.read_text(encoding="utf-8"))
    script = joined_scripts(SCRIPTS)
    text = render("story.html", **words, style=style, theme=site_theme(), script=script)
    write_whole(path, text, parameter="export")
