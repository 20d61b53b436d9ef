"""A query as a source: one SELECT over one file, taken apart into expressions that look at one row
each.

`SELECT clinic, age < 30 AS young FROM 'people.csv' WHERE region = 'north'` is fine: its parts are
checked like any predicate, and the file is read by the same rules as without the query. A join, a
group, DISTINCT or LIMIT makes a row depend on other rows, where no check of ours could follow: run
such a query yourself and give the DuckDB relation. Then its result is your table, and you promise
that one person changes one row of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discreet.errors import InvalidInput
from discreet.tables.engines import Expression
from discreet.tables.engines.duckdb.expressions import check_tree, nodes, select_node

_ELSEWHERE = "run it elsewhere and give its result, as a file or a DuckDB relation"
_PLAIN_STAR = (
    "exclude_list",
    "replace_list",
    "rename_list",
    "qualified_exclude_list",
    "expr",
    "columns",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """The parts of a checked SELECT."""

    text: str
    path: str
    items: tuple[dict[str, Any], ...]
    where: dict[str, Any] | None

    def over(self, columns: Mapping[str, str]) -> tuple[dict[str, Expression], Expression | None]:
        """Check every part against the file's columns; return the selected columns and the row
        filter.
        """
        chosen: dict[str, Expression] = {}
        for tree in self.items:
            if tree["class"] == "STAR":
                trees = {name: {**_COLUMN, "column_names": [name]} for name in columns}
            else:
                name = tree["alias"] or (
                    tree["column_names"][-1] if tree["class"] == "COLUMN_REF" else ""
                )
                if not name:
                    raise InvalidInput(
                        "source", "must name every computed column with AS", self.text
                    )
                trees = {name: {**tree, "alias": ""}}
            for name, part in trees.items():
                if name in chosen:
                    raise InvalidInput("source", "selects two columns of one name", found=name)
                chosen[name] = check_tree("source", part, self.text, columns)
        where = check_tree("source", self.where, self.text, columns) if self.where else None
        if where is not None and not where.columns:
            raise InvalidInput(
                "source", "must read a column in its WHERE", self.text, remedy="or leave WHERE out"
            )
        return chosen, where


_COLUMN = {
    "class": "COLUMN_REF",
    "type": "COLUMN_REF",
    "alias": "",
    "query_location": 0,
    "query_location_length": 0,
}


def read_query(text: str) -> Query:
    """Parse a SELECT and refuse whatever makes a row depend on other rows.

    >>> read_query("SELECT clinic, age < 30 AS young FROM 'people.csv'").path
    'people.csv'
    >>> read_query("SELECT a FROM 'x.csv' JOIN 'y.csv' USING (a)")
    Traceback (most recent call last):
        ...
    discreet.errors.InvalidInput: `source` must be a query over one file, ...
    """
    node = select_node("source", text, text)
    table = node["from_table"]
    if table["type"] != "BASE_TABLE" or table["schema_name"] or table["catalog_name"]:
        raise InvalidInput(
            "source", "must be a query over one file, named in quotes", text, remedy=_ELSEWHERE
        )
    for part in ("modifiers", "group_expressions", "group_sets", "having", "sample", "qualify"):
        if node[part]:
            rule = (
                "must be a query without GROUP BY, HAVING, QUALIFY, DISTINCT, ORDER BY, LIMIT or "
                "SAMPLE"
            )
            raise InvalidInput("source", rule, text, remedy=_ELSEWHERE)
    if (
        table["sample"]
        or table.get("at_clause")
        or node["aggregate_handling"] != "STANDARD_HANDLING"
    ):
        raise InvalidInput(
            "source", "must be a query over all rows of one file", text, remedy=_ELSEWHERE
        )
    for tree in node["select_list"]:
        if tree["class"] == "STAR" and any(tree.get(part) for part in _PLAIN_STAR):
            raise InvalidInput(
                "source", "may use a plain * only", found=text, remedy="list the columns"
            )
    for reference in nodes([node["select_list"], node["where_clause"]]):
        names = reference.get("column_names", ())
        if len(names) > 1 and names[0] in (table["alias"], table["table_name"]):
            del names[0]  # `p.age` with `FROM 'people.csv' AS p`
    return Query(
        text=text,
        path=table["table_name"],
        items=tuple(node["select_list"]),
        where=node["where_clause"],
    )
