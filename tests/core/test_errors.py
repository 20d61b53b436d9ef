import ast
import pickle
import re
import tomllib
from fractions import Fraction
from functools import cache
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from tests.source import trees

from discreet import errors


def test_every_error_is_a_discreet_error():
    kinds = [
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, Exception)
    ]
    assert len(kinds) >= 10
    assert all(issubclass(kind, (errors.DiscreetError, errors.DiscreetWarning)) for kind in kinds)


def test_the_tree_at_the_top_of_the_module_is_the_tree():
    for name, value in vars(errors).items():
        if isinstance(value, type) and issubclass(
            value, (errors.DiscreetError, errors.DiscreetWarning)
        ):
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
    project = tomllib.loads(
        Path(__file__, "../../../pyproject.toml").resolve().read_text(encoding="utf-8")
    )["project"]
    for extra, needs in project["optional-dependencies"].items():
        line = str(errors.MissingExtra(extra, "drawing")).partition("extra: pip install ")[2]
        assert all(need.startswith("discreet[") or f'"{need}"' in line for need in needs), extra
        assert "discreet" not in line, "which no index has"


def test_without_metadata_the_line_is_that_of_the_folder(monkeypatch):
    def none(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.requires", none)
    assert (
        errors.MissingExtra("plots", "drawing").remedy
        == "in the folder of discreet, pip install '.[plots]'"
    )


@pytest.mark.parametrize(
    ("word", "hint"),
    [("MC", "did you mean CM?"), ("smokr", "did you mean smoker?"), ("zzz", "choose from")],
)
def test_near_misses_are_suggested(word, hint):
    assert errors.did_you_mean(word, ["CM", "RM", "smoker"]).startswith(hint)


def test_long_values_are_cut():
    assert len(str(errors.InvalidInput("x", "is bad", "9" * 5000))) < 250


def shouted(name, value):
    return name.upper() if value is None else f"{name.upper()} {value}"


def test_another_surface_spells_parameters_its_own_way():
    error = errors.InvalidInput(
        "output", "needs `epsilon`", "the `alpha` folder", remedy="or give `overwrite=True`"
    )
    assert (
        str(error) == "`output` needs `epsilon`, not the `alpha` folder: or give `overwrite=True`"
    )
    assert (
        error.spelled(shouted)
        == "OUTPUT needs EPSILON, not the `alpha` folder: or give OVERWRITE True"
    )
    error.consequence = "It is kept: `resume='x'` finishes it"
    assert str(error).endswith(". It is kept: `resume='x'` finishes it")
    assert error.spelled(shouted).endswith(". It is kept: RESUME 'x' finishes it")


def test_other_words_between_backquotes_get_plain_quotes_and_fractions_are_written_as_such():
    error = errors.InvalidInput("epsilon", "must be above `the rest` and `'x'`", Fraction(1, 2))
    assert str(error) == "`epsilon` must be above `the rest` and `'x'`, not 1/2"
    assert error.spelled(shouted) == "EPSILON must be above 'the rest' and \"'x'\", not 1/2"


def test_a_column_is_not_a_parameter_even_if_it_is_called_like_one():
    error = errors.InvalidData(
        "epsilon", "must be 0 or 1", row=3, column=True, remedy="count with `nulls='0'`"
    )
    assert error.spelled(shouted).startswith("column 'epsilon' must be 0 or 1 (row 3;")
    assert error.spelled(shouted).endswith("NULLS '0'")


@pytest.mark.parametrize(
    "error",
    [
        errors.InvalidInput("n", "must be small", 9, remedy="give `n=3`"),
        errors.InvalidData("counts", "must be in 0..n", row=3),
        errors.InvalidFile("path", "is damaged", "x"),
        errors.NotPrivate("a cell is negative", cell=(1, 2)),
        errors.BudgetExceeded("no", requested=None),
        errors.MissingExtra("plots", "drawing"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_cross_processes_whole(error):
    error.consequence = "Nothing was spent"
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error) and str(copy) == str(error) and vars(copy) == vars(error)


@cache
def errors_in_the_source():
    """The texts and the rules of every error in the source: both from one reading, which takes a second."""
    texts, found = [], []
    for path, tree in trees("raise ", "rule", "remedy", "RULE", "REMEDY", *WITH_A_RULE):
        nodes = list(ast.walk(tree))
        texts += error_texts(path, nodes)
        found += rules(path, nodes)
    return texts, found


def error_texts(path, nodes):
    """Every piece of text in a module that an error, a rule or a remedy may be made of: none spans lines."""
    raised = [node for node in nodes if isinstance(node, ast.Raise)]
    named = [
        node
        for node in nodes
        if isinstance(node, ast.Assign)
        and any(
            isinstance(t, ast.Name) and t.id.strip("_").lower() in ("rule", "remedy")
            for t in node.targets
        )
    ]
    parts = [part for outer in raised + named for part in ast.walk(outer)]
    pieces = {
        id(piece) for part in parts if isinstance(part, ast.JoinedStr) for piece in part.values
    }
    for node in parts:
        text = None
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in pieces
        ):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(p.value if isinstance(p, ast.Constant) else "X" for p in node.values)
        if text is not None:
            yield f"{path.name}:{node.lineno}", text


WITH_A_RULE = ("InvalidInput", "InvalidFile", "Contradiction", "_differ")


def rules(path, nodes):
    """Every rule in a module that is given with a value: where, the rule, and whether the value is contrasted."""
    for node in nodes:
        name = (
            node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        )
        if name not in WITH_A_RULE or len(node.args) < 2:
            continue
        found = any(word.arg == "found" for word in node.keywords)
        rule = node.args[1]
        parts = rule.values if isinstance(rule, ast.JoinedStr) else [rule]
        text = "".join(p.value if isinstance(p, ast.Constant) else " X " for p in parts)
        if isinstance(rule, (ast.Constant, ast.JoinedStr)) and (found or len(node.args) > 2):
            yield f"{path.name}:{node.lineno}", text, not found


def test_python_spelling_stands_between_backquotes():
    wrong = [
        f"{place}: {text}"
        for place, text in errors_in_the_source()[0]
        if re.search(r"\b[a-z_]+=(?!=)", re.sub(r"`[^`]*`", "", text))
    ]
    assert not wrong, "\n".join(wrong)


# --- parts, not sentences ---------------------------------------------------------------------------------------------


def test_the_value_is_contrasted_or_found_as_the_call_says_whatever_the_words():
    """A reason from elsewhere may well say "must": that decides nothing."""
    error = errors.InvalidInput("count", "cannot be parsed (it needs a bracket)", found="x(")
    assert str(error) == "`count` cannot be parsed (it needs a bracket) (x()"
    assert str(errors.InvalidInput("n", "has to be small", 9)) == "`n` has to be small, not 9"
    assert (error.value, errors.InvalidInput("n", "is missing").value) == ("x(", ...)


def test_a_rule_that_states_a_wish_contrasts_the_value_and_one_that_states_the_fault_shows_it():
    wish = re.compile(r"\b(must(?! not\b)|needs)\b(?!.*;)")
    found = errors_in_the_source()[1]
    wrong = [
        f'{place}: "{rule}" wants {"the value itself" if wish.search(rule) else "found="}'
        for place, rule, contrasted in found
        if bool(wish.search(rule)) != contrasted
    ]
    assert len(found) > 200 and not wrong, "\n".join(wrong)


def test_the_parts_are_plain_data_without_the_value():
    error = errors.InvalidInput(
        "output", "exists already", found="out", remedy="or give `overwrite=True`"
    )
    parts = {"rule": "exists already", "remedy": "or give `overwrite=True`", "consequence": ""}
    assert error.to_dict() == {"code": "invalid-input", "parameter": "output", **parts}
    assert error.to_dict(shouted)["remedy"] == "or give OVERWRITE True"
    assert errors.InvalidData("x", "must be 0 or 1", row=3).to_dict()["row"] == 3
    assert errors.InvalidData("x", "must be 0 or 1", row=3).rule == "must be 0 or 1"


@pytest.mark.parametrize(
    "kind", [errors.NotProven, errors.BudgetError, errors.Infeasible, errors.ProofFailed]
)
def test_every_error_has_a_code_a_rule_and_a_remedy(kind):
    error = kind("it went wrong", remedy="try `n=3`", code="time-limit")
    assert str(error) == "it went wrong: try `n=3`" and error.parameter is None
    assert (error.code, error.rule, error.remedy) == ("time-limit", "it went wrong", "try `n=3`")
    assert kind("x").code == kind.code != "error"
    assert vars(pickle.loads(pickle.dumps(error))) == vars(error)


def test_no_code_reads_the_message_of_an_error_of_ours():
    """Branches go by class or by `code`: no comparison with a rule, and no search in the text of an error."""
    for path, tree in trees("error.rule", "error.remedy", "error.args", "str(error)"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare):
                compared = ast.unparse(node)
                assert not re.search(r"\berror\.(rule|remedy|args)\b|\bstr\(error\)", compared), (
                    path.name,
                    compared,
                )
