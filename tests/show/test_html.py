"""HTML: nothing a user named becomes markup, and there is one writer of it."""

import re
from html.parser import HTMLParser

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.source import SOURCE, texts

import discreet as dc
from discreet.show import html


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.words, self.open = [], "", []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in html._VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, "elements close in order"

    def handle_data(self, data):
        self.words += data


def read(text):
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert not reader.open, "every element is closed"
    return reader


@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc"))))
def test_text_is_shown_as_it_is(text):
    found = read(html.element("p", text, title=text))
    assert found.tags == ["p"] and found.words == text
    assert read(html.table([text], [[text]], caption=text)).words == text * 3
    assert read(html.facts([(text, text)])).words == text * 2


def test_html_inside_html_stays_html():
    assert html.together("<", html.element("b", "<")) == "&lt;<b>&lt;</b>"


def evil():
    name = "<script>x</script>"
    people = pa.table({name: ["a", "a", "b"], "smoker": [True, False, True]})
    m = dc.fair(n=2, epsilon=1)
    estimate = dc.estimate([0, 1, 2, 1], mechanism=m)
    yield dc.plan(people, by=name, count="smoker", epsilon=1)
    yield dc.release(people, by=name, count={"<b>": "smoker"}, epsilon=1)
    yield dc.compare({name: "GM"}, n=2, epsilon=1)
    yield dc.recommend(n=4, alpha="10/11", properties="CM")
    yield from (
        m,
        m.accuracy(),
        estimate,
        estimate.total,
        estimate.table(),
        estimate.distribution(),
    )


def test_every_value_shown_in_a_notebook_is_whole_html_without_markup_of_a_user():
    for value in evil():
        found = read(value._repr_html_())
        assert "script" not in found.tags
        assert found.words


def test_only_one_module_writes_tables_and_escapes():
    found = [
        path
        for path, text in texts().items()
        if re.search(r"html import escape|<t[dhr][ >]|<table", text)
    ]
    assert found == [SOURCE / "show" / "html.py"]
