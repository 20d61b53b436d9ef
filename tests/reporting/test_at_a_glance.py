"""The picture at the head of a report: drawn by the rules of the tables, on a scale that no draw moves."""

import re
from collections import Counter

import pytest
from tests.conftest import require
from tests.reporting.test_report_words import Page, private

import discreet as dc
from discreet.reading.quoting.interval_kinds import WAS_WIDENED, WIDENED

require("tables")

import pyarrow as pa


def clinics(sizes, *, ill=lambda k: k % 3 == 0, **asked):
    rows = [
        {"side": ("east", "west")[place % 2], "place": f"place {place:03d}", "ill": ill(k)}
        for place, size in enumerate(sizes) for k in range(size)
    ]  # fmt: skip
    return dc.release(pa.Table.from_pylist(rows), **{"by": ["side", "place"], "count": "ill", "epsilon": 1, **asked})


def picture(release):
    found = dc.report(release)
    (drawn,) = re.findall(r'<figure class="glance">.*?</figure>', found.html)
    return found, drawn


def drawings(drawn):
    """Of each line its bars from left to right end, pale ones apart, and where its marks are."""
    for svg in re.findall(r"<svg.*?</svg>", drawn):
        paths = dict(re.findall(r'<path class="([^"]*)" d="([^"]*)"', svg))
        bars = {
            look: [(float(x), float(x) + float(w)) for x, w in re.findall(r"M(\S+) \S+?h(\S+?)v", paths.get(look, ""))]
            for look in ("span", "span pale")
        }
        yield bars["span"], bars["span pale"], [float(x) for x in re.findall(r"M(\S+) ", paths.get("tick", ""))]


def test_every_bar_is_an_interval_and_only_what_may_be_quoted_has_a_mark():
    for epsilon in (1, 4):
        found, drawn = picture(clinics([8] * 10 + [16] * 10, epsilon=epsilon))
        (counted,) = found.findings.counts
        rows = [row for rows in list(counted.sums.values())[:2] for row in rows] + counted.groups
        lines = list(drawings(drawn))
        assert len(rows) == len(lines) == 3 + 20
        noisy = "too noisy to quote" in found.html
        for place, (row, (spans, pale, marks)) in enumerate(zip(rows, lines, strict=True)):
            single = place >= 3
            ((left, right),) = pale if row.says_little or (noisy and single) else spans
            assert abs(100 * row.low / row.n - left) < 0.5 and abs(100 * row.high / row.n - right) < 0.5
            values = [] if row.doubted or (noisy and single) else [100 * row.value / row.n]
            assert marks == pytest.approx(values, abs=0.01)
        assert ("a mark on it is a number that may be quoted" in drawn) == any(marks for _, _, marks in lines)


def drawn_names(drawn):
    return re.findall(r'class="line single"><span class="name">([^<]*)<', drawn)


def test_which_of_very_many_groups_are_drawn_and_on_which_scale_depends_on_sizes_alone():
    def look(ill):
        found, drawn = picture(clinics(range(3, 53), ill=ill))
        assert "12 of 50 groups, from large to small" in drawn and "All groups are in the tables below." in drawn
        rows = {f"{row.keys[0]}, {row.keys[1]}": row for row in found.findings.counts[0].groups}
        for name, (spans, pale, _) in zip(drawn_names(drawn), list(drawings(drawn))[3:], strict=True):
            ((left, right),) = spans + pale
            assert abs(100 * rows[name].low / rows[name].n - left) < 0.5
            assert abs(100 * rows[name].high / rows[name].n - right) < 0.5
        shown = [rows[name].n for name in drawn_names(drawn)]
        assert shown == sorted(shown, reverse=True) and (shown[0], shown[-1], len(shown)) == (52, 3, 12)
        return drawn_names(drawn), re.findall(r"<span>(\d+%[^<]*)<", drawn.split("</figcaption>")[1])

    nobody, everybody = look(lambda k: False), look(lambda k: True)
    assert nobody == everybody
    assert nobody[1] == ["0% (nobody)", "50%", "100% (everybody)"]
    assert "12 of 90 groups, of 100 people each" in picture(clinics([100] * 90, epsilon="1/8"))[1]


