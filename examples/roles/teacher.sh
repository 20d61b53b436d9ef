#!/bin/sh
# The teacher without Python: how many in each class were bullied last term, in a form nobody can be found out by; and one
# number said aloud in the staff room.
#
#     sh examples/roles/teacher.sh classes.csv              (columns: class, pupils, bullied)
#
# Documentation: docs/old/choosing.md, docs/old/commands.md, docs/quoting.md
set -eu
classes=$1

# Which mechanism for a class of 24, if every true number should be reported with the same chance?
discreet recommend --n 24 --epsilon 1 --properties F
discreet plot EM --n 24 --epsilon 1 -o fair.png

# The children may pay 2 in all, this term.
discreet ledger open school.db pupils --budget 2

# The table of counts: one row for each class, with its size.
discreet plan "$classes" --by class --count bullied --size pupils --type bullied=INTEGER --type pupils=INTEGER --epsilon 1 -p F
discreet release "$classes" --by class --count bullied --size pupils --type bullied=INTEGER --type pupils=INTEGER \
    --epsilon 1 -p F --ledger school.db --dataset pupils --output published

# What the parents' evening gets: a page, a spreadsheet, and the whole school with its interval.
discreet report published -o parents.html --title "Bullying, by class"
discreet report published -o parents.xlsx
discreet estimate published

# One number for the staff room, from a mechanism kept in a file: it costs its epsilon too, and the ledger says what is left.
discreet design --n 24 --epsilon 1/2 -p F -o fair.json
discreet draw fair.json 5 --ledger school.db --dataset pupils
discreet ledger show school.db
