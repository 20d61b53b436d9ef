"""What a report says: of every kind of release, from its bundle alone, and true to the manifest."""

import re
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.conftest import require

import discreet as dc
from discreet.errors import InvalidFile, InvalidInput
from discreet.odds import PRIORS, belief, most_sure, most_times
from discreet.reading.quoting.interval_kinds import INTERVAL_ALONE, NONE
from discreet.reporting.drawn_tables import scale_text
from discreet.reporting.plain_words import NOBODY

require("tables")

import pyarrow as pa

FIXTURES = Path(__file__).parents[1] / "fixtures"
BUNDLES = [
    "release",
    "release-csv",
    "release-levels",
    "release-ranges",
]


class Page(HTMLParser):
    """The elements of a page, checked to be well-formed, and its text."""

    def __init__(self, source):
        super().__init__()
        self.open, self.words, self.tags, self.addresses = [], [], [], []
        self.feed(source)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.addresses += [
            value
            for name, value in attrs
            if name in ("src", "href", "srcset", "action", "xlink:href")
        ]
        if tag not in ("meta", "line", "rect"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("line", "rect"):
            assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


def released(**asked):
    people = {
        "region": ["north", "south"] * 12,
        "clinic": [f"<c{k // 4}>" for k in range(24)],
        "person": list(range(24)),
        "smoker": [k % 3 == 0 for k in range(24)],
        "mood": ["bad", "good", "fair"] * 8,
    }
    return dc.release(
        pa.table(people), **{"by": ["region", "clinic"], "count": "smoker", "epsilon": 1, **asked}
    )


def private():
    """A release with private group sizes."""
    keys = pa.table({"clinic": [f"<c{k}>" for k in range(6)]})
    return released(
        by="clinic", keys=keys, unit="person", cap=3, other_keys="drop", excess="drop", nulls="0"
    )


PLACES = [f"{side}-{k:02d}" for side in ("east", "west") for k in range(12)]


def long(**asked):
    """A release of which the report has long tables."""
    rows = [
        {"side": place[:4], "place": place, "ill": k % 2, "mood": ("bad", "good", "fair")[k % 3]}
        for place in PLACES
        for k in range(9)
    ]
    count = {"ill": "ill", "mood": ["bad", "good", "fair"]}
    return dc.release(
        pa.Table.from_pylist(rows), by=["side", "place"], count=count, levels="rollup", **asked
    )


def kinds():
    yield released()
    yield released(by=[])
    yield released(levels="rollup")
    yield released(
        by="clinic",
        count={"mood": ["bad", "fair", "good"], "smoker": "smoker"},
        where="region = 'north'",
    )
    yield private()
    yield released(smallest=3, intervals="0.9")
    yield released(epsilon="0.0001", by="clinic")  # of which nothing can be estimated


@pytest.fixture(scope="module")
def reports():
    return [dc.report(source) for source in (*(FIXTURES / name for name in BUNDLES), *kinds())]


def test_every_kind_of_release_has_a_page_that_asks_nothing_of_the_outside(reports):
    for found in reports:
        page = Page(found.html)
        assert page.tags.count("h1") == 1 and page.tags.count("h2") >= 9
        assert not {"script", "link", "img", "iframe", "object", "form"} & set(page.tags)
        assert page.addresses and all(address.startswith("#") for address in page.addresses)
        assert not re.search(r"url\((?!data:font/)", found.html) and "@import" not in found.html, (
            "letters are in the page"
        )
        facts = found.findings.manifest
        for said in (
            facts.release,
            facts.digest,
            facts.guarantee,
            "discreet verify",
            found.methods,
            found.citation,
        ):
            assert " ".join(said.split()) in page.text
        assert "nan" not in page.text.lower().split() and "None" not in page.text


def test_the_methods_paragraph_has_five_sentences(reports):
    for found in reports:
        assert len(re.findall(r"[.](?= [A-Z]|$)", found.methods)) == 5, found.methods
        assert found.findings.manifest.release in found.methods


def test_what_a_suspicion_can_become_is_bayes_rule_exactly():
    for alpha in (Fraction(1, 3), Fraction(10, 11)):
        for before in (Fraction(1, 2), Fraction(1, 100)):
            found = belief(before, alpha)
            odds = [p / (1 - p) for p in (found.least, before, found.most)]
            assert odds[2] == odds[1] / alpha and odds[0] == odds[1] * alpha
    page = Page(dc.report(released(epsilon=None, alpha="1/2")).html)
    assert "1 in 2 (50%) 33.3% 66.7%" in page.text and "1 in 10 (10%) 5.2% 18.2%" in page.text
    assert "1 in 100 (1%) 0.502% 2%" in page.text and "alpha is 1/2" in page.text


@pytest.mark.parametrize(
    "alpha",
    [
        Fraction(1, 3),
        Fraction("0.36787944"),
        Fraction(3, 7),
        Fraction(1, 99999),
        Fraction(1, 10**7),
    ],
)
def test_limits_hold_as_they_are_printed(alpha):
    for before in PRIORS:
        found = belief(before, alpha)
        least, most = (Fraction(words.strip("<>%")) / 100 for words in found.words[1:])
        assert least <= found.least or found.words[1] == "<0.001%"
        assert most >= found.most or found.words[2] == ">99.999%"
        assert found.most - Fraction(1, 1000) < most <= 1 or found.words[2] == ">99.999%", (
            "no farther than one decimal"
        )
    assert Fraction(most_times(alpha)) >= 1 / alpha


LITTLE = "These numbers are nearly exact, and protect each person little."


def test_where_the_noise_protects_little_the_page_says_so_and_not_that_it_protects():
    for alpha, little in (("1/18", False), ("1/19", True), ("1/8000", True)):
        text = Page(dc.report(released(epsilon=None, alpha=alpha)).html).text
        assert (
            (LITTLE in text)
            == ("At this epsilon the noise is small, and protects little." in text)
            == little
        )
        assert ("Every number has noise that protects each person." in text) == (not little)
        assert f"50% sure becomes at most {most_sure(Fraction(alpha))}" in text
        assert "Other releases about the same people add to this." in text
    shared = Page(dc.report(long(epsilon=3)).html).text  # two questions and three levels share it
    assert (
        "The noise in these numbers protects each person little." in shared and LITTLE not in shared
    )


def test_an_interval_of_one_number_is_that_number():
    found = dc.report(released(epsilon=40))
    rows = [row for row in found.findings.counts[0].groups if row.low == row.high]
    assert rows and not re.search(r"\b(\d+) to \1\b", Page(found.html).text)
    n = rows[0].n
    assert (
        f"{rows[0].keys[1]} {n} {rows[0].low:.0f} of {n} {rows[0].value:.0f}"
        in Page(found.html).text
    )


def test_the_page_says_what_the_manifest_says():
    text = Page(dc.report(released(where="region = 'north'", smallest=2, nulls="1")).html).text
    assert "Only these rows were used: region = 'north'." in text
    assert (
        "Groups of fewer than 2 people are not shown" in text
        and "A missing answer counts as yes." in text
    )
    assert (
        "Protected: Each person's yes or no" in text
        and "declared that, and did not check it" in text
    )
    assert (
        "was checked when the release was made"
        in Page(dc.report(released(unit="person")).html).text
    )


def test_what_an_empty_answer_counts_as_is_said_once_and_as_it_was_counted():
    table = pa.table({"p": range(6), "g": list("aaabbb"), "sex": ["m", None, "f", "m", "f", "f"]})

    def said(count, nulls):
        return Page(
            dc.report(dc.release(table, by="g", count=count, nulls=nulls, unit="p", epsilon=1)).html
        ).text

    for nulls, word in (("0", "f"), ("1", "m")):  # of two answers the first is counted, as 1
        text = said({"sex": ["m", "f"]}, nulls)
        assert f"an empty one counts as “{word}”" in text and "A missing answer" not in text
        assert "one certain person gave a certain answer" in text and "answered yes" not in text
    own = said({"sex": {"answers": ["m", "f"], "nulls": "m"}}, "0")
    assert "an empty one counts as “m”" in own and "A missing answer" not in own
    assert "A missing answer counts as no." in said({"men": "sex = 'm'"}, "0")


def test_numbers_on_the_page_are_those_of_the_estimate():
    r = released(epsilon=20)
    e, text = dc.estimate(r), Page(dc.report(r).html).text
    total = e.total
    said = (
        f"Probably between {total.low} and {total.high} of 24 people count as smoker 95% interval; as one number, "
        f"about {total.value:,.0f}"
    )
    assert said in text
    for row in e.quotable("region").to_dict()["rows"]:
        shown = NONE if row["number"] is None else row["number"]
        between = f"{row['low']} to {row['high']}"
        assert f"{row['region']} {row['people']} {between} of {row['people']} {shown}" in text
    assert "<c0>" in text, "names are text, whatever they look like"


def test_a_release_that_tells_nothing_of_a_total_says_so():
    drawn = (released(by=[], epsilon="0.02") for _ in range(1000))
    # four of five times an end is drawn; a number between has chance 0.01, so that it does rule out some
    silent = next(r for r in drawn if r.table["smoker"][0].as_py() in (0, r.table["n"][0].as_py()))
    text = Page(dc.report(silent).html).text
    assert (
        "this release does not tell: every number is possible" in text
        and "as one number" not in text
    )


def test_of_many_groups_the_page_shows_some_and_says_where_all_are(tmp_path, monkeypatch):
    monkeypatch.setattr("discreet.reporting.page.page.__defaults__", (100,))
    table = pa.table(
        {"g": [f"g{k // 2:04d}" for k in range(600)], "b": [k % 2 == 0 for k in range(600)]}
    )
    r = dc.release(table, by="g", count="b", epsilon=6, output=tmp_path / "many groups")
    page = Page(dc.report(r).html)
    first = page.text.index("Below are the first 100 of 300 groups.")
    assert first < page.text.index("g0000") < page.text.index("g0099") and "g0100" not in page.text
    assert "discreet report 'many groups' -o report.xlsx" in page.text
    assert str(tmp_path) not in page.text, "no path of this machine"


def test_a_report_is_written_whole_or_not_at_all(tmp_path):
    r = released(by="clinic")
    file = tmp_path / "report.html"
    found = dc.report(r, file, title="Smoking & <more>")
    assert (
        file.read_text(encoding="utf-8") == found.html
        and "<title>Smoking &amp; &lt;more&gt;</title>" in found.html
    )
    with pytest.raises(InvalidInput, match=r"exists already.*output.*overwrite=True"):
        dc.report(r, file)
    dc.report(r, file, overwrite=True)
    for name, said in (
        ("report.doc", r"must end in \.html or \.xlsx"),
        ("report", r"end it in \.html or \.xlsx"),
    ):
        with pytest.raises(InvalidInput, match=said):
            dc.report(r, tmp_path / name)
    with pytest.raises(InvalidFile, match="folder that exists"):
        dc.report(r, tmp_path / "no" / "report.html")
    with pytest.raises(InvalidInput, match="source.*must be a release or its folder"):
        dc.report([1, 2])
    with pytest.raises(InvalidInput, match="confidence"):
        dc.report(r, confidence=2)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert "<iframe srcdoc=" in found._repr_html_() and "Smoking" in repr(found)


def test_where_a_person_has_several_rows_the_report_counts_rows():
    table = pa.table(
        {"p": [0, 0, 1, 2], "g": ["a", "b", "a", "b"], "b": [True, False, True, False]}
    )
    found = dc.report(dc.release(table, by="g", count="b", epsilon=1, unit="p", contributions=2))
    text = Page(found.html).text
    assert "Rows are counted: in each g. One person may have 2 of the rows." in text
    assert "b: counted are the rows for which it is yes." in text
    assert (
        re.search(r"(About \d|How many) of 4 rows count as b", text)
        and "Rows 4" in text
        and "g rows 95% interval number" in text
    )
    assert "of 4 people" not in text and "People 4" not in text
    dropped = released(unit="person", excess="drop")
    assert (
        "more than one of the rows, the others were left out" in Page(dc.report(dropped).html).text
    )


def test_an_answer_that_is_called_people_is_an_answer():
    table = pa.table({"seen": ["people", "dogs", "cats"] * 3})
    r = dc.release(table, by=[], count={"seen": ["people", "dogs", "cats"]}, epsilon=1)
    assert "People counted" not in Page(dc.report(r).html).text


def test_any_epsilon_has_a_page():
    text = Page(dc.report(released(epsilon=900)).html).text
    assert re.search(
        r"by a factor of at most 7\.[0-9]+e\+390, up or down.* alpha is about 1\.[0-9]+e-391", text
    )


@pytest.mark.parametrize("output", [5, b"r.html", "a\0.html", ["r.html"]])
def test_what_is_no_path_is_refused(output):
    with pytest.raises(InvalidInput, match=r"output.*must be the path of a file"):
        dc.report(released(by="clinic"), output)


@pytest.mark.parametrize("title", [5, ["a"], "\ud800", "a\0b"])
def test_a_title_is_text(title):
    with pytest.raises(InvalidInput, match=r"title.*must be printable text"):
        dc.report(released(by="clinic"), title=title)


def test_who_publishes_is_cited_as_such_and_a_blank_is_left_where_nobody_said_it():
    done = released(by="clinic")
    found = dc.report(done, publisher="City of Example")
    assert found.citation.startswith(
        f"City of Example ({done.manifest.created[:4]}). Private counts of smoker"
    )
    assert NOBODY not in found.html
    found = dc.report(done)
    assert (
        found.citation.startswith(NOBODY)
        and f"Put the publisher in place of {NOBODY}." in found.html
    )
    with pytest.raises(InvalidInput, match=r"publisher.*must be printable text"):
        dc.report(done, publisher="a\nb")


def test_a_nought_is_never_quoted_alone_its_interval_is():
    rows = {
        "class": [f"{k // 20}" for k in range(480)],
        "bullied": [k % 20 == 0 and k < 240 for k in range(480)],
    }
    done = dc.release(
        pa.table(rows), by="class", count="bullied", epsilon=1
    )  # 0 or 1 of 20: never no nought
    e = dc.estimate(done)
    quoted = e.quotable(details=True)
    noughts = (quoted["whole"] == 0) & (quoted["high"] > 0)
    assert noughts.any() and {*quoted["number"][noughts]} == {None}
    html = dc.report(done).html
    cells = re.findall(
        r'<td class="number strong">[^<]+<span class="of">[^<]+</span></td><td class="number">([^<]+)<',
        html,
    )
    assert len(cells) == 1 + 24, "the interval first, in bold"
    shown = [NONE if number is None else str(number) for number in quoted["number"]]
    assert sorted(cells[1:]) == sorted(shown) and shown.count(NONE) >= noughts.sum(), (
        "as the file says"
    )
    assert html.count('class="tick"') == len(cells) - cells.count(NONE), "no mark without a number"
    marked = [
        'class="mark"' in drawn for drawn in re.findall(r'<td class="drawn"><svg.*?</svg>', html)
    ]
    assert marked == [cell != NONE for cell in cells], "nor in a table"
    ticks = re.findall(r'class="tick" d="([^"]*)"', html)
    assert sum(path.count("M") for path in ticks) == len(cells) - cells.count(NONE), (
        "nor in the picture at the top"
    )
    said = Page(html).text
    assert (
        "Quote the interval first. The number beside it is a whole number that the group can have."
        in said
    )
    assert (
        INTERVAL_ALONE in said
        and "*" not in said.split("What not to do")[1].split("What was asked")[0]
    )


def test_single_groups_that_a_plan_calls_too_noisy_are_not_to_be_quoted():
    noisy, clear = released(epsilon="1/10"), released(by="clinic", epsilon=12)
    text = Page(dc.report(noisy).html).text
    assert (
        "Single groups of smoker are too noisy to quote: in 12 of 12 groups the 95% margin" in text
    )
    assert (
        text.index("smoker, in total")
        < text.index("Quote the totals above")
        < text.index("smoker, by region and")
    )
    assert INTERVAL_ALONE in text
    calm = Page(dc.report(clear).html).text
    assert "too noisy" not in calm and "Quote the interval first." in calm


@pytest.mark.parametrize("by", [["clinic", "region"], ["region", "clinic"]])
def test_totals_by_the_coarser_key_are_there_in_either_order(by):
    people = {
        "region": ["a", "a", "b", "b"] * 3,
        "clinic": [1, 1, 2, 3] * 3,
        "smoker": [True, False] * 6,
    }
    counted = dc.report(
        dc.release(pa.table(people), by=by, count="smoker", epsilon=1)
    ).findings.counts[0]
    assert list(counted.parts) == [("region",)]
    crossed = {**people, "clinic": [0, 1, 0, 1] * 3}
    counted = dc.report(
        dc.release(pa.table(crossed), by=by, count="smoker", epsilon=1)
    ).findings.counts[0]
    assert {*counted.parts} == {("region",), ("clinic",)}


def test_a_report_says_what_changed_since_an_earlier_release(tmp_path):
    first, second = (
        released(by="region", count={"mood": ["bad", "fair", "good"], "smoker": "smoker"})
        for _ in "ab"
    )
    text = Page(dc.report(second, earlier=first).html).text
    both = most_sure(Fraction(first.manifest.alpha) * Fraction(second.manifest.alpha))
    assert f"and {both} with the earlier release" in text and both != most_sure(
        Fraction(second.manifest.alpha)
    )
    assert (
        f"Earlier: release {first.manifest.release[:8]}, made on {first.manifest.created[:10]}"
        in text
    )
    assert "mood, change in total" in text
    total = dc.estimate(second, count="smoker").change(dc.estimate(first, count="smoker")).total
    assert re.sub(r"[+-]0\b", "0", f"{total.low:+,.0f} to {total.high:+,.0f}") in text
    assert "What changed" not in Page(dc.report(second).html).text
    finer = [released(output=tmp_path / month) for month in ("october", "november")]
    html = dc.report(finer[1], tmp_path / "r.xlsx", earlier=finer[0]).html
    changes = html.split("What changed from")[-1].split("What not to do")[0]
    assert changes.count('class="zero" x1="50.00"') == changes.count("<svg") > 1, (
        "a line at 0 through all rows"
    )
    assert changes.count("<span>0</span>") == changes.count("<thead>") > 1, "and 0 in every head"
    assert html.count('class="zero"') == changes.count('class="zero"')
    text = Page(html).text
    assert "smoker, change by region" in text and "excludes 0" in text
    assert "What changed from october to november" in text, (
        "folders say which data, and the day of a run does not"
    )
    with pytest.raises(InvalidInput, match="different releases") as refused:
        dc.report(second, earlier=second)
    assert refused.value.parameter == "earlier"
    with pytest.raises(InvalidInput, match="same key columns"):
        dc.report(
            second,
            earlier=released(
                by="clinic", count={"mood": ["bad", "fair", "good"], "smoker": "smoker"}
            ),
        )


def test_every_question_has_its_line_at_the_top_and_sums_say_over_what():
    """Class a of every school adds up what nobody teaches together: whoever reads the sum has to be told."""
    rows = [
        {
            "school": school,
            "class": name,
            "bullied": k % 2,
            "safe": ("often", "never", "seldom")[k % 3],
        }
        for school in "NS"
        for name in "abc"
        for k in range(6)
    ]
    asked = {
        "by": ["school", "class"],
        "count": {"bullied": "bullied", "safe": ["often", "never", "seldom"]},
    }
    people = pa.Table.from_pylist(rows)
    text = Page(dc.report(dc.release(people, **asked, epsilon=20)).html).text
    top = text[: text.index("The numbers to quote")]
    assert "of 36 people count as bullied" in top and "Answers to “safe”, of 36 people" in top
    assert "bullied, by class, over every school" in text and "bullied, by school, over" not in text
    assert "class, 3, over every school" in str(dc.plan(people, **asked, epsilon=20))
    within = dc.plan(people, by=["school", "class", "safe"], count="bullied", epsilon=1).totals
    assert {(found.by, found.over) for found in within} == {
        ("total", ()),
        ("school", ()),
        ("school,class", ()),
        ("class", ("school",)),
        ("safe", ("school", "class")),
    }


def test_levels_say_which_sums_are_wanted_and_tables_go_from_coarse_to_fine():
    places = [(district, school) for district in "NS" for school in "abc"]
    classes = [(*place, name) for place in places for name in "12"]
    people = pa.Table.from_pylist(
        [
            {"district": d, "school": d + s, "class": c, "bullied": k % 2}
            for d, s, c in classes
            for k in range(4)
        ]
    )
    asked = {"by": ["district", "school", "class"], "count": "bullied", "epsilon": 20}

    def titles(**more):
        text = dc.report(dc.release(people, **asked, **more)).html
        return re.findall(r">bullied, by ([^<]*)</(?:caption|h4)>", text)

    nested = ["district", "district and school", "district, school and class"]
    assert titles(levels="rollup") == nested and "over every" not in str(
        dc.plan(people, **asked, levels="rollup")
    )
    across = "class, over every district and school"
    assert titles() == [*nested[:2], across, nested[2]], "without levels nobody has said what nests"
    both = dc.release(people, **asked | {"by": ["district", "class"]}, levels="cube")
    assert "bullied, by class, over every district" in dc.report(both).html, "asked for"


def test_bars_of_groups_of_one_size_go_from_nobody_to_everybody_and_others_to_a_round_share():
    people = pa.Table.from_pylist(
        [{"place": p, "ill": k % 20 == 0} for p in range(33) for k in range(100 + 20 * (p == 7))]
    )
    page = Page(dc.report(dc.release(people, by="place", count="ill", epsilon=40)).html)
    ends = [float(end) for end in re.findall(r"number ?0 ?[\d.]+% ?([\d.]+)%", page.text)]
    assert ends and max(ends) <= 8, "few are ill: about 5%"
    clinics = [{"g": g, "ill": False} for g in range(33) for _ in range(8)]
    for one in range(3):  # nobody is ill: with other noise on every draw, and the same scale
        page = Page(
            dc.report(
                dc.release(pa.Table.from_pylist(clinics), by="g", count="ill", epsilon=1)
            ).html
        )
        assert {*re.findall(r"number ?0 (\d+ \d+) \d", page.text)} == {"4 8"}, one


def test_bars_of_private_sizes_go_up_to_the_most_people_that_are_counted():
    assert re.search(r"number ?0 to 3|number ?0 ?3 ", Page(dc.report(private()).html).text)


def test_bars_are_on_a_scale_of_people_where_groups_have_one_size():
    def page(*sizes):
        rows = [{"g": g, "ill": k % 4 == 0} for g, size in enumerate(sizes) for k in range(size)]
        return Page(
            dc.report(dc.release(pa.Table.from_pylist(rows), by="g", count="ill", epsilon=40)).html
        ).text

    one, two = page(*[8] * 33), page(*[8, 8, 12] * 11)
    assert {*re.findall(r"number ?0 (\d+ \d+) \d", one)} == {"4 8"}, "the groups"
    assert "Bars are intervals, on a scale of people; the mark is the number." in one
    assert (
        "Bars are intervals, as shares of the people of the row; the mark is the number." in two
        and re.search(r"number ?0 ?[\d.]+% ?[\d.]+%", two)
    )
    assert scale_text(7, str, whole=True) == "0 to 7", "half a person is no mark"


def test_sums_of_a_count_have_one_scale_so_that_they_can_be_compared():
    sizes = {"ax": 40, "ay": 60, "bx": 40, "by": 40}
    rows = [
        {"side": s, "place": p, "ill": s == "b" and k % 4 == 0}
        for s, p in sizes
        for k in range(sizes[s + p])
    ]
    page = Page(
        dc.report(
            dc.release(pa.Table.from_pylist(rows), by=["side", "place"], count="ill", epsilon=40)
        ).html
    )
    scales = re.findall(r"number ?0 ?([\d.]+% ?[\d.]+%)", page.text)
    assert len(scales) == 4 and {*scales[:3]} == {"15% 30%"}, (
        "in total, by side and by place, and single groups"
    )


def test_the_numbers_come_before_what_they_rest_on_and_long_tables_are_folded():
    found = dc.report(long(epsilon=40))
    text, html = Page(found.html).text, found.html
    order = [
        "The numbers to quote",
        "ill, in total",
        "ill, by side",
        "What not to do",
        "What was asked",
        "What epsilon",
    ]
    assert sorted(order, key=text.rindex) == order
    assert html.count("<details") == html.count("<summary") and "side west (12 groups)" in text
    never = html.index('id="what-not-to-do-with-these-numbers"')
    assert "<summary>" not in html[never - 40 : never], "what not to do is open"
    assert (
        0
        < text.index("do not rank groups by their numbers")
        < text.index("protect each person little")
    )
    assert html.count('<details open="open">') == 1, "of the first question the first piece"
    tables = text[text.rindex(order[1]) :]  # below the picture
    for place in PLACES:
        assert tables.count(place) == 2, (
            "every group once for each question, its answers in columns"
        )
    assert (
        "place people bad 95% interval good 95% interval" in text
        and "95% credible" not in text.partition("For a methods section")[0]
        and "That of a sum is a confidence interval" in text
    )
    assert "each side and place (" in text and "% of epsilon" in text and "side,place" not in text
    whole = dc.estimate(found.findings.release, count="ill").adding_up()
    for names, sums in found.findings.counts[0].sums.items():
        assert [row.value for row in sums] == whole.subtotals(*names)["ill"].tolist()
        assert all(row.low <= row.value <= row.high for row in sums)


@pytest.mark.parametrize(
    ("count", "said"),
    [
        ({"bullied": "bullied = 'yes'"}, "bullied: counted are those who answered yes."),
        (
            {"victims": "bullied = 'yes'"},
            "victims: counted are those with “yes” in the column bullied.",
        ),
        ({"old": "age > 30"}, "old: counted are those with age > 30."),
    ],
)
def test_who_is_counted_is_said_in_everyday_words(count, said):
    people = pa.table({"bullied": ["yes", "no", "yes"], "age": [20, 31, 40]})
    assert said in Page(dc.report(dc.release(people, by=[], count=count, epsilon=1)).html).text


def test_the_picture_of_the_noise_is_made_for_dark_pages_and_explains_its_marks():
    usual, fair = (
        dc.report(released(by="clinic", properties=shape, epsilon="0.3")).html
        for shape in ("", "F")
    )
    wrong = "A triangle marks a wrong answer that is likelier than the true one."
    assert wrong in usual and wrong not in fair
    assert '<span class="light">Darker</span><span class="dark">Lighter</span> is likelier' in fair
    assert '.picture .number[fill="#000001"]' in fair and "invert(1) hue-rotate(180deg)" in fair
