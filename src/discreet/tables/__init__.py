"""Releases of whole tables: `plan` shows the price, `release` spends it, `read_release` reads what
came out.

planning, releasing   the two verbs
asking/               what is asked, checked against the columns, priced, and named by a digest
engines/              DuckDB on one machine, Spark on many; sources and predicates are theirs
mechanisms, noise     each size's mechanism, each group's draw; readings: estimates beside the
                      counts
level_split           several levels: their counts and shares; plan_lines, plan_levels, plan_totals:
                      what a plan says
account               the ledger's entry, from reservation to commit
published/            the bundle: manifest, table, proofs; how it is shown whole and read back
"""
