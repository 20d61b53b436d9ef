"""Fuzzing of everything that takes outside data: `python -m tests.fuzz --cases 100000`; see `runner`."""
