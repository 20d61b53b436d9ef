"""What a release may be asked is written once: signatures, settings of a file and options are held to it here."""

import inspect
from dataclasses import MISSING, FrozenInstanceError

import pytest
from tests.conftest import require

require("tables")

import discreet as dc
from discreet.cli.commands.plan_command import plan_command
from discreet.cli.commands.table_commands import release_command
from discreet.cli.config import SETTINGS
from discreet.tables.asking.request import (
    EVERYTHING,
    Budget,
    Delivery,
    Machine,
    Request,
    choices,
    parameters,
    taken,
)

OWN = {"plan": ["source", "progress"], "release": ["source", "progress"]}


@pytest.mark.parametrize(
    ("verb", "parts"), [(dc.plan, (Request, Budget, Machine)), (dc.release, EVERYTHING)]
)
def test_a_verb_takes_what_may_be_asked(verb, parts):
    found = dict(inspect.signature(verb).parameters)
    for name in OWN[verb.__name__]:
        del found[name]
    asked = parameters(*parts)
    assert list(found) == list(asked)
    for name, parameter in found.items():
        default = inspect.Parameter.empty if asked[name].default is MISSING else asked[name].default
        assert parameter.default == default
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert parameter.annotation == asked[name].type


@pytest.mark.parametrize(
    ("command", "parts"),
    [(plan_command, (Request, Budget, Machine)), (release_command, EVERYTHING)],
)
def test_a_command_has_an_option_for_all_of_it(command, parts):
    options = {option.name: option for option in command.params}
    besides = {
        "source",
        "total",
        "by_as",
        "count_as",
        "types",
        "config",
        "progress",
        "as_json",
        "details",
        "help_all",
    }
    answers = {
        "answer",
        "answers",
        "answer_as",
        "answer_column",
        "answer_cells",
        "answer_nulls",
        "other",
    }
    assert options.keys() - besides - answers - {"save_config", "log"} == parameters(*parts).keys()
    for name, asked in parameters(*parts).items():
        if name not in ("properties", "loss"):  # whose codes the help explains one by one
            assert options[name].help.split("  [default: ")[0] == asked.metadata["about"]
        assert tuple(getattr(options[name].type, "choices", ())) == asked.metadata["choices"]


def test_a_file_may_set_all_of_it():
    assert SETTINGS.keys() == {"source", *parameters(*EVERYTHING)}
    assert all(
        kinds and set(kinds) <= {str, int, float, bool, list, dict} for kinds in SETTINGS.values()
    )


def test_each_parameter_belongs_to_one_part():
    names = [name for part in EVERYTHING for name in parameters(part)]
    assert len(names) == len(set(names)) > 30
    assert choices("excess") == ("refuse", "drop") and choices("by") == ()


def test_a_request_is_a_value():
    request = taken(
        Request, {**dict.fromkeys(parameters(Request)), "by": "clinic", "source": "people.csv"}
    )
    assert request == taken(Request, {**dict.fromkeys(parameters(Request)), "by": "clinic"})
    with pytest.raises(FrozenInstanceError):
        request.by = "ward"
    with pytest.raises(TypeError):
        Request(by="clinic")  # without a count


def test_where_it_goes_is_no_part_of_what_is_asked():
    assert not parameters(Request).keys() & parameters(Budget, Delivery, Machine).keys()
