"""The same law on Spark: many predicates in one job, since a job takes longer than all else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from random import Random
from typing import Any

from tests.metamorphic.capabilities import moved_bits
from tests.metamorphic.cases import Case
from tests.metamorphic.laws import DATA, depends_on_data, explanation
from tests.metamorphic.outcomes import Counted, Outcome, Refused, counted
from tests.metamorphic.running import Break, Tally
from tests.metamorphic.sources import arrow_table
from tests.metamorphic.spark_predicates import HOSTILE, TWO_NAMES, calls, functions
from tests.metamorphic.tables import Column, Table
from tests.metamorphic.values import KINDS, shows_a_value

from discreet.errors import DiscreetError
from discreet.tables.asking.question import Question, read_question
from discreet.tables.asking.request import Machine, Request
from discreet.tables.engines import open_engine

_PROTECTED = {
    "smoker": "bool",
    "age": "int",
    "weight": "float",
    "status": "text",
    "amount": "decimal",
    "born": "date",
    "seen": "zoned",
    "tags": "list",
    "info": "struct",
    "blob": "bytes",
}
_EVERYTHING = {
    "everything": "smoker OR age IS NULL OR weight > 1 OR status = 'yes' OR amount > 1 OR born IS NULL OR seen IS NULL OR "
    "tags IS NULL OR info IS NULL OR blob IS NULL"
}
"""A count that reads every protected column, so that none of them may decide rows."""
_SEVERAL = {
    "status": {"answers": ["yes", "no"], "other": "rest", "nulls": "unknown"},
    "age": {"answers": [1, 30, 45], "other": "1", "nulls": "1"},
    "weight": {"answers": [0, 1, 30], "other": "rest", "nulls": "rest"},
    "amount": {"answers": [2, 30], "other": "rest", "nulls": "rest"},
    "smoker": {"answers": [True, False], "nulls": "unknown"},
    "smoker in two": {"column": "smoker", "answers": [True, False], "nulls": False},
    "status in two": {"column": "status", "answers": ["yes"], "other": "rest", "nulls": "yes"},
    "born": {
        "early": "coalesce(born < DATE '1995-01-01', false)",
        "late": "NOT coalesce(born < DATE '1995-01-01', false)",
    },
}
"""Questions with two answers and with more, of columns of every type that is compared with answers."""
_BY = (["SMOKER"], ["smoker"], ["s2"], ["S2"], ["region", "sMOKER"], ["region"])
BATCH = 50
ROWS = 12


class Pair:
    """Two frames that differ in what one person answers."""

    def __init__(self, session: Any, rng: Random) -> None:
        columns = [
            Column(name="region", kind="text", values=tuple(rng.choices("abc", k=ROWS))),
            Column(name="clinic", kind="int", values=tuple(rng.choices((1, 2), k=ROWS))),
        ]
        for name, kind in _PROTECTED.items():
            columns.append(
                Column(
                    name=name, kind=kind, values=tuple(KINDS[kind].value(rng) for _ in range(ROWS))
                )
            )
        self.before = Table(columns=tuple(columns))
        self.after = self.before.changed(rng, [rng.randrange(ROWS)], _PROTECTED)
        self._here = [
            session.createDataFrame(arrow_table(table)) for table in (self.before, self.after)
        ]
        self.frames = [
            frame.coalesce(1).select("*", frame.smoker.alias("s2")) for frame in self._here
        ]
        self._engines = [open_engine(frame, None, Machine()) for frame in self.frames]
        for engine in self._engines:  # the count of everything stands beside every filter
            engine.expression = cache(engine.expression)

    def question(self, after: bool, words: Mapping[str, Any]) -> Question | Refused:
        """What a frame is asked, or why it may not be."""
        try:
            return read_question(self._engines[after], Request(**words))
        except DiscreetError as error:
            return Refused(
                text=str(error), kind=type(error).__name__, ours=True, everything=str(error)
            )
        except Exception as error:  # a finding
            return Refused(
                text=f"{type(error).__name__}: {error}", kind="", ours=False, everything=str(error)
            )

    def fails(self, text: str) -> bool:
        """Whether a value of either frame makes the predicate fail: Spark computes so little while it plans, in no job."""
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException
        from pyspark.sql import functions as sf

        try:
            for frame in self._here:
                found = frame.select("*", frame.smoker.alias("s2")).select(sf.expr(text))
                found._jdf.queryExecution().optimizedPlan()
        except (PySparkException, Py4JJavaError):
            return True
        return False

    def case(self, words: Mapping[str, Any]) -> Case:
        """The pair as a case, to be described and judged."""
        return Case(source="spark", before=self.before, after=self.after, words=words)


def run_spark(session: Any, seed: str, predicates: int) -> Tally:
    """Ask so many predicates, as counts and as filters, of pairs of frames."""
    rng, tally = Random(f"{seed}/spark"), Tally()
    known = functions(session)
    rng.shuffle(known)
    with small_plans(session):
        while tally.cases < predicates:
            pair = Pair(session, rng)
            counts, filters = [], []
            if tally.cases == 0:
                for by in _BY:
                    words = {
                        "by": by,
                        "count": {"c": rng.choice(("smoker", "SMOKER = true"))},
                        "nulls": "0",
                    }
                    _ask(tally, pair, seed, words)
                _ask(tally, pair, seed, _words(count=_SEVERAL))
                filters += [_bound(tally, pair, seed, [text], as_filter=True) for text in TWO_NAMES]
            for _ in range(min(BATCH, max(1, predicates - tally.cases))):
                hostile = rng.random() < 0.25
                tries = (
                    [rng.choice(HOSTILE)]
                    if hostile
                    else calls(session, rng, known[tally.cases % len(known)])
                )
                as_filter = hostile and rng.random() < 0.5
                text = _bound(tally, pair, seed, tries, as_filter=as_filter)
                (filters if as_filter else counts).append(text)
            chosen = [text for text in counts if text]
            failing = [text for text in chosen if pair.fails(text)]
            _judge_counts(tally, pair, seed, [text for text in chosen if text not in failing])
            for text in failing:
                _judge_counts(tally, pair, seed, [text])
            _judge_filters(tally, pair, seed, [text for text in filters if text])
    return tally


def _bound(tally: Tally, pair: Pair, seed: str, tries: Sequence[str], *, as_filter: bool) -> str:
    """The first of the texts that Spark can bind, if it is accepted; both frames must answer alike."""
    tally.cases += 1
    tally.by_source["spark"] += 1
    tally.by_capability["bits"] += 1
    for last, text in enumerate(tries, start=1):
        words = _words(where=text) if as_filter else _words(count={"c": text})
        first = pair.question(False, words)
        if (
            isinstance(first, Refused)
            and "is not accepted by Spark" in first.text
            and last < len(tries)
        ):
            continue
        refused = [one for one in (first, pair.question(True, words)) if isinstance(one, Refused)]
        if not refused:
            return text
        problem = _problem(refused)
        if len({re.sub(r"#\d+L?", "#", one.text) for one in refused}) > 1 or len(refused) == 1:
            problem = problem or "a refusal depends on one person's value"
        if problem:
            tally.breaks.append(_break(pair, seed, words, problem))
        tally.refused[explanation(refused[0]) or "NOT EXPLAINED"] += 1
        return ""
    return ""


def _ask(tally: Tally, pair: Pair, seed: str, words: Mapping[str, Any]) -> None:
    """Ask one request whole."""
    tally.cases += 1
    tally.by_source["spark"] += 1
    tally.by_capability["bits"] += 1
    _judge(tally, pair, seed, words, [counted(frame, words) for frame in pair.frames])


def _judge(
    tally: Tally, pair: Pair, seed: str, words: Mapping[str, Any], answers: Sequence[Outcome]
) -> None:
    refused = [one for one in answers if isinstance(one, Refused)]
    problem = _problem(refused)
    if not refused and isinstance(answers[0], Counted) and isinstance(answers[1], Counted):
        tally.released += len(words["count"])
        problem = moved_bits(pair.case(words), *answers)
    elif not problem and len(refused) == 1 and not depends_on_data(refused[0]):
        problem = f"a refusal depends on one person's value: {refused[0].text[:200]}"
    if refused:
        tally.refused[explanation(refused[0]) or "NOT EXPLAINED"] += len(words["count"])
    if problem:
        tally.breaks.append(_break(pair, seed, words, problem))


def _judge_counts(tally: Tally, pair: Pair, seed: str, texts: Sequence[str]) -> None:
    """Count them all in one release of each frame; if that fails for a value, in halves."""
    if not texts:
        return
    words = _words(count={f"c{k}": text for k, text in enumerate(texts)})
    answers = [counted(frame, words) for frame in pair.frames]
    if len(texts) > 1 and any(isinstance(one, Refused) for one in answers):
        half = len(texts) // 2
        _judge_counts(tally, pair, seed, texts[:half])
        _judge_counts(tally, pair, seed, texts[half:])
    else:
        _judge(tally, pair, seed, words, answers)


def _judge_filters(tally: Tally, pair: Pair, seed: str, texts: Sequence[str]) -> None:
    """Filters that were accepted beside counts of everything: how many rows each leaves in each group."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as sf

    if not texts:
        return
    found = []
    try:
        for after, frame in enumerate(pair.frames):
            questions = [pair.question(bool(after), _words(where=text)) for text in texts]
            chosen = [
                sf.count_if(sf.expr(q.where.sql))
                for q in questions
                if isinstance(q, Question) and q.where
            ]
            rows = (
                frame.groupBy("region")
                .agg(*(one.alias(f"w{k}") for k, one in enumerate(chosen)))
                .collect()
            )
            found.append(sorted(tuple(row) for row in rows))
    except (PySparkException, Py4JJavaError):
        if len(texts) == 1:  # a release would refuse it for the same value
            tally.refused[DATA["made the Spark job fail"]] += 1
            return
        half = len(texts) // 2
        _judge_filters(tally, pair, seed, texts[:half])
        _judge_filters(tally, pair, seed, texts[half:])
        return
    for k, text in enumerate(texts):
        tally.released += 1
        if [row[k + 1] for row in found[0]] != [row[k + 1] for row in found[1]]:
            law = "groups, sizes or their order changed"
            tally.breaks.append(_break(pair, seed, _words(where=text), law))


