"""What a predicate may call in DuckDB: functions whose result is made of their arguments and of
nothing else.

An allow-list. DuckDB marks `json_serialize_plan` as consistent although it opens files and reads
their statistics, so the engine's own word is not enough, and a function that a new version brings
is refused until somebody has read what it does. Not here, and never to be: whatever reads settings,
the session, the catalogue, the environment, a file, a plan, a clock, a sequence or random words;
what reads a type's own dictionary (`enum_range`); what reports (`error`, `write_log`: a message may
carry a value); functions that take a lambda or another function's name (`list_aggregate`).

To add one: read its source or definition, check that equal arguments give equal results on another
day, machine and connection, add it to its line below, and run `tests/tables/test_functions.py`,
which compares this list with DuckDB's catalogue. What depends on settings (the zone of a
TIMESTAMPTZ) may stand here: the connection is ours, its zone UTC.
"""

from __future__ import annotations

_OPERATORS = "+ - * / // % ^ ** & | << >> ~ @ || && ^@ ~~ !~~ ~~* !~~* ~~~ <@ @> <-> <=> ->>"
_CONDITIONS = "if nullif greatest least"
_NUMBERS = """
    abs acos acosh add asin asinh atan atan2 atanh cbrt ceil ceiling cos cosh cot degrees divide
    even exp factorial fdiv floor fmod gamma gcd greatest_common_divisor isfinite isinf isnan lcm
    least_common_multiple lgamma ln log log10 log2 mod multiply nextafter pi pow power radians round
    round_even roundbankers sign signbit sin sinh sqrt subtract tan tanh trunc xor
"""
_TEXT = """
    ascii char_length character_length chr concat concat_ws contains damerau_levenshtein editdist3
    ends_with format format_bytes hamming ilike_escape instr jaccard jaro_similarity
    jaro_winkler_similarity lcase left left_grapheme len length length_grapheme levenshtein
    like_escape lower lpad ltrim mismatches nfc_normalize not_ilike_escape not_like_escape ord
    overlay position prefix printf repeat replace reverse right right_grapheme rpad rtrim split
    split_part starts_with str_split string_split string_to_array strip_accents strlen strpos substr
    substring substring_grapheme suffix to_base translate trim ucase unicode upper url_decode
    url_encode
"""
_PATTERNS = """
    regexp_escape regexp_extract regexp_extract_all regexp_full_match regexp_matches regexp_replace
    regexp_split_to_array str_split_regex string_split_regex
"""
_BITS_AND_BYTES = """
    base64 bin bit_count bit_length bit_position bitstring decode encode from_base64 from_binary
    from_hex get_bit hash hex md5 md5_number md5_number_lower md5_number_upper octet_length set_bit
    sha1 sha256 to_base64 to_binary to_hex unbin unhex
"""
# Of given dates and times only: no `now`, and no `timezone`, which asks the clock for the zone of a
# time of day.
_TIMES = """
    age century date_add date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc
    day dayname dayofmonth dayofweek dayofyear days_in_month decade epoch epoch_ms epoch_ns epoch_us
    era hour isodow isoyear julian last_day make_date make_time make_timestamp make_timestamp_ms
    make_timestamp_ns microsecond millennium millisecond minute month monthname nanosecond quarter
    second strftime strptime time_bucket to_centuries to_days to_decades to_hours to_microseconds
    to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds to_timestamp to_weeks
    to_years try_strptime week weekday weekofyear year yearweek
"""
_LISTS = """
    array_append array_cat array_concat array_contains array_distance array_distinct array_extract
    array_grade_up array_has array_has_all array_has_any array_indexof array_inner_product
    array_intersect array_length array_pop_back array_pop_front array_position array_prepend
    array_push_back array_push_front array_resize array_reverse array_reverse_sort array_select
    array_slice array_sort array_to_string array_unique array_value array_where array_zip flatten
    generate_series grade_up list_any_value list_append list_avg list_bit_and list_bit_or
    list_bit_xor list_bool_and list_bool_or list_cat list_concat list_contains list_count
    list_distance list_distinct list_element list_extract list_first list_grade_up list_has
    list_has_all list_has_any list_indexof list_inner_product list_intersect list_last list_max
    list_median list_min list_pack list_position list_prepend list_product list_resize list_reverse
    list_reverse_sort list_select list_slice list_sort list_stddev_pop list_stddev_samp
    list_string_agg list_sum list_unique list_value list_var_pop list_var_samp list_where list_zip
    range
"""
_STRUCTS_AND_MAPS = """
    cardinality element_at map map_concat map_contains map_contains_entry map_contains_value
    map_entries map_extract map_extract_value map_from_entries map_keys map_values row struct_concat
    struct_contains struct_extract struct_extract_at struct_has struct_indexof struct_insert
    struct_keys struct_pack struct_position struct_values union_extract union_tag union_value
"""
# Readers of a JSON text. Writers are not needed in a predicate, and two of them write the plan of a
# query.
_JSON = """
    json_array_length json_contains json_exists json_extract json_extract_path
    json_extract_path_text json_extract_string json_keys json_type json_valid json_value
"""

PURE_FUNCTIONS = frozenset(
    " ".join(
        (
            _OPERATORS,
            _CONDITIONS,
            _NUMBERS,
            _TEXT,
            _PATTERNS,
            _BITS_AND_BYTES,
            _TIMES,
            _LISTS,
            _STRUCTS_AND_MAPS,
            _JSON,
        )
    ).split()
)
"""Names, in small letters, of the functions that a predicate may call."""

FEWEST_ARGUMENTS = {"age": 2}
"""Functions that read the clock when an argument is left out."""

_KINDS = """
    ARRAY_CONSTRUCTOR ARRAY_EXTRACT ARRAY_SLICE CASE_EXPR COLLATE COLUMN_REF COMPARE_BETWEEN
    COMPARE_DISTINCT_FROM COMPARE_EQUAL COMPARE_GREATERTHAN COMPARE_GREATERTHANOREQUALTO COMPARE_IN
    COMPARE_LESSTHAN COMPARE_LESSTHANOREQUALTO COMPARE_NOTEQUAL COMPARE_NOT_DISTINCT_FROM
    COMPARE_NOT_IN CONJUNCTION_AND CONJUNCTION_OR FUNCTION OPERATOR_CAST OPERATOR_COALESCE
    OPERATOR_IS_NOT_NULL OPERATOR_IS_NULL OPERATOR_NOT OPERATOR_TRY STRUCT_EXTRACT TYPE
    VALUE_CONSTANT
"""
PURE_OPERATORS = frozenset(_KINDS.split())
"""The kinds of node of a parsed expression that look at their operands and nothing else."""

_TYPES = """
    array bigint bignum binary bit bitstring blob bool boolean bpchar bytea char date datetime dec
    decimal double enum float float4 float8 guid hugeint int int1 int128 int16 int2 int32 int4 int64
    int8 integer integral interval json list logical long map numeric nvarchar real row short signed
    smallint string struct text time time_ns timestamp timestamp_ms timestamp_ns timestamp_s
    timestamp_us timestamptz timestamptz_ns timetz tinyint ubigint uhugeint uint128 uint16 uint32
    uint64 uint8 uinteger union usmallint utinyint uuid varbinary varchar varint
"""
PLAIN_TYPES = frozenset(_TYPES.split()) | {"time with time zone", "timestamp with time zone"}
"""Types that a predicate may cast to: values, not references to what the database holds."""
