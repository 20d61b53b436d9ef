"""A metamorphic privacy test: random tables, one person's protected values replaced, and what may move before noise.

    values        what a column of each kind holds, and what one person may put in its place
    tables        a random table, its columns' kinds, and the copy in which one person answers otherwise
    sources       the same table as every source a release accepts
    requests      random people and a random request of them: what it names, and which of that is public
    predicates    random predicates over DuckDB's whole catalogue; spark_predicates: over Spark's
    cases         a request and two tables that differ in one person
    capabilities  what can be asked: a request, what one person may change, and what may move (extend this one)
    outcomes      what the engine counted before noise, or why it refused
    laws          what must hold of the two outcomes, and which refusals may depend on one person's value
    running       many cases, tallied

`python -m bench.metamorphic` runs it for as long as one likes.
"""
