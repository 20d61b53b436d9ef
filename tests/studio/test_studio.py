"""The studio without a browser: settings, prices, words, lines, files, and what the server lets through."""

import csv
import http.client
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from fractions import Fraction
from pathlib import Path

import pytest
from tests.conftest import require

require("studio")

import uvicorn

import discreet as dc
from discreet.core.properties import PROPERTIES, read_shape
from discreet.core.rationals import read_count
from discreet.errors import InvalidInput, MissingExtra
from discreet.studio import server as serving
from discreet.studio.app import build
from discreet.studio.compared.judged import judge
from discreet.studio.compared.pins import pinned
from discreet.studio.controls import STOPS, cost_words, other_unit, privacy_slider
from discreet.studio.designs import advised, design_of
from discreet.studio.numbers import LONGEST, fractions, numbers
from discreet.studio.settings import LARGEST, MOST_PINS, Setting, read_setting, read_text
from discreet.studio.taking.code_lines import python_lines, shell_line
from discreet.studio.taking.downloads import FILES
from discreet.studio.telling.lead import gist, likelier, times
from discreet.studio.telling.pathologies import PATHOLOGIES, designed, gallery
from discreet.studio.telling.problems import plainly
from discreet.studio.telling.stories import STORIES, current, opening_of
from discreet.studio.telling.wording import conduct, never_given
from discreet.studio.view import priced, see
from discreet.studio.work.answering import Question, answer
from discreet.studio.worth import worth

SETTINGS = [
    "",
    "n=4&epsilon=0.5&properties=WH CM&loss=L1",
    "n=5&alpha=0.62&properties=&loss=L0,1&count=2&beside=EM",
    "n=3&epsilon=1&properties=F&loss=L2&worst_case=1",
    "n=6&alpha=3/4&properties=RM&loss=L1&prior=Binomial(0.3)",
    "n=2&alpha=9/10&properties=S&prior=1/4 1/2 1/4",
    "n=4&alpha=10/11&properties=CM ODP:4/5",
    "n=1&epsilon=3&properties=",
    "n=1&epsilon=0&properties=",
    "n=4&epsilon=0&properties=&beside=Laplace",
]


def read(query):
    return read_setting(read_text(query))


@pytest.mark.parametrize("query", SETTINGS)
def test_a_setting_survives_its_address(query):
    setting = read_text(query)
    assert read_text(setting.query()) == setting
    assert read_setting(setting).valid


def test_it_opens_on_an_everyday_example_in_everyday_words():
    view = see(read(""))
    assert view.design == view.rival == dc.geometric(n=8, epsilon=1), (
        "what a release uses, and nothing beside it"
    )
    assert view.point == "Three of eight smoke. The truth is published most often: in 46% of cases."
    assert view.lead == (
        "Three of eight patients said that they smoke. To protect everybody, a number drawn by chance is published:\n"
        "the truth in 46% of cases, at most one off in 80%."
    )
    column = dc.geometric(n=8, epsilon=1).column(3)
    assert (round(100 * column[3]), round(100 * sum(column[2:5]))) == (46, 80)
    assert view.meant.says == "A total of 100 such groups (800 people) is within ±28.1."
    assert view.own == "the usual noise" and view.names[1] == "The usual noise" and not view.why_one
    prices = prices_of("")
    assert prices["CM"].words == "already so, at no cost"
    assert prices["F"].short == "with it, right in 46.7% of cases instead of 52.2%"


def test_with_much_privacy_one_can_ask_for_better():
    view = see(read_setting(STORIES["monthly"].setting))
    assert view.rival == dc.geometric(n=8, epsilon="0.25")
    assert view.design == dc.design(n=8, epsilon="0.25", properties="CM")
    assert view.lead == (
        "One of eight patients said that they smoke. To protect everybody, a number drawn by chance is published. "
        "Two ways, equally private:\n"
        "The usual noise: the truth in 12% of cases, 0 in 44%.\n"
        "Your design: the truth in 23% of cases, 0 in 23%."
    )
    assert view.more[1].endswith(
        "one 50 times in 100 against 47, and with 95% confidence off by at most 7 against 8."
    )
    assert view.reading.count not in view.blind.counts, "it opens where the design is of use"


def advised_from(setting):
    """The settings that the buttons of a page lead to."""
    view = see(read_setting(setting))
    offers = (
        view.meant.better,
        view.blind and view.reading.count in view.blind.counts and view.blind.better,
    )
    return [better for better in offers if better]


