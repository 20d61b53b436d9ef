import pytest

from discreet import errors


def test_every_error_is_a_discreet_error():
    kinds = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)]
    assert len(kinds) >= 10
    assert all(issubclass(kind, errors.DiscreetError) for kind in kinds)


def test_the_tree_at_the_top_of_the_module_is_the_tree():
    for name, value in vars(errors).items():
        if isinstance(value, type) and issubclass(value, errors.DiscreetError):
            assert name in errors.__doc__


def test_an_error_carries_its_parts():
    error = errors.InvalidInput("alpha", "must be in (0, 1]", "3/2", remedy="try 10/11")
    assert (error.parameter, error.rule, error.value, error.remedy) == (
        "alpha",
        "must be in (0, 1]",
        "3/2",
        "try 10/11",
    )
    assert str(error) == "`alpha` must be in (0, 1], not 3/2: try 10/11"


def test_an_error_about_data_never_shows_the_value():
    error = errors.InvalidData("counts", "must be in 0..n", row=3)
    assert "row 3" in str(error) and error.value is ... and error.row == 3


def test_a_missing_extra_prints_the_line_that_installs_it():
    assert "pip install 'discreet[plots]'" in str(errors.MissingExtra("plots", "drawing"))


@pytest.mark.parametrize(
    ("word", "hint"), [("MC", "did you mean CM?"), ("smokr", "did you mean smoker?"), ("zzz", "choose from")]
)
def test_near_misses_are_suggested(word, hint):
    assert errors.did_you_mean(word, ["CM", "RM", "smoker"]).startswith(hint)


def test_long_values_are_cut():
    assert len(str(errors.InvalidInput("x", "is bad", "9" * 5000))) < 250
