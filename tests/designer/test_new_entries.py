"""A new property or loss is one entry: made-up ones, added to the tables before anything reads them, are designed with.

Only the stand-alone verifier has a list of its own, on purpose. The work is done in another process, because the tables
are read when modules are imported.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import discreet

ENTRIES = """
import json, re
from fractions import Fraction
from types import MappingProxyType
from discreet.core import domains
from discreet.core.domains import RowKind
made_up = [
    # an equation between cells that are no mirror images: the matrix is its own transpose
    RowKind(kind="t", asked_by="T", head=(0, 1), tail=(1, 0), pairs="other", free=True),
    # an inequality with a ratio: an answer further off is at most 1/alpha times as likely
    RowKind(kind="am", asked_by="AM", head=(0, 2), tail=(1, 2), pairs="away", ratio="alpha"),
    # a floor under other cells: every answer comes, whatever the truth
    RowKind(kind="po", asked_by="PO", head=(0, 1), tail=None, pairs="other"),
    # a dishonest one, that contradicts honesty unless all is level
    RowKind(kind="lie", asked_by="LIE", head=(0, 1), tail=(0, 0), pairs="other"),
]
domains.ROWS = MappingProxyType({**domains.ROWS, **{row.kind: row for row in made_up}})
from discreet.core import properties
properties.PROPERTIES = MappingProxyType({**properties.PROPERTIES, **{
    row.asked_by: properties.Property(name=row.asked_by, full_name=row.kind * 3, formula="", meaning="")
    for row in made_up
}})
from discreet.core import losses
losses.BY_DISTANCE = MappingProxyType({**losses.BY_DISTANCE, "capped": losses.ByDistance(
    spelled=re.compile(r"capped (\\d+)"),
    read=int,
    named=lambda most: f"capped {most}",
    cost=lambda n, distance, most: Fraction(min(distance, most)),
)})
import discreet as dc
from discreet.core.certificate import read_problem
from tests.designer.brute import least_cost, rows_by_definition, _dual_simplex

def least(problem):
    # the full rows once more, with those made up
    import tests.designer.brute as brute
    n, known = problem.n, brute.rows_by_definition
    def more(n, alpha, names, ratio=None):
        r, found = range(n + 1), known(n, alpha, names, ratio)
        for i in r:
            for j in r:
                if i != j and "T" in names:
                    found.append(("t", (i, j, 0), {(i, j): Fraction(1), (j, i): Fraction(-1)}, Fraction(0), True))
                if i != j and "PO" in names:
                    found.append(("po", (i, j, 0), {(i, j): Fraction(1)}, Fraction(1, n + 1), False))
                if i != j and "LIE" in names:
                    found.append(("lie", (i, j, 0), {(i, j): Fraction(1), (i, i): Fraction(-1)}, Fraction(0), False))
                for k in (i - 1, i + 1):
                    if "AM" in names and 0 <= k <= n and abs(j - k) > abs(j - i):
                        found.append(("am", (i, k, j), {(i, j): Fraction(1), (k, j): -alpha}, Fraction(0), False))
        return found
    brute.rows_by_definition = more
    try:
        return brute.least_cost(problem)
    finally:
        brute.rows_by_definition = known
"""


def run(code: str) -> object:
    root = Path(__file__).parents[2]
    path = os.pathsep.join([str(Path(discreet.__file__).parents[1]), str(root)])
    done = subprocess.run(
        [sys.executable, "-c", f"{ENTRIES}\n{code}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "properties",
    [
        "T WH CM",
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("AM RH F", "PO", "LIE")),
    ],
)
def test_a_made_up_property_is_designed_with(properties):
    code = f"""
found = []
for loss, prior in (("L0", None), ("L1", None), ("L1", ["1/2", "1/4", "1/8", "1/8"]), ("L0", ["1/2", "1/4", "1/8", "1/8"])):
    for worst in (False, True):
        asked = dict(n=3, alpha="2/3", properties={properties!r}, loss=loss, prior=prior, worst_case=worst)
        m = dc.design(cache=False, **asked)
        certificate = m.origin.certificate
        found.append([m.satisfies({properties!r}), certificate.optimal, certificate.cost == m.score(loss, prior, worst_case=worst),
                      certificate.cost == least(read_problem(**asked))])
print(json.dumps(found))
"""
    assert run(code) == [[True, True, True, True]] * 8


def test_no_theorem_answers_for_a_property_that_it_does_not_know():
    code = """
m = dc.design(n=6, alpha="9/10", properties="F T", cache=False)
em, um = dc.fair(n=6, alpha="9/10"), dc.uniform(n=6)
print(json.dumps([m.origin.theorem, m.satisfies("F T"), em.satisfies("T"), em.check("LIE").holds, um.satisfies("T AM PO LIE"),
                  dc.geometric(n=6, alpha="9/10").satisfies("T")]))
"""
    assert run(code) == ["", True, False, False, True, False]


def test_a_made_up_loss_is_designed_for():
    code = """
found = []
for properties in ("", "WH CM", "F"):
    for worst in (False, True):
        asked = dict(n=3, alpha="2/3", properties=properties, loss="capped 2", worst_case=worst)
        m = dc.design(cache=False, **asked)
        table = [[min(abs(i - j), 2) for j in range(4)] for i in range(4)]
        same = dc.design(cache=False, **{**asked, "loss": table})
        certificate = m.origin.certificate
        found.append([certificate.optimal, m.id == same.id, m.score("capped 2", worst_case=worst) == certificate.cost,
                      certificate.cost == least(read_problem(**asked)), "L0" not in m.origin.theorem])
loss = losses.read_loss("capped 2", 3)
print(json.dumps([found, loss.name, loss.tail, loss.power, loss.rounded, loss.spec, loss == losses.read_loss("L2", 3)]))
"""
    found, *rest = run(code)
    assert found == [[True] * 5] * 6
    assert rest == ["capped 2", None, None, False, {"capped": 2}, False]


def test_a_loss_of_an_unknown_family_is_no_other_loss():
    from discreet.core.losses import Loss

    with pytest.raises(KeyError):
        Loss(n=3, name="?", family="unknown").cost(0, 1)
