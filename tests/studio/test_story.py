"""The story: every number in it is the library's, exactly; none is typed into the page, and no code stands in it."""

import re
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

import pytest
from tests.conftest import require

require("studio")


import discreet as dc
from discreet.cli import main
from discreet.studio import export_story
from discreet.studio.story.attackers import chances_to_be_right, most_with_any
from discreet.studio.story.noises import NOISES, NOTHING_FROM, noise
from discreet.studio.story.story_numbers import (
    ATTACKERS,
    DIAL,
    MONTHS,
    OTHERS,
    exact_columns,
    story_numbers,
)
from discreet.studio.story.story_page import LESSONS, SCREENS, SCRIPTS
from discreet.studio.story.table_reading import other_clinics
from discreet.studio.taking.export_page import joined_scripts
from discreet.studio.work.answering import PAGES, Question, answer
from discreet.studio.worth import GROUPS, total_of, worth

ROOT = Path(dc.__file__).parent / "studio"
FAIR, USUAL = dc.fair(n=8, epsilon="0.25"), dc.geometric(n=8, epsilon="0.25")
NEAR, BESIDE = dc.design(n=8, epsilon="0.5", properties="CM"), dc.geometric(n=8, epsilon="0.5")
YEAR = dc.geometric(n=8, epsilon="1/12")
STRONGER = dc.geometric(n=8, epsilon="1")


def right_by_hand(m, others, months):
    """The best attacker's chance, over every sequence of numbers."""
    worlds = [m.column(others), m.column(others + 1)]
    every = product(range(m.n + 1), repeat=months)
    return sum(max(prod(world[k] for k in numbers) for world in worlds) for numbers in every) / 2


@pytest.mark.parametrize("others", [0, 3, 4, 7])
def test_the_best_attacker_is_the_best_of_all_sequences(others):
    for m in (FAIR, USUAL, YEAR):
        assert chances_to_be_right(m, others, 3) == [
            right_by_hand(m, others, months) for months in range(4)
        ]


def test_nobody_is_right_more_often_than_the_promise_allows_and_the_usual_noise_allows_all_of_it():
    for epsilon in DIAL:
        for m in (dc.fair(n=8, epsilon=epsilon), dc.geometric(n=8, epsilon=epsilon)):
            for others in range(8):
                chances = chances_to_be_right(m, others, 3)
                assert chances == sorted(chances)
                assert all(
                    chance <= most_with_any(m.alpha, month) for month, chance in enumerate(chances)
                )
        assert chances_to_be_right(m, 4)[1] == most_with_any(m.alpha)


def test_a_year_shared_is_no_less_private_than_one_month():
    year = YEAR.alpha**MONTHS
    assert Decimal(year.numerator) / Decimal(year.denominator) >= Decimal("-1").exp(), (
        "rounded toward privacy"
    )


def test_the_numbers_are_those_of_the_library():
    found = story_numbers()
    kinds = [("0.5", "usual", BESIDE), ("0.5", "near", NEAR), ("1", "usual", STRONGER)]
    for epsilon, name, m in kinds:
        side = found["noises"][epsilon][name]
        for j in range(9):
            assert side["truths"][j] == f"{float(m[j, j]):.1%}"
            assert side["chances"][j] == pytest.approx([float(x) for x in m.column(j)], abs=1e-6)
    assert found["epsilon"] == "1" and found["nearest"] == [0, 1, 1, 1, 1, 1, 1, 1, 0]
    assert [one["text"] for one in found["truth"]] == ["73.1%", *["46.2%"] * 7, "73.1%"]
    for j, within in enumerate(found["within"]):
        assert (
            within["text"]
            == f"{float(sum(STRONGER[k, j] for k in range(9) if abs(k - j) <= 1)):.1%}"
        )
    for stop in found["dial"]:
        m = dc.geometric(n=8, epsilon=stop["epsilon"])
        assert {m[j, j] for j in range(1, 8)} == {(1 - m.alpha) / (1 + m.alpha)}, (
            "one chance for counts in between"
        )
        assert {chances_to_be_right(m, others)[1] for others in range(8)} == {
            most_with_any(m.alpha)
        }
        assert stop["truth"]["share"] == pytest.approx(float(m[4, 4]), abs=1e-6)
        assert float(stop["times"]) == pytest.approx(float(1 / m.alpha), rel=5e-3)
        for j, column in enumerate(stop["columns"]):
            assert column == pytest.approx([float(x) for x in m.column(j)], abs=6e-5)
        assert stop["right"]["share"] == pytest.approx(float(right_by_hand(m, OTHERS, 1)), abs=1e-6)
    assert (found["dial"][8]["times"], found["best"]["text"]) == ("2.72", "73.1%")
    monthly, shared = found["months"]
    assert (monthly["surest"], monthly["epsilon"], monthly["spent"][MONTHS]) == (
        "99.9994%",
        "1",
        "12",
    )
    assert [plan["right"][month]["of"] for plan in (monthly, shared) for month in (0, 1, 12)] == [
        "50",
        "73",
        "95",
        "50",
        "52",
        "56",
    ]
    assert (shared["surest"], shared["spent"][MONTHS]) == ("73.2%", "1"), (
        "a year is no surer than a number"
    )
    assert [plan["truths"][OTHERS]["text"] for plan in (monthly, shared)] == ["46.2%", "4.2%"]
    for plan, m in zip((monthly, shared), (STRONGER, YEAR), strict=True):
        for others in range(8):
            assert plan["truths"][others]["share"] == pytest.approx(
                float(m[others, others] + m[others + 1, others + 1]) / 2, abs=1e-6
            )
        for lead, one in enumerate(plan["sureness"]):
            sure = 1 / (1 + m.alpha**lead)
            assert one["share"] == pytest.approx(float(sure), abs=1e-6), "how high its dot stands"
            if sure < Fraction(999, 1000):
                assert (
                    float(one["text"][:-1]) == pytest.approx(float(100 * sure), abs=0.05)
                    and not one["once"]
                )
            else:
                assert float(one["once"].replace(",", "")) == pytest.approx(
                    float(1 / (1 - sure)), rel=0.05
                )


