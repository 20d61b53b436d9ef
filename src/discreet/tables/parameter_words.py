"""What each parameter of `dc.release` and `dc.plan` is, in full sentences: written once, for help()
and the reference.

The words of an option on the command line stand beside its parameter (`asking.request`): a line
each, as help there is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import dedent, fill
from typing import Any, TypeVar

Verb = TypeVar("Verb", bound=Callable[..., Any])

ASKED: Mapping[str, Mapping[str, str]] = {
    "What is counted": {
        "source": "The table: a path, a folder or a glob (CSV, Parquet), a list of these, a "
        "pandas, Polars, Arrow or DuckDB table, a query over one file, or a Spark DataFrame.",
        "by": "The key columns, whose values make the groups: a name, a list of names, `[]` for "
        "one group of all, or a mapping of names to expressions over public columns.",
        "count": "Whom to count: a column of true and false or of 0 and 1, a condition over one "
        "row, a list of these, or a mapping that gives each a name. A name with a list of answers "
        "is a question that takes only these.",
        "size": "For a table that holds counts already: the column with the size of each group, "
        "or one number for all. Without it, each row is a person.",
        "where": "Only rows that meet this condition are counted. It may read public columns only.",
        "nulls": "What a missing answer counts as: `'refuse'` refuses the table, `'0'` counts it "
        "as no and `'1'` as yes.",
        "public": "Columns that a count reads and that are public all the same, so that keys and "
        "filters may read them too.",
        "keys": "The complete set of keys: a list, a table, a file, or a mapping of each key "
        "column to its values. Groups without rows then appear too. Without it, the groups are "
        "those that the table has.",
        "other_keys": "What becomes of rows whose key is not in `keys`: `'refuse'` refuses the "
        "table, `'drop'` leaves them out.",
    },
    "Who is who": {
        "unit": "The column that identifies a person. It is then checked that nobody has more "
        "rows than `contributions`. Without it, you declare that each row is another person.",
        "contributions": "How many rows one person may have in all. Each draw gets epsilon "
        "divided by this number, unless `together`.",
        "together": "With True, all rows of a person must be in one group, which is checked. One "
        "draw then answers for all of them, at the whole epsilon of its count.",
        "excess": "What becomes of a person's rows beyond `contributions`: `'refuse'` refuses the "
        "table, `'drop'` keeps the first rows in the order of their keys, never by answers.",
    },
    "The noise": {
        "epsilon": "The privacy: what one person pays in total, for all counts, levels and rows. "
        "Typical are 0.1 to 2, and smaller is safer. Give this or `alpha`.",
        "alpha": "The same promise as exp(-epsilon), such as `'10/11'`. Give this or `epsilon`.",
        "split": "The weight of each count in epsilon, by name or in order. They share it "
        "evenly unless this is given.",
        "properties": "The properties that raw numbers must have, such as `'CM'` or `'WH CM'`, of "
        "RH, RM, CH, CM, WH, F, S and ODP:9/10. Without any you get the usual noise.",
        "loss": "What a wrong answer costs: `'L0'` counts every error alike, `'L1'` its distance, "
        "`'L2'` the square of it, `'L0,1'` only errors of more than 1; or a matrix of costs.",
        "prior": "How likely each true count is taken to be: `'uniform'`, `'Binomial(0.3)'`, "
        "weights, or a mapping of group size to these. It is never taken from the data.",
        "worst_case": "With True, the cost at the worst true count is made as small as possible, "
        "instead of the mean over all true counts.",
        "gap": "A mechanism is accepted once it is proven to be within this part of optimal, such "
        "as 0.01. That helps where proving it optimal takes long.",
        "mechanism": "Mechanisms of your own to draw from: one, a list, a mapping of group size "
        "to mechanism, proof files or a folder of them, or a mapping of count to any of these. "
        "Without `epsilon` the release costs what they do.",
    },
    "Levels": {
        "levels": "Coarser tables to release too, such as regions and the total beside clinics: "
        "`'rollup'` (each shorter beginning of `by`), `'cube'` (two keys and their margins), or a "
        "list of key lists.",
        "level_split": "The share of epsilon of each level, by name, such as `{'region': 0.2}`; "
        "the finest level has the rest. Shares are chosen from the sizes of groups unless this is "
        "given.",
        "level_importance": "How much each level matters where shares are chosen, by name. A "
        "level weighs 1 unless it is named.",
        "level_properties": "The properties of coarser levels, by name, such as `{'region': "
        "'F'}`. A coarser level has none unless it is named.",
    },
    "Small groups and private sizes": {
        "smallest": "Groups of fewer people than this are merged into one row for each parent, "
        "such as the region of clinics. Group sizes stay public.",
        "cap": "At most so many people of each group are counted, and group sizes are protected "
        "like answers. It needs `keys` and `unit`.",
    },
    "Columns to add": {
        "intervals": "An unbiased estimate and an interval of this confidence, such as 0.95, are "
        "added beside each count.",
        "adding_up": "With True, whole numbers whose sums are all right are added beside the "
        "counts.",
    },
    "The budget": {
        "ledger": "The budget that pays: a path, a postgresql:// URL, or what `dc.open_ledger` "
        "returns. A plan only reads it. Without one, nothing adds up what releases cost.",
        "dataset": "The name of the budget in the ledger. It may be left out if the ledger has "
        "only one.",
    },
    "Files": {
        "read": "How files are read, as a mapping: `'delimiter'`, `'encoding'`, `'decimal'` and "
        "others, and `'types'` for columns that are not text. What is left out follows from the "
        "header, never from rows.",
        "output": "The folder to write, with the table, the manifest and the proofs. Without it "
        "the release is only returned.",
        "format": "How the table in the folder is written: `'parquet'`, `'csv'` or `'jsonl'`. "
        "Without it, CSV files become `'csv'` and all else `'parquet'`.",
        "overwrite": "With True, a folder that exists is replaced. Otherwise it is refused.",
        "escape_formulas": "With True, keys in a CSV that a spreadsheet would run as formulas get "
        "an apostrophe before them.",
        "byte_order_mark": "With True, a CSV begins with the mark by which Excel knows UTF-8.",
    },
    "Running it": {
        "run_id": "Your own id of this run; it needs `ledger` and `output`. Repeated with the "
        "same id, a run that was finished is not made again, and one that was interrupted is "
        "taken up.",
        "resume": "The id of an interrupted release, to finish it under its own entry without "
        "paying again.",
        "memory_limit": "How much memory the whole process may take, such as `'1GiB'`.",
        "threads": "How many threads may work. All cores do unless this is given.",
        "temporary": "The folder for what does not fit into memory. It may hold true counts while "
        "the work goes on.",
        "progress": "A function that is told how far the work is. A release takes True too, for "
        "lines on standard error.",
    },
}
"""By what a reader looks for; every parameter once."""

WORDS = {name: words for group in ASKED.values() for name, words in group.items()}


def documented(verb: Verb) -> Verb:
    """Add to the docstring of a verb what each of its parameters is."""
    names = [name for name in verb.__annotations__ if name != "return"]
    listed = (
        fill(f"- `{name}`: {WORDS[name]}", 100, subsequent_indent=" " * 2, break_on_hyphens=False)
        for name in names
    )
    first, _, rest = (verb.__doc__ or "").partition(
        "\n"
    )  # Python 3.13 takes the indentation away itself
    verb.__doc__ = f"{first}\n{dedent(rest).rstrip()}\n\nParameters:\n\n" + "\n".join(listed) + "\n"
    return verb
