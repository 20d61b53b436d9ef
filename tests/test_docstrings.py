"""help() explains every parameter of everything public."""

import inspect

import pytest

import discreet as dc


def public_callables():
    for name in dc.__all__:
        value = getattr(dc, name)
        if inspect.isfunction(value):
            yield name, value
        elif inspect.isclass(value) and not issubclass(value, Exception):
            for part, method in inspect.getmembers(value, inspect.isfunction):
                if not part.startswith("_"):
                    yield f"{name}.{part}", method


def test_each_public_parameter_is_explained():
    found = dict(public_callables())
    assert len(found) > 50 and "release" in found and "Mechanism.to_latex" in found
    lacking = [
        f"{name}: `{parameter}`"
        for name, verb in found.items()
        for parameter in inspect.signature(verb).parameters
        if parameter != "self" and not {f"`{parameter}`", f"`{parameter}="} & set(_mentions(verb))
    ]
    assert not lacking, "\n".join(lacking)


def _mentions(verb):
    parts = (inspect.getdoc(verb) or "").split("`")[1::2]
    return [f"`{part}`" if "=" not in part else f"`{part.partition('=')[0]}=" for part in parts]


@pytest.mark.parametrize("verb", [dc.plan, dc.release])
def test_the_verbs_of_a_release_explain_their_parameters_one_by_one(verb):
    said = inspect.getdoc(verb)
    listed = [line.split("`")[1] for line in said.splitlines() if line.startswith("- `")]
    assert listed == list(inspect.signature(verb).parameters)
    assert max(map(len, said.splitlines())) <= 112
