"""A column is asked for by its name: its values where the name belongs are refused, and none of them is shown."""

import inspect

import numpy as np
import pytest
from tests.conftest import require

import discreet as dc
from discreet.errors import InvalidInput

require("tables")
require("pandas")
import pandas as pd
import pyarrow as pa

pytestmark = pytest.mark.filterwarnings("ignore::discreet.errors.DiscreetWarning")

PEOPLE = pd.DataFrame(
    {
        "region": ["north", "south", "north", "east"],
        "smoker": [True, False, True, False],
        "mood": ["sad", "glad", "sad", "cross"],
        "person": ["ann", "bob", "cat", "dan"],
        "age": [41, 52, 63, 74],
    }
)
SECRETS = [*PEOPLE.mood, *PEOPLE.person, *map(str, PEOPLE.age), "True", "False"]
ASKED = {"by": "region", "count": "smoker", "epsilon": 1}


@pytest.mark.parametrize("verb", [dc.plan, dc.release])
@pytest.mark.parametrize(
    ("asked", "remedy"),
    [
        ({"count": PEOPLE.smoker}, "give its name, `count='smoker'`"),
        ({"count": PEOPLE.mood}, "give its name, `count='mood'`"),
        ({"count": ["smoker", PEOPLE.mood]}, "give its name, `count='mood'`"),
        ({"count": PEOPLE.smoker.to_numpy()}, "give its name"),
        ({"count": np.array(["sad", "glad"])}, "give its name"),
        ({"count": pa.array(["sad", "glad"])}, "give its name"),
        ({"count": pa.chunked_array([PEOPLE.age])}, "give its name"),
        ({"by": PEOPLE.mood}, "give its name, `by='mood'`"),
        ({"by": ["region", PEOPLE.mood]}, "give its name, `by='mood'`"),
        ({"by": {"r": PEOPLE.mood}}, "give its name, `by='mood'`"),
        ({"unit": PEOPLE.person}, "give its name, `unit='person'`"),
        ({"size": PEOPLE.age}, "give its name, `size='age'`"),
        ({"public": PEOPLE.age}, "give its name, `public='age'`"),
        ({"where": PEOPLE.age > 50}, "such as `where='age > 64'`"),
    ],
    ids=range(14),
)
def test_values_in_place_of_a_name_are_refused_and_not_shown(verb, asked, remedy):
    with pytest.raises(InvalidInput) as refused:
        verb(PEOPLE, **ASKED | asked)
    (parameter,) = asked
    rule = f"`{parameter}` must be text, a column's name or an expression, and these are a column's values: {remedy}"
    assert str(refused.value) == rule
    assert not any(secret in str(refused.value.to_dict()) for secret in SECRETS)


@pytest.mark.parametrize("verb", [dc.plan, dc.release])
@pytest.mark.parametrize(
    "given", [PEOPLE.mood, PEOPLE.age, PEOPLE.smoker.to_numpy(), {"a": PEOPLE.mood}, [PEOPLE.age]]
)
def test_values_in_place_of_any_other_parameter_are_refused_and_not_shown(verb, given):
    taken = set(inspect.signature(verb).parameters) - {
        "source",
        "progress",
        "keys",
        "loss",
        "prior",
        "split",
        "mechanism",
    }
    for parameter in taken:
        with pytest.raises(InvalidInput) as refused:
            verb(PEOPLE, **{**ASKED, parameter: given})
        assert not any(secret in str(refused.value.to_dict()) for secret in SECRETS), parameter


def test_values_of_a_polars_column_are_refused_too():
    polars = pytest.importorskip("polars")
    people = polars.DataFrame(PEOPLE.to_dict("list"))
    with pytest.raises(InvalidInput, match="give its name, `count='smoker'`"):
        dc.plan(people, **ASKED | {"count": people["smoker"]})


@pytest.mark.parametrize(
    "by", [["region"], ("region",), {"region"}, PEOPLE.columns[:1], PEOPLE[["region"]]]
)
def test_names_may_come_in_any_collection(by):
    assert dc.plan(PEOPLE, **ASKED | {"by": by}).groups == 3


@pytest.mark.parametrize("count", ["smoker", ["smoker"], {"ill": "smoker"}, "SMOKER = true"])
def test_a_protected_column_is_no_key_whatever_it_would_be_called(count):
    """To rename the count, which was the advice, would not help."""
    with pytest.raises(
        InvalidInput,
        match=r"`by` must not use a column that a count reads, because groups .*\(smoker\)",
    ):
        dc.plan(PEOPLE, by="smoker", count=count, epsilon=1)


def test_a_public_column_that_is_key_and_count_has_two_names():
    with pytest.raises(
        InvalidInput, match="would give the output two columns named smoker: rename with"
    ):
        dc.plan(PEOPLE, by="smoker", count="smoker", epsilon=1, public=["smoker"])


HIDDEN = {"cap": 2, "unit": "person", "keys": ["north", "south", "east"]}
HIDDEN |= {"other_keys": "drop", "excess": "drop", "nulls": "0"}


@pytest.mark.parametrize(
    ("asked", "what"),
    [({"count": {"mood": ["sad", "glad", "cross"]}}, "several answers, mood"), (HIDDEN, "`cap`")],
    ids=["answers", "cap"],
)
@pytest.mark.parametrize("verb", [dc.plan, dc.release])
def test_a_gap_that_no_design_would_use_is_refused(verb, asked, what):
    with pytest.raises(InvalidInput, match=rf"`gap` is not for .*{what}.*\(0.01\): leave it out"):
        verb(PEOPLE, **ASKED | asked, gap="0.01")
    verb(PEOPLE, **ASKED | asked, gap=0)


def test_two_answers_are_a_count_and_may_have_a_gap():
    two = {"mood": {"sad": "mood = 'sad'", "other": "mood <> 'sad'"}}
    dc.plan(PEOPLE, **ASKED | {"count": two}, gap="0.01")
