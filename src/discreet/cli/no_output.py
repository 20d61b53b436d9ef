"""What `discreet release` says where --output is missing: with it, what else is wrong that can be told without drawing.

Names, keys and the words of the request are checked as a release checks them; nothing is counted, drawn or spent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discreet.errors import DiscreetError, InvalidInput
from discreet.tables.asking.request import Machine, Request, parameters

_WHY = "without it the budget would be spent and nothing kept"


def no_output(settings: Mapping[str, Any]) -> DiscreetError:
    """The error about a release without --output, which names another fault of the request too."""
    from discreet.tables.asking.question import read_question
    from discreet.tables.engines import open_engine

    given = {
        part: {name: settings[name] for name in parameters(part) if name in settings} for part in (Machine, Request)
    }
    try:
        engine = open_engine(settings["source"], settings.get("read"), Machine(**given[Machine]))
        try:
            read_question(engine, Request(**given[Request]))
        finally:
            engine.close()
    except DiscreetError as error:
        end = " " if error.remedy.endswith("?") else ". " if error.remedy else ""
        error.remedy += f"{end}And `output` is needed: {_WHY}"
        return error
    return InvalidInput("output", "is needed", remedy=_WHY)
