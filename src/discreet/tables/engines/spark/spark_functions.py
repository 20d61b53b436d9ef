"""What a predicate may be made of in Spark: Catalyst expressions whose value is made of their
operands alone.

An allow-list, of classes, because the tree that is checked is the one Spark has resolved: a
function's name is gone by then, a user's function of the same name is another class, and what an
optional argument would have read (the clock, in `unix_timestamp()`) stands there as an operand. Not
here, and never to be: whatever reads the session, a setting, the catalogue, the environment, a
file's name, a partition, a clock, a variable or random words; what raises an error of one's own
wording (`raise_error`: it may carry a value); what calls code by name (`java_method`) or a user's
function; lambdas; what turns rows into texts or texts into rows by a schema (`from_json`, `to_csv`,
`schema_of_json`).

To add one: read its source, check that equal operands give equal results in another session, task
and hour, add its class to its line below, and run `tests/spark/test_spark_functions.py`, which
compares this list with Spark's registry. What depends on settings (the zone of a timestamp, ANSI
errors) may stand here: they are the session's, one for a release, and say nothing about anybody.
"""

from __future__ import annotations

PACKAGE = "org.apache.spark.sql.catalyst.expressions."
"""Where the classes below are; one of the same name elsewhere is another."""

_LEAVES = "AttributeReference Literal CommonExpressionRef EulerNumber Pi"
_CONDITIONS = """
    And Between CaseWhen Coalesce CommonExpressionDef EqualNull EqualNullSafe EqualTo Greatest
    GreaterThan GreaterThanOrEqual If ILike In IsNaN IsNotNull IsNull Least LessThan LessThanOrEqual
    NaNvl Not NullIf NullIfResult NullIfZero Nvl Nvl2 Or With ZeroIfNull
"""
_NUMBERS = """
    Abs Acos Acosh Add Asin Asinh Atan Atan2 Atanh BRound BitwiseAnd BitwiseCount BitwiseGet
    BitwiseNot BitwiseOr BitwiseXor Cast Cbrt Ceil Conv Cos Cosh Cot Csc Divide Exp Expm1 Factorial
    Floor Hypot IntegralDivide Log Log10 Log1p Log2 Logarithm Multiply Pmod Pow Remainder Rint Round
    RoundCeil RoundFloor Sec ShiftLeft ShiftRight ShiftRightUnsigned Signum Sin Sinh Sqrt Subtract
    Tan Tanh ToDegrees ToRadians TryAdd TryDivide TryEval TryMod TryMultiply TrySubtract UnaryMinus
    UnaryPositive WidthBucket
"""
_TEXT = """
    Ascii Base64 Bin BitLength Chr Collate Concat ConcatWs Contains Crc32 Decode Elt Encode EndsWith
    FindInSet FormatNumber FormatString Hex InitCap Left Length Levenshtein Like LikeAll LikeAny
    Lower Luhncheck Mask Md5 Murmur3Hash NotLikeAll NotLikeAny OctetLength Overlay RLike RegExpCount
    RegExpExtract RegExpExtractAll RegExpInStr RegExpReplace RegExpSubStr ResolvedCollation Right
    Sha1 Sha2 SoundEx SplitPart StartsWith StringDecode StringInstr StringLPad StringLocate
    StringRPad StringRepeat StringReplace StringSpace StringSplit StringTranslate StringTrim
    StringTrimBoth StringTrimLeft StringTrimRight Substring SubstringIndex ToBinary ToCharacter
    ToNumber TryToBinary TryToNumber UnBase64 Unhex Upper UrlDecode UrlEncode ParseUrl XxHash64
"""
# Of given dates and times only.
_TIMES = """
    AddMonths DateAdd DateAddInterval DateAddYMInterval DateDiff DateFormatClass DateFromUnixDate
    DateSub DatetimeSub DayName DayOfMonth DayOfWeek DayOfYear DivideDTInterval DivideYMInterval
    Extract ExtractANSIIntervalDays ExtractANSIIntervalHours ExtractANSIIntervalMinutes
    ExtractANSIIntervalMonths ExtractANSIIntervalSeconds ExtractANSIIntervalYears FromUTCTimestamp
    FromUnixTime Hour LastDay MakeDTInterval MakeDate MakeInterval MakeTimestamp MakeYMInterval
    MicrosToTimestamp MillisToTimestamp Minute Month MonthName MonthsBetween MultiplyDTInterval
    MultiplyYMInterval NextDay ParseToDate ParseToTimestamp Quarter Second SecondWithFraction
    SecondsToTimestamp SubtractDates SubtractTimestamps TimestampAdd TimestampAddInterval
    TimestampAddYMInterval TimestampDiff ToUTCTimestamp ToUnixTimestamp TruncDate TruncTimestamp
    TryMakeInterval UnixDate UnixMicros UnixMillis UnixSeconds UnixTimestamp WeekDay WeekOfYear Year
    YearOfWeek
"""
_COLLECTIONS = """
    ArrayAppend ArrayCompact ArrayContains ArrayDistinct ArrayExcept ArrayInsert ArrayIntersect
    ArrayJoin ArrayMax ArrayMin ArrayPosition ArrayPrepend ArrayRemove ArrayRepeat ArraySize
    ArrayUnion ArraysOverlap ArraysZip CreateArray CreateMap CreateNamedStruct ElementAt Flatten Get
    GetArrayItem GetArrayStructFields GetMapValue GetStructField MapConcat MapContainsKey MapEntries
    MapFromArrays MapFromEntries MapKeys MapValues Reverse Sequence Size Slice SortArray StringToMap
    TryElementAt
"""
_JSON = "GetJsonObject JsonObjectKeys LengthOfJsonArray"

PURE_EXPRESSIONS = frozenset(
    " ".join((_LEAVES, _CONDITIONS, _NUMBERS, _TEXT, _TIMES, _COLLECTIONS, _JSON)).split()
)
"""The classes, without their package, that a predicate may be made of."""
