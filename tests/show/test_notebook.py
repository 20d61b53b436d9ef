"""A real notebook, run by nbclient in a kernel of its own, with ipywidgets and without: nothing fails, nothing is fetched."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from tests.conftest import require

require("notebook")

import nbclient
import nbformat

import discreet

pytestmark = pytest.mark.slow

SETTING_UP = """
import altair as alt, duckdb, pandas as pd, pyarrow as pa, warnings
import discreet as dc
warnings.simplefilter("ignore", dc.errors.DiscreetWarning)  # said once in a notebook without a ledger
table = pa.table({"clinic": [f"c{k % 40}" for k in range(320)], "smoker": [k % 3 == 0 for k in range(320)]})
m = dc.fair(n=8, epsilon=0.5)
"""
SHOWN = {
    "a plan": "dc.plan(table, by='clinic', count='smoker', epsilon=1)",
    "a release": "r = dc.release(table, by='clinic', count='smoker', epsilon=1, properties='F')\nr",
    "a release of a data frame": "dc.release(table.to_pandas(), by='clinic', count='smoker', epsilon=1)",
    "an estimate": "e = dc.estimate(r)\ne",
    "a total": "e.total",
    "a mechanism": "m",
    "a comparison": "dc.compare(['GM', 'EM'], n=[4, 8], epsilon=1)",
}
CHARTS = {
    "a heatmap": "m.plot()",
    "several": "dc.plot([m, dc.geometric(n=8, epsilon=0.5)])",
    "columns": "m.plot('columns')",
    "accuracy": "m.plot('accuracy')",
    "intervals": "m.plot('intervals')",
    "scores": "dc.compare(['GM', 'EM'], n=[4, 8], epsilon=1).plot()",
    "costs": "dc.plot_costs(n=4, alpha='1/2')",
    "a distribution": "dc.plot(e, n=8)",
    "an audit": "dc.audit(m, draws=20_000).plot()",
    "one changed by its user": "m.plot().properties(title='mine').configure_view(stroke='black')",
}
WIDGETS = "import ipywidgets"
BAR = (
    "from discreet.tables.engines.duckdb.connection import connect\n"
    "connect().execute(\"SELECT current_setting('enable_progress_bar')\").fetchall()"
)
CHOSEN = (
    "before = alt.renderers.active\nm.plot()\nassert alt.renderers.active == before == 'default'"
)
OWN = "alt.renderers.enable('svg')\nm.plot()"


def run(cells: list[str], blocked: Path | None) -> list[list[dict]]:
    """Run the cells in one kernel and return the outputs of each; without ipywidgets where a folder blocks it."""
    paths = [*([str(blocked)] if blocked else []), str(Path(discreet.__file__).parents[1])]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = nbclient.NotebookClient(
        notebook, timeout=600, kernel_name="python3", allow_errors=True
    )
    client.execute(env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})
    return [cell.outputs for cell in notebook.cells]


@pytest.fixture(scope="module", params=["with ipywidgets", "without ipywidgets"])
def outputs(request, tmp_path_factory):
    """What every cell gave, by its name; and whether ipywidgets was there."""
    blocked = None
    if request.param.startswith("without"):
        blocked = tmp_path_factory.mktemp("blocked")
        (blocked / "ipywidgets.py").write_text("raise ImportError('not installed')\n")
    # a chart is drawn in the same way without ipywidgets: one of them shows it
    charts = {name: CHARTS[name] for name in ("a heatmap",)} if blocked else CHARTS
    cells = {
        "setting up": SETTING_UP,
        **SHOWN,
        **charts,
        "widgets": WIDGETS,
        "bar": BAR,
        "chosen": CHOSEN,
        "own": OWN,
    }
    found = dict(zip(cells, run(list(cells.values()), blocked), strict=True))
    failed = [output["ename"] for output in found.pop("widgets")]
    assert failed == (["ImportError"] if blocked else []), "the kernel is as the test says"
    return found


def test_no_cell_fails_and_nothing_is_printed_beside_what_is_shown(outputs):
    assert {
        name: out
        for name, out in outputs.items()
        if any(o["output_type"] != "execute_result" for o in out)
    } == {}
    assert [name for name in (*SHOWN, *CHARTS) if name in outputs and len(outputs[name]) != 1] == []


def test_tables_are_shown_as_html_that_fetches_nothing(outputs):
    for name in SHOWN:
        page = outputs[name][0]["data"]["text/html"]
        assert not re.search(r"<script|https?://|\bsrc=|\bhref=|url\(", page), name


def test_charts_are_pictures_that_need_no_script_and_no_network(outputs):
    for name in set(CHARTS) & set(outputs):
        shown = outputs[name][0]
        assert set(shown["data"]) == {"image/png", "text/plain"}, name
        assert shown["data"]["image/png"].startswith("iVBORw0KGgo"), name
        assert shown["metadata"]["image/png"]["width"] > 100, name


def test_no_progress_bar_of_the_engine(outputs):
    assert outputs["bar"][0]["data"]["text/plain"] == "[(False,)]"


def test_a_renderer_that_the_user_chose_is_used_and_never_changed(outputs):
    assert outputs["chosen"] == []
    assert "image/svg+xml" in outputs["own"][0]["data"]
