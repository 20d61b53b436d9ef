"""A release in plain words: what was asked, what is protected, what not to do, the methods paragraph, the citation.

Every sentence is made of the manifest and of estimates, and says what holds for this release.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.core.rationals import shown
from discreet.reporting.drawn_tables import PEOPLE, number
from discreet.tables.asking.smallest_groups import WITHHELD

if TYPE_CHECKING:
    from discreet.reporting.report_findings import Counted, Findings
    from discreet.show.pictures.readings.estimate_rows import Row
    from discreet.tables.published.manifest import CountFacts, Manifest

PAPER = (
    "G. Cormode, T. Kulkarni and D. Srivastava: Constrained Private Mechanisms for Count Data, "
    "IEEE International Conference on Data Engineering (ICDE), 2018."
)
_DIGITS = 40
_ANSWERS = 6
"""Answers that the sentence at the top of a report names."""


def plain_number(text: str) -> str:
    """An exact number of the manifest as people write it: a decimal where it is one, or next to one.

    >>> plain_number("1/2"), plain_number("1/3"), plain_number("99999999999/100000000000")
    ('0.5', '1/3', '1')
    """
    value = Fraction(text)
    short = f"{float(value):.4g}"
    return short if abs(Fraction(short) - value) * 10**7 <= value else shown(value)


def default_title(facts: Manifest) -> str:
    """Name a report after what was counted."""
    return f"Private counts of {listed([count.name for count in facts.counts])}{_by(facts)}"


def unit(facts: Manifest) -> str:
    """What is counted: people, or their rows where one person may have several."""
    return "people" if facts.contributions == 1 else "rows"


def asked(facts: Manifest) -> list[str]:
    """What was asked of the table."""
    counted = "People are counted." if facts.source == "people" else "People are counted, in a table of counts."
    if facts.contributions > 1:
        counted = f"Rows are counted, and one person may have {facts.contributions} of them."
    keys = [key for key in facts.public.told_keys if not (facts.public.smallest and key.startswith(WITHHELD))]
    group = f"each {listed(keys)}" if facts.keys else "the whole table"
    said = [f"For {group}: {'; '.join(_question(count, unit(facts)) for count in facts.counts)}. {counted}"]
    if facts.public.where:
        said.append(f"Only these rows were used: {facts.public.where}.")
    if len(facts.levels) > 1:
        from discreet.tables.asking.level_keys import level_name

        shares = [f"{level_name(level.keys)} ({plain_number(level.share)} of epsilon)" for level in facts.levels]
        said.append(f"Tables were released at {len(facts.levels)} levels, and are read together: {', '.join(shares)}.")
    if facts.public.smallest:
        said.append(
            f"Groups of fewer than {facts.public.smallest} {unit(facts)} are not shown one by one: one row for each "
            "parent stands for all of them, and for the next smallest where it needs more; the column `withheld` says "
            "for how many groups."
        )
    if facts.cap:
        said.append(f"Of each group at most {facts.cap} people were counted; people beyond that are in no number here.")
    if facts.nulls in ("0", "1"):
        said.append(f"A missing answer counts as {'yes' if facts.nulls == '1' else 'no'}.")
    return said


def _question(count: CountFacts, unit: str) -> str:
    if count.answers:
        given = [answer for answer in count.answers if not (count.cap and answer == count.answers[-1])]
        gave = "gave" if unit == "people" else "have"
        return f"how many {unit} {gave} each of the answers {listed(given)} to {count.name}"
    same = count.definition in (count.name, "")
    return f"how many {unit} count as {count.name}" + ("" if same else f", which is: {count.definition}")


def protected(facts: Manifest) -> str:
    """What nobody can learn for sure."""
    answers = "answers" if any(count.answers for count in facts.counts) else "yes or no"
    if facts.cap:
        return (
            f"Whether one person is in the data at all, and this person's {answers}. That covers the sizes of groups: "
            "how many people a group has is released with noise too."
        )
    rows = "" if facts.contributions == 1 else f" in all of at most {facts.contributions} rows"
    return f"Each person's {answers}{rows}: every count was drawn with noise, so no count shows what one person said."


def not_protected(facts: Manifest, public: str) -> str:
    """What is published as it is."""
    if facts.cap:
        return f"The list of groups: it was given, and is published as it is. In detail: {public}."
    return f"Who is in which group and how many {unit(facts)} each group has. In detail: {public}."


def assumption(facts: Manifest) -> str:
    """What the promise rests on besides mathematics."""
    if facts.contributions_checked and facts.excess.rows == "drop":
        rows = "one" if facts.contributions == 1 else f"{facts.contributions}"
        return f"Of a person with more than {rows} of the rows, the others were left out when the release was made."
    if facts.contributions_checked:
        return "How many rows one person has was checked when the release was made."
    rows = "one row" if facts.contributions == 1 else f"at most {facts.contributions} rows"
    return f"The promise holds if each person has {rows}; whoever made the release declared that, and did not check it."


def alpha_words(facts: Manifest) -> str:
    """The exact alpha, or its first digits where it is long: then the manifest has all of them."""
    value = Fraction(facts.alpha)
    if value.denominator < 10**_DIGITS:
        exact = f"{value.numerator}/{value.denominator}"
        return exact if len(exact) < 10 else f"{exact}, about {shown(value)}"
    return f"about {shown(value)}; the manifest has all of its digits"


def never(findings: Findings) -> list[str]:
    """What not to do with the numbers."""
    facts, level = findings.manifest, float(findings.confidence)
    missed = round((1 - level) * facts.groups, 1)
    said = [
        "Do not add up the counts of the published table: each is cut to what is possible, and over many groups that "
        "adds up to a bias. Add up the unbiased estimates, or take the totals given here.",
        "Do not quote the unbiased estimate of one small group. It is made for sums; alone it may be negative, or more "
        f"than the group has {unit(facts)}. Quote the whole number and its interval.",
        "Do not call two groups different because their numbers are, nor rank groups whose intervals overlap.",
        f"Do not expect every interval to hold at once: each holds with a chance of {level:.4g} by itself"
        + (f", so that of {facts.groups:,} about {missed:,g} are expected to miss." if facts.groups > 1 else "."),
        "Do not compute statistics from the whole numbers: they were moved so that sums are right.",
        "Do not set numbers of this release against those of another one of the same people as if they had to agree: "
        "each release has noise of its own. And each one costs: epsilons add up.",
    ]
    if facts.cap:
        said.append(f"Do not read a total as everybody: of each group at most {facts.cap} people were counted.")
    return said


def methods(findings: Findings) -> str:
    """The paragraph for a methods section: five sentences."""
    facts = findings.manifest
    epsilon = plain_number(facts.epsilon)
    names = listed([count.name for count in facts.counts])
    groups = "one group" if facts.groups == 1 else f"{facts.groups:,} groups"
    what = f"Counts of {names} in {groups}{_by(facts)} were released with differential privacy at epsilon = {epsilon}"
    shape = f" with the properties {facts.properties}" if facts.properties else ""
    return " ".join(
        [
            f"{what} in total (alpha = {shown(Fraction(facts.alpha))}), which bounds by how much the release can "
            f"change the odds of any statement about {_whose(facts)}.",
            _promise(facts),
            f"The noise was drawn from mechanisms{shape} that are given as exact matrices with the release and were "
            f"verified in exact rational arithmetic (discreet {_version(facts)}).",
            _read(findings),
            f"The release has the id {facts.release}; its manifest, tables and proofs can be checked with the command "
            "discreet verify.",
        ]
    )


def _whose(facts: Manifest) -> str:
    return "one person's presence in a group and answers there" if facts.cap else "one person's answers"


def suspicion(facts: Manifest) -> str:
    """What somebody may suspect of one person, and the release protects."""
    if facts.cap:
        return "that one certain person is in a certain group, or what this person answered there"
    several = any(count.answers for count in facts.counts)
    return "that one certain person " + ("gave a certain answer" if several else "answered yes")


def _promise(facts: Manifest) -> str:
    if facts.cap:
        return (
            f"Presence, answers and group sizes are protected; of each group at most {facts.cap} people were counted, "
            "and the list of groups is public."
        )
    return "Group membership and group sizes were treated as public, and what each person answered as protected."


def _read(findings: Findings) -> str:
    level = f"{float(findings.confidence):.4g}"
    of = "Estimates are unbiased for the people counted" if findings.manifest.cap else "Totals are unbiased estimates"
    if any(counted.unreadable for counted in findings.counts):
        return f"Numbers of single groups are read with intervals of confidence {level}."
    together = ", fitted to all levels together" if len(findings.manifest.levels) > 1 else ""
    return (
        f"{of}{together}, with intervals of confidence {level} that account for the noise of the release, and "
        "whole numbers that add up are derived from them without further access to the data."
    )


def cite(findings: Findings) -> str:
    """How to cite the release."""
    facts = findings.manifest
    data = f"{facts.dataset}. " if facts.dataset else ""
    return (
        f"{data}{default_title(facts)}. Differentially private release {facts.release}, {facts.created[:10]}, "
        f"epsilon = {plain_number(facts.epsilon)}; manifest SHA-256 {facts.digest}; made with discreet "
        f"{_version(facts)}."
    )


def found(counted: Counted) -> str:
    """The main result in one sentence; of a question with several answers, each of the first few."""
    if counted.unreadable:
        return counted.unreadable
    if len(counted.totals) != 1:
        return _found_answers(counted)
    row = counted.totals[0]
    share = f" of {row.n:,} {counted.unit}" if row.n else ""
    if says_nothing(row):
        return f"How many{share} count as {counted.name}, this release does not tell: every number is possible."
    low, high = number(row.low), number(row.high)
    return f"About {number(possible(row))}{share} count as {counted.name}: between {low} and {high}."


def _found_answers(counted: Counted) -> str:
    rows = [row for row in counted.totals if not (counted.facts.cap and row.answer == PEOPLE)]
    of = f", of {rows[0].n:,} {counted.unit}" if rows[0].n else ""
    said = [
        f"{row.answer} any number" if says_nothing(row)
        else f"{row.answer} about {number(possible(row))} ({number(row.low)} to {number(row.high)})"
        for row in rows[:_ANSWERS]
    ]  # fmt: skip
    more = f"; {len(rows) - _ANSWERS} more answers below" if len(rows) > _ANSWERS else ""
    return f"{counted.name}{of}: {', '.join(said)}{more}."


def too_noisy(findings: Findings, counted: Counted) -> str:
    """Say so where most single groups of a count were drawn with too much noise to be quoted, as its plan did."""
    noisy, groups = findings.noisy_groups(counted.name)
    if 2 * noisy <= groups:
        return ""
    return (
        f"Single groups of {counted.name} are too noisy to quote: in {noisy:,} of {groups:,} groups the 95% margin of "
        "the released number is three quarters of the group or more. Quote the totals above."
    )


def says_nothing(row: Row) -> bool:
    """Whether the interval of a total is all that is possible."""
    return row.n is not None and (row.low or 0.0) <= 0 and (row.high or 0.0) >= row.n


def possible(row: Row) -> float:
    """An estimate cut to what is possible, for a sentence about it alone."""
    return max(min(row.value, row.value if row.n is None else row.n), 0.0)


def listed(names: list[str] | tuple[str, ...]) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def _by(facts: Manifest) -> str:
    keys = [key for key in facts.keys if not (facts.public.smallest and key == WITHHELD)]
    return f" by {listed(keys)}" if keys else ""


def _version(facts: Manifest) -> str:
    return facts.versions.get("discreet", "")
