"""Whether a manifest says what it can say: whatever follows from other facts in it is derived again
and compared.

`RELATIONS` says which values fields can have beside each other; epsilon is held against alpha, the
draws against the total and their shares, the sizes against the number of groups, and the statement
of the guarantee against its wording. The range of each field is in `manifest_files`; what a
manifest says of mechanisms and tables is for `consistency`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from operator import attrgetter
from typing import NoReturn

from discreet.core.histogram import Domain, Histogram
from discreet.core.losses import Loss, read_loss, read_prior
from discreet.core.rationals import (
    SLACK,
    Alpha,
    exp_minus,
    product_below,
    read_fraction,
    shown,
)
from discreet.errors import Contradiction, InvalidInput
from discreet.tables.asking.price import Promise, statement, wording_of
from discreet.tables.asking.smallest_groups import WITHHELD, withheld_words
from discreet.tables.published.manifest import (
    ABSENT,
    GIVEN,
    RETROFITTED,
    SIZE,
    CountFacts,
    Level,
    Manifest,
    write_fraction,
)

FILTER_OF_SOURCE = "the source's own filter reads "  # how `rows_selected` begins

_WITHHELD = re.compile(re.escape(withheld_words(0)).replace("0", "[0-9]+")).fullmatch


def check_manifest(manifest: Manifest) -> None:
    """Check what the manifest says against itself."""
    for field, rule, holds in RELATIONS:
        if not holds(manifest):
            differ(
                field.removeprefix("finest."), rule.format(m=manifest), attrgetter(field)(manifest)
            )
    _check_groups(manifest)
    if len(manifest.levels) > 1:
        from discreet.tables.published.level_tables import check_levels

        check_levels(manifest)
    _check_price(manifest)
    promise = Promise(
        epsilon=Fraction(manifest.epsilon),
        counts=len(manifest.counts),
        contributions=manifest.contributions,
        checked=manifest.contributions_checked,
        of_people=manifest.source == "people",
        together=any(count.step > 1 for count in manifest.counts),
        levels=len(manifest.levels),
        histograms=any(count.answers for count in manifest.counts),
        cap=manifest.cap,
    )
    if manifest.wording != wording_of(promise) or manifest.guarantee != statement(
        promise, manifest.wording
    ):
        differ("guarantee", "is not the statement of the manifest's other facts")


def differ(
    parameter: str,
    rule: str,
    value: object = ...,
    *,
    found: object = ...,
    remedy: str = "it was edited",
) -> NoReturn:
    """Say that two facts contradict each other."""
    raise Contradiction(parameter, rule, value, found=found, remedy=remedy)


def _counts(m: Manifest) -> list[CountFacts]:
    return [count for level in m.levels for count in level.counts]


def _key_columns(m: Manifest) -> set[str]:
    """The columns that the keys are, where they are columns."""
    return {m.public.made.get(key, key) for key in m.public.keys}


def _missing_is_counted(m: Manifest) -> bool:
    """Whether a missing answer is counted as one, which a definition says unless `nulls` does.

    With a cap it must be: to refuse a row would show that somebody is there.
    """
    return m.nulls != "refuse" or all(
        count.definition.endswith(tuple(f"; NULL is {answer}" for answer in count.answers))
        for count in m.counts
    )


def _words_read(m: Manifest) -> bool:
    """Whether loss and prior are words that mean something for every question."""
    try:
        for count in m.counts:
            over = Histogram(1, len(count.answers)) if count.answers else None
            if m.loss != GIVEN:
                loss_named(m.loss, 1, over)
            if m.prior != GIVEN:
                read_prior(m.prior, 1, over)
    except InvalidInput:
        return False
    return True


def _smallest_is_told(m: Manifest) -> bool:
    """Whether the last key says below which size groups were merged, exactly where some were."""
    told = m.public.made.get(WITHHELD, "")
    if m.public.smallest:
        return m.public.keys[-1:] == (WITHHELD,) and told == withheld_words(m.public.smallest)
    return not _WITHHELD(told)


RELATIONS: tuple[tuple[str, str, Callable[[Manifest], bool]], ...] = (
    ("table", "must be table.{m.table_format}", lambda m: m.table == f"table.{m.table_format}"),
    ("escaped", "is for a table in CSV", lambda m: not m.escaped or m.table_format == "csv"),
    ("size", f"must be {SIZE}, or empty with a cap", lambda m: m.size == ("" if m.cap else SIZE)),
    (
        "finest.keys",
        "of the finest level must be all that are public",
        lambda m: m.keys == m.public.keys,
    ),
    (
        "contributions_checked",
        "must say whether `unit` names a column",
        lambda m: m.contributions_checked == bool(m.public.unit),
    ),
    (
        "public.unit",
        "is for a table of people",
        lambda m: not m.public.unit or m.source == "people",
    ),
    (
        "public.unit",
        "must not be a key, because each group would be one person",
        lambda m: not m.public.unit or m.public.unit not in _key_columns(m),
    ),
    (
        "public.size",
        "is for a table of counts",
        lambda m: not m.public.size or m.source == "counts",
    ),
    (
        "public.made",
        "must be made of columns where the keys are",
        lambda m: set(m.public.made) <= set(m.public.keys),
    ),
    (
        "public.smallest",
        "must not be above the size of a group that somebody is in",
        lambda m: not any(0 < int(size) < m.public.smallest for size in m.groups_by_size),
    ),
    ("public.smallest", f"must be what is said of the last key, {WITHHELD}", _smallest_is_told),
    (
        "excess.rows",
        "must be refused where nothing tells people apart",
        lambda m: m.excess.rows != "drop" or bool(m.public.unit),
    ),
    (
        "confidence",
        "is for counts, and every question has several answers",
        lambda m: not m.confidence or any(not count.answers for count in m.counts),
    ),
    (
        "mechanisms_given",
        "is for one table, whose mechanisms each have a proof",
        lambda m: (
            not m.mechanisms_given
            or (len(m.levels) == 1 and not any(count.cells for count in m.counts))
        ),
    ),
    (
        "loss",
        "and `prior` must not be named for mechanisms that were given",
        lambda m: not m.mechanisms_given or m.loss == m.prior == GIVEN,
    ),
    ("loss", "and `prior` must be words that name one", _words_read),
    (
        "mechanisms_given",
        "must be true beside `retrofit`",
        lambda m: not m.retrofit or m.mechanisms_given,
    ),
    (
        "retrofit",
        "is not the statement that belongs to it, or stands beside columns that it cannot have",
        lambda m: (
            not m.retrofit
            or (m.retrofit["said"] == RETROFITTED and not m.confidence and not m.adding_up)
        ),
    ),
    # a draw that answers for all rows of a person
    (
        "contributions",
        "must be the step of every count, where counts have steps",
        lambda m: all(
            count.step in (1, m.contributions) and count.step == m.counts[0].step
            for count in _counts(m)
        ),
    ),
    (
        "contributions_checked",
        "must be true where counts have steps",
        lambda m: m.contributions_checked or all(count.step == 1 for count in _counts(m)),
    ),
    # of a cap: nothing may show how many people there are
    (
        "cap",
        "must be that of all questions",
        lambda m: all(count.cap == m.cap for count in _counts(m)),
    ),
    ("finest.keys", "must be the only level with a cap", lambda m: not m.cap or len(m.levels) == 1),
    (
        "cap",
        f"needs two answers or more in every domain, and {ABSENT} as the last one",
        lambda m: not m.cap or all(count.answers[-1:] == (ABSENT,) for count in _counts(m)),
    ),
    (
        "groups_by_size",
        "must have the cap, {m.cap}, as the size of every group",
        lambda m: not m.cap or set(m.groups_by_size) == {str(m.cap)},
    ),
    (
        "cap",
        "needs a column that tells people apart, and one row of each",
        lambda m: not m.cap or (m.contributions_checked and m.contributions == 1),
    ),
    ("excess.rows", "must be dropped with a cap", lambda m: not m.cap or m.excess.rows == "drop"),
    ("excess.keys", "must be dropped with a cap", lambda m: not m.cap or m.excess.keys == "drop"),
    (
        "nulls",
        "must count a missing answer with a cap",
        lambda m: not m.cap or _missing_is_counted(m),
    ),
    (
        "public.where",
        "must be empty with a cap, but for the filter of the source",
        lambda m: not m.cap or not m.public.where or m.public.where.startswith(FILTER_OF_SOURCE),
    ),
    ("public.made", "must be left out with a cap", lambda m: not m.cap or not m.public.made),
    ("adding_up", "must be left out with a cap", lambda m: not m.cap or not m.adding_up),
)
"""A field, the rule it keeps beside other fields, and whether it does."""


def loss_named(words: str, n: int, over: Domain | None) -> Loss:
    """The loss that a manifest names by a word, or by the power that was given as a number."""
    try:
        return read_loss(words, n, over)
    except InvalidInput:
        return read_loss(read_fraction("loss", words), n, over)


def _check_groups(manifest: Manifest) -> None:
    for level in manifest.levels:
        if level.groups != sum(level.groups_by_size.values()):
            differ("groups", "must be the sum of `groups_by_size`", level.groups)


def _check_price(manifest: Manifest) -> None:
    """Each epsilon against its alpha and its shares, and the draws of one person against the
    total.
    """
    total = _privacy(manifest.epsilon, manifest.alpha, "of the release")
    levels = [
        [_privacy(count.epsilon, count.alpha, f"of {count.name}") for count in level.counts]
        for level in manifest.levels
    ]
    k, draws = manifest.contributions, [draw for level in levels for draw in level]
    if any(count.step > 1 for count in manifest.counts):
        k = 1  # all rows of a person are paid for by one draw
    if k * sum(draw.epsilon for draw in draws) != total.epsilon:
        rule = f"must be what the counts' epsilons come to, {_rows(k)} a person"
        differ("epsilon", rule, manifest.epsilon)
    for level, paid in zip(manifest.levels, levels, strict=True):
        whole = k * sum(draw.epsilon for draw in paid)
        if level.share != write_fraction(whole / total.epsilon):
            rule = (
                "of a level must be what its draws cost of epsilon, "
                f"{write_fraction(whole / total.epsilon)}"
            )
            differ("share", rule, level.share)
        for count, draw in zip(level.counts, paid, strict=True):
            if count.answers:
                _check_cells(level, count)
            share = write_fraction(k * draw.epsilon / whole)
            if count.share != share:
                differ(
                    "share",
                    f"of {count.name} must be what its draws cost of epsilon, {share}",
                    count.share,
                )
    if k * len(draws) == 1:
        if draws[0].value != total.value:
            differ("alpha", "must be that of the only count", manifest.alpha)
    elif total.value > product_below((draw.value for draw in draws), k):
        differ(
            "alpha",
            f"must be at most what the counts' alphas come to, {_rows(k)} a person",
            manifest.alpha,
        )


def _check_cells(level: Level, count: CountFacts) -> None:
    """Check what one person pays where answers are drawn one by one, and that nothing was
    promised of these.
    """
    if bool(count.cells) != bool(count.cell_epsilon) or bool(count.cells) != bool(count.cell_alpha):
        differ(
            "cell_epsilon", f"of {count.name} must be given where there are cells, and only there"
        )
    if not count.cells:
        return
    if level.properties:
        differ("properties", f"are not those of the cells of {count.name}", found=level.properties)
    epsilon, alpha = Fraction(count.cell_epsilon), Fraction(count.cell_alpha)
    if 2 * epsilon != Fraction(count.epsilon):
        differ(
            "cell_epsilon",
            f"of {count.name} must be half of epsilon: a change touches two",
            count.cell_epsilon,
        )
    if alpha * alpha < Fraction(count.alpha) or alpha > exp_minus(epsilon * (1 - 4 * SLACK))[0]:
        rule = f"of {count.name} must be exp(-cell_epsilon), and its square at least alpha"
        differ("cell_alpha", rule, count.cell_alpha)


def _rows(k: int) -> str:
    return "1 row" if k == 1 else f"{k} rows"


def _privacy(epsilon: str, alpha: str, where: str) -> Alpha:
    """Read a pair that must be one parameter: exp(-epsilon) <= alpha, and by no more than
    reading rounds.
    """
    price, value = Fraction(epsilon), Fraction(alpha)
    # twice: once for the share of an alpha, once for the fraction near it
    if not exp_minus(price)[1] <= value <= exp_minus(price * (1 - 2 * SLACK))[0]:
        differ("alpha", f"{where} must be exp(-epsilon) for epsilon = {shown(price)}", shown(value))
    return Alpha(value=value, epsilon=price)
