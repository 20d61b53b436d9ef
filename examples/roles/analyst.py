"""The analyst in a notebook: gets a published folder, never the data, and wants numbers with honest
intervals.

    python examples/roles/analyst.py published

Documentation: docs/quoting.md, docs/reading-closely.md. Each part below is a cell of a notebook.
"""

import sys

import discreet as dc

# %% Open it. Reading checks that table, manifest and proofs belong together.
published = sys.argv[1]
release = dc.read_release(published)
print(release)
print(release.manifest.guarantee)

# %% What each column is, and the table as a data frame.
for field in release.table.schema:
    print(field.name, "-", field.metadata[b"description"].decode())
frame = release.to_pandas()
print(frame.head())

# %% Private counts are biased toward the middle of 0..n, so they are not added up: estimates are.
e = dc.estimate(published)
print(e.total)
for region in e.by("region"):
    print(region)

# %% Whole numbers for people, whose sums are all right.
quoted = e.quotable("region")
print(quoted)
quoted.to_csv("quote.csv", byte_order_mark=True)

# %% One group: what its released number says of it.
row = frame.iloc[0]
group = dc.one_group(release.mechanism(int(row["n"])), int(row["smoker"]))
print(row["clinic"], group.likeliest, group.interval)

# %% A figure, and a paragraph for the methods section.
dc.plot(e, "totals", by="region", path="totals.svg")
print(dc.report(published).methods)
