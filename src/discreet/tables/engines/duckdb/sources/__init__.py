"""What a table can be for DuckDB: files, folders, queries, frames in memory."""
