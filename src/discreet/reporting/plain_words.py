"""A release in plain words: what was asked, what is protected, what not to do, the methods
paragraph, the citation.

Every sentence is made of the manifest and of estimates, and says what holds for this release.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.core.rationals import in_percent, shown
from discreet.odds import belief, most_times, protects_little
from discreet.show.captions import ONE_WORD, spoken_count
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


def plain_number(text: str) -> str:
    """An exact number of the manifest as people write it: a decimal where it is one, or next to
    one.

    >>> plain_number("1/2"), plain_number("1/3"), plain_number("99999999999/100000000000")
    ('0.5', '1/3', '1')
    """
    value = Fraction(text)
    short = f"{float(value):.4g}"
    return short if abs(Fraction(short) - value) * 10**7 <= value else shown(value)


def default_title(facts: Manifest) -> str:
    """Name a report after what was counted."""
    names = [spoken_count(count.name, count.definition) for count in facts.counts]
    return f"Private counts of {listed(names)}{_by(facts)}"


def unit(facts: Manifest) -> str:
    """What is counted: people, or their rows where one person may have several."""
    return "people" if facts.contributions == 1 else "rows"


def asked(facts: Manifest) -> list[str]:
    """What was asked of the table."""
    who = unit(facts)
    each = level_words(
        [key for key in facts.public.told_keys if not _withholds(facts, key)] if facts.keys else ()
    )
    said = [
        f"{who.capitalize()} are counted: "
        f"{f'in {each}' if facts.keys else 'all together, in one group'}."
    ]
    if facts.source != "people":
        said[0] += " They stand in a table of counts."
    if facts.contributions > 1:
        said[0] += f" One person may have {facts.contributions} of the rows."
    said += [_question(count, who) for count in facts.counts]
    if facts.public.where:
        said.append(f"Only these rows were used: {facts.public.where}.")
    if len(facts.levels) > 1:
        shares = [
            f"{level_words(level.keys)} ({in_share(level.share)} of epsilon)"
            for level in facts.levels
        ]
        said.append(
            f"Noise was drawn for {len(facts.levels)} levels, which share epsilon and are read "
            f"together: {listed(shares)}."
        )
    if facts.public.smallest:
        said.append(
            f"Groups of fewer than {facts.public.smallest} {who} are not shown one by one: one "
            "row for each parent stands for all of them, and for the next smallest where it needs "
            "more; the column `withheld` says for how many groups."
        )
    if facts.cap:
        said.append(
            f"Of each group at most {facts.cap} people were counted; people beyond that are in no "
            "number here."
        )
    if facts.nulls in ("0", "1") and any(_is_bit(count) for count in facts.counts):
        said.append(f"A missing answer counts as {'yes' if facts.nulls == '1' else 'no'}.")
    return said


def _is_bit(count: CountFacts) -> bool:
    """Whether an empty value is what the release counts a missing bit as: a question with
    answers says it itself.
    """
    word = ONE_WORD.fullmatch(count.definition)
    return not (count.answers or (word and word["empty"]))


def _says_yes(count: CountFacts) -> bool:
    """Whether a count is of yes or no, and of no other words."""
    word = ONE_WORD.fullmatch(count.definition)
    return not (count.answers or (word and word["word"].lower() != "yes"))


def level_words(keys: Sequence[str]) -> str:
    """The groups of a level.

    >>> level_words(["region", "clinic"]), level_words([])
    ('each region and clinic', 'the total')
    """
    return f"each {listed(tuple(keys))}" if keys else "the total"


def in_share(share: str) -> str:
    """A share of epsilon as people say it.

    >>> in_share("2/5"), in_share("1/3")
    ('40%', '33.3%')
    """
    return f"{float(f'{100 * float(Fraction(share)):.1f}'):g}%"


def _question(count: CountFacts, unit: str) -> str:
    """Who is counted, of one count."""
    whose = "those" if unit == "people" else "the rows"
    if count.answers:
        given = [
            answer for answer in count.answers if not (count.cap and answer == count.answers[-1])
        ]
        return f"{count.name}: counted are {whose} with each of the answers {listed(given)}."
    if count.definition in (count.name, ""):
        return (
            f"{count.name}: counted are {whose} for "
            f"{'whom it' if whose == 'those' else 'which it'} is yes."
        )
    if (word := ONE_WORD.fullmatch(count.definition)) is None:
        return f"{count.name}: counted are {whose} with {count.definition}."
    rest = [("any other value", word["other"]), ("an empty one", word["empty"])]
    also = "".join(f"; {what} counts as “{meant}”" for what, meant in rest if meant)
    if word["column"] == count.name and whose == "those":
        return f"{count.name}: counted are those who answered {word['word']}{also}."
    return (
        f"{count.name}: counted are {whose} with “{word['word']}” in the column "
        f"{word['column']}{also}."
    )


def protected(facts: Manifest) -> str:
    """What nobody can learn for sure."""
    answers = "yes or no" if all(map(_says_yes, facts.counts)) else "answers"
    if facts.cap:
        return (
            f"Whether one person is in the data at all, and this person's {answers}. That covers "
            "the sizes of groups: how many people a group has is released with noise too."
        )
    rows = "" if facts.contributions == 1 else f" in all of at most {facts.contributions} rows"
    noise = "every count was drawn with noise, so no count shows for certain what one person said"
    little = (
        ". At this epsilon the noise is small, and protects little"
        if protects_little(Fraction(facts.alpha))
        else ""
    )
    return f"Each person's {answers}{rows}: {noise}{little}."


def not_protected(facts: Manifest, public: str) -> str:
    """What is published as it is."""
    if facts.cap:
        return f"The list of groups: it was given, and is published as it is. In detail: {public}."
    return f"Who is in which group and how many {unit(facts)} each group has. In detail: {public}."


def assumption(facts: Manifest) -> str:
    """What the promise rests on besides mathematics."""
    if facts.contributions_checked and facts.excess.rows == "drop":
        rows = "one" if facts.contributions == 1 else f"{facts.contributions}"
        return (
            f"Of a person with more than {rows} of the rows, the others were left out when the "
            "release was made."
        )
    if facts.contributions_checked:
        return "How many rows one person has was checked when the release was made."
    rows = "one row" if facts.contributions == 1 else f"at most {facts.contributions} rows"
    return (
        f"The promise holds if each person has {rows}; whoever made the release declared "
        "that, and did not check it."
    )


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
        "Do not add up the counts of the published table: each is cut to what is possible, and "
        "over many groups that adds up to a bias. Take the numbers of this page.",
        "Do not quote the unbiased estimates of the spreadsheet group by group. They are made for "
        f"sums and models; one alone may be negative, or more than the group has {unit(facts)}.",
        "Do not call two groups different because their numbers are, nor rank groups whose "
        "intervals overlap.",
        f"Do not expect every interval to hold at once: each holds with a chance of {level:.4g} "
        "by itself"
        + (
            f", so that of {facts.groups:,} about {missed:,g} are expected to miss."
            if facts.groups > 1
            else "."
        ),
        "Do not compute statistics from the whole numbers: they were moved so that sums are "
        "right. Take the unbiased estimates.",
        "Do not set numbers of this release against those of another one of the same people as if "
        "they had to agree: each release has noise of its own. And each one costs: epsilons add "
        "up.",
    ]
    if facts.cap:
        said.append(
            f"Do not read a total as everybody: of each group at most {facts.cap} people were "
            "counted."
        )
    return said


def methods(findings: Findings) -> str:
    """The paragraph for a methods section: five sentences."""
    facts = findings.manifest
    epsilon = plain_number(facts.epsilon)
    names = listed([count.name for count in facts.counts])
    groups = "one group" if facts.groups == 1 else f"{facts.groups:,} groups"
    what = (
        f"Counts of {names} in {groups}{_by(facts)} were released with differential privacy at "
        f"epsilon = {epsilon}"
    )
    shape = f" with the properties {facts.properties}" if facts.properties else ""
    return " ".join(
        [
            f"{what} in total (alpha = {shown(Fraction(facts.alpha))}): {whose(facts)} change the "
            "chance of any result by a factor of at most exp(epsilon).",
            _promise(facts),
            f"The noise was drawn from mechanisms{shape} that are given as exact matrices with "
            "the release and were verified in exact rational arithmetic (discreet "
            f"{_version(facts)}).",
            _read(findings),
            f"The release has the id {facts.release}; its manifest, tables and proofs can be "
            "checked with the command discreet verify.",
        ]
    )


def whose(facts: Manifest) -> str:
    """What of one person is protected."""
    return (
        "one person's presence in a group and answers there"
        if facts.cap
        else "one person's answers"
    )


def suspicion(facts: Manifest) -> str:
    """What somebody may suspect of one person, and the release protects."""
    if facts.cap:
        return (
            "that one certain person is in a certain group rather than in none, or gave a certain "
            "answer there"
        )
    said = "answered yes" if all(map(_says_yes, facts.counts)) else "gave a certain answer"
    return f"that one certain person {said}"


def _promise(facts: Manifest) -> str:
    if facts.cap:
        return (
            f"Presence, answers and group sizes are protected; of each group at most {facts.cap} "
            "people were counted, and the list of groups is public."
        )
    return (
        "Group membership and group sizes were treated as public, and what each person answered "
        "as protected."
    )


def _read(findings: Findings) -> str:
    level = in_percent(findings.confidence)
    of = (
        "Estimates are unbiased for the people counted"
        if findings.manifest.cap
        else "Totals are unbiased estimates"
    )
    if any(counted.unreadable for counted in findings.counts):
        return f"Numbers of single groups are read with intervals of {level} confidence."
    together = ", fitted to all levels together" if len(findings.manifest.levels) > 1 else ""
    guessed = findings.manifest.keys and any(counted.guessed for counted in findings.counts)
    groups = (
        f"; single groups of yes-or-no counts have {level} credible intervals" if guessed else ""
    )
    return (
        f"{of}{together}, with {level} confidence intervals that account for the noise of the "
        "release, and whole numbers that add up are derived from them without further access to "
        f"the data{groups}."
    )


NOBODY = "[name of the publisher]"
"""Who published a release, where a report was not told: no file says it, so it is left to be
filled in.
"""


def cite(findings: Findings) -> str:
    """How to cite the release: publisher, year, title, and what tells it from every other."""
    facts = findings.manifest
    data = f" (data set: {facts.dataset})" if facts.dataset else ""
    return (
        f"{findings.publisher or NOBODY} ({facts.created[:4]}). {default_title(facts)}{data}. "
        f"Differentially private release {facts.release}, {facts.created[:10]}, epsilon = "
        f"{plain_number(facts.epsilon)}; manifest SHA-256 {facts.digest}; made with discreet "
        f"{_version(facts)}."
    )


def odds_factor(facts: Manifest) -> str:
    """By how much one person changes the chance of any result at most: 1/alpha."""
    alpha = Fraction(facts.alpha)
    return most_times(alpha) if 1 / alpha < 10**9 else shown(1 / alpha)


def little_protected(findings: Findings) -> str:
    """That the noise protects little, where it does: from the epsilon on from which a plan warns
    too.
    """
    if not protects_little(Fraction(findings.manifest.alpha)):
        return ""
    if findings.mostly_exact:
        return "These numbers are nearly exact, and protect each person little."
    return "The noise in these numbers protects each person little."


def in_short(findings: Findings) -> str:
    """What is private here, in a few sentences."""
    facts = findings.manifest
    _, least, most = belief(Fraction(1, 2), Fraction(facts.alpha)).words
    noise = (
        "" if little_protected(findings) else "Every number has noise that protects each person. "
    )
    return (
        f"{noise}Suppose that somebody knows everything about everybody else, and gives it a "
        f"chance of 50% {suspicion(facts)}: after reading this release the chance is {most} at "
        f"most, and {least} at least. Other releases about the same people add to this."
    )


def too_noisy(findings: Findings, counted: Counted) -> str:
    """Say so where most single groups of a count are too noisy to be quoted: as drawn (as a plan
    says), or as read.
    """
    noisy, groups = findings.noisy_groups(counted.name)
    if 2 * noisy > groups:
        return (
            f"Single groups of {counted.spoken} are too noisy to quote: in {noisy:,} of "
            f"{groups:,} groups the 95% margin of the released number is three quarters of the "
            "group or more. Quote the totals above."
        )
    if 2 * counted.wide <= len(counted.groups):
        return ""
    return (
        f"Single groups of {counted.spoken} are too noisy to quote: {counted.wide:,} of "
        f"{len(counted.groups):,} numbers have intervals of three quarters of the group or more. "
        "Quote the totals above."
    )


def says_nothing(row: Row) -> bool:
    """Whether the interval of a total is all that is possible."""
    return row.n is not None and (row.low or 0.0) <= 0 and (row.high or 0.0) >= row.n


def possible(row: Row) -> float:
    """An estimate cut to what is possible, for a sentence about it alone."""
    return max(min(row.value, row.value if row.n is None else row.n), 0.0)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return (
        names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
    )


def _withholds(facts: Manifest, key: str) -> bool:
    return bool(facts.public.smallest) and key.startswith(WITHHELD)


def _by(facts: Manifest) -> str:
    keys = [key for key in facts.keys if not _withholds(facts, key)]
    return f" by {listed(keys)}" if keys else ""


def _version(facts: Manifest) -> str:
    return facts.versions.get("discreet", "")
