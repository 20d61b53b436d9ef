"""Changes as they are shown: the total first, marks where 0 is excluded, nothing outside of its own interval."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.conftest import require

require("tables")

from discreet.reading.parts.change_table import UNCUT, Change
from discreet.reading.quoting.change_text import FEW
from discreet.reading.totals import Quantity, outside_note
from discreet.show.text import EVERY, laid_out


def change(values, low, high, notes=()):
    total = Quantity(
        name="change",
        value=59.1,
        low=35.0,
        high=83.0,
        standard_error=12.0,
        confidence=0.95,
        groups=len(values),
        method="",
    )
    numbers = {
        "change": np.array(values, dtype=float),
        "low": np.array(low),
        "high": np.array(high),
    }
    columns = {"clinic": np.arange(len(values)).astype(object), **numbers}
    return Change(
        title="Change from oct to nov", columns=columns, keys=("clinic",), notes=notes, total=total
    )


FOUND = change([5.6, -7.0, 0.0], [-4, -9, -2], [4, -3, 2], (UNCUT,))


@pytest.mark.parametrize("text", [str(FOUND), FOUND._repr_html_()])
def test_the_total_comes_first_then_in_how_many_rows_anything_changed(text):
    assert text.index("+59.1") < text.index("excludes 0 in 1 of 3 rows") < text.index("clinic")
    assert "+35 to +83" in text and UNCUT not in text


def test_what_is_said_of_the_rows_never_contradicts_the_total():
    quiet = change([0.0] * 4, [-4] * 4, [4] * 4)
    words = " ".join(str(quiet).split())
    assert words.index("In total a change shows: the interval excludes 0.") < words.index(
        "Of rows by themselves none"
    )
    assert "No change shows" not in words and "No change shows" not in quiet._repr_html_()
    both = replace(quiet, total=replace(quiet.total, low=-3.0))
    assert "No change shows: the interval holds 0 in all 4 rows" in " ".join(str(both).split())


def test_rows_that_exclude_zero_are_marked_and_none_else():
    lines = str(FOUND).splitlines()
    assert [line.split()[0] for line in lines if line.endswith("*")] == ["1"]
    assert not any(line.endswith("*") for line in str(change([1.0], [-1], [3])).splitlines())


@pytest.mark.parametrize(
    ("rows", "said"), [(60, "up to about 3 would"), (4, "fewer than one would")]
)
def test_how_many_would_be_marked_by_chance_is_said(rows, said):
    assert said in str(change([5.0] * rows, [1] * rows, [9] * rows))


def test_of_many_rows_only_those_that_exclude_zero_are_shown_unless_all_are_asked_for():
    quiet, loud = FEW, 3
    many = change([0.0] * quiet + [5.0] * loud, [-4] * quiet + [1] * loud, [4] * quiet + [9] * loud)
    assert [
        line.split()[0] for line in str(many).splitlines() if line.split()[1:] == ["5.0", "1", "9"]
    ] == [str(quiet + k) for k in range(loud)]
    assert f"{quiet} rows whose interval holds 0 are not shown" in str(many)
    assert len(many.to_dict()["rows"]) == quiet + loud, "JSON has all of them"
    with laid_out(rows=EVERY):
        assert sum(line.endswith("*") for line in str(many).splitlines()) == loud
        assert "not shown" not in str(many)
    none = str(change([0.0] * (FEW + 1), [-4] * (FEW + 1), [4] * (FEW + 1), ("said",)))
    assert (
        "the interval holds 0 in all 31 rows" in " ".join(none.split())
        and "clinic" not in none
        and none.endswith("said")
    )


def test_a_change_outside_its_interval_is_shown_at_its_end_and_kept_unbiased():
    text = str(FOUND)
    assert "5.6" not in text and "1 change outside of what is possible" in text
    assert FOUND.to_dict()["rows"][0]["change"] == 5.6
    assert "outside" not in str(change([1.0], [-1], [3]))


def test_an_estimate_outside_its_interval_is_explained():
    assert outside_note([0.02, 9.0], [0, 3], [4, 9]) == ()
    (said,) = outside_note([-27.2, 300.0], [0, 3], [47, 299])
    assert (
        said.startswith("2 estimates are below 0 or above n") and "nearest possible number" in said
    )
