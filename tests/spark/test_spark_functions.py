"""Predicates on Spark: what the resolved tree may be made of, against Spark's registry, and whose columns it reads."""

from __future__ import annotations

import pytest
from tests.conftest import require

require("spark")

import pyarrow as pa
from tests.tables.sources import spark_session

import discreet as dc
from discreet.errors import InvalidInput
from discreet.tables.engines.spark.lineage import items, read_lineage
from discreet.tables.engines.spark.spark_expressions import parse_spark
from discreet.tables.engines.spark.spark_functions import PACKAGE, PURE_EXPRESSIONS

pytestmark = [
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]
# Kinds of functions as Spark's own documentation groups them, none of which belongs in a predicate.
NEVER_GROUPS = (
    "agg_funcs",
    "window_funcs",
    "generator_funcs",
    "lambda_funcs",
    "misc_funcs",
    "csv_funcs",
    "xml_funcs",
    "avro_funcs",
    "protobuf_funcs",
    "sketch_funcs",
)
# Session and settings, environment, catalogue, serialisation, files, random words, time, partitions, messages.
NEVER = {
    "current_user",
    "session_user",
    "user",
    "current_timezone",
    "version",
    "current_database",
    "current_schema",
    "current_catalog",
    "current_path",
    "java_method",
    "reflect",
    "try_reflect",
    "from_json",
    "to_json",
    "schema_of_json",
    "from_csv",
    "to_csv",
    "schema_of_csv",
    "from_xml",
    "to_xml",
    "schema_of_xml",
    "input_file_name",
    "input_file_block_start",
    "input_file_block_length",
    "rand",
    "randn",
    "random",
    "randstr",
    "uniform",
    "uuid",
    "shuffle",
    "aes_encrypt",
    "current_date",
    "current_time",
    "current_timestamp",
    "curdate",
    "now",
    "localtime",
    "localtimestamp",
    "convert_timezone",
    "window",
    "session_window",
    "window_time",
    "spark_partition_id",
    "monotonically_increasing_id",
    "raise_error",
    "assert_true",
    "typeof",
    "collation",
    "schema_of_variant",
    "sentences",
    "xpath",
}


@pytest.fixture(scope="module")
def spark():
    return spark_session()


@pytest.fixture(scope="module")
def people(spark):
    rows = {"g": ["a", "a", "b"], "smoker": [1, 0, 1], "age": [30, 40, 50], "t": ["x", "y", "z"]}
    return spark.createDataFrame(pa.table({**rows, "s": [{"a": 1, "b": 2}] * 3}))


@pytest.fixture(scope="module")
def registry(spark) -> dict[str, tuple[str, str]]:
    """Every function Spark knows: its class (or the builder of it), and its group."""
    module = getattr(spark._jvm.org.apache.spark.sql.catalyst.analysis, "FunctionRegistry$")
    known = {}
    entries = getattr(module, "MODULE$").expressions().iterator()
    while entries.hasNext():
        entry = entries.next()
        info = entry._2()._1()
        known[str(entry._1())] = (str(info.getClassName()), str(info.getGroup()))
    return known


def test_each_function_is_allowed_or_refused_by_its_class(registry):
    assert len(registry) > 400
    allowed = {
        name
        for name, (kind, _) in registry.items()
        if kind.removeprefix(PACKAGE) in PURE_EXPRESSIONS
    }
    assert {
        "lower",
        "abs",
        "year",
        "coalesce",
        "regexp_extract",
        "array_contains",
        "+",
        "like",
    } <= allowed
    assert registry.keys() >= NEVER
    assert sorted(allowed & NEVER) == []
    assert sorted(name for name in allowed if registry[name][1] in NEVER_GROUPS) == []


