"""Comparisons: who takes part, at which settings, how the table looks and what leaves with it."""

import csv
import io
import json
import sys
from fractions import Fraction

import pytest
from tests.conftest import require

import discreet as dc
from discreet.choosing.comparison import compare
from discreet.core.named import NAMED
from discreet.errors import InvalidInput, MissingExtra

EVERYONE = list(NAMED)


def test_every_named_mechanism_is_the_closed_form_of_that_name():
    table = compare(EVERYONE, n=5, alpha="3/4")
    assert [entry.label for entry in table] == EVERYONE
    assert table["GM"].mechanism == dc.geometric(n=5, alpha="3/4")
    assert table["WM"].mechanism == dc.weakly_honest(n=5, alpha="3/4")
    assert table["EM"].mechanism == dc.fair(n=5, alpha="3/4")
    assert table["RR"].mechanism == dc.randomized_response(n=5, alpha="3/4")
    assert table["Laplace"].mechanism == dc.laplace(n=5, alpha="3/4")
    assert table["staircase"].mechanism == dc.staircase(n=5, alpha="3/4")
    assert table["UM"].mechanism == dc.uniform(n=5)
    for entry in table:
        assert entry.mechanism.tight_alpha >= Fraction(3, 4)
        assert entry.measures.l0 >= table["GM"].measures.l0, (
            "GM has the least L0 of all (Theorem 3)"
        )


def test_a_grid_has_every_combination_in_order():
    table = compare(["GM", "EM"], n=[2, 4], epsilon=["1/2", 1])
    found = [(e.n, e.privacy.epsilon, e.label) for e in table]
    half = Fraction(1, 2)
    assert found == [(n, e, name) for n in (2, 4) for e in (half, 1) for name in ("GM", "EM")]
    assert len(compare("GM", n=range(1, 4), alpha="1/2")) == 3
    assert len(compare("GM", n=[3, 3], alpha=["1/2", 0.5])) == 1, (
        "a setting given twice is one setting"
    )


def test_mechanisms_of_your_own():
    mine = dc.from_matrix([["2/3", "1/3"], ["1/3", "2/3"]], alpha="1/2")
    table = compare([mine, "UM"])
    assert [(e.label, e.n, e.privacy.value) for e in table] == [
        ("GM", 1, Fraction(1, 2)),
        ("UM", 1, Fraction(1, 2)),
    ]
    blend = dc.mix(dc.geometric(n=3, alpha="1/2"), dc.uniform(n=3), weight="1/2")
    assert compare({"mine": blend})["mine"].mechanism is blend
    assert compare([blend])[blend.id[:8]].measures.l0 == blend.score("L0")


def test_a_mechanism_joins_every_setting_it_is_private_enough_for():
    held = dc.fair(n=4, alpha="9/10")
    table = compare({"held": held, "GM": "GM"}, n=4, alpha=["1/2", "9/10"])
    assert [e.label for e in table] == ["held", "GM", "held", "GM"]
    with pytest.raises(InvalidInput, match="must each fit one of the settings, not held for n = 4"):
        compare({"held": held, "GM": "GM"}, n=4, alpha="99/100")
    with pytest.raises(InvalidInput, match="must each fit"):
        compare({"held": held, "GM": "GM"}, n=5, alpha="1/2")
    # one that ignores its input asks for no table of its own
    assert {e.privacy.value for e in compare([held, dc.uniform(n=4)])} == {Fraction(9, 10)}


