"""Charts: one theme, one module for each kind of picture."""
