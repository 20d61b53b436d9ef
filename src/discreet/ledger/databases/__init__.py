"""Where a ledger is kept: SQLite and PostgreSQL behind one protocol."""
