"""What is on the screen, as a value: read from a query string and written back to one.

The address of the page *is* its state, so sharing a setting is sharing its address, and the server
remembers nothing. Everything a person can type is read by the library's own readers; what they
refuse is kept beside the control it belongs to, in their words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp
from typing import Any
from urllib.parse import parse_qsl, urlencode

from discreet.core.losses import PriorLike, read_loss, read_prior
from discreet.core.properties import OUTPUT_DP, PROPERTIES, Shape, read_shape
from discreet.core.rationals import Alpha, read_alpha, read_count, read_fraction
from discreet.errors import DiscreetError, InvalidInput, did_you_mean
from discreet.studio.telling.lead import USUAL
from discreet.studio.telling.problems import plainly

LARGEST = 40
"""Larger groups are for the command line: the picture is no longer readable and the answer no
longer instant.
"""

WEAKEST = 20
"""A larger epsilon protects nobody, and its pictures would only show the truth."""

_LOGARITHM = re.compile(r"(?:ln|log)\s*\(?\s*([0-9./]{1,40})\s*\)?")
"""An epsilon as the literature writes it: ln 2, log(3)."""

_TINY = Fraction(1, 10**9)
"""An alpha that is certainly weaker than that."""

MOST_PINS = 6
MOST_TEXT = 4_000
"""Of one entry: a prior of 41 weights fits, and a pin that carries one."""
MOST_ROWS = 12_000
"""Of group sizes: some hundred rows of a spreadsheet fit."""

TABLE = (
    "sizes",
    "table_epsilon",
    "regions",
    "share",
    "questions",
    "wishes",
    "yes",
    "empty",
    "who",
    "file",
    "counted",
)
"""What is typed of a table of one's own; it is read when its plan is made."""
_TYPED = tuple(name for name in TABLE if name != "table_epsilon")

