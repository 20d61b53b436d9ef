"""Configuration files: the settings of `discreet release` as TOML, read and written.

source = "people.csv"
by = ["clinic"]
epsilon = "0.5"
properties = "F"
ledger = "budget.db"
dataset = "patients"
output = "out"

[count]
smoker = "smoker"
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from discreet.errors import InvalidFile, InvalidInput, did_you_mean
from discreet.tables.asking.request import EVERYTHING, Delivery, parameters

SETTINGS: Mapping[str, tuple[type, ...]] = {
    "source": (str, list),
    **{name: asked.metadata["kinds"] for name, asked in parameters(*EVERYTHING).items()},
}
"""Every setting, named as the parameter of `dc.release` that it becomes, with the kinds of value
it takes.
"""

_KINDS = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}

OF_A_RELEASE_ONLY = tuple(parameters(Delivery))
"""What a plan does not need: a file made for a release can be planned as it stands."""

_MOST_BYTES = 1_000_000


def read_config(path: str | Path) -> dict[str, Any]:
    """Read settings from a TOML file; an unknown name is an error with the nearest one."""
    data = Path(path).read_bytes()
    if len(data) > _MOST_BYTES:
        raise InvalidFile("config", f"must be at most {_MOST_BYTES:,} bytes", str(path))
    try:
        settings = tomllib.loads(data.decode("utf-8-sig"))
    except (
        ValueError,
        RecursionError,
    ) as error:  # not TOML, not UTF-8, or an integer longer than Python reads
        raise InvalidFile("config", f"must be TOML ({error})", str(path)) from None
    for name, value in settings.items():
        if name not in SETTINGS:
            raise InvalidFile(
                "config", "has an unknown setting", found=name, remedy=did_you_mean(name, SETTINGS)
            )
        if (
            type(value) not in SETTINGS[name]
        ):  # exactly: true is not a number, and "no" would be true
            rule = f"must be {' or '.join(_KINDS[kind] for kind in SETTINGS[name])}"
            raise InvalidInput(name, rule, value, kind="the text" if isinstance(value, str) else "")
        if "\0" in str(value):
            raise InvalidInput(
                name, "must have no NUL character", *([] if name == "ledger" else [value])
            )
    return settings


def write_config(path: str | Path, settings: dict[str, Any]) -> tuple[str, ...]:
    """Write settings so that `read_config` returns them, except passwords; return the parts left
    out of a URL.

    Only its owner may read the file: where a ledger is, and who writes to it, is private too.
    """
    from discreet.ledger.databases.urls import is_url, refuse_secret, without_secrets
    from discreet.proof.files import write_whole

    settings = dict(settings)
    left_out: tuple[str, ...] = ()
    if is_url(ledger := str(settings.get("ledger", ""))):
        settings["ledger"], left_out = without_secrets(ledger)
    else:
        refuse_secret(ledger)
    # tables inline: below a heading such as [count], a line that somebody appends would be one more
    # count
    lines = [f"{name} = {as_toml(value)}" for name, value in settings.items() if value is not None]
    try:
        data = ("\n".join(lines) + "\n").encode()
    except UnicodeEncodeError:
        raise InvalidInput("save_config", "cannot hold a name that is not UTF-8") from None
    write_whole(path, data, private=True, parameter="save_config")
    return left_out


def as_toml(value: Any) -> str:
    """Write a string, number, truth value or list of them: TOML writes these as JSON does,
    except DEL.
    """
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{as_toml(str(key))} = {as_toml(item)}" for key, item in value.items())
            + "}"
        )
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
