"""Whether a manifest says what it can say: whatever follows from other facts in it is derived again and compared.

Epsilon against alpha, the draws against the total and their shares, the sizes against the number of groups, and the
statement of the guarantee against its wording. What it says of mechanisms and tables is checked in `consistency`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NoReturn

from discreet.core.properties import read_shape
from discreet.core.rationals import (
    MAX_EPSILON,
    MIN_EPSILON,
    SLACK,
    Alpha,
    exp_minus,
    product_below,
    read_alpha,
    shown,
)
from discreet.errors import Contradiction, InvalidInput
from discreet.proof import container
from discreet.tables.asking.price import Promise, statement, wording_of
from discreet.tables.published.checking.steps_checked import check_cap, check_steps
from discreet.tables.published.histogram_facts import check_cells
from discreet.tables.published.manifest import FORMATS, SIZE, Level, Manifest, write_fraction

_RELEASE = re.compile("[0-9a-f]{32}")


def check_manifest(manifest: Manifest) -> None:
    """Check what the manifest says against itself."""
    _check_words(manifest)
    _check_groups(manifest)
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
    if manifest.wording != wording_of(promise) or manifest.guarantee != statement(promise, manifest.wording):
        differ("guarantee", "is not the statement of the manifest's other facts")


def differ(
    parameter: str, rule: str, value: object = ..., *, found: object = ..., remedy: str = "it was edited"
) -> NoReturn:
    """Say that two facts contradict each other."""
    raise Contradiction(parameter, rule, value, found=found, remedy=remedy)


def _check_words(manifest: Manifest) -> None:
    """The words that have a fixed set of values, and those that follow from others."""
    m, public, level = manifest, manifest.public, manifest.finest
    if not _RELEASE.fullmatch(m.release):
        differ("release", "must be 32 hexadecimal digits", m.release)
    known = ("refuse", "drop", "") if not m.question else ("refuse", "drop")  # a copy of version 1 cannot tell
    for name, value, choices in (
        ("source", m.source, ("people", "counts")),
        ("nulls", m.nulls, ("refuse", "0", "1")),
        ("excess", m.excess.rows, known),
        ("excess", m.excess.keys, known),
        ("table_format", m.table_format, FORMATS),
        ("table", level.table, (f"table.{m.table_format}",)),
        ("proofs", m.proofs, ("",) if m.version == 1 else (container.NAME,)),
        ("size", m.size, ("" if m.cap else SIZE,)),
    ):
        if value not in choices:
            differ(name, f"must be {' or '.join(filter(None, choices))}", value)
    if m.contributions_checked != bool(public.unit):
        differ("contributions_checked", "must say whether `unit` names a column", m.contributions_checked)
    if public.unit and m.source == "counts":
        differ("unit", "is for a table of people", found=public.unit)
    if public.size and m.source == "people":
        differ("size", "is for a table of counts", found=public.size)
    if m.excess.rows == "drop" and not public.unit:
        differ("excess", "must be refused where nothing tells people apart", m.excess.rows)
    if m.escaped and m.table_format != "csv":
        differ("escaped", "is for a table in CSV", found=m.escaped)
    if level.keys != public.keys:
        differ("keys", "of the finest level must be all that are public", ", ".join(level.keys))
    if not set(public.made) <= set(public.keys) or not all(public.made.values()):
        differ("made", "must give keys that are made of columns what they are made of", ", ".join(public.made))
    if len(m.levels) > 1:
        from discreet.tables.published.level_tables import check_levels

        check_levels(m)
    if public.smallest or public.made:
        _check_smallest(m)
    check_shape(level)
    if m.retrofit and not m.mechanisms_given:
        differ("retrofit", "is for mechanisms that were given")
    if m.version == 1 and m.mechanism_ids != set(m.mechanism_sha256):
        differ("mechanism_sha256", "must have the digest of each mechanism that is used, and no other")


def check_shape(level: Level, of: str = "") -> None:
    """A level's properties are written as they always are; that its mechanisms have them is for `consistency`."""
    try:
        shape = str(read_shape(level.properties))
    except InvalidInput:
        shape = ""
    if shape != level.properties:
        differ("properties", f"{of}must be those of the proofs", level.properties)


