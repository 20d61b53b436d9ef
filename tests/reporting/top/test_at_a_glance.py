"""The picture at the head of a report: drawn by the rules of the tables, on a scale that no draw moves."""

import re

import numpy as np
import pytest
from tests.conftest import require
from tests.reporting.test_report_words import Page, private

import discreet as dc
from discreet.reading.quoting.interval_kinds import WAS_WIDENED, WIDENED
from discreet.reading.quoting.quotable_table import what_to_quote
from discreet.reporting.top.spread import WIDEST, finding, shortest
from discreet.show.pictures.readings.estimate_rows import share_rows
from discreet.show.pictures.readings.round_ends import share_end

require("tables")

import pyarrow as pa


def clinics(sizes, *, ill=lambda k: k % 3 == 0, **asked):
    rows = [
        {"side": ("east", "west")[place % 2], "place": f"place {place:03d}", "ill": ill(k)}
        for place, size in enumerate(sizes)
        for k in range(size)
    ]
    return dc.release(
        pa.Table.from_pylist(rows),
        **{"by": ["side", "place"], "count": "ill", "epsilon": 1, **asked},
    )


def picture(release):
    found = dc.report(release)
    (drawn,) = re.findall(r'<figure class="glance">.*?</figure><p class="note">.*?</p>', found.html)
    return found, drawn


def drawings(drawn):
    """Of each line its bars from left to right end, pale ones apart, and where its marks are."""
    for svg in re.findall(r"<svg.*?</svg>", drawn):
        paths = dict(re.findall(r'<path class="([^"]*)" d="([^"]*)"', svg))
        bars = {
            look: [
                (float(x), float(x) + float(w))
                for x, w in re.findall(r"M(\S+) \S+?h(\S+?)v", paths.get(look, ""))
            ]
            for look in ("span", "span pale")
        }
        yield (
            bars["span"],
            bars["span pale"],
            [float(x) for x in re.findall(r"M(\S+) ", paths.get("tick", ""))],
        )


def drawn_names(drawn):
    return re.findall(r'class="line(?: all)?"><span class="name">([^<]*)<', drawn)


@pytest.mark.parametrize("epsilon", [1, 4])
@pytest.mark.parametrize("by", [["side", "place"], ["place"]])
def test_every_bar_is_an_interval_and_only_what_may_be_quoted_has_a_mark(epsilon, by):
    found, drawn = picture(clinics([8] * 10 + [16] * 10, epsilon=epsilon, by=by))
    (counted,) = found.findings.counts
    rows = [*counted.sums[()], *(counted.groups if by == ["place"] else counted.sums["side",])]
    lines = list(drawings(drawn))
    assert len(rows) == len(lines) == (21 if by == ["place"] else 3), (
        "sums where there are any, else single groups"
    )
    noisy = "too noisy to quote" in found.html and by == ["place"]
    end = share_end(rows)
    assert ("The scale ends at" in drawn) == (end < 1)
    for place, (row, (spans, pale, marks)) in enumerate(zip(rows, lines, strict=True)):
        single = noisy and place > 0
        ((left, right),) = pale if row.says_little or single else spans
        everybody = row.n * end
        wide = 0.5 if row.low < row.high else 0.7
        assert (
            abs(100 * row.low / everybody - left) < wide
            and abs(100 * row.high / everybody - right) < wide
        )
        values = [] if row.doubted or single else [100 * min(row.value / everybody, 1)]
        assert marks == pytest.approx(values, abs=0.01)
    marked = [bool(marks) for _, _, marks in lines]
    assert ("the mark is the number to quote after it" in drawn) == any(marked)
    assert ("A bar without a mark has no number to quote." in drawn) == (
        any(marked) and not all(marked)
    )


def test_which_lines_are_drawn_depends_on_sizes_alone_and_the_scale_ends_above_the_largest_interval():
    def look(ill, by):
        found, drawn = picture(clinics(range(3, 33), ill=ill, by=by))
        (counted,) = found.findings.counts
        rows = [*counted.sums[()], *(counted.groups if by == ["place"] else counted.sums["side",])]
        ends = re.findall(r"<span>(\d+(?:\.\d+)?%[^<]*)<", drawn.split("</figcaption>")[1])
        return drawn_names(drawn), ends, max(row.high / row.n for row in rows)

    for by in (["side", "place"], ["place"]):
        (names, few, most), (others, all_, _) = look(lambda k: False, by), look(lambda k: True, by)
        assert names == others
        assert all_ == ["0% (nobody)", "50%", "100% (everybody)"]
        end = float(few[-1].partition("%")[0]) / 100
        assert few[0] == "0% (nobody)" and most <= end <= max(1.6 * most, 0.01), (
            "most of it carries something"
        )
        assert few[-1].endswith("% of the people" if end < 1 else "% (everybody)")


