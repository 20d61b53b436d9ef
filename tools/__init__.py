"""Programs that write parts of the documentation; they are not in the wheel."""