def test_an_even_month_adds_nothing_and_a_tie_is_why():
    for m in (STRONGER, YEAR):
        chances = chances_to_be_right(m, OTHERS, MONTHS)
        assert all(chances[month] == chances[month - 1] for month in range(2, MONTHS + 1, 2))
        assert all(chances[month] > chances[month - 1] for month in range(1, MONTHS + 1, 2))


def test_a_year_is_seen_in_every_run():
    """Three standard deviations of what is drawn are less than what a year adds to the first month."""
    first, last = (story_numbers()["months"][0]["right"][month]["share"] for month in (1, MONTHS))
    assert last - first > 3 * (0.25 / ATTACKERS) ** 0.5


def test_the_last_screen_says_what_every_other_has_shown():
    assert tuple(LESSONS) == SCREENS[:-1]
    often = round(100 * story_numbers()["best"]["share"])
    assert LESSONS["attack"] == f"At epsilon 1 the best attacker is right {often} times in 100."


def test_what_the_page_draws_from_is_exact():
    for columns, m in zip(exact_columns(), (STRONGER, USUAL, YEAR), strict=True):
        for j, column in enumerate(columns):
            whole = sum(int(weight) for weight in column)
            assert tuple(Fraction(int(weight), whole) for weight in column) == m.column(j)


def test_each_kind_of_noise_is_what_its_words_say():
    made = {kind: noise(kind, 8, "0.5") for kind in NOISES}
    assert [made[kind].matrix == m.matrix for kind, m in (("usual", BESIDE), ("near", NEAR))] == [
        True
    ] * 2
    for j in range(9):
        for nearer in range(9):
            further = [k for k in range(9) if (k <= nearer <= j) or (k >= nearer >= j)]
            assert all(NEAR[k, j] <= NEAR[nearer, j] for k in further), (
                "on each side, none is likelier than one closer to the truth"
            )
    assert BESIDE[0, 1] > BESIDE[1, 1], "which is not so with the usual noise"
    assert not any(len(set(NEAR.column(j))) == 1 for j in range(9)), "a blind guess nowhere"


def test_the_usual_noise_needs_nothing_from_the_epsilon_that_is_said():
    for n in (2, 8, 20):
        assert dc.geometric(n=n, epsilon=NOTHING_FROM).satisfies("CM")
        assert not dc.geometric(n=n, epsilon="0.69").satisfies("CM")


def test_the_sentence_on_two_kinds_of_noise_says_where_each_is_true_more_often():
    gain, loss = (
        [j for j in range(9) if NEAR[j, j] > BESIDE[j, j]],
        [j for j in range(9) if NEAR[j, j] < BESIDE[j, j]],
    )
    assert (gain, loss) == ([1, 7], [0, 8])
    assert [total_of(m) for m in (NEAR, BESIDE)] == ["±57.3", "±56.0"]
    assert story_numbers()["trade"] == (
        "The noise on the right says the truth more often at 1 and 7. The price: less often at 0 and 8. "
        "A sum of 100 clinics hardly changes."
    )


