"""Everything that speaks Spark."""