RIVALS = {"none": "the same, without properties", **USUAL}
"""What the design may be shown beside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One state of the controls, exactly as typed.

    The default is a clinic of eight at epsilon 1 with nothing asked for, which is what `release`
    does by itself: the usual noise alone, whose likeliest answer is the truth.
    """

    n: str = "8"
    unit: str = "epsilon"
    privacy: str = "1"
    properties: tuple[str, ...] = ()
    output_dp: str = ""
    loss: str = "L0"
    prior: str = "uniform"
    worst_case: bool = False
    beside: str = "none"
    count: str = "3"
    answer: str = ""
    story: str = "clinic"
    sizes: str = ""
    table_epsilon: str | None = None
    """What a release of the table costs; none in earlier addresses, where the privacy of the
    design is the table's.
    """
    regions: str = ""
    share: str = ""
    questions: str = ""
    wishes: str = ""
    """The properties of a table of one's own; those of the design on the screen were not chosen
    for it.
    """
    yes: str = ""
    """How its columns of yes and no write a yes; nothing where that is not said."""
    empty: str = ""
    """What an empty answer counts as; nothing where a file that has one is refused."""
    who: str = ""
    """The column that says who a row is about, and what the file is called; nothing for the
    names of the examples.
    """
    file: str = ""
    counted: str = ""
    """The column with the number of people, where the file has a row of counts for each group;
    else nothing.
    """
    pins: tuple[str, ...] = ()

    def query(self, *, pins: bool = True) -> str:
        """Write the setting as a query string, in one fixed order, leaving out the defaults."""
        wishes = [*self.properties, *([f"{OUTPUT_DP}:{self.output_dp}"] if self.output_dp else [])]
        pairs = [
            ("n", self.n),
            (self.unit, self.privacy),
            ("properties", " ".join(wishes)),
            ("loss", self.loss),
        ]
        if self.prior != "uniform":
            pairs.append(("prior", self.prior))
        if self.worst_case:
            pairs.append(("worst_case", "1"))
        if self.beside != "none":
            pairs.append(("beside", self.beside))
        table = TABLE if self.sizes else _TYPED  # what a table costs says nothing alone
        for name in ("count", "answer", "story", *table):
            if value := getattr(self, name):
                pairs.append((name, value))
        if pins:
            pairs += [("pin", pin) for pin in self.pins]
        return urlencode(pairs, safe="/,():")

    @property
    def table_price(self) -> tuple[str, str]:
        """The privacy of the table: its unit, and the value as typed."""
        return (
            (self.unit, self.privacy)
            if self.table_epsilon is None
            else ("epsilon", self.table_epsilon)
        )

    def as_pin(self) -> str:
        """Write the design alone, as a pin keeps it: a table of one's own is no part of it."""
        return self.but(table_epsilon=None, **dict.fromkeys(_TYPED, "")).query(pins=False)

    def but(self, **changes: Any) -> Setting:
        """Return the same setting with some of it changed."""
        return replace(self, **changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the library made of a setting: the values it read, and its words about those it
    refused, by control.
    """

    setting: Setting
    n: int | None = None
    privacy: Alpha | None = None
    shape: Shape | None = None
    prior: PriorLike = None
    count: int = 0
    answer: int = 0
    errors: Mapping[str, str]

    @property
    def others(self) -> int:
        """How many of the others said yes, for somebody who knows all of them: as many as would
        fit the count.
        """
        return max(0, min(self.count, (self.n or 1) - 1))

    @property
    def valid(self) -> bool:
        """Whether there is something to show."""
        return not self.errors


def read_query(pairs: Iterable[tuple[str, str]]) -> Setting:
    """Read a query string's pairs; an empty one is the worked example.

    >>> read_query([("n", "4"), ("epsilon", "0.5"), ("properties", "cm WH")]).query()
    'n=4&epsilon=0.5&properties=CM+WH&loss=L0'
    """
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        given.setdefault(name, []).append(value.strip())
    if not given.keys() - {"pin", "long", "prices"}:
        return Setting(pins=tuple(given.get("pin", ())))

    def one(name: str, usual: str) -> str:
        return given.get(name, [usual])[-1]

    unit = one("by", "alpha" if "alpha" in given and "epsilon" not in given else "epsilon")
    unit = unit if unit in ("alpha", "epsilon") else "epsilon"
    usual = Setting()
    unit, privacy = _exactly(unit, one(unit, usual.privacy if unit == usual.unit else "10/11"))
    names, ratio = _split_wishes([*given.get("properties", []), *given.get("property", [])])
    return Setting(
        n=one("n", usual.n),
        unit=unit,
        privacy=privacy,
        properties=names,
        output_dp=one("output_dp", ratio),
        loss=one("loss", usual.loss),
        prior=one("prior", usual.prior) or usual.prior,
        worst_case=one("worst_case", "") in ("1", "on", "true"),
        beside=one("beside", "none"),
        count=one("count", ""),
        answer=one("answer", usual.answer),
        story=one("story", ""),
        table_epsilon=one("table_epsilon", "") if "table_epsilon" in given else None,
        **{
            name: " ".join(given.get(name, [])) if name == "wishes" else one(name, "")
            for name in _TYPED
        },
        pins=tuple(dict.fromkeys(given.get("pin", ()))),
    )


def _exactly(unit: str, text: str) -> tuple[str, str]:
    """Take an epsilon that is typed as a logarithm for what it is exactly: an alpha.

    >>> _exactly("epsilon", "ln 2"), _exactly("epsilon", "log(11/10)"), _exactly("epsilon", "0.5")
    (('alpha', '1/2'), ('alpha', '10/11'), ('epsilon', '0.5'))
    """
    found = _LOGARITHM.fullmatch(text) if unit == "epsilon" else None
    try:
        return ("alpha", str(1 / read_fraction("epsilon", found[1]))) if found else (unit, text)
    except (DiscreetError, ZeroDivisionError):
        return unit, text


def read_text(query: str) -> Setting:
    """Read a whole query string."""
    return read_query(parse_qsl(query, keep_blank_values=True))


def _split_wishes(wishes: list[str]) -> tuple[tuple[str, ...], str]:
    """Separate the ratio of output DP, which has a control of its own; unknown names are kept
    for the reader.
    """
    words = " ".join(wishes)
    try:
        shape = read_shape(words)
    except DiscreetError:
        return tuple(words.split()), ""
    names = tuple(name for name in PROPERTIES if name in shape.names)
    return names, "" if shape.output_dp is None else str(shape.output_dp)


def read_setting(setting: Setting) -> Reading:
    """Read every control with the library's own readers; each error lands beside the control it
    is about.
    """
    errors = _too_long(setting)
    if errors:
        return Reading(setting=setting, errors=errors)

    def attempt(control: str, read: Any, *values: Any, **named: Any) -> Any:
        try:
            return read(*values, **named)
        except DiscreetError as error:
            errors[control] = plainly(error)
            return None

    n = attempt("n", _read_size, setting.n)
    privacy = attempt(setting.unit, read_privacy, setting.unit, setting.privacy)
    shape = attempt("properties", read_shape, list(setting.properties))
    ratio = None
    if setting.output_dp:
        ratio = attempt("output_dp", _read_ratio, setting.output_dp.replace(" ", ""))
        shape = (
            shape if shape is None or ratio is None else Shape(names=shape.names, output_dp=ratio)
        )
    prior = as_prior(setting.prior)
    size = n if n is not None else int(Setting().n)
    attempt("loss", read_loss, setting.loss, size)
    # of how many people weights are is not known where n is wrong: then as many as there are
    # weights for
    attempt(
        "prior",
        read_prior,
        prior,
        max(1, len(prior) - 1) if n is None and isinstance(prior, list) else size,
    )
    attempt("beside", _read_rival, setting.beside)
    if len(setting.pins) > MOST_PINS:
        errors["pin"] = plainly(
            InvalidInput("pin", f"must be at most {MOST_PINS} designs", len(setting.pins))
        )
    count = _read_shown(setting.count, size, size // 2)
    answer = _read_shown(setting.answer, size, count)
    return Reading(
        setting=setting,
        n=n,
        privacy=privacy,
        shape=shape,
        prior=prior,
        count=count,
        answer=answer,
        errors=errors,
    )


def _too_long(setting: Setting) -> dict[str, str]:
    """Refuse entries that are longer than anything a person means; reading them would be work
    for nothing.
    """
    entries = {
        "n": setting.n,
        setting.unit: setting.privacy,
        "properties": " ".join(setting.properties),
        "output_dp": setting.output_dp,
        "loss": setting.loss,
        "prior": setting.prior,
        "beside": setting.beside,
        "count": setting.count,
        "answer": setting.answer,
        "story": setting.story,
        **{name: getattr(setting, name) or "" for name in TABLE},
        "pin": max(setting.pins, key=len, default=""),
    }
    errors = {}
    for name, text in entries.items():
        most = MOST_ROWS if name == "sizes" else MOST_TEXT
        if len(text) > most:
            rule, remedy = (
                f"must be at most {most:,} characters on this page",
                "type 80 of 8, 40 of 9, say",
            )
            remedy = remedy if name == "sizes" else ""
            errors[name] = plainly(InvalidInput(name, rule, f"{len(text):,}", remedy=remedy))
    return errors


def _read_size(text: str) -> int:
    if not text:
        raise InvalidInput(
            "n", f"must be a number from 1 to {LARGEST}", remedy="type how many people a group has"
        )
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise InvalidInput("n", f"must be a whole number from 1 to {LARGEST}", text[:20])
    n = int(text)
    if n > LARGEST:
        raise InvalidInput(
            "n",
            f"must be at most {LARGEST} on this page",
            n,
            remedy="`discreet design --n` has no such limit",
        )
    return read_count("n", n, least=1)


def read_privacy(unit: str, text: str) -> Alpha:
    """Read a privacy parameter as the page takes it."""
    if not text:
        raise InvalidInput(
            unit,
            "must be a number",
            remedy=f"type {'0.5 or 1/4' if unit == 'epsilon' else '10/11'}, say",
        )
    _check_number(unit, text, "0.5 or 1/4" if unit == "epsilon" else "0.9 or 10/11")
    _check_range(unit, text)
    return read_alpha(**{unit: text})


def _check_range(unit: str, text: str) -> None:
    """Refuse what the page does not take by one rule, at both ends."""
    value = read_fraction(unit, text)
    if unit == "epsilon" and not 0 <= value <= WEAKEST:
        rule = f"must be between 0 and {WEAKEST} on this page"
        raise InvalidInput(unit, rule, text[:20], remedy="typical values are 0.1 to 2")
    if unit == "alpha" and not (_TINY <= value <= 1 and read_alpha(alpha=value).epsilon <= WEAKEST):
        rule = f"must be between about {exp(-WEAKEST):.1g} and 1 on this page"
        raise InvalidInput(unit, rule, text[:20], remedy="typical values are 0.1 to 0.9")


def _check_number(name: str, text: str, such_as: str) -> None:
    """Refuse what is no number in the words of a page, where nothing is quoted; a decimal comma
    is the usual slip.
    """
    try:
        read_fraction(name, text)
    except InvalidInput:
        slip = re.fullmatch(r"[0-9]{0,9},[0-9]{1,9}", text)
        such_as += ", or ln 2" if name == "epsilon" else ""
        meant = text.replace(",", ".") if slip else f"{such_as}, say"
        raise InvalidInput(name, "must be a number", text[:20], remedy=f"write {meant}") from None


def _read_ratio(text: str) -> Fraction:
    _check_number("output_dp", text, "0.5 or 2/3")
    ratio = read_fraction("output_dp", text)
    if not 0 < ratio <= 1:
        raise InvalidInput(
            "output_dp", "must be above 0 and at most 1", text[:20], remedy="type 2/3, say"
        )
    return ratio


def _read_rival(text: str) -> str:
    if text not in RIVALS:
        raise InvalidInput(
            "beside", "is not a known name", found=text, remedy=did_you_mean(text, RIVALS)
        )
    return text


def _read_shown(text: str, n: int, usual: int) -> int:
    """Which column or row is shown: the usual one unless asked; one that went away with n
    becomes the last.
    """
    return min(int(text), n) if text.isascii() and text.isdigit() and len(text) < 9 else usual


def as_prior(text: str) -> PriorLike:
    """Return weights as a list and anything else as it is: "1/4 1/2 1/4", "uniform",
    "Binomial(0.3)".

    >>> as_prior("1/4, 1/2, 1/4"), as_prior("Binomial(0.3)")
    (['1/4', '1/2', '1/4'], 'Binomial(0.3)')
    """
    words = text.replace(",", " ").split()
    return words if len(words) > 1 and not text[0].isalpha() else text