def test_one_scale_of_the_dial_holds_every_stop():
    """A bar that grows is a chance that grows: the truth of a count in between stays below the upper edge."""
    last = story_numbers()["dial"][-1]
    assert (last["epsilon"], last["truth"]["text"]) == ("2", "76.2%")


def test_the_best_attacker_s_rule_is_said():
    rules = [one["rule"] for one in story_numbers()["attack"]]
    assert (rules[0], rules[4], rules[7]) == (
        "yes at 1 to 8, no at 0",
        "yes at 5 to 8, no at 0 to 4",
        "yes at 8, no at 0 to 7",
    )


def test_the_name_of_a_noise_promises_no_more_than_it_keeps():
    """At a count of 1 two numbers are equally likely: none farther from the truth is likelier, and that is all."""
    assert NOISES["near"].words == "No farther answer likelier"
    assert NEAR[0, 1] == NEAR[1, 1]


def test_a_table_is_read_with_the_library_s_scores_and_intervals():
    found = story_numbers()
    assert (
        len(found["clinics"]) + 1 == found["groups"] == GROUPS
        and found["clinics"] == other_clinics()
    )
    for plan, m in zip(found["readings"], (STRONGER, USUAL), strict=True):
        values = [Fraction(int(value), int(plan["over"])) for value in plan["scores"]]
        for j in range(9):
            assert (
                sum(value * chance for value, chance in zip(values, m.column(j), strict=True)) == j
            ), "unbiased, exactly"
            assert plan["single"][j] == list(dc.one_group(m, j).interval)
        assert (
            found["ways"][plan["way"]]["query"].count(
                f"epsilon={'1' if m is STRONGER else '0.25'}&"
            )
            == 1
        )
        assert exact_columns()[plan["way"]][3] == [str(weight) for weight in m.form.column(3)[0]]
        assert (
            float(plan["margin"]) == pytest.approx(worth(m).total_margin, rel=5e-3)
            and plan["promised"] == "95%"
        )


def test_no_chance_is_typed_and_no_code_is_spoken():
    texts = {path.name: path.read_text(encoding="utf-8") for path in ROOT.glob("static/story*.js")}
    texts["story.html"] = (ROOT / "templates" / "story.html").read_text(encoding="utf-8")
    assert len(texts) == len(SCRIPTS) - 2, (
        "the page, and all its scripts but the three that it shares"
    )
    for name, text in texts.items():
        lines = [line for line in text.splitlines() if not line.lstrip().startswith("//")]
        assert not re.search(r"\d%", "\n".join(lines)), name
        assert not re.search(r"\b(GM|EM|WM|UM|CM|L0|alpha|mechanism)\b", "\n".join(lines)), name


def test_the_story_is_served_and_exported_alike(tmp_path, capsys):
    served = answer(Question(part="story", query="", base="")).body.decode()
    assert "story" not in PAGES and served.count('<section class="screen') == len(SCREENS)
    export_story(tmp_path / "plain.html")
    plain = (tmp_path / "plain.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', plain), "it leads nowhere unless told"
    assert "http" not in plain.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    words = [re.findall(r"<h[12][^>]*>(.*?)</h", page) for page in (served, plain)]
    assert words[0] == words[1] and len(words[0]) == len(SCREENS)
    with pytest.raises(SystemExit) as done:
        main(["studio", "--export", str(tmp_path / "by-command.html"), "--story"])
    assert (
        not done.value.code
        and "one page that needs nothing but a browser" in capsys.readouterr().out
    )
    assert (tmp_path / "by-command.html").read_text(encoding="utf-8") == plain, (
        "nothing in it is drawn in advance"
    )
    for wrong in (
        ["--story"],
        ["--export", str(tmp_path / "x.html"), "--story", "--setting", "n=1"],
    ):
        with pytest.raises(SystemExit) as done:
            main(["studio", *wrong])
        assert done.value.code == 2


def test_its_scripts_are_joined_without_imports():
    script = joined_scripts(SCRIPTS)
    assert not re.search(r"^(import|export)\b", script, flags=re.MULTILINE)
    names = re.findall(r"^(?:async )?(?:function|const|let) (\w+)", script, flags=re.MULTILINE)
    taken = re.findall(r"^(?:const|let) [{\[](.*?)[}\]] =", script, flags=re.MULTILINE)
    names += [part.split(":")[-1].strip() for line in taken for part in line.split(",")]
    assert len(names) == len(set(names)), "modules that are joined share no names"
