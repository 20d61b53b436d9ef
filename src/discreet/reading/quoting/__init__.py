"""The table that people may quote, and the posteriors in it."""
