"""Ways to damage an input: bytes, text, and JSON with its seals mended, so that damage gets past the first check."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

NASTY_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2**31,
    2**63,
    -(2**63),
    10**30,
    0.5,
    -0.0,
    1e308,
    float("nan"),
    float("inf"),
    "",
    " ",
    "0",
    "-1",
    "1/0",
    "0/1",
    "1/3",
    "f" * 5000,
    "0x10",
    "ff/0",
    "9" * 5000,
    "é",
    "\u0000",
    "\ud800",
    "Ａ",
    "../../x",
    "'; DROP TABLE entries; --",
    [],
    {},
    [[]],
    [[[[[[[[]]]]]]]],
    {"a": {"a": {"a": {}}}},
    [1] * 200,
    "L0",
    "uniform",
    "WH CM",
    "geometric",
    "dense",
)

NASTY_TEXT = (
    "",
    " ",
    "\n",
    "\r\n",
    "\t",
    ",",
    ";",
    "'",
    '"',
    "\\",
    "/",
    "0",
    "-",
    "+",
    "1e999",
    "-1e999",
    "1e-999",
    "nan",
    "inf",
    "∞",
    "½",
    "٣",
    "\u202e",
    "\ufeff",
    "\u0000",
    "𝟙",
    "%s",
    "{}",
    "${x}",
    "$(id)",
    "`id`",
    "--",
    "-h",
    "..",
    "/",
    "\\u0000",
    "9" * 400,
    "(" * 300,
    "[" * 300,
    "WH",
    "CM",
    "ODP:",
    "ODP:1/0",
    "Binomial(",
    "L0,",
    "epsilon",
    "=",
    ":",
    "null",
    "true",
)


def damaged_bytes(data: bytes, rng: random.Random) -> bytes:
    """Flip, cut, repeat, insert or overwrite a few stretches of bytes."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(out) + 1)
        span = min(len(out) - at, rng.choice((1, 1, 2, 4, 16, 64)))
        match rng.randrange(7):
            case 0 if span:
                out[at] ^= 1 << rng.randrange(8)
            case 1:
                del out[at : at + span]
            case 2:
                out[at:at] = out[at : at + span] * rng.choice((1, 2, 50))
            case 3:
                out[at:at] = rng.randbytes(rng.choice((1, 2, 8)))
            case 4:
                out[at : at + span] = rng.choice(NASTY_TEXT).encode("utf-8", "surrogatepass")
            case 5:
                del out[at:]
            case _:
                other = rng.randrange(len(out) + 1)
                out[at : at + span] = out[other : other + span]
    return bytes(out[:200_000])


def damaged_text(data: bytes, rng: random.Random) -> bytes:
    """Damage text by words and by characters, staying UTF-8 most of the time."""
    text = data.decode("utf-8", "replace")
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(text) + 1)
        span = rng.choice((0, 1, 3, 10))
        text = (
            text[:at]
            + rng.choice((*NASTY_TEXT, text[at : at + span] * 2, chr(rng.randrange(0xD7FF))))
            + text[at + span :]
        )
    return text[:200_000].encode("utf-8", "replace")


def damaged_json(mend: Callable[[Any], bytes]) -> Callable[[bytes, random.Random], bytes]:
    """Return a mutator that replaces, removes, repeats or adds values anywhere in a document, then mends its seal."""

    def damage(data: bytes, rng: random.Random) -> bytes:
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):
            return damaged_bytes(data, rng)
        try:
            for _ in range(rng.choice((1, 1, 1, 2, 4))):
                document = _damaged_value(document, rng)
            return mend(document)
        except (ValueError, TypeError, KeyError, AttributeError, UnicodeEncodeError):
            return json.dumps(document).encode()
        except RecursionError:
            return damaged_bytes(data, rng)

    return damage


def _damaged_value(document: Any, rng: random.Random) -> Any:
    spots = list(_spots(document))
    if not spots:
        return copy.deepcopy(rng.choice(NASTY_VALUES))
    holder, key = rng.choice(spots)
    match rng.randrange(6):
        case 0 if isinstance(holder, dict):
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(rng.randrange(len(holder) + 1), copy.deepcopy(holder[key]))
        case 2:
            holder[key] = _nudged(holder[key], rng)
        case 3 if isinstance(holder, dict):
            holder[rng.choice(("", "extra", "n", "value", key + "x"))] = copy.deepcopy(
                rng.choice(NASTY_VALUES)
            )
        case 4:
            other, place = rng.choice(spots)
            holder[key] = json.loads(json.dumps(other[place]))
        case _:
            holder[key] = copy.deepcopy(rng.choice(NASTY_VALUES))
    return document


def _nudged(value: Any, rng: random.Random) -> Any:
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, (int, float)):
        return value + rng.choice((-1, 1, 0.5, 10**6, -(10**6)))
    if isinstance(value, str):
        return damaged_text(value.encode("utf-8", "replace"), rng).decode("utf-8", "replace")
    return [value]


def _spots(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a document, as (container, key)."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting and len(found) < 5000:
        item = waiting.pop()
        keys = (
            list(item)
            if isinstance(item, dict)
            else range(len(item))
            if isinstance(item, list)
            else ()
        )
        for key in keys:
            found.append((item, key))
            waiting.append(item[key])
    return found
