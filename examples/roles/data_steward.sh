#!/bin/sh
# The data steward: decides what may be published of a table of people, under a budget that outlives everybody's memory,
# and hands out a folder that others can check.
#
#     sh examples/roles/data_steward.sh people.csv          (columns: person, region, clinic, smoker)
#
# Documentation: docs/story.md, docs/release.md, docs/ledger.md, docs/quoting.md
set -eu
people=$1

# What would it cost, and what would it be worth? This reads sizes and names, never the bits, and spends nothing.
discreet plan "$people" --by region --by clinic --count smoker --unit person --epsilon 1 --levels rollup

# The budget, once: what one person in this table may ever pay.
discreet ledger open budget.db patients --budget 3/2

# The decision, written down so that it can be read, kept and repeated.
# In Parquet, which is for programs, each column says what it is.
discreet release "$people" --by region --by clinic --count smoker --unit person --epsilon 1 --levels rollup \
    --ledger budget.db --dataset patients --output published --format parquet --save-config release.toml
discreet release --config release.toml

# Everything that follows from the files is checked again; so will whoever gets the folder.
discreet verify published

# What people read: a page, a spreadsheet, and the table to quote.
discreet report published -o report.html --title "Smoking by clinic"
discreet report published -o report.xlsx
discreet estimate published --by region --csv regions.csv --byte-order-mark

# A second release like the first does not fit the budget: exit code 3, and nothing is spent.
code=0
discreet release --config release.toml --output again || code=$?
test "$code" -eq 3

# The ledger proves that nothing was taken out of it, if its head is kept elsewhere; and it is backed up.
discreet ledger show budget.db patients
discreet ledger verify budget.db > head.txt
discreet ledger backup budget.db ledger.backup