def test_what_is_on_the_list_exists_and_is_no_aggregate(spark):
    find = spark._jvm.java.lang.Class.forName
    for name in PURE_EXPRESSIONS:
        assert "." not in name
        find(PACKAGE + name)  # raises if Spark has no such class
    for name in (
        "ScalaUDF",
        "PythonUDF",
        "CallMethodViaReflection",
        "LambdaFunction",
        "VariableReference",
        "RaiseError",
    ):
        assert name not in PURE_EXPRESSIONS


@pytest.mark.parametrize(
    "call",
    [
        "rand() < 2",
        "uuid() <> 'x'",
        "now() > '2020-01-01'",
        "current_date() IS NULL",
        "current_timezone() = 'UTC'",
        "unix_timestamp() > age",
        "current_user() = t",
        "version() = t",
        "current_database() = t",
        "typeof(age) = 'int'",
        "input_file_name() = t",
        "spark_partition_id() = age",
        "monotonically_increasing_id() = age",
        "java_method('java.lang.System', 'getenv', 'HOME') = t",
        "raise_error(t) IS NULL",
        "assert_true(age > 3) IS NULL",
        "aes_encrypt(t, '0000111122223333') IS NULL",
        "from_json(t, 'a INT').a = age",
        "to_json(s) = t",
        "schema_of_json('{}') = t",
        "exists(array(age), x -> x > 3)",
        "max(age) > 3",
        "row_number() OVER (ORDER BY age) = 1",
        "explode(array(age > 3))",
        "age = (SELECT 3)",
        "EXISTS (SELECT 1)",
        "shuffle(array(age))[0] = 1",
        "randn() < age",
        "date 'today' > DATE '2020-01-01' AND age = 1",
        "to_date('now') IS NULL OR age = 1",
        "try_reflect('java.util.UUID', 'randomUUID') = t",
        "CAST(concat('n', 'ow') AS TIMESTAMP) IS NULL OR age = 1",
        "mine(age)",
        "session_window(now(), '5 minutes') IS NULL",
        "convert_timezone('UTC', timestamp_seconds(age)) IS NULL",
        "_metadata.file_path = t",
        "secret_of_mine = age",
    ],
)
def test_what_reads_more_than_its_row_is_refused_by_name(spark, people, call):
    spark.udf.register("mine", lambda value: bool(value), "boolean")
    spark.sql("DECLARE OR REPLACE VARIABLE secret_of_mine INT DEFAULT 3")
    with pytest.raises(InvalidInput) as refusal:
        parse_spark("where", call, people, read_lineage(people))
    assert "one row only" in str(refusal.value) or "_metadata" in call


def test_the_error_names_the_class_and_the_nearest_allowed_one(people):
    with pytest.raises(InvalidInput, match=r"Rand is volatile.*the nearest that is allowed: \w+"):
        parse_spark("count", "rand() < age", people, read_lineage(people))


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("AGE BETWEEN 1 AND 2 OR `Smoker` IN (1, 2)", {"age", "smoker"}),
        ("lower(t) LIKE 'x%' AND t RLIKE '^x' AND s.a = 1 AND s['b'] = 2", {"t", "s"}),
        ("CASE WHEN age IS NULL THEN false ELSE age % 2 = 0 END", {"age"}),
        ("to_date(t, 'yyyy-MM-dd') < DATE '2020-01-01' + INTERVAL 1 DAY", {"t"}),
        ("nullif(age, 3) = 1 AND try_cast(t AS INT) = 2 AND t <> 'today'", {"age", "t"}),
        ("array_contains(split(t, ','), 'x') AND coalesce(age, 0) > sqrt(2) * pi()", {"age", "t"}),
        ("extract(YEAR FROM CAST(t AS DATE)) = 2020 AND t COLLATE UNICODE_CI = 'X'", {"t"}),
    ],
)
def test_what_looks_at_its_row_passes_with_the_columns_it_reads(people, text, columns):
    assert parse_spark("count", text, people, read_lineage(people)).columns == columns


