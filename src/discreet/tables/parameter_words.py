"""What each parameter of `dc.release` and `dc.plan` is, in a sentence or two, for help(): written once for both."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent, fill
from typing import Any, TypeVar

from discreet.tables.asking.request import EVERYTHING, parameters

Verb = TypeVar("Verb", bound=Callable[..., Any])

WORDS = {
    "source": "a path, a folder or a glob (CSV, Parquet, JSON lines), a list of these, a pandas, Polars, Arrow or "
    "DuckDB table, a list of dicts, a query over one file, or a Spark DataFrame.",
    "by": "the key columns whose values make the groups: a name, a list of names, `[]` for one group of all, or a "
    "mapping of names to expressions over public columns.",
    "count": "what is counted: a column of bits (true/false or 0/1), a predicate over one row, a list of these, or a "
    "mapping of output names to them; a name with a list of answers is a question with several answers.",
    "size": "for a table that holds counts already: the column with each group's size, or one number.",
    "epsilon": "privacy: what one person pays in total, for all counts, levels and rows. Typical are 0.1 to 2.",
    "alpha": "the same as exp(-epsilon), such as '10/11'; give one of the two.",
    "properties": "the shape that mechanisms must have, such as 'WH CM' or 'F' (RH RM CH CM WH F S, ODP:9/10).",
    "loss": "what a wrong answer costs: 'L0' (any error), 'L1', 'L2', 'L0,1' (errors beyond 1), or a matrix.",
    "prior": "how likely each true count is: 'uniform', 'Binomial(0.3)', weights, or a mapping of group size to these; "
    "never taken from the data.",
    "worst_case": "minimise the cost of the worst true count instead of the mean.",
    "gap": "accept mechanisms proven within this part of optimal, such as 0.01, where proving optimality takes long.",
    "mechanism": "draw from mechanisms of your own: one, a list, a mapping of group size to mechanism, proof files or "
    "a folder of them, or a mapping of count to any of these. Without `epsilon` the release costs what they do.",
    "split": "the weight of each count in epsilon, by name or in order; even unless given.",
    "unit": "the column that identifies a person; that nobody has more rows than `contributions` is then checked.",
    "contributions": "how many rows one person may have; the price is divided among them.",
    "together": "all rows of a person are in one group, which is checked: one draw answers for all of them.",
    "excess": "a person's rows beyond `contributions`: 'refuse', or 'drop' (chosen by keys, never by bits).",
    "where": "a filter of rows, over public columns only.",
    "nulls": "a missing bit: 'refuse', or count it as '0' or '1'.",
    "public": "columns that a count reads and that are public all the same, so that they may be keys or filters too.",
    "keys": "the complete set of keys (a list, a table or a file), so that empty groups appear and others are noticed.",
    "other_keys": "rows whose key is not in `keys`: 'refuse' or 'drop'.",
    "cap": "count at most so many people of each group, and protect group sizes too.",
    "intervals": "add an unbiased estimate and an interval of this confidence beside each count, such as 0.95.",
    "smallest": "merge groups of fewer people than this into one row for each parent.",
    "adding_up": "add whole numbers beside the counts whose sums are all right.",
    "levels": "release coarser tables too, such as regions and the total beside clinics: 'rollup', 'cube', or a list "
    "of key lists.",
    "level_split": "the share of epsilon of levels, by name, such as {'region': 0.2}; chosen from sizes unless given.",
    "level_importance": "how much each level matters where shares are chosen; equally unless given.",
    "level_properties": "the shape of coarser levels, by name; none unless given.",
    "read": "how files are read: 'delimiter', 'encoding', 'decimal', ... and 'types' for columns that are not text.",
    "ledger": "the budget that pays: a path, a postgresql:// URL, or what dc.open_ledger returns. Without one nothing "
    "is accounted.",
    "dataset": "the name of the budget in the ledger; may be left out if there is only one.",
    "run_id": "your own id of this run, with `ledger` and `output`: repeated with the same id, a run that was finished "
    "is not made again, and one that was interrupted is taken up.",
    "resume": "the id of an interrupted release, to finish it under its own entry without paying again.",
    "output": "the folder of the bundle: table, manifest and proofs. Without it the release is only returned.",
    "format": "of the table in the bundle: 'parquet', 'csv' or 'jsonl'; 'csv' of CSV files and else 'parquet', unless "
    "given.",
    "escape_formulas": "in a CSV, put ' before keys that a spreadsheet would run as formulas.",
    "overwrite": "replace an output that exists.",
    "memory_limit": "what the whole process may take, such as '1GiB'.",
    "threads": "how many threads may work; all cores unless given.",
    "temporary": "a folder for what does not fit into memory.",
    "progress": "a function that is told how far the work is; a release takes True too, for lines on standard error.",
}


def documented(verb: Verb) -> Verb:
    """Add to the docstring of a verb what each of its parameters is; one that has no words here has its option's."""
    asked = parameters(*EVERYTHING)
    names = [name for name in verb.__annotations__ if name != "return"]
    told = {name: WORDS.get(name) or asked[name].metadata["about"] for name in names}
    listed = (
        fill(f"- `{name}`: {words}", 100, subsequent_indent=" " * 2, break_on_hyphens=False)
        for name, words in told.items()
    )
    first, _, rest = (verb.__doc__ or "").partition("\n")  # Python 3.13 takes the indentation away itself
    verb.__doc__ = f"{first}\n{dedent(rest).rstrip()}\n\nParameters:\n\n" + "\n".join(listed) + "\n"
    return verb
