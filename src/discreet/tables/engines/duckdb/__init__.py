"""Everything that speaks DuckDB."""
