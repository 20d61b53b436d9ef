"""The researcher: brings a mechanism of their own, compares it with the best, and publishes it with
its proof.

    python examples/roles/researcher.py

Documentation: docs/designing.md, docs/old/choosing.md, docs/own-mechanisms.md, docs/audit.md
"""

from pathlib import Path

import numpy as np
import pyarrow as pa

import discreet as dc

N, EPSILON = 6, "1/2"

# A mechanism from a paper, as somebody computes it: floats, whose columns do not quite sum to 1.
i, j = np.indices((N + 1, N + 1))
weights = np.exp(-0.25 * abs(i - j))
mine = dc.from_matrix(weights / weights.sum(axis=0))
print("exactly private at alpha", float(mine.alpha), "-", mine.origin.method)

# The best of the shapes that matter here, and one with a wish of our own: no bias at the middle.
middle = dc.rows(
    "no bias at the middle", lambda n: [({(i, n // 2): i for i in range(n + 1)}, "=", n // 2)]
)
best = dc.design(n=N, epsilon=EPSILON, properties="WH CM", loss="L1")
fitted = dc.design(n=N, epsilon=EPSILON, properties=["WH", middle], loss="L1")
assert fitted.bias(N // 2) == 0
assert best.origin.optimal

# Side by side, exactly; the table goes into the paper.
table = dc.compare(
    {"mine": mine, "best": best, "fitted": fitted, "GM": "GM"}, n=N, epsilon=EPSILON, loss="L1"
)
print(table)
Path("comparison.tex").write_text(table.to_latex(), encoding="utf-8")
Path("matrix.tex").write_text(best.to_latex(digits=3), encoding="utf-8")
dc.plot({"mine": mine, "best": best}, "heatmap", "heatmaps.svg")

# A proof file that a reviewer checks with the standard library alone: python -m discreet.proof
# best.json
best.save("best.json")
print(dc.verify("best.json"))

# Does the code do what the matrix says? A test can refute, never prove.
report = dc.audit(best.release, n=N, draws=50_000, claimed=best)
print(report.verdict)

# A simulated table, released with it: the price is the mechanism's own.
late = [k % 4 == 0 for k in range(60 * N)]
people = pa.table({"team": [k // N for k in range(60 * N)], "late": late})
dc.open_ledger("budget.db").open("teams", budget=1)
released = dc.release(
    people,
    by="team",
    count="late",
    mechanism=best,
    ledger="budget.db",
    dataset="teams",
    output="simulated",
)
assert released.manifest.epsilon == "1/2"
print(dc.estimate(released).total, "- the truth is", sum(late))