@pytest.mark.parametrize(
    "name", [name for name, story in STORIES.items() if not story.setting.sizes]
)
def test_no_advice_runs_in_a_circle(name):
    """From every property alone, at the counts where designs differ: what is advised leads on, and never back."""
    for wish in ((), *((one,) for one in PROPERTIES)):
        for count in {0, 1, int(STORIES[name].setting.n) // 2}:
            start = STORIES[name].setting.but(properties=wish, count=str(count))
            seen, ahead = {start.query()}, advised_from(start)
            while ahead:
                now = ahead.pop()
                assert now.query() not in seen
                seen.add(now.query())
                ahead += advised_from(now)
            assert len(seen) <= 3


@pytest.mark.parametrize(
    "query", [*SETTINGS, *(story.setting.query() for story in STORIES.values())]
)
def test_the_lead_is_short(query):
    for said in see(read(query)).leads:
        assert said.count(". ") <= 2
        assert len(said.split()) <= 60


@pytest.mark.parametrize(
    "query", [*SETTINGS, *(story.setting.query() for story in STORIES.values())]
)
def test_the_lead_says_the_same_of_both(query):
    view = see(read(query))
    sides = (view.rival, view.design)
    for j, said in enumerate(view.leads):
        _, *lines = said.split("\n")
        assert len(lines) == (1 if view.same else 2)
        instead = likelier(view.rival, j) or likelier(view.design, j)
        for m, words in zip(sides[-len(lines) :], lines, strict=True):
            column = m.column(j)
            assert f"{float(column[j]):.0%}" in words or "less than 1%" in words
            if instead and "blind guess" not in words:
                assert f"{float(sum(column[i] for i in instead)):.0%}" in words or "than" in words


def test_a_blind_guess_is_called_one_and_what_helps_is_offered():
    view = see(read("n=8&epsilon=0.12&properties=CM"))
    assert view.blind.counts == (4,)
    assert "\nYour design: a blind guess" in view.leads[4]
    assert "totals cannot be estimated" in view.blind.says
    assert see(read_setting(view.blind.better)).blind is None
    assert view.blind.better.properties == ("CM",), "a larger epsilon, before any other property"
    blind = see(read("n=8&epsilon=0.25&properties=CM")).blind
    design, usual = (
        dc.design(n=8, epsilon="0.25", properties="CM"),
        dc.geometric(n=8, epsilon="0.25"),
    )
    assert [j for j in range(9) if design[j, j] > usual[j, j]] == [1, 2, 3, 5, 6, 7]
    assert blind.says.endswith(
        "guess. At 1 to 3 and 5 to 7 it tells the truth more often than the usual noise."
    )
    none = see(read("n=4&epsilon=0&properties=F")).blind
    assert none.better is None and none.says.startswith("At epsilon 0 nothing"), (
        "nothing helps but less privacy"
    )


def test_why_the_design_is_gm_is_told_where_that_is_known():
    assert "nothing as private is right more often" in see(read("n=8&epsilon=1&properties=")).why
    fair = see(read("n=8&epsilon=0.25&properties=F"))
    for query in ("properties=F", "properties=", "properties=CM"):
        assert see(read(f"n=8&epsilon=0.25&{query}")).why.count(". ") == 2, "three sentences"
    assert "a total of 100 groups would be within ±106 instead of ±305" in fair.why, (
        "what fairness costs"
    )
    assert not re.search(
        r"\b(GM|EM|WM|UM|F|WH|CM)\b", fair.why + fair.lead + "".join(fair.names)
    ), "no code to know"
    assert not see(read("n=4&epsilon=1&properties=&loss=L1")).why, (
        "a fair design of least L1 is not EM"
    )


def test_the_paper_s_example_is_gm_beside_the_fair_mechanism():
    view = see(read_setting(STORIES["paper"].setting))
    assert view.rival == dc.geometric(n=8, alpha="10/11")
    assert view.design == dc.fair(n=8, alpha="10/11")
    assert "the truth in 5% of cases, 0 or 8 in 72%.\n" in view.lead
    assert "Your design: the truth in 14% of cases, 0 or 8 in 19%." in view.lead
    assert "gives 0 or 8 as its answer 72 times in 100, and tells the truth 5 times" in view.more[4]
    assert "answers 0 with chance 0.358 when the truth is 4" in view.sentence
    assert "2.03% more" in view.sentence
    assert view.sentence.count(". ") == 0, "one sentence"


@pytest.mark.parametrize("name", STORIES)
def test_every_story_is_a_setting_that_tells_its_own_name(name):
    setting = STORIES[name].setting
    assert setting.story == name
    assert read_text(setting.query()) == setting
    view = see(read_setting(setting))
    assert view.lead.startswith(STORIES[name].truth(view.reading.count, view.design.n))
    assert len(view.leads) == view.design.n + 1
    assert opening_of(setting) == STORIES[name].opening
    assert not opening_of(setting.but(sizes="3 of 8")), "of another table there is no story"


@pytest.mark.parametrize("query", SETTINGS)
def test_the_longer_lead_says_what_the_matrices_say(query):
    view = see(read(query))
    for j, said in enumerate(view.more):
        assert (
            times(view.design.truth(j)).removesuffix(" in 100") in said or view.design == view.rival
        )
        assert times(view.rival.truth(j)).removesuffix(" in 100") in said


@pytest.mark.parametrize("query", SETTINGS)
def test_everything_shown_agrees_with_the_library(query):
    reading = read(query)
    view, judged = see(reading), judge(reading)
    s = reading.setting
    again = dc.design(
        n=int(s.n),
        properties=reading.shape,
        loss=s.loss,
        prior=reading.prior,
        worst_case=s.worst_case,
        **{s.unit: s.privacy},
    )
    assert view.design == again
    assert view.cost == again.score(s.loss, reading.prior, worst_case=s.worst_case)
    shown = " = ".join(line.label for line in judged.scores)
    assert shown.startswith("your design")
    assert all(shown.count(f"({name})") >= 1 for name in ("GM", "WM", "EM", "UM"))
    different = {line.mechanism for line in judged.scores}
    assert len(different) == len(judged.scores), "what is one mechanism has one row"
    assert {again, view.rival} <= different, "what it is compared with has a row"
    assert judged.accuracy.rows == again.accuracy(prior=reading.prior).rows
    assert judged.rival_accuracy.rows == view.rival.accuracy(prior=reading.prior).rows
    for line in judged.scores:
        assert line.measures.l0 == line.mechanism.score("L0", reading.prior)
    for price in view.prices[:-1]:
        assert price.held == again.satisfies(price.name)
        assert price.asked == (price.name in reading.shape.names)


def test_implied_properties_are_lit_and_name_their_source():
    prices = {p.name: p for p in see(read("n=6&alpha=9/10&properties=CM F")).prices}
    assert prices["CH"].state == "implied"
    assert prices["CH"].words == "already so, because of “no farther answer likelier”"
    assert prices["WH"].words == "already so, because of “no farther answer likelier”"
    assert (
        prices["RH"].words
        == "already so, because of “nothing likelier than the truth” and “fair to every count”"
    )
    assert prices["F"].state == "asked"


def test_a_price_is_the_cost_with_over_the_cost_without():
    prices = prices_of("n=8&alpha=10/11&properties=WH")
    without, with_it = (dc.design(n=8, alpha="10/11", properties=p).score("L0") for p in ("", "WH"))
    assert prices["WH"].words == f"costs {float(with_it / without - 1):+.2%}"
    both = dc.design(n=8, alpha="10/11", properties="WH F").score("L0")
    assert prices["F"].words == f"adds {float(both / with_it - 1):+.2%}"
    assert prices_of("n=4&alpha=1/3&properties=CM")["CM"].words == "costs nothing"


def prices_of(query):
    reading = read(query)
    return {line.name: priced(reading, line.name) for line in see(reading).prices}


def test_a_price_of_nothing_says_in_what_where_another_number_moves():
    text = answer(
        Question(part="price", query="n=8&epsilon=0.25&properties=CM", base="", detail="RH")
    ).body.decode()
    assert "→ ±126" in text and "adds nothing in wrong answers (L0)<" in text
    text = answer(
        Question(part="price", query="n=4&alpha=1/3&properties=CM", base="", detail="CM")
    ).body.decode()
    assert "costs nothing<" in text, "the same mechanism"


def test_a_price_is_told_in_what_a_reader_notices():
    price = prices_of("n=8&epsilon=1&properties=&prior=Binomial(0.3)")["F"]
    for change, m in zip(
        zip(*[(c.before, c.after) for c in price.changes], strict=True),
        (
            dc.design(n=8, epsilon=1, prior="Binomial(0.3)"),
            dc.design(n=8, epsilon=1, properties="F", prior="Binomial(0.3)"),
        ),
        strict=True,
    ):
        found = m.accuracy(prior="Binomial(0.3)")
        assert change[:3] == (f"{found.truth:.1%}", f"{found.rmse:.2f}", f"±{found.margin}")
    assert (
        price.short
        == f"with it, right in {price.changes[0].after} of cases instead of {price.changes[0].before}"
    )
    assert worth(dc.uniform(n=3)).total is None, "the answers say nothing, so they have no total"


def test_the_error_of_a_total_is_that_of_the_plan():
    pa = pytest.importorskip("pyarrow")
    people = pa.table({"group": [k // 8 for k in range(800)], "bit": [True] * 800})
    planned = dc.plan(people, by="group", count="bit", epsilon=1)
    want = next(total for total in planned.totals if total.asked)
    found = worth(dc.geometric(n=8, epsilon=1))
    assert found.total == pytest.approx(want.standard_error, rel=1e-9)
    assert found.total_margin == pytest.approx(want.width / 2, rel=1e-9), (
        "what stands after ± is the margin"
    )


def test_output_dp_is_priced_too():
    asked = "n=6&alpha=9/10&properties=CM ODP:19/20"
    with_it, without = (
        dc.design(n=6, alpha="9/10", properties=p).score("L0") for p in ("CM ODP:19/20", "CM")
    )
    assert prices_of(asked)["ODP"].words == f"costs {float(with_it / without - 1):+.2%}"
    assert prices_of("n=8&alpha=10/11&properties=F")["ODP"].words == "has it up to 10/11"
    assert prices_of("n=4&alpha=4/5&properties=&loss=L2")["ODP"].words == "has none of it"


def test_a_screen_says_what_is_lit_and_leaves_the_prices():
    reading = read("n=8&alpha=10/11&properties=WH")
    quick = see(reading).prices
    assert [p.state for p in quick] == [priced(reading, p.name).state for p in quick]
    assert {p.name for p in quick if not p.words} == {"CH", "CM", "WH", "F"}
    assert advised(reading).box == "WM"


@pytest.mark.parametrize(
    ("query", "control", "refuse"),
    [
        ("n=0", "n", lambda: read_count("n", 0, least=1)),
        ("properties=MC", "properties", lambda: dc.design(n=8, alpha="1/2", properties="MC")),
        ("loss=L9x", "loss", lambda: dc.design(n=8, alpha="1/2", loss="L9x")),
        ("prior=normal", "prior", lambda: dc.design(n=8, alpha="1/2", prior="normal")),
        (
            "n=2&prior=1/2 1/4 1/2",
            "prior",
            lambda: dc.design(n=2, alpha="1/2", prior=["1/2", "1/4", "1/2"]),
        ),
    ],
)
def test_an_error_stands_beside_its_control_in_the_words_of_the_library(query, control, refuse):
    with pytest.raises(InvalidInput) as refused:
        refuse()
    assert read(query).errors == {control: plainly(refused.value)}
    assert f"`{refused.value.parameter}`" not in plainly(refused.value), (
        "the page does not speak Markdown"
    )


def test_what_only_the_page_limits_is_said_too():
    assert f"must be at most {LARGEST} on this page, not 41" in read("n=41").errors["n"]
    assert "did you mean" in read("beside=XM").errors["beside"]
    for wrong in ("-1", "21", "1000", "1e9"):
        said = read(f"epsilon={wrong}").errors["epsilon"]
        assert (
            said
            == f"epsilon must be between 0 and 20 on this page, not {wrong}: typical values are 0.1 to 2"
        )
    for wrong in ("3/2", "0", "1/1000000000000", "1e-400", "-1"):
        assert (
            f"alpha must be between about 2e-09 and 1 on this page, not {wrong}:"
            in read(f"alpha={wrong}").errors["alpha"]
        )
    for typed in ("ln 2", "ln(2)", "log 2"):
        assert read(f"epsilon={typed}").privacy.value == Fraction(1, 2), (
            "exactly, and not a decimal near it"
        )
    assert read("epsilon=20").valid and read("epsilon=0").valid and read("alpha=1").valid


def test_many_errors_are_shown_at_once():
    assert set(read("n=-1&epsilon=x&loss=L9x").errors) == {"n", "epsilon", "loss"}
    assert set(read("n=&epsilon=1&prior=odd").errors) == {"n", "prior"}
    assert set(read("n=&epsilon=1&prior=1/2 1/2 1/2").errors) == {"n", "prior"}, (
        "they sum to more than 1"
    )
    assert set(read("n=&epsilon=1&prior=1/4 1/2 1/4").errors) == {"n"}
    assert set(read("n=4&epsilon=1&properties=XX&output_dp=9").errors) == {
        "properties",
        "output_dp",
    }
    assert set(
        read_setting(Setting(pins=tuple(f"n={k}" for k in range(MOST_PINS + 1)))).errors
    ) == {"pin"}


@pytest.mark.parametrize("pathology", PATHOLOGIES, ids=lambda p: p.title)
def test_every_pathology_is_real_and_cured(pathology):
    ill, cured = designed(pathology.ill), designed(pathology.cured)
    assert not ill.satisfies(pathology.cure)
    assert cured.satisfies(pathology.cure)
    assert not never_given(cured)
    assert cured.score(pathology.ill.loss) >= ill.score(pathology.ill.loss)
    count = int(pathology.ill.count)
    assert gist(cured, count).startswith("tells the truth"), "nothing is likelier"
    assert cured.truth(count) > ill.truth(count)
    assert min(cured.truth(j) for j in range(cured.n + 1)) > Fraction(1, cured.n + 1), (
        "it is no blind guess"
    )


def test_the_pathologies_say_what_they_are():
    words = {card.pathology.title: card.ill_words for card in gallery()}
    assert words["Always answer 2"] == "It always answers 2, whatever the truth is."
    assert words["Gaps"] == "It never answers 0, 1, 6 or 7, whatever the truth is."
    assert words["Spikes"] == "When the truth is 4, it answers 0 or 8 in 46% of cases."
    assert (
        conduct(dc.uniform(n=3))
        == "reports every true count truthfully with the same chance, 0.250"
    )
    assert "never answers 0 to 3" in conduct(
        design_of(read("n=20&epsilon=0.7&properties=&loss=L2&prior=Binomial(0.3)"))
    )


@pytest.mark.parametrize("query", SETTINGS)
def test_the_python_lines_make_the_same_mechanism(query, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    reading = read(query)
    exec(python_lines(reading), {})
    assert dc.load("mechanism.json") == design_of(reading)
    said = capsys.readouterr().out
    assert "Mechanism" in said and said.splitlines()[-1].startswith("[")  # what was drawn


@pytest.mark.parametrize("query", [q for q in SETTINGS if "1/4 1/2" not in q])
def test_the_command_line_makes_the_same_mechanism(query, tmp_path, monkeypatch):
    import shlex

    from discreet.cli import main

    monkeypatch.chdir(tmp_path)
    reading = read(query)
    commands = [shlex.split(line) for line in shell_line(reading).splitlines()]
    assert [words[:2] for words in commands] == [["discreet", "design"], ["discreet", "draw"]]
    for words in commands:
        with pytest.raises(SystemExit) as done:
            main(words[1:])
        assert not done.value.code
    assert dc.load("mechanism.json").id == design_of(reading).id


def test_weights_of_ones_own_are_for_python():
    assert shell_line(read("n=2&alpha=1/2&prior=1/4 1/2 1/4")).startswith(
        "# the command line takes named priors only"
    )


def test_the_files_are_what_they_say(tmp_path):
    reading = read("n=4&epsilon=0.5&properties=CM&loss=L1")
    m = design_of(reading)
    (tmp_path / "m.json").write_bytes(FILES["mechanism.json"][1](reading))
    assert dc.verify(tmp_path / "m.json").optimal
    assert dc.load(tmp_path / "m.json") == m
    rows = list(csv.DictReader(io.StringIO(FILES["matrix.csv"][1](reading).decode())))
    assert len(rows) == 25
    assert all(row["exact"] == str(m[int(row["output"]), int(row["true_count"])]) for row in rows)
    scores = list(csv.DictReader(io.StringIO(FILES["scores.csv"][1](reading).decode())))
    assert [row["mechanism"] for row in scores] == ["design", "GM", "WM", "EM", "UM"]
    assert scores[0]["id"] == m.id
    for ending, start in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        assert FILES[f"figure.{ending}"][1](reading).startswith(start)


def test_pins_are_measured_each_under_its_own_setting():
    first, second = Setting().query(pins=False), "n=4&epsilon=1&properties=CM&loss=L1"
    lines = pinned(Setting(pins=(first, second, "n=nothing")))
    assert [line.mechanism.n for line in lines[:2]] == [8, 4]
    assert lines[1].cost == dc.design(n=4, epsilon=1, properties="CM", loss="L1").score("L1")
    assert lines[2] == "n must be a whole number from 1 to 40, not nothing"
    assert "pin" in lines[0].remove
    assert first not in read_text(lines[0].remove).pins


@pytest.mark.parametrize("query", SETTINGS)
def test_what_an_answer_tells_never_breaks_the_promise(query):
    reading = read(query)
    view = see(reading)
    found = numbers((view.rival, view.design), reading.prior)
    slack = 1 + 1e-4  # the numbers are rounded for a screen
    for side, m in enumerate((view.rival, view.design)):
        for k in range(m.n + 1):
            assert found["after"][side][k][0] is None or sum(
                found["after"][side][k]
            ) == pytest.approx(1, rel=1e-3)
            for j, ratio in enumerate(found["ratio"][side][k]):
                assert (
                    ratio is None or 1 / (found["bound"] * slack) <= ratio <= found["bound"] * slack
                )
                assert ratio is None or ratio == pytest.approx(
                    float(m[k, j + 1] / m[k, j]), rel=1e-4
                )
                sure = found["sure"][side][k][j]
                assert sure is None or sure == pytest.approx(
                    float(m[k, j + 1] / (m[k, j] + m[k, j + 1])), rel=1e-4
                )


def test_fractions_are_exact_or_say_how_long_they_are():
    m = design_of(read("n=20&epsilon=0.5&properties=CM&loss=L1"))
    for count in (0, 7):
        for said, chance in zip(fractions(m, count), m.column(count), strict=True):
            assert said == str(chance) if len(str(chance)) <= LONGEST else said.endswith(" digits")


def test_slider_stops_run_from_more_private_to_less():
    from discreet.core.rationals import read_alpha

    for unit, stops in STOPS.items():
        spent = [read_alpha(**{unit: stop}).epsilon for stop in stops]
        assert spent == sorted(spent)
    setting = Setting(unit="epsilon", privacy="0.51")
    assert STOPS["epsilon"][privacy_slider(setting, read_alpha(epsilon="0.51")).place] == "0.5"
    for text in ("0", "0.5", "3"):
        alpha = other_unit(Setting(unit="epsilon", privacy=text), read_alpha(epsilon=text))
        assert read_alpha(alpha=alpha).value == read_alpha(epsilon=text).value


def test_every_property_has_a_price_line():
    assert [
        p.name for p in see(read("n=3&alpha=1/2&properties=" + " ".join(PROPERTIES))).prices
    ] == [
        *PROPERTIES,
        "ODP",
    ]
    assert str(read_shape(list(PROPERTIES))) == " ".join(PROPERTIES)


@pytest.fixture(scope="module")
def port():
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(build(serving.names("127.0.0.1")), log_level="warning", lifespan="on")
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join(timeout=120)
    listener.close()


def get(port, path, host=None):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=120)) as connection:
        connection.request(
            "GET", path, headers={"Host": host or f"127.0.0.1:{port}", "Connection": "close"}
        )
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode("utf-8", "replace")


def test_the_page_works_without_a_script(port):
    status, headers, text = get(
        port, "/?n=4&by=epsilon&epsilon=0.5&alpha=&property=CM&property=S&loss=L1&prior=uniform"
    )
    assert status == 200
    assert 'data-query="n=4&amp;epsilon=0.5&amp;properties=CM+S&amp;loss=L1"' in text
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "http://" not in text.replace(f"http://127.0.0.1:{port}", "")
    assert "https://" not in text
    for name, view in (("team", "own"), ("clinic", "watch")):
        assert f'data-view="{view}"' in get(port, f"/?{STORIES[name].setting.query()}")[2]


def test_the_cost_is_one_column_of_the_scores(port):
    for loss, others in (("L1", ["L0", "L0,1"]), ("L2", ["L0", "L0,1", "L1"])):
        text = get(port, f"/details?n=4&epsilon=0.5&loss={loss}")[2]
        table = text[text.index("Table of scores") :].partition("</thead>")[0]
        table = re.sub(r"</?button[^>]*>", "", table)
        columns = [
            part.partition("</th>")[0].rpartition(">")[2] for part in table.split("<th ")[1:]
        ]
        words = [cost_words(one).partition(" (")[0] for one in (loss, *others)]
    assert columns[1:-2] == [f"cost: {words[0]}", *words[1:]]


def test_a_wrong_address_is_answered_with_the_library_s_words(port):
    status, _, text = get(port, "/?n=4&epsilon=%3Cscript%3E")
    assert status == 200
    assert ">epsilon must be a number, not &lt;script&gt;" in text
    assert "<script>" not in text.replace("<script src", "")
    assert get(port, "/files/mechanism.json?n=x")[0] == 400
    assert get(port, "/files/secrets.txt")[0] == 404
    assert get(port, "/static/../app.py")[0] == 404


def test_what_the_designer_refuses_is_said_and_nothing_is_drawn(monkeypatch):
    from discreet.errors import NotProven
    from discreet.studio.work import answering

    def refuse(reading):
        raise NotProven("no exact proof was reached")

    monkeypatch.setattr(answering, "see", refuse)
    question = answering.Question(part="page", query="n=3&epsilon=0.5", base="http://127.0.0.1/")
    text = answering.answer(question).body.decode()
    assert 'id="problem-design" role="status" data-live>no exact proof was reached</p>' in text
    assert 'data-valid="no"' in text


def test_a_page_that_asks_for_a_screen_says_itself_that_it_takes_long():
    from discreet.studio.work import answering

    for part, status in (("page", 503), ("screen", 200)):
        question = answering.Question(
            part=part, query="n=3&epsilon=0.5", base="", given_up="this takes long"
        )
        found = answering.answer(question)
        assert found.status == status, "a browser writes a failed request into its console"
        assert (
            "this takes long: compute it with <code>discreet design --n 3 --epsilon 0.5"
            in found.body.decode()
        )


def test_other_names_are_refused(port):
    assert get(port, "/", host="example.org")[0] == 400
    assert get(port, "/", host=f"localhost:{port}")[0] == 200


def test_prices_recommendation_draws_and_fractions_are_parts_of_their_own(port):
    query = "?n=8&alpha=10/11&properties=F&count=3"
    assert "costs +2.03% in wrong answers (L0)" in get(port, f"/price/F{query}")[2]
    assert (
        "If you want “fair to every count”, use <b>the fair mechanism, your design</b>"
        in get(port, f"/advice{query}")[2]
    )
    drawn = json.loads(get(port, f"/draw/40{query}")[2])
    assert [len(side) for side in drawn] == [40, 40]
    assert {answer for side in drawn for answer in side} <= set(range(9))
    assert len(json.loads(get(port, f"/draw/100000000{query}")[2])[0]) == 6000, "no more at once"
    exact = json.loads(get(port, f"/exact{query}")[2])
    assert exact == [
        [str(x) for x in m.column(3)]
        for m in (dc.geometric(n=8, alpha="10/11"), dc.fair(n=8, alpha="10/11"))
    ]
    assert get(port, f"/price/X{query}")[0] == 404
    for lost in (f"/nothing{query}", "/a/b/c", "/files/secrets.txt"):
        status, _, text = get(port, lost)
        assert status == 404 and '<a href="/">open it</a>' in text, lost
    assert get(port, "/draw/1?n=x")[0] == 400
    whole = get(port, f"/{query}&prices=all")[2]
    for said in (
        "costs +2.03% in wrong answers (L0)",
        "the fair mechanism, your design</b>",
        "Table of scores",
        "With 95% confidence",
    ):
        assert said in whole, "for a page without a script"


def test_a_taken_port_is_said():
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(InvalidInput, match="cannot be listened on"),
    ):
        serving.run(host="127.0.0.1", port=taken.getsockname()[1], open_browser=False, say=print)
    with pytest.raises(InvalidInput, match="between 0 and 65535"):
        serving.run(host="127.0.0.1", port=70000, open_browser=False, say=print)


def test_the_usual_port_is_fixed_and_a_taken_one_gives_way(monkeypatch):
    kept = False
    for _ in range(20):  # another program may take a port as soon as it is free
        with socket.create_server(("127.0.0.1", 0)) as taken:
            monkeypatch.setattr(serving, "PORT", taken.getsockname()[1])
            with serving._usual("127.0.0.1") as other:
                assert other.getsockname()[1] != serving.PORT
        with serving._usual("127.0.0.1") as usual:
            kept = kept or usual.getsockname()[1] == serving.PORT
    assert kept
    with pytest.raises(InvalidInput, match="cannot be found"):
        serving._usual("no such host")


def test_only_this_machine_unless_told():
    assert serving.loopback("::1")
    assert not serving.loopback("192.0.2.1")
    assert serving.names("0.0.0.0") == ["*"]
    assert "[::1]" in serving.names("::1")


def addresses_of(pid):
    """Every local and remote IPv4 address of a process's TCP sockets, as the kernel writes them."""
    inodes = set()
    for path in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # closed since
            inodes.add(path.readlink().name)
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {
        side.partition(":")[0]
        for row in rows
        if f"socket:[{row[9]}]" in inodes
        for side in row[1:3]
    }


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads Linux's table of sockets")
def test_the_command_listens_here_talks_to_nobody_and_ends_quietly():
    env = {**os.environ, "PYTHONPATH": str(Path(dc.__file__).parents[1])}
    command = [sys.executable, "-m", "discreet", "studio", "--no-browser", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, text=True
    ) as process:
        try:
            said = process.stdout.readline()
            place = said.split()[2]
            assert place.startswith("http://127.0.0.1:")
            bound = int(place.rstrip("/").rpartition(":")[2])
            assert get(bound, "/?n=6&epsilon=1&properties=CM&loss=L1")[0] == 200
            assert addresses_of(process.pid) <= {"0100007F", "00000000"}, (
                "loopback, or not connected"
            )
            assert "0100007F" in addresses_of(process.pid)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (0, "", "")


def test_without_the_extra_the_install_line_is_shown(monkeypatch):
    from discreet.studio import serve

    monkeypatch.setitem(sys.modules, "starlette", None)
    with pytest.raises(MissingExtra, match='pip install .*"starlette>='):
        serve(open_browser=False)


def test_the_proof_file_is_json():
    assert json.loads(FILES["mechanism.json"][1](read("")))["n"] == 8


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("n=8&epsilon=0,5", "epsilon must be a number, not 0,5: write 0.5"),
        ("n=8&alpha=much", "alpha must be a number, not much: write 0.9 or 10/11, say"),
        ("n=2,5&epsilon=1", "n must be a whole number from 1 to 40, not 2,5"),
        ("n=eight", "n must be a whole number from 1 to 40, not eight"),
        ("epsilon=much", "epsilon must be a number, not much: write 0.5 or 1/4, or ln 2, say"),
        ("output_dp=x", "The ratio of output DP must be a number, not x: write 0.5 or 2/3, say"),
    ],
)
def test_a_wrong_number_is_refused_in_the_words_of_a_page(query, said):
    assert list(read(query).errors.values()) == [said]