def test_of_a_table_too_noisy_to_quote_no_group_has_a_mark():
    found, drawn = picture(clinics([4] * 12, epsilon="1/10", by="place"))
    assert "too noisy to quote" in found.html
    groups = list(drawings(drawn))[-12:]
    assert [(len(spans), len(pale), marks) for spans, pale, marks in groups] == [(0, 1, [])] * 12
    assert "A pale bar says next to nothing." in drawn
    assert "The tables below have more." in picture(clinics([4] * 40, epsilon="1/10"))[1], (
        "not every group"
    )


def test_groups_have_their_names_in_the_order_of_the_tables_unless_they_are_many_or_have_sums():
    found, drawn = picture(clinics([5, 8, 30] * 10, by="place"))
    text = Page(f"<main>{drawn}</main>").text
    assert drawn_names(drawn) == ["all groups", *(f"place {place:03d}" for place in range(30))]
    for row in found.findings.counts[0].groups:
        assert re.search(
            rf"{row.keys[0]} {row.low:.0f} to {row.high:.0f}{WIDENED}? of {row.n}\b", text
        )
    assert "in the tables below" not in text, "all of them are here"
    link = '<a href="#the-numbers-to-quote">Each place is in the tables below.</a>'
    for more, names in (
        (picture(clinics([5, 8, 30] * 11, by="place")), ["all groups"]),
        (picture(clinics([5, 8, 30] * 10)), ["all groups", "east", "west"]),
    ):
        assert drawn_names(more[1]) == names and link in more[1]
        assert 'id="the-numbers-to-quote"' in more[0].html


def test_of_several_answers_each_has_its_total_and_its_interval():
    rows = [{"g": k % 4, "mood": ("bad", "fair", "good")[k % 3]} for k in range(48)]
    release = dc.release(
        pa.Table.from_pylist(rows), by="g", count={"mood": ["bad", "fair", "good"]}, epsilon=2
    )
    found, drawn = picture(release)
    text = Page(f"<main>{drawn}</main>").text
    assert "with its 95% interval" in text
    rows = found.findings.counts[0].sums[()]
    leads = any(
        all(one.low > other.high for other in rows if other is not one) for one in rows
    )  # by chance
    assert text.startswith("Probably more “" if leads else "Answers to “mood”, of 48 people")
    for row in rows:
        assert f"{row.answer} {row.low:.0f} to {row.high:.0f} of 48" in text
    clear = [{"g": k % 4, "mood": "bad" if k % 10 else "good"} for k in range(480)]
    found, drawn = picture(
        dc.release(
            pa.Table.from_pylist(clear), by="g", count={"mood": ["bad", "fair", "good"]}, epsilon=4
        )
    )
    low, high = next(
        (row.low, row.high) for row in found.findings.counts[0].sums[()] if row.answer == "bad"
    )
    said = f"Probably more “bad” than any other answer to “mood”: between {low:.0f} and {high:.0f} of 480 people"
    assert said in Page(f"<main>{drawn}</main>").text, "the interval of one lies above all others"
    capped = Page(f"<main>{picture(private())[1]}</main>").text
    assert " 0 9 18 Each bar" in capped, "six clinics, of each at most three people"


def test_a_widened_interval_is_marked_where_it_stands_and_the_note_says_why():
    drawn = (clinics([8] * 40, levels="rollup") for _ in range(100))
    release = next(r for r in drawn if what_to_quote(dc.estimate(r)).widened.any())
    quoted = what_to_quote(dc.estimate(release))
    table = quoted.table()
    page = Page(dc.report(release).html)
    rows = table.to_dict()["rows"]
    assert WAS_WIDENED in page.text
    for place, row in enumerate(rows):
        between = f"{row['place']} 8 {row['low']} to {row['high']}"
        assert f"{between}{WIDENED if quoted.widened[place] else ''} " in page.text
    folded = re.findall(rf"\(20 groups, {WIDENED} in (\d+)\)", page.text)
    assert sum(map(int, folded)) == quoted.widened.sum(), "a closed table says how many it has"
    (said,) = (note for note in table.notes if "widened" in note)
    assert all(rows[place]["place"] in said for place in quoted.widened.nonzero()[0][:5])
    calm = clinics([8, 8], epsilon=9)
    assert (
        not what_to_quote(dc.estimate(calm)).widened.any() and WIDENED not in dc.report(calm).html
    )


