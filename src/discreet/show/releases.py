"""How a plan and a release look: text for a terminal, HTML for a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.choosing.flowchart import for_single_numbers
from discreet.core.rationals import in_decimals, read_alpha, shown
from discreet.odds import learned
from discreet.show import html
from discreet.show.plans.bought_text import bought_html, bought_lines
from discreet.show.plans.counted_text import counted_lines, unread_words
from discreet.show.plans.verdict_text import CELLS, readings, said_of_groups, said_of_total
from discreet.show.text import NEAREST, READ_RAW, folded

if TYPE_CHECKING:
    from discreet.tables.plan_totals import PlannedTotal
    from discreet.tables.planning import Plan
    from discreet.tables.published.manifest import Manifest
    from discreet.tables.published.result import Release

_GROUPS = 10
_REFUSED = "A release would be refused"
_SMALL = 10_000
"""Groups up to which a table on disk is read for the sake of its first rows."""


def plan_text(
    plan: Plan, spell: Callable[[str], str] = str, *, details: bool = False, more: str = ""
) -> str:
    """Show a plan in at most 80 columns, what decides first; `details`: every size and note, and
    other shares.

    `spell` writes the parameters that it mentions as the reader types them; `more` is how details
    are asked for.
    """
    groups = "1 group" if plan.groups == 1 else f"{plan.groups:,} groups"
    lines = [
        part for words in unread_words(plan) for part in folded(spell(words), width=79, later="  ")
    ]
    lines.append(
        f"epsilon {_price(plan) if details else f'{in_decimals(plan.epsilon)} in total'}, {groups}"
    )
    if plan.refused:
        lines += folded(f"{_REFUSED}: {spell(plan.refused)}.", width=79, first="  ", later="  ")
    if plan.remaining is not None:
        fits = "fits" if plan.epsilon <= plan.remaining else "DOES NOT FIT"
        lines.append(f"  the ledger has {in_decimals(plan.remaining)} left: it {fits}")
    privacy = f"Privacy: {learned(plan.alpha)}."
    for words in [
        *_decides(plan, details=details),
        privacy,
        *counted_lines(plan, spell, details=details),
    ]:
        lines += folded(spell(words), width=79, first="  ", later="    ")
    if shares := _shares(plan):
        lines += folded(shares, width=79, first="  ", later="    ")
    if plan.contributions > 1:
        lines += folded(
            f"one draw: {_each(plan)}; {_rows(plan)}", width=79, first="  ", later="    "
        )
    if plan.levels:
        from discreet.show.plans.plan_levels_text import level_lines

        lines += ["", *level_lines(plan.levels, spell, details=details)]
    if details or not said_of_groups(plan):
        lines += bought_lines(plan, details=details)
    if (totals := _sums(plan)) and (details or not said_of_total(plan, totals)):
        from discreet.show.plans.plan_totals_text import total_lines

        lines += ["", *total_lines(totals, named=bool(plan.histograms), details=details)]
    tables = "" in lines
    lines += [
        *([""] if tables else []),
        *not_protected(" ".join([f"{plan.public}.", *_seen_by_all(plan)])),
    ]
    raw = _read_raw(plan, spell) if details else []
    further = [f"What each word and number means, and more: {more}"] if more and not details else []
    for words in [
        *_no_total(plan),
        *raw,
        *(f"{note}." for note in plan.histograms if details),
        *further,
    ]:
        lines += folded(words, width=79, first="  ", later="    ")
    return "\n".join(lines)


def _decides(plan: Plan, *, details: bool) -> Iterator[str]:
    """What a reader decides by: whether levels bring anything, and how exact numbers will be."""
    said: list[str] = []
    if plan.levels:
        from discreet.show.plans.plan_levels_text import BRING_NOTHING, levels_verdict

        said = list(levels_verdict(plan.levels, shares=details))
        in_vain = [words for words in said if words.startswith(BRING_NOTHING)]
        yield from in_vain
        said = [words for words in said if words not in in_vain]
    yield from readings(plan, details=details)
    yield from said


def plan_html(plan: Plan) -> str:
    """Show a plan: the price, and what it buys for each count and group size."""
    facts = [
        ("epsilon", _price(plan)),
        ("privacy", learned(plan.alpha)),
        ("groups", f"{plan.groups:,}"),
    ]
    if shares := _shares(plan):
        facts.append(("questions", shares))
    if plan.contributions > 1:
        facts += [("one draw", _each(plan)), ("people", _rows(plan))]
    if plan.remaining is not None:
        fits = "it fits" if plan.epsilon <= plan.remaining else "it does not fit"
        facts.append(("left in the ledger", f"{in_decimals(plan.remaining)}: {fits}"))
    facts.append(("not protected", " ".join([f"{plan.public}.", *_seen_by_all(plan)])))
    refused = [f"{_REFUSED}: {plan.refused}."] if plan.refused else []
    notes = [
        *refused,
        *unread_words(plan),
        *_no_total(plan),
        *_read_raw(plan, str),
        *(f"{note}." for note in plan.histograms),
        *counted_lines(plan, str, details=True),
    ]
    more = "".join(f"{note} " for note in notes)
    bought = [bought_html(plan)]
    if plan.levels:
        from discreet.show.plans.plan_levels_text import levels_html

        bought.insert(0, levels_html(plan.levels))
    if totals := _sums(plan):
        from discreet.show.plans.plan_totals_text import totals_html

        bought.append(totals_html(totals, named=bool(plan.histograms)))
    return html.together(
        html.title("Plan of a release"),
        html.facts(facts),
        *bought,
        html.note(more + plan.guarantee),
    )


def _levels(facts: Manifest) -> list[str]:
    from discreet.tables.asking.level_keys import level_name

    return [
        f"{level_name(level.keys)} ({level.groups:,} groups, {in_decimals(Fraction(level.share))})"
        for level in facts.levels
    ]


def _sums(plan: Plan) -> tuple[PlannedTotal, ...]:
    """The sums that are not released as levels of their own: of those, the levels' errors are
    said.
    """
    same = {
        (name, level.groups) for level in plan.levels for name in (level.name, *level.keys[-1:])
    }
    return tuple(total for total in plan.totals if (total.by, total.sums) not in same)


def _no_total(plan: Plan) -> list[str]:
    """What will not be read of a release as it is planned."""
    return [
        f"{count}: no total can be estimated from groups of {sizes}, nor from any sum with one of "
        "them. What remains are the interval and the posterior of each group. A larger epsilon, "
        "WH, RM CM, or F alone may help."
        for count, sizes in plan.no_total
        if not plan.refused  # which says it
    ]


def _read_raw(plan: Plan, spell: Callable[[str], str]) -> Iterator[str]:
    """What to ask for where single numbers are read as they stand: of counts by GM at an epsilon
    below ln 2.
    """
    plain = {
        total.count
        for total in plan.totals
        if total.asked and not total.properties and total.answers == 1
    }
    each = [
        epsilon / (plan.contributions if plan.together else 1)
        for name, epsilon in plan.each
        if name in plain
    ]
    codes = for_single_numbers(read_alpha(epsilon=min(each))) if each else ""
    if codes and any(line.name == "GM" and line.largest > 1 for line in plan.lines):
        asked = f"`properties='{codes}'`"
        yield spell(f"{READ_RAW}, consider noise by which {NEAREST}: {asked}")


def _price(plan: Plan) -> str:
    return f"{in_decimals(plan.epsilon)} in total (alpha {shown(plan.alpha)})"


def _shares(plan: Plan) -> str:
    """How several questions come to the epsilon of one draw; nothing where there is one."""
    if len(plan.each) == 1:
        return ""
    whole = plan.epsilon
    if plan.levels:
        whole, of = whole * plan.levels[0].share, f" for {plan.levels[0].name.replace(',', ', ')}"
    else:
        of = ""
    each = {name: value * (1 if plan.together else plan.contributions) for name, value in plan.each}
    same = len(set(each.values())) == 1
    parts = (
        f"{in_decimals(min(each.values()))} each"
        if same
        else ", ".join(f"{k} {in_decimals(v)}" for k, v in each.items())
    )
    cells = {line.count: each[line.count] / 2 for line in plan.lines if line.name.endswith(CELLS)}
    halves = "".join(
        f"; answers of {k} that are drawn one by one get {in_decimals(v)} each"
        for k, v in cells.items()
    )
    return f"{len(each)} questions share epsilon {in_decimals(whole)}{of}: {parts}{halves}"


def _each(plan: Plan) -> str:
    return ", ".join(f"{name} {in_decimals(value)}" for name, value in plan.each)


def _rows(plan: Plan) -> str:
    """How many rows a person may have, and how they are paid for."""
    said = f"{plan.contributions} rows a person"
    if not plan.together:
        return said
    from discreet.tables.asking.together import MOST_ROWS

    one_by_one = (
        f"; in groups of more than {MOST_ROWS} one by one, each draw at "
        f"1/{plan.contributions} of that"
    )
    return f"{said}, paid for together" + (
        one_by_one if any(x.largest > MOST_ROWS for x in plan.lines) else ""
    )


def not_protected(public: str) -> list[str]:
    """Say what is treated as public, in folded lines."""
    return folded(f"Not protected: {public}", width=79, first="  ", later="    ")


def _seen_by_all(plan: Plan) -> list[str]:
    """What being a key means: a sensitive column is seldom meant to be one."""
    if not plan.keys:
        return []
    each = " and ".join(filter(None, (", ".join(plan.keys[:-1]), plan.keys[-1])))
    return [f"How many people have each value of {each} will be public."]


def beside_counts(facts: Manifest, *, command_line: bool = False) -> str:
    """What the columns of `intervals=` are for, where there are any: said wherever they are
    seen.
    """
    names = [count.name for count in facts.counts if not count.answers]
    if not facts.confidence or not names:
        return ""
    name, level = names[0], float(Fraction(facts.confidence))
    return (
        f"{name}_estimate is for sums and models: right on average, but one alone may be negative "
        f"or above n, and is not to be quoted. {name}_low and {name}_high hold the true count "
        f"with confidence {level:.4g}. To quote: "
        + (
            "discreet estimate --csv, or discreet report."
            if command_line
            else "dc.estimate(...).quotable(), or dc.report."
        )
    )


def release_notes(done: Release, folder: str) -> Iterator[str]:
    """What to know before the tables of a new release are read, on the command line, where there is
    something.

    `folder` is the bundle as it is typed.
    """
    facts = done.manifest
    if done.already:
        return
    if note := _not_adding_up(facts):
        yield f"note: {note} To print numbers that do: discreet estimate {folder} --adding-up"
    if len(facts.levels) > 1:
        from discreet.show.plans.own_tables_text import released_alone

        yield from (f"note: {line}" for line in released_alone(done))
    if facts.confidence:
        yield beside_counts(facts, command_line=True)


def _not_adding_up(facts: Manifest) -> str:
    """Of answers that were drawn one by one: that their counts need not add up to the group."""
    where: dict[str, list[str]] = {}
    for place, level in enumerate(facts.levels):
        for count in level.counts:
            if count.cells:
                where.setdefault(count.name, []).append(
                    "coarser levels" if place else f"groups of {' '.join(count.cells)}"
                )
    if not where or facts.cap:  # sizes that are hidden are nothing to add up to
        return ""
    said = ", ".join(
        f"{name} ({' and '.join(dict.fromkeys(parts))})" for name, parts in where.items()
    )
    return (
        f"the answers of {said} were drawn one by one: a row's counts need not add up to "
        f"{facts.size}."
    )


def _sizes(facts: Manifest) -> str:
    sizes = list(facts.groups_by_size)
    if facts.cap:
        return f"of at most {facts.cap:,} people counted"
    if len(sizes) != 1:
        return f"of {len(sizes):,} sizes"
    return "of 1 person" if sizes == ["1"] else f"of {int(sizes[0]):,} people"


def release_html(release: Release) -> str:
    """Show a release: what was published at which price, and its first rows where they are at
    hand.
    """
    facts = release.manifest
    said = [
        ("counts", ", ".join(count.name for count in facts.counts)),
        ("epsilon", in_decimals(Fraction(facts.epsilon))),
        ("groups", f"{facts.groups:,} " + _sizes(facts)),
        *([("levels", "; ".join(_levels(facts)))] if len(facts.levels) > 1 else []),
        ("proofs", f"{len(release.mechanisms.entries):,}, for the mechanism of every size"),
        ("not protected", release.public),
        ("engine", facts.engine),
        *([("bundle", str(release.path))] if release.path else []),
    ]
    parts = [html.title(f"Release {facts.release[:8]}"), html.facts(said)]
    more = ""
    if release.rows is not None or (release.path is not None and facts.groups <= _SMALL):
        first = release.table.slice(0, _GROUPS)
        parts.append(
            html.table(first.column_names, (list(row.values()) for row in first.to_pylist()))
        )
        more = f"{facts.groups - _GROUPS:,} more in .table. " if facts.groups > _GROUPS else ""
    if beside := beside_counts(facts):
        more += f"{beside} "
    if note := _not_adding_up(facts):
        more += f"{note[:1].upper()}{note[1:]} "
    if len(facts.levels) > 1:
        from discreet.show.plans.own_tables_text import released_alone

        more += "".join(f"{line}. " for line in released_alone(release))
    return html.together(*parts, html.note(more + facts.guarantee))