def test_of_a_table_too_noisy_to_quote_no_group_has_a_mark():
    found, drawn = picture(clinics([4] * 12, epsilon="1/10"))
    assert "too noisy to quote" in found.html
    groups = list(drawings(drawn))[-12:]
    assert [(len(spans), len(pale), marks) for spans, pale, marks in groups] == [(0, 1, [])] * 12
    assert "A pale bar says next to nothing." in drawn
    alike = list(drawings(picture(clinics([4] * 40, epsilon="1/10"))[1]))[3:]
    assert all(not spans and len(pale) == 1 and not marks for spans, pale, marks in alike)


def test_few_groups_have_their_names_in_the_order_of_the_tables_and_the_number_of_lines_no_draw_moves():
    found, drawn = picture(clinics([5, 8, 30] * 10))
    text = Page(f"<main>{drawn}</main>").text
    assert "30 groups of 5 to 30 people each" in text
    names = [f"{side}, place {place:03d}" for side in ("east", "west") for place in range(side == "west", 30, 2)]
    assert [text.index(name) for name in names] == sorted(text.index(name) for name in names)
    for row in found.findings.counts[0].groups:
        assert f"{row.keys[0]}, {row.keys[1]} {row.low:.0f} to {row.high:.0f} of {row.n}" in text
    assert len(list(drawings(drawn))) == 3 + 30
    assert "east, place 000" not in picture(clinics([5, 8, 30] * 11))[1]


def test_many_groups_have_one_line_for_each_interval_that_says_how_many_have_it():
    found, drawn = picture(clinics([8] * 40 + [5] * 20))
    text = Page(f"<main>{drawn}</main>").text
    assert "60 groups of 5 to 8 people each in each group" in text
    kinds = Counter((row.n, row.low, row.high) for row in found.findings.counts[0].groups)
    lines = list(drawings(drawn))[3:]
    assert len(lines) == len(kinds) <= 16
    said = re.findall(r"(\d+) groups? (\d+) to (\d+)\S? of ([58])\b", text)
    expected = [(many, low, high, n) for (n, low, high), many in sorted(kinds.items())]
    assert [(int(many), float(low), float(high), int(n)) for many, low, high, n in said] == expected
    for (_, low, high, n), (spans, pale, marks) in zip(expected, lines, strict=True):
        ((left, right),) = spans + pale
        assert abs(100 * low / n - left) < 0.5 and abs(100 * high / n - right) < 0.5
        assert not marks, "groups with one interval may have different numbers"
    thick = {int(each) for each in re.findall(r'<path class="span[^"]*" d="M\S+ \S+h\S+v(\d+)h', drawn)[1:]}
    assert len(thick) == 1, "a group's bar is as thick as a region's, whatever it stands for"
    assert "Groups with the same interval share a line: their names and numbers are in the tables below." in drawn
    assert "of 1 person each" in picture(clinics([1] * 40))[1]


def test_of_several_answers_each_has_its_total_and_its_interval():
    rows = [{"g": k % 4, "mood": ("bad", "fair", "good")[k % 3]} for k in range(48)]
    release = dc.release(pa.Table.from_pylist(rows), by="g", count={"mood": ["bad", "fair", "good"]}, epsilon=2)
    found, drawn = picture(release)
    text = Page(f"<main>{drawn}</main>").text
    assert text.startswith("Answers to “mood”, of 48 people")
    for row in found.findings.counts[0].sums[()]:
        assert f"{row.answer} {row.low:.0f} to {row.high:.0f} of 48" in text
    capped = Page(f"<main>{picture(private())[1]}</main>").text
    assert " 0 9 18 " in capped, "six clinics, of each at most three people"


def test_a_widened_interval_is_marked_where_it_stands_and_the_note_says_why():
    drawn = (clinics([8] * 40, levels="rollup") for _ in range(100))
    release = next(r for r in drawn if dc.estimate(r).quotable().widened)
    table = dc.estimate(release).quotable()
    page = Page(dc.report(release).html)
    rows = table.to_dict()["rows"]
    assert WAS_WIDENED in page.text
    for place, row in enumerate(rows):
        between = f"{row['place']} 8 {row['ill_from_credible']} to {row['ill_to_credible']}"
        assert f"{between}{WIDENED if place in table.widened else ''} " in page.text
    folded = re.findall(rf"\(20 groups, {WIDENED} in (\d+)\)", page.text)
    assert sum(map(int, folded)) == len(table.widened), "a closed table says how many it has"
    (said,) = (note for note in table.notes if "widened" in note)
    assert all(rows[place]["place"] in said for place in table.widened[:5])
    calm = clinics([8, 8], epsilon=9)
    assert not dc.estimate(calm).quotable().widened and WIDENED not in dc.report(calm).html
