"""What is asked of a table: checked against its columns, priced, and named by a digest."""