@pytest.mark.parametrize(
    "name", [name for name, story in STORIES.items() if not story.setting.sizes]
)
def test_the_title_says_what_is_likeliest_at_every_count_of_every_setting(name):
    for changes in ({}, {"n": "5"}, {"privacy": "0.9"}, {"properties": (), "loss": "L1"}):
        setting = STORIES[name].setting.but(**changes)
        view = see(read_setting(setting))
        assert (
            (current(setting) == name) == (current(setting.but(count="0")) == name) == (not changes)
        )
        for count, said in enumerate(view.points):
            truth, _, rest = said.partition(". ")
            assert truth == STORIES[name].in_short(count, view.design.n).removesuffix(".")
            if view.same:
                column = view.design.column(count)
                likeliest = [k for k, chance in enumerate(column) if chance == max(column)]
                assert rest.startswith("The truth is published") == (likeliest == [count])
                assert rest.startswith("Every number") == (len(likeliest) == len(column) > 1)
                continue
            for m, part in zip((view.rival, view.design), rest.split(", "), strict=True):
                column = m.column(count)
                likeliest = [k for k, chance in enumerate(column) if chance == max(column)]
                if "so does" not in part and "the same" not in part:
                    assert ("most often" in part) == (len(likeliest) == 1)
                    assert ("blindly" in part or "every number" in part) == (
                        len(likeliest) == len(column)
                    )
                    assert len(likeliest) > 2 or all(str(k) in part for k in likeliest)