def _check_smallest(manifest: Manifest) -> None:
    """The size below which groups are withheld: above that of no group, and the one that the key `withheld` names."""
    from discreet.tables.asking.smallest_groups import WITHHELD, withheld_words

    public = manifest.public
    if any(0 < int(size) < public.smallest for size in manifest.groups_by_size):
        differ("smallest", "must not be above the size of a group that somebody is in", public.smallest)
    told = public.made.get(WITHHELD, "")
    if public.smallest and (public.keys[-1:] != (WITHHELD,) or told != withheld_words(public.smallest)):
        differ("smallest", f"must be what is said of the last key, {WITHHELD}", public.smallest)
    if not public.smallest and told.startswith(withheld_words(0).partition("0")[0]):
        differ("smallest", f"must be there, because the key {WITHHELD} names it")


def _check_groups(manifest: Manifest) -> None:
    if not manifest.groups_by_size or not manifest.counts:
        differ("release", "has no groups" if manifest.counts else "has no counts", remedy="there is nothing to read")
    for level in manifest.levels:
        if level.groups != sum(level.groups_by_size.values()):
            differ("groups", "must be the sum of `groups_by_size`", level.groups)
        for size, groups in level.groups_by_size.items():
            if groups < 1:
                differ("groups_by_size", f"must have a group of size {size} where it names one", groups)


def _check_price(manifest: Manifest) -> None:
    """Each epsilon against its alpha and its shares, and the draws of one person against the total."""
    total = _privacy(manifest.epsilon, manifest.alpha, "of the release")
    levels = [
        [_privacy(count.epsilon, count.alpha, f"of {count.name}") for count in level.counts]
        for level in manifest.levels
    ]
    k, draws = manifest.contributions, [draw for level in levels for draw in level]
    if k < 1:
        differ("contributions", "must be at least 1", k)
    if any(count.cap for level in manifest.levels for count in level.counts):
        check_cap(manifest)
    if any(count.step > 1 for count in manifest.counts):
        check_steps(manifest)
        k = 1  # all rows of a person are paid for by one draw
    if k * sum(draw.epsilon for draw in draws) != total.epsilon:
        rule = f"must be what the counts' epsilons come to, {_rows(k)} a person"
        differ("epsilon", rule, manifest.epsilon)
    for level, paid in zip(manifest.levels, levels, strict=True):
        whole = k * sum(draw.epsilon for draw in paid)
        if level.share != write_fraction(whole / total.epsilon):
            rule = f"of a level must be what its draws cost of epsilon, {write_fraction(whole / total.epsilon)}"
            differ("share", rule, level.share)
        for count, draw in zip(level.counts, paid, strict=True):
            if count.answers:
                check_cells(level, count)
            share = write_fraction(k * draw.epsilon / whole)
            if count.share != share:
                differ("share", f"of {count.name} must be what its draws cost of epsilon, {share}", count.share)
    if k * len(draws) == 1:
        if draws[0].value != total.value:
            differ("alpha", "must be that of the only count", manifest.alpha)
    # Releases made before shares were rounded toward privacy stated the alpha of one draw at the whole epsilon, or the
    # one asked for: a few parts in 10^10 above what their draws come to. Their epsilon was right.
    elif total.value > product_below((draw.value for draw in draws), k) and total not in (
        read_alpha(epsilon=total.epsilon),
        read_alpha(alpha=total.value),
    ):
        differ("alpha", f"must be at most what the counts' alphas come to, {_rows(k)} a person", manifest.alpha)


def _rows(k: int) -> str:
    return "1 row" if k == 1 else f"{k} rows"


def _privacy(epsilon: str, alpha: str, where: str) -> Alpha:
    """Read a pair that must be one parameter: exp(-epsilon) <= alpha, and by no more than reading rounds."""
    price, value = Fraction(epsilon), Fraction(alpha)
    for name, text, read in (("epsilon", epsilon, price), ("alpha", alpha, value)):
        if text != write_fraction(read):
            differ(name, f"{where} must be in lowest terms", text)
    if not MIN_EPSILON <= price <= MAX_EPSILON:
        differ("epsilon", f"{where} must be between 1e-15 and {MAX_EPSILON}", shown(price))
    # twice: once for the share of an alpha, once for the fraction near it
    if not exp_minus(price)[1] <= value <= exp_minus(price * (1 - 2 * SLACK))[0]:
        differ("alpha", f"{where} must be exp(-epsilon) for epsilon = {shown(price)}", shown(value))
    return Alpha(value=value, epsilon=price)
