"""The report as one page of HTML: no script, no request to anywhere, light and dark, on a phone
and on paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib.resources import files
from typing import TYPE_CHECKING

from discreet.core.domains import Counts
from discreet.core.named import NAMED
from discreet.core.properties import PROPERTIES
from discreet.odds import PRIORS, belief, most_sure
from discreet.reading.quoting.interval_kinds import from_to, interval_head
from discreet.reporting import plain_words as words
from discreet.reporting.drawn_tables import bar, note, number, scale_text, share_text, table
from discreet.reporting.folded_tables import SHOWN, folded
from discreet.reporting.quoted_numbers import how_wide, quoted_numbers
from discreet.reporting.top.at_a_glance import at_a_glance
from discreet.reporting.top.spread import spread, spread_is_drawn
from discreet.show.captions import setting
from discreet.show.html import Html, element
from discreet.show.pictures.readings.round_ends import round_end
from discreet.show.pictures.svg import NUMBERS_UP_TO, heatmap
from discreet.show.typeface.faces import with_letters_inside

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reporting.report_findings import Counted, Findings
    from discreet.tables.plan_lines import Line

_PICTURED = 20
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"


def page(findings: Findings, shown: int = SHOWN) -> str:
    """Return the whole page; of a long table so many groups are `shown`."""
    parts = list(_sections(findings, shown))
    first = (
        2 if findings.earlier is None else 3
    )  # what everybody reads: the numbers, what changed, what not to do
    contents = [element("li", element("a", title, href=f"#{_anchor(title)}")) for title, _ in parts]
    sections = [
        element(
            "section", *_section(title, inside, shown=place < first), aria_labelledby=_anchor(title)
        )
        for place, (title, inside) in enumerate(parts)
    ]
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("title", findings.title),
        element(
            "style",
            Html(
                with_letters_inside(
                    files("discreet.reporting").joinpath("report.css").read_text(encoding="utf-8")
                )
            ),
        ),
    )
    body = element(
        "body",
        element(
            "header", *_head(findings, shown), class_="one" if len(findings.counts) == 1 else ""
        ),
        element("main", element("nav", element("ol", *contents), aria_label="Contents"), *sections),
        element("footer", note(_foot(findings))),
    )
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def _anchor(title: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in title.lower())


def _section(title: str, inside: Sequence[Html], *, shown: bool) -> Sequence[Html]:
    """A heading and what it is of: behind it, where not everybody reads it; a browser's search
    and paper open it.
    """
    heading = element("h2", title, id=_anchor(title))
    return (
        [heading, *inside]
        if shown
        else [element("details", element("summary", heading), *inside, class_="part")]
    )


def _head(findings: Findings, shown: int) -> Iterator[Html]:
    """The title, what was found with its picture, and below it the facts of the release and what
    protects people.
    """
    yield element("h1", findings.title)
    yield from at_a_glance(findings, shown)
    yield element("dl", *_facts(findings), class_="facts")
    if wide := how_wide(findings):
        yield element("p", wide)
    warning = [element("strong", said), " "] if (said := words.little_protected(findings)) else []
    yield element("p", *warning, words.in_short(findings))


def _facts(findings: Findings) -> Iterator[Html]:
    """What the release is of, in few words: each a name, and what it is, in large and in small
    letters.
    """
    facts = findings.manifest

    def fact(name: str, value: str, more: str = "") -> Html:
        small = [element("small", more)] if more else []
        return element("div", element("dt", name), element("dd", value, *small))

    yield fact("Groups", f"{facts.groups:,}")
    if findings.people is not None:
        yield fact(words.unit(facts).capitalize(), f"{findings.people:,}")
    alpha = Fraction(facts.alpha)
    both = ""
    if (
        findings.earlier is not None
    ):  # for people who are in both, epsilons add up and alphas multiply
        both = (
            f", and {most_sure(alpha * Fraction(findings.earlier.manifest.alpha))} with the "
            "earlier release"
        )
    yield fact(
        "Epsilon",
        words.plain_number(facts.epsilon),
        f"50% sure becomes at most {most_sure(alpha)}{both}",
    )
    data = f"{facts.dataset}, " if facts.dataset else ""
    yield fact("Released", facts.created[:10], f"{data}release {facts.release[:8]}")


def _sections(findings: Findings, shown: int) -> Iterator[tuple[str, list[Html]]]:
    facts = findings.manifest
    yield "The numbers to quote", list(quoted_numbers(findings, shown))
    if findings.earlier is not None:
        from discreet.reporting.since_then import changed_title, since_then

        yield changed_title(findings), list(since_then(findings))
    yield (
        "What not to do with these numbers",
        [element("ul", *(element("li", said) for said in words.never(findings)))],
    )
    yield "What was asked", [element("p", said) for said in words.asked(facts)]
    yield (
        "What is protected",
        [
            element("p", element("strong", "Protected: "), words.protected(facts)),
            element(
                "p",
                element("strong", "Not protected: "),
                words.not_protected(facts, findings.release.public),
            ),
            element("p", words.assumption(facts)),
        ],
    )
    yield f"What epsilon = {words.plain_number(facts.epsilon)} means", list(_epsilon(findings))
    if shares := [part for counted in findings.counts for part in _shares(findings, counted)]:
        differ = any(
            counted.shares and not counted.answers and not spread_is_drawn(findings, counted)
            for counted in findings.counts
        )
        yield "How the groups differ" if differ else "Shares of answers", shares
    yield "Where the noise comes from", list(_mechanisms(findings))
    yield "How to verify", list(_verify(findings))
    blank = "" if findings.publisher else f"Put the publisher in place of {words.NOBODY}. "
    yield "How to cite", [_quote(words.cite(findings)), note(f"{blank}The method: {words.PAPER}")]
    yield "For a methods section", [_quote(words.methods(findings))]


def _epsilon(findings: Findings) -> Iterator[Html]:
    facts = findings.manifest
    alpha, factor = Fraction(facts.alpha), words.odds_factor(facts)
    yield element(
        "p",
        f"{words.whose(facts).capitalize()} change the chance of any result by a factor of at "
        f"most {factor}. Suppose that somebody knows everything about everybody else, and "
        f"suspects, before reading this release, {words.suspicion(facts)}. Reading it changes the "
        f"odds of that suspicion by a factor of at most {factor}, up or down. The same holds for "
        "anybody who believes that the others' answers say nothing about this person's.",
    )
    yield element(
        "p",
        "What the release says about people who are alike, such as a family or a class, is not "
        "limited in this way: it would say that without this person too.",
    )
    rows = [belief(before, alpha).words for before in PRIORS]
    caption = "What a suspicion can become, rounded"
    yield table(
        ["suspicion before", "after: at least", "at most"], rows, caption=caption, numbers=(1, 2)
    )
    yield element(
        "p",
        f"The factor is 1/alpha, and alpha is {words.alpha_words(facts)}: exactly, not on average.",
    )
    if facts.cap:
        yield element(
            "p",
            "If the person is in another group instead, the factor may be reached twice: two "
            "groups changed.",
        )


def _shares(findings: Findings, counted: Counted) -> Iterator[Html]:
    """How groups differ, unless the head of the page has it; of several answers, the share of
    each.
    """
    rows = counted.shares
    if rows and not counted.answers and not spread_is_drawn(findings, counted):
        yield from spread(findings, counted)
    if not rows or not counted.answers:
        return
    most = min(round_end(max(row.most for row in rows)), 1.0)
    body: list[list[object]] = []
    for row in rows:
        low, high = row.low or 0.0, row.high or 0.0
        between, share = (
            from_to(_percent(low), _percent(high)),
            _percent(min(max(row.value, low), high)),
        )
        body.append([row.answer, between, share, bar(low, high, row.value, most)])
    head = [
        "answer",
        interval_head(counted.estimate.confidence),
        "share",
        scale_text(most, share_text),
    ]
    caption = f"{counted.words}, share of {counted.unit} by answer"
    yield table(head, body, caption=caption, numbers=(1, 2), drawn=True)


def _percent(share: float) -> str:
    return f"{number(100 * share, 1)}%"


def _mechanisms(findings: Findings) -> Iterator[Html]:
    size = (
        "the most people that are counted of a group"
        if findings.manifest.cap
        else "the size of its group"
    )
    given = (
        " Whoever made the release gave these mechanisms."
        if findings.manifest.mechanisms_given
        else ""
    )
    yield element(
        "p",
        "Each count was drawn from a public table of chances, the mechanism, made for "
        f"{size}.{given} All of them are in the bundle as exact fractions, with a proof of their "
        "privacy.",
    )
    sizes = sum(len(_in_ranges(lines)) for _, lines in findings.lines)
    more = "(1 row)" if sizes == 1 else f"({sizes} rows)"
    yield folded("The mechanisms, and how exact each is", more, *_drawn_from(findings))


def _drawn_from(findings: Findings) -> Iterator[Html]:
    """What each level was drawn from, what that has, and a picture of it."""
    several = len(findings.manifest.levels) > 1
    for level, found in findings.lines:
        lines = _in_ranges(found)
        body = [
            [
                line.count,
                str(line.n) if line.n == line.largest else f"{line.n} to {line.largest}",
                f"{line.groups:,}",
                _full(line.name),
                _percent(line.truth),
                number(line.rmse, 1),
                f"±{line.margin:,}",
            ]
            for line in lines
        ]
        name = (
            f", for {words.level_words(level.keys)} ({words.in_share(level.share)} of epsilon)"
            if several
            else ""
        )
        caption = f"What was drawn from{name}"
        head = [
            "count",
            "group size",
            "groups",
            "mechanism",
            "exactly right",
            "usually off by",
            "95% of draws within",
        ]
        yield table(head, body, caption=caption, numbers=(1, 2, 4, 5, 6), cards=True)
    yield note(
        "Exactly right: the chance that the true number is drawn. Usually off by: the root of the "
        "mean squared error. Of a range of sizes, the accuracy is that of the largest. Averages "
        "are over equally likely true counts."
    )
    pictures = []
    for counted in findings.counts:
        m = findings.commonest(counted.name)
        has = [name for name in m.shape if name in PROPERTIES]
        if has:
            meanings = [
                f"{PROPERTIES[name].full_name} ({PROPERTIES[name].meaning})" for name in has
            ]
            yield note(
                f"What the mechanism of {counted.spoken} has, for groups of {m.n}: "
                f"{'; '.join(meanings)}."
            )
        if isinstance(m.domain, Counts) and 1 <= m.n <= _PICTURED:
            pictures.append(_picture(counted, m, findings.drawn_from(counted.name, m.n)))
    if pictures:
        yield element("div", *pictures, class_="pictures")


def _in_ranges(lines: Sequence[Line]) -> list[Line]:
    """Lines of neighbouring sizes as one, of the largest's accuracy, where mechanism and margin
    are the same.
    """
    found: list[Line] = []
    for line in lines:
        last = found[-1] if found else None
        if last and (last.count, last.name, last.margin) == (line.count, line.name, line.margin):
            found[-1] = replace(line, n=last.n, groups=last.groups + line.groups)
        else:
            found.append(line)
    return found


def _picture(counted: Counted, m: Mechanism, name: str) -> Html:
    """The chances of a mechanism, by its name in the table above; on a dark page light and dark
    change places.
    """
    drawn = Html(
        heatmap(
            m,
            top=float(m.array.max()),
            title=f"Chances of each answer for each true count, {setting(m)}",
        )
    )
    likelier = [
        element("span", word, class_=look)
        for look, word in (("light", "Darker"), ("dark", "Lighter"))
    ]
    wrong = (
        ""
        if m.satisfies("CH")
        else " A triangle marks a wrong answer that is likelier than the true one."
    )
    told = " Numbers are chances in percent." if m.n <= NUMBERS_UP_TO else ""
    said = f" is likelier; where the answer is the truth, the cell is outlined.{wrong}{told}"
    named = f"{counted.words}, {_full(name)}, {setting(m)}. "
    return element("figure", drawn, element("figcaption", named, *likelier, said), class_="picture")


def _full(name: str) -> str:
    """A mechanism's name, with what its letters stand for."""
    if name == "joint":
        return "joint (all answers in one draw)"
    named = NAMED.get(name.partition(" ")[0])
    if named is None:
        return name
    return f"{named.short} ({named.full}{', answer by answer' if name.endswith(' cells') else ''})"


