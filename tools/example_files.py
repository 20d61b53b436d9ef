"""The made-up files that pages of docs begin with (story, survey, school, levels): `python -m
tools.example_files`.

docs/published, docs/november, docs/published-survey and docs/autumn are the releases of these
files, of one draw each, by the pages' own commands.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "files"
REGIONS = ("North", "East", "South", "West")
CONTENT = ("never", "rarely", "sometimes", "often", "always")
MOODS = {"Care": (1, 2, 3, 4, 2), "Kitchen": (3, 4, 3, 1, 1), "Office": (1, 1, 2, 4, 4)}
"""How common each answer is, by department."""
LEAVING = (0.6, 0.4, 0.25, 0.1, 0.05)
"""The chance of thinking of leaving, by answer."""


def files() -> dict[str, str]:
    """Every file by its name."""
    return {
        **_months(),
        "staff.csv": _csv("person,department,team,leaving,content", _staff()),
        "patients.csv": _csv("person,region,clinic,age,smoker", _patients()),
        "school.csv": _csv("pupil,year,class,bullied", _school()),
        "pupils.csv": _csv("pupil,district,school,class,bullied", _pupils()),
        "courses.csv": _csv("pupil,course,bullied,works,hours", _courses()),
    }


def _months() -> dict[str, str]:
    """480 people in 60 clinics, and the same people a month later: of those who smoked, three in
    ten have stopped.
    """
    chance = random.Random(19)  # noqa: S311 - made-up data, no noise
    header = "person,region,clinic,smoker"
    who = [f"{person},{REGIONS[person % 60 % 4]},clinic {person % 60:02d}" for person in range(480)]
    before = [chance.random() < 0.3 for _ in who]
    after = [chance.random() < 0.7 and smoked for smoked in before]
    return {
        name: _csv(
            header, (f"{person},{_word(yes)}" for person, yes in zip(who, answers, strict=True))
        )
        for name, answers in (("people.csv", before), ("november.csv", after))
    }


def _staff() -> Iterator[str]:
    """600 people in 90 teams of 5, 6 or 9, who answered two questions."""
    chance = random.Random(5)  # noqa: S311 - likewise
    person = 0
    for team in range(90):
        department = tuple(MOODS)[team % 3]
        for _ in range((5, 6, 9)[team // 3 % 3]):
            person += 1
            answer = chance.choices(range(5), MOODS[department])[0]
            leaving = _word(chance.random() < LEAVING[answer])
            yield f"{person},{department},team {team:02d},{leaving},{CONTENT[answer]}"


def _patients() -> Iterator[str]:
    """1,200 people in 150 clinics of two regions, with their age; the answer is 0 or 1."""
    chance = random.Random(2026)  # noqa: S311 - likewise
    for person in range(1200):
        clinic = person % 150
        region = "north" if clinic < 90 else "south"
        age, smoker = chance.randint(16, 90), int(chance.random() < 0.3)
        yield f"{person},{region},{clinic:03d},{age},{smoker}"


def _school() -> Iterator[str]:
    """One school: 18 classes of 19 to 26 pupils, three in each of six years; fewer are bullied
    in the later ones.
    """
    chance = random.Random(12)  # noqa: S311 - likewise
    pupil = 0
    for year in range(5, 11):
        for letter in "abc":
            for _ in range(chance.randint(19, 26)):
                pupil += 1
                yield (
                    f"{pupil},year "
                    f"{year:02d},{year}{letter},{_word(chance.random() < 0.3 - 0.03 * (year - 5))}"
                )


def _pupils() -> Iterator[str]:
    """4,770 pupils in 240 classes: six classes in a school, sixty in a district."""
    chance = random.Random(3)  # noqa: S311 - likewise
    pupil = 0
    for number in range(240):
        for _ in range(chance.randint(18, 22)):
            pupil += 1
            place = f"{'ABCD'[number // 60]},{number // 6:02d},{number:03d}"
            yield f"{pupil},{place},{_word(chance.random() < 0.15)}"


def _courses() -> Iterator[str]:
    """400 pupils in one or two of 60 courses each, a row for each course; hours are those online
    in a day.
    """
    chance = random.Random(7)  # noqa: S311 - likewise
    for pupil in range(400):
        bullied, works = int(chance.random() < 0.15), int(chance.random() < 0.4)
        hours = chance.randint(0, 8)
        for course in chance.sample(range(60), chance.choice([1, 2])):
            yield f"{pupil},course {course:02d},{bullied},{works},{hours}"


def _word(yes: bool) -> str:
    return "yes" if yes else "no"


def _csv(header: str, rows: Iterator[str]) -> str:
    return "\n".join([header, *rows]) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