def _words(count: Mapping[str, str] = _EVERYTHING, **others: Any) -> dict[str, Any]:
    return {"by": ["region"], "count": dict(count), "nulls": "0", **others}


def _problem(refused: Sequence[Refused]) -> str:
    for one in refused:
        if not one.ours:
            return f"an error that is not ours escaped: {one.text[:200]}"
        if shows_a_value(one.everything):
            return f"an error shows a value: {one.text[:200]}"
        if not explanation(one):
            return f"a refusal that is not explained: {one.text[:200]}"
    return ""


def _break(pair: Pair, seed: str, words: Mapping[str, Any], law: str) -> Break:
    return Break(seed=seed, options="--engine spark", law=law, case=pair.case(words).told())


_SETTINGS = {
    "spark.sql.ansi.enabled": "false",  # a cast that fails gives NULL, or one predicate of a job would stop them all
    # a dozen rows are read faster than code for them is compiled
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
}


@contextmanager
def small_plans(session: Any) -> Iterator[None]:
    """Many predicates in one job, and quickly."""
    before = {name: session.conf.get(name, None) for name in _SETTINGS}
    from pyspark.logger import (
        PySparkLogger,
    )  # a plain logger of that name would break Spark's own errors

    log = PySparkLogger.getLogger(
        "SQLQueryContextLogger"
    )  # Spark's own; it prints a page for every guess that does not bind
    log.disabled = True
    try:
        for name, value in _SETTINGS.items():
            session.conf.set(name, value)
        yield
    finally:
        log.disabled = False
        for name, value in before.items():
            session.conf.unset(name) if value is None else session.conf.set(name, value)