def _verify(findings: Findings) -> Iterator[Html]:
    facts = findings.manifest
    yield element(
        "p",
        "Everything here follows from the published bundle. Its proofs are checked by a verifier "
        "that was written separately from what made them:",
    )
    yield element(
        "p",
        "The program is called discreet. Get it from whoever published this bundle, as its folder "
        "or as one file, a wheel. Do not install it by its name alone: in a package index that "
        "name may be somebody else's. In a terminal, with Python 3.11 or newer:",
    )
    version = facts.versions.get("discreet", "VERSION")
    wheel = (
        f"pip install 'discreet-{version}-py3-none-any.whl[tables]'   # or, in its folder: pip "
        "install '.[tables]'"
    )
    yield element("pre", element("code", f"{wheel}\ndiscreet verify {findings.folder}"))
    yield element(
        "p",
        "The bundle this report was made from has the manifest with SHA-256 ",
        element("code", facts.digest),
        ".",
    )
    yield folded("The guarantee", "(word for word)", element("p", facts.guarantee))


def _quote(text: str) -> Html:
    return element("blockquote", element("p", text))


def _foot(findings: Findings) -> str:
    made = ", ".join(f"{name} {version}" for name, version in findings.manifest.versions.items())
    release = findings.manifest.release
    return (
        f"Made from the published bundle of release {release} alone. The release was made with "
        f"{made}."
    )