def test_what_is_compared_is_drawn_from_the_exact_matrices():
    judged = judge(read_setting(STORIES["monthly"].setting))
    shown = judged.comparing
    assert [one.line for one in shown.contenders] == judged.scores
    for one in shown.contenders:
        columns = [[round(float(x), 4) for x in one.line.mechanism.column(j)] for j in range(9)]
        assert one.chances == columns
    best = {
        measure.title: [bar.name for bar in measure.bars if bar.best] for measure in shown.measures
    }
    assert best == {
        "The truth, if every count is equally likely": ["the usual noise"],
        "The truth, at the count where it is rarest": ["the fair mechanism"],
        "Usual error of one group, in people": ["your design"],
        "Total of 100 groups: 95% margin": ["the usual noise"],
    }
    assert shown.says.startswith(
        "If every count is equally likely: your design is closest (usually off by 2.76); the usual"
    )
    likely = judge(
        read_setting(STORIES["monthly"].setting.but(prior="Binomial(0.3)"))
    ).comparing.says
    assert likely.startswith("If counts are as likely as your prior says: ")
    assert "the usual noise is right most often" not in likely, "it is not, where 30% say yes"
    totals = {bar.says: bar.picture for bar in shown.measures[3].bars}
    assert "unbounded" in totals["unknowable"] and "unbounded" not in totals["±106"], (
        "what is worst is no empty bar"
    )
    for measure, share in zip(shown.measures, (True, True, False, False), strict=True):
        for bar in measure.bars:
            assert ("track" in bar.picture) == share, "a track is 100%"
            if share:
                length = re.search(r'class="length" width="([0-9.]+)"', bar.picture)[1]
                assert f"{length}%" == bar.says
    fair = Setting(privacy="1", properties=("F",))
    own = STORIES["monthly"].setting
    other = own.but(pins=(fair.as_pin(), own.but(n="9").as_pin(), own.as_pin()))
    names = [one.name for one in judge(read_setting(other)).comparing.contenders]
    assert names[4:] == ["pinned: epsilon 1, fair to every count"]