def test_every_row_of_every_table_has_its_bar_so_that_all_have_the_same_columns():
    for made in (clinics([8] * 12), clinics([8] * 12, by="place"), clinics([8] * 40, by="place")):
        found, drawn = picture(made)
        (counted,) = found.findings.counts
        top, below = found.html.split('id="the-numbers-to-quote"')
        rows = sum(map(len, counted.sums.values())) + len(counted.groups)
        assert top.count('class="grid"') == len(list(drawings(drawn)))
        assert below.partition("<h2")[0].count('<td class="drawn"><svg class="bar"') == rows


def spread_of(release):
    found = dc.report(release)
    (drawn,) = re.findall(r'<figure class="glance spread">.*?</figure>', found.html)
    return found, drawn


@pytest.mark.parametrize("sizes", [[8] * 60, [8, 12] * 30])
def test_below_a_lone_total_stands_how_the_groups_differ_and_what_most_have(sizes):
    found, drawn = spread_of(clinics(sizes, by="place", epsilon=2))
    (counted,) = found.findings.counts
    assert (
        found.html.index(drawn) < found.html.index("<nav")
        and "How the groups differ" not in found.html
    )
    shares = [row.value for row in counted.shares]
    pale = ["pale" in look for look in re.findall(r'<path class="([^"]*)"', drawn)]
    kept = [place for place, is_pale in enumerate(pale) if not is_pale]
    assert len(pale) == len(shares) and kept == list(range(kept[0], kept[-1] + 1))
    assert sum(shares[place] for place in kept) >= 0.75
    title = finding(found.findings, counted)
    assert title in Page(f"<main>{drawn}</main>").text and title.startswith(
        "In most groups, probably "
    )
    numbers = [int(number) for number in re.findall(r"\d+", title)]
    said = [kept[0], kept[-1], 8] if sizes[-1] == 8 else [10 * kept[0], 10 * kept[-1] + 10]
    assert numbers == said if len(kept) > 1 or sizes[-1] != 8 else numbers == [kept[0], 8]


def test_what_most_groups_have_is_not_said_where_the_release_does_not_tell():
    found, drawn = spread_of(clinics([8] * 60, by="place", epsilon="1/20"))
    assert "In most groups" not in found.html and "pale" not in drawn
    assert found.html.index(drawn) > found.html.index('id="how-the-groups-differ"'), (
        "where it says little, further down"
    )
    with_sums, drawn = spread_of(clinics([8] * 60))
    assert with_sums.html.index(drawn) > with_sums.html.index('id="how-the-groups-differ"'), (
        "not at the top"
    )


def test_of_a_count_and_a_question_only_the_shares_of_answers_are_left_below():
    rows = [
        {"g": k // 8, "ill": k % 4 == 0, "mood": ("bad", "good")[k % 3 == 0]} for k in range(480)
    ]
    count = {"ill": "ill", "mood": ["bad", "fair", "good"]}
    found, drawn = spread_of(dc.release(pa.Table.from_pylist(rows), by="g", count=count, epsilon=9))
    assert found.html.index(drawn) < found.html.index("<nav")
    assert "How the groups differ" not in found.html and 'id="shares-of-answers"' in found.html


@pytest.mark.slow
def test_what_most_groups_have_is_so_in_most_groups():
    """In 400 releases whose rates differ it is right in all but a few: at most 20 are let pass."""
    rng, wrong, told = np.random.default_rng(7), 0, 0
    for _ in range(400):
        a, b = rng.uniform(0.5, 8, size=2)
        true = rng.binomial(8, rng.beta(a, b, size=60))
        made = dc.geometric(n=8, epsilon=1)
        e = dc.estimate(made.release(true.tolist()), mechanism=made)
        first, last = shortest([row.value for row in share_rows(e)])
        if last - first + 1 <= WIDEST * 9:
            told += 1
            wrong += ((true >= first) & (true <= last)).mean() <= 0.5
    assert told > 200 and wrong <= 20