def test_labels_tell_the_rows_apart():
    one, two = (
        dc.mix(dc.geometric(n=3, alpha=a), dc.uniform(n=3), weight="1/2") for a in ("1/2", "1/3")
    )
    labels = [
        e.label for e in compare([dc.geometric(n=3, alpha="1/2"), "GM", one, two], n=3, alpha="1/3")
    ]
    assert labels[:2] == ["GM", "GM #2"]
    assert len(set(labels)) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mechanisms": ["MG"], "n": 2, "alpha": "1/2"}, "did you mean GM"),
        (
            {"mechanisms": "lapplace", "n": 2, "alpha": "1/2"},
            r"unknown name \(LAPPLACE\): did you mean LAPLACE",
        ),
        ({"mechanisms": "GM EM", "n": 2, "alpha": "1/2"}, "write several as a list"),
        ({"mechanisms": [], "n": 2, "alpha": "1/2"}, "must name at least one"),
        (
            {"mechanisms": 7, "n": 2, "alpha": "1/2"},
            "must be names, property strings or mechanisms",
        ),
        (
            {"mechanisms": [None], "n": 2, "alpha": "1/2"},
            "must be names, property strings or mechanisms",
        ),
        ({"mechanisms": "GM", "alpha": "1/2"}, "`n` must be given"),
        ({"mechanisms": "GM", "n": 2}, "`epsilon` or `alpha` must be given: e.g."),
        (
            {"mechanisms": "GM", "n": 2, "alpha": "1/2", "epsilon": 1},
            "exactly one of them, not both",
        ),
        ({"mechanisms": "GM", "n": [], "alpha": "1/2"}, "`n` must not be an empty list"),
        ({"mechanisms": "GM", "n": 2, "alpha": []}, "`alpha` must not be an empty list"),
        ({"mechanisms": "GM", "n": 2.5, "alpha": "1/2"}, "must be a whole number"),
        ({"mechanisms": "GM", "n": 5000, "alpha": "1/2"}, "at most 512"),
        ({"mechanisms": "GM", "n": 2, "alpha": "3/2"}, "must be in"),
        ({"mechanisms": "GM", "n": 2, "alpha": "1/2", "loss": "L9x"}, "not a known loss"),
        (
            {"mechanisms": "GM", "n": [2, 3], "alpha": "1/2", "prior": [0.5, 0.25, 0.25]},
            "n\\+1 = 4 weights",
        ),
    ],
)
def test_errors_say_what_to_do(arguments, message):
    with pytest.raises(InvalidInput, match=message):
        compare(**arguments)


def test_the_text_fits_a_terminal():
    long_name = "a mechanism with a label far too long for any column " * 3
    table = compare(
        {long_name: "GM", **{name: name for name in EVERYONE}}, n=[1, 12], alpha=["1/2", "0.99"]
    )
    text = str(table)
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("n = 12, alpha = 99/100") == 1
    assert "optimal" not in text and "Designs" not in text, "nothing was designed"
    html = compare({"<b>": "GM"}, n=2, alpha="1/2")._repr_html_()
    assert "&lt;b&gt;" in html and "<b>" not in html


def test_csv_holds_every_row_and_exact_values_survive(tmp_path):
    table = compare(["GM", "EM"], n=[2, 3], alpha="2/3")
    written = table.to_csv(tmp_path / "table.csv", exact=True)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text())))
    assert written.count("\n") == 5
    assert [Fraction(row["L1"]) for row in rows] == [e.mechanism.score("L1") for e in table]
    assert [float(r["L1"]) for r in csv.DictReader(io.StringIO(table.to_csv()))] == [
        float(e.measures.l1) for e in table
    ]
    assert [row["F"] for row in rows] == ["False", "True"] * 2


def test_json_has_decimals_and_exact_numbers():
    plain = json.loads(json.dumps(compare(["GM", "EM"], n=2, alpha="2/3").to_dict()))
    assert [row["mechanism"] for row in plain["rows"]] == ["GM", "EM"]
    assert plain["rows"][0]["exact"]["L0"] == "4/5"
    assert plain["rows"][0]["L0"] == 0.8


def test_what_was_asked_in_epsilon_is_accounted_in_epsilon():
    table = compare(["GM", "EM", "Laplace"], n=3, epsilon="0.5")
    assert {entry.mechanism.epsilon for entry in table} == {Fraction(1, 2)}


