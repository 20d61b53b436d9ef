"""A keyword that a public verb does not have: refused before anything is done, with the nearest one."""

import inspect
import pickle
from importlib import import_module
from types import FunctionType

import pytest
from tests.conftest import require

import discreet as dc
from discreet.errors import DiscreetError, UnknownKeyword

VERBS = sorted(name for name in dc._HOME if isinstance(getattr(dc, name), FunctionType))


@pytest.mark.parametrize("name", VERBS)
def test_a_misspelt_keyword_of_any_verb_is_answered_with_the_right_one(name):
    verb = getattr(dc, name)
    parameters = inspect.signature(verb).parameters
    for parameter in parameters.values():
        misspelt = f"{parameter.name}s" not in parameters  # a design has a prior, or priors
        if (
            parameter.kind is inspect.Parameter.KEYWORD_ONLY
            and len(parameter.name) > 3
            and misspelt
        ):
            with pytest.raises(
                UnknownKeyword, match=rf"`{parameter.name}s`: did you mean {parameter.name}\?"
            ):
                verb(**{f"{parameter.name}s": 1})


def test_it_is_an_error_of_ours_and_of_pythons_kind():
    with pytest.raises(
        TypeError, match=r"design\(\) has no parameter `propertys`: did you mean properties\?"
    ) as told:
        dc.design(n=8, epsilon=1, propertys="F")
    assert isinstance(told.value, DiscreetError)


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_is_what_its_module_says(name):
    """Signature, help and name stay, and a pickle of the verb is the verb."""
    verb, home = getattr(dc, name), getattr(import_module(f"discreet.{dc._HOME[name]}"), name)
    assert inspect.signature(verb) == inspect.signature(home)
    assert (verb.__doc__, verb.__name__) == (home.__doc__, home.__name__)
    assert pickle.loads(pickle.dumps(verb)) is verb


def test_figures_know_their_keywords_too():
    require("plots")
    with pytest.raises(UnknownKeyword, match="did you mean title"):
        dc.plot(dc.uniform(n=3), titel="x")
    with pytest.raises(UnknownKeyword, match="did you mean alpha"):
        dc.plot_costs(n=3, alhpa="1/2")


@pytest.mark.parametrize("given", ["8", "eight", ""])
def test_a_text_for_a_whole_number_is_called_a_text(given):
    with pytest.raises(
        DiscreetError, match=rf"`n` must be a whole number, at least 0, not the text '{given}'"
    ):
        dc.design(n=given, epsilon=1)
