"""The letters that pages and pictures carry."""

import re
from base64 import b64decode
from pathlib import Path

import pytest
from tests.conftest import require

from discreet.core.named import fair
from discreet.show.typeface.faces import (
    FOLDER,
    carried,
    lend_to_vl_convert,
    with_letters,
    with_letters_inside,
)

IMAGES = Path(__file__).parents[2] / "docs" / "images"


def letters_in(text: str) -> list[bytes]:
    return [
        b64decode(found) for found in re.findall(r"url\(data:font/woff2;base64,([^)]+)\)", text)
    ]


def test_a_picture_carries_the_letters_it_needs():
    few, many = (FOLDER / "pictures.woff2").read_bytes(), (FOLDER / "inter.woff2").read_bytes()
    assert letters_in(with_letters("<svg><text>epsilon ≤ 1</text></svg>")) == [few]
    assert letters_in(
        with_letters('<svg width="9"><text x="1">a</text><tspan>Łódź</tspan></svg>')
    ) == [many]
    assert letters_in(carried()) == [many]


def test_a_style_sheet_carries_them_instead_of_their_address():
    style = with_letters_inside(
        '@font-face { font-family: Inter; src: url("inter.woff2"); } p { color: red }'
    )
    assert letters_in(style) == [(FOLDER / "inter.woff2").read_bytes()]
    assert style.endswith("p { color: red }")


@pytest.mark.parametrize("kind", ["svg", "html"])
def test_a_chart_that_is_written_carries_them(kind, tmp_path):
    require("plots")
    path = tmp_path / f"picture.{kind}"
    fair(n=4, alpha="1/2").plot(path=path)
    assert len(letters_in(path.read_text(encoding="utf-8"))) == 1


def test_charts_are_laid_out_with_them():
    """Letters that only a page knew would not fit what was laid out with others."""
    require("plots")
    import vl_convert

    def drawn(face: str) -> bytes:
        return vl_convert.svg_to_png(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"><text y="30" font-size="20" font-family="{face}">'
            "published number</text></svg>"
        )

    lend_to_vl_convert()
    assert drawn("Inter") != drawn("Arial")


def test_the_licence_of_the_letters_is_beside_them():
    assert "SIL OPEN FONT LICENSE" in (FOLDER / "OFL.txt").read_text(encoding="utf-8")