@pytest.mark.slow
def test_exact_values_of_any_length_can_be_read_back():
    alpha = Fraction(9 * 2**200 // 10, 2**200)
    text = compare("GM", n=80, alpha=alpha).to_dicts(exact=True)[0]["L2"]
    top, bottom = (int(part, 16) for part in text.split("/"))
    assert Fraction(top, bottom) == dc.geometric(n=80, alpha=alpha).score("L2")


@pytest.mark.parametrize("library", ["tables", "pandas", "polars"])
def test_other_libraries_get_the_same_rows(library, tmp_path):
    require(library)
    table = compare(["GM", "EM", "UM"], n=4, epsilon=1)
    if library == "tables":
        import pyarrow.parquet

        table.to_parquet(tmp_path / "table.parquet")
        rows = pyarrow.parquet.read_table(tmp_path / "table.parquet").to_pylist()
    elif library == "pandas":
        rows = table.to_pandas().to_dict("records")
    else:
        rows = table.to_polars().to_dicts()
    assert rows == table.to_dicts()


@pytest.mark.parametrize(
    ("module", "method", "extra"),
    [
        ("pandas", "to_pandas", "pandas"),
        ("polars", "to_polars", "polars"),
        ("pyarrow", "to_arrow", "tables"),
    ],
)
def test_a_missing_library_is_named_with_the_line_that_installs_it(
    monkeypatch, module, method, extra
):
    monkeypatch.setitem(sys.modules, module, None)
    table = compare("GM", n=2, alpha="1/2")
    with pytest.raises(MissingExtra, match=rf"'{extra}' extra: pip install .*{module}>="):
        getattr(table, method)()


def test_designs_take_part_by_their_properties():
    table = compare(["GM", "WH CM", "RM CM WH", "F", ""], n=4, alpha="10/11")
    assert [e.label for e in table] == ["GM", "CM WH", "RM CM WH", "F", "BasicDP"]
    assert table["CM WH"].mechanism.satisfies("CM WH")
    assert table["F"].mechanism == dc.fair(n=4, alpha="10/11")
    assert table["BasicDP"].mechanism == table["GM"].mechanism
    assert "Designs have the least mean L0 of their properties" in " ".join(str(table).split())


def test_designs_are_for_the_loss_and_prior_given():
    options = {"n": 3, "alpha": "9/10", "loss": "L1", "prior": "Binomial(1/3)"}
    table = compare(["GM", "CM", "EM"], **options)
    assert table["CM"].mechanism == dc.design(properties="CM", **options)
    assert table["CM"].measures.l1 <= table["EM"].measures.l1
    assert table["CM"].measures.l1 == table["CM"].mechanism.score("L1", "Binomial(1/3)")
    worst = compare(["CM"], n=3, alpha="9/10", loss="L1", worst_case=True)
    assert "least worst-case L1" in " ".join(str(worst).split())


@pytest.mark.slow
def test_a_grid_is_drawn_over_what_varies_and_one_setting_over_the_true_counts(tmp_path):
    require("plots")
    grid = compare(["GM", "EM"], n=[2, 3, 4], alpha="9/10")
    one = compare(["GM", "EM"], n=4, alpha="9/10")
    for table, kind in ((grid, None), (one, None), (one, "heatmap")):
        path = tmp_path / f"{len(table)}-{kind}.svg"
        table.plot(kind, path)
        assert "EM" in path.read_text()
    with pytest.raises(InvalidInput, match="must be 'scores' for a grid"):
        grid.plot("heatmap")


def test_rows_that_are_one_mechanism_are_joined():
    table = dc.compare(n=4, epsilon=1)  # at alpha <= 1/2 GM is weakly honest and column monotone
    assert "\nGM = WM = CM WH\n" in str(table) and ">GM = WM = CM WH</th>" in table._repr_html_()
    assert [row["mechanism"] for row in table.to_dicts()] == ["GM", "WM", "CM WH", "EM", "UM"], (
        "data keep every row"
    )
    assert " = " not in str(dc.compare(n=8, alpha="10/11")).partition("\n")[2]
    both = str(dc.compare(["GM", "WM"], n=[4, 5], epsilon=1))
    assert both.count("\nGM = WM ") == 2, "at each setting by itself"


def test_every_mechanism_that_is_given_has_its_row_and_equal_ones_are_said_to_be():
    """Also where they are equal in everything: whoever compares three expects three."""
    first, second, third = (
        dc.geometric(n=4, epsilon=1),
        dc.geometric(n=4, epsilon=1),
        dc.fair(n=4, epsilon=1),
    )
    table = dc.compare([first, second, third])
    assert [entry.label for entry in table] == ["GM", "GM #2", "EM"]
    assert [entry.mechanism for entry in table] == [first, second, third]
    assert (
        "GM = GM #2" in str(table)
        and "GM = GM #2" in table._repr_html_()
        and len(table.to_dicts()) == 3
    )
    assert len(dc.compare(["GM", "GM"], n=4, epsilon=1)) == 2