def test_a_household_of_forty_is_called_a_group_and_the_slider_says_that_it_is_beyond_its_end():
    setting = STORIES["household"].setting
    assert see(read_setting(setting)).lead.startswith(
        "One of three people in a household fell ill."
    )
    assert see(read_setting(setting.but(n="40"))).lead.startswith(
        "One of 40 people in a group fell ill."
    )
    for n, beyond in (("20", False), ("40", True)):
        page = answer(Question(part="page", query=setting.but(n=n).query(), base="")).body.decode()
        assert (f"{n} is beyond the slider, which ends at 20" in page) == beyond


def test_a_figure_has_the_names_of_the_page_and_says_how_large_groups_are():
    text = FILES["figure.svg"][1](read("n=40&epsilon=0.5&properties=F&beside=GM")).decode()
    for said in ("The usual noise (GM)", "The fair mechanism (EM)", "groups of 40, epsilon = 0.5"):
        assert said in text
    assert (
        "No farther answer likelier"
        in FILES["figure.svg"][1](read("n=8&epsilon=0.25&properties=CM&beside=GM")).decode()
    )


def test_no_axis_of_chances_goes_beyond_all_of_them():
    view = see(read("n=8&epsilon=5&properties=&loss=L0&count=3"))
    for picture in (view.pictures[name] for name in ("column", "after", "truths")):
        marks = [float(mark) for mark in re.findall(r">([0-9.]+)%</text>", picture)]
        assert max(marks) == 100 and len(marks) >= 3


def test_comparing_with_nothing_is_offered_as_nothing():
    bare, asked = (
        answer(
            Question(part="page", query=f"n=8&epsilon=1&properties={one}", base="")
        ).body.decode()
        for one in ("", "F")
    )
    assert (
        "nothing, as no property is asked for</option>" in bare
        and "the same, without properties</option>" in asked
    )
    assert "nothing, as no property is asked for" not in asked


def test_the_page_of_things_to_take_opens_with_what_is_there():
    page = answer(Question(part="page", query="n=8&epsilon=1", base="")).body.decode()
    assert (
        "Files to save and lines to copy: for the design of the pictures, and for a table." in page
    )
    taken = page[page.index('id="taken"') :]
    assert "The mechanism of the pictures: one group of 8 at epsilon <b>1</b>." in taken, (
        "beside its own heading"
    )