def same_bits(people):
    """Frames in which `smoker` has a second name, or is half of another column."""
    from pyspark.sql import Window
    from pyspark.sql import functions as sf

    people.createOrReplaceTempView("people")
    sql = people.sparkSession.sql
    smoker = people["smoker"]
    return {
        "alias": people.select("*", smoker.alias("again")),
        "twice": people.withColumnRenamed("smoker", "x")
        .withColumn("smoker", sf.col("x"))
        .withColumnRenamed("x", "again"),
        "computed": people.withColumn("again", sf.concat("g", smoker)),
        "filtered": people.withColumn("again", smoker + 1)
        .where("age > 3")
        .repartition(2)
        .orderBy("age"),
        "user's function": people.withColumn("again", sf.udf(lambda bit: bit, "int")("smoker")),
        "view": sql("SELECT *, smoker AS again FROM people"),
        "common table": sql(
            "WITH c AS (SELECT *, smoker * 2 AS again FROM people) SELECT * FROM c"
        ),
        "union": people.select("*", smoker.alias("again")).union(
            people.select("*", smoker.alias("again"))
        ),
        "other side": people.select("*", sf.lit(1).alias("again")).union(
            people.select("*", smoker.alias("again"))
        ),
        "window": people.withColumn("again", sf.max("smoker").over(Window.partitionBy("age"))),
        "generator": people.withColumn("again", sf.explode(sf.array("smoker"))),
        "self-join": sql(
            "SELECT a.*, b.smoker AS again FROM people a JOIN people b ON a.age = b.age"
        ),
    }


def test_a_protected_column_is_known_behind_every_name(people):
    for kind, frame in same_bits(people).items():
        for words in (
            {"by": "again"},
            {"by": "g", "where": "AGAIN IS NOT NULL"},
            {"by": "g", "unit": "again"},
        ):
            with pytest.raises(
                InvalidInput, match=r"must not use a column that a count reads"
            ) as refusal:
                dc.plan(frame, count="SMOKER = 1", epsilon=1, **words)
            assert "public=['smoker']" in str(refusal.value), kind
    # and what is not made of it stays usable
    assert (
        dc.plan(
            same_bits(people)["view"], by="g", count="smoker", where="age > 1", epsilon=1
        ).groups
        == 2
    )


def test_the_same_letters_in_another_case_are_one_column(people):
    for words in (
        {"by": "g", "count": "smoker", "where": "SMOKER = 1"},
        {"by": "smoker", "count": "SMOKER = 1"},
        {"by": "smoker", "count": "`sMoKeR` = 1"},
        {"by": "g", "count": "s.a = 1", "where": "S.b = 2"},
    ):
        with pytest.raises(InvalidInput, match="must not use a column that a count reads"):
            dc.release(people, **words, epsilon=1)


def test_a_frame_that_is_filtered_by_its_bits_is_refused(people):
    for frame in (
        people.where("smoker = 1"),
        people.where("SMOKER = 1").drop("age"),
        people.dropna(subset=["smoker"]),
    ):
        with pytest.raises(
            InvalidInput, match=r"must not select its rows by .*public=\['smoker'\]"
        ):
            dc.plan(frame, by="g", count="smoker", epsilon=1)
    assert dc.plan(people.where("age > 30"), by="g", count="smoker", epsilon=1).groups == 2


def test_where_lineage_ends_a_column_is_its_own(people):
    """An aggregate makes one row of many: what its columns mean is the frame's maker's to know, as the docs say."""
    from pyspark.sql import functions as sf

    counts = people.groupBy("g").agg(
        sf.sum("smoker").alias("ill"), sf.count("smoker").alias("people")
    )
    assert dc.plan(counts, by="g", count="ill", size="people", epsilon=1).groups == 2
    lineage = read_lineage(people.mapInArrow(lambda batches: batches, people.schema))
    assert not lineage.behind(["smoker"]) & lineage.behind(["age"])
    assert len(items(people._jdf.queryExecution().analyzed().output())) == len(lineage.names)
