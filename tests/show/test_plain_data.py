"""A value as plain data has one name: `to_dict`, and `to_dicts` for rows. Older documented names still work."""

import json

import pytest

import discreet as dc
from discreet.auditing.findings import Audit
from discreet.choosing.census import Census
from discreet.choosing.comparison import Comparison
from discreet.choosing.recommendation import Recommendation
from discreet.reading.estimates import Estimate
from discreet.tables.planning import Plan
from discreet.tables.published.result import Release

OLDER = {Audit: "as_dict", Recommendation: "as_dict", Release: "summary", Estimate: "facts"}


@pytest.mark.parametrize(
    "kind", [Audit, Census, Comparison, Recommendation, Estimate, Plan, Release]
)
def test_every_value_has_the_one_name(kind):
    assert callable(kind.to_dict) and kind.to_dict.__doc__
    assert kind not in OLDER or getattr(kind, OLDER[kind]) is kind.to_dict
    others = {"as_dict", "facts", "summary", "records"} & set(dir(kind))
    assert others <= {OLDER.get(kind)}


def test_plain_data_is_json():
    table = dc.compare(["GM", "EM"], n=2, epsilon=1)
    assert [row["mechanism"] for row in json.loads(json.dumps(table.to_dicts()))] == ["GM", "EM"]
    estimate = dc.estimate([0, 1, 2, 1], mechanism=dc.fair(n=2, epsilon=1))
    for value in (table, estimate, dc.recommend(n=2, epsilon=1)):
        assert json.loads(json.dumps(value.to_dict()))
