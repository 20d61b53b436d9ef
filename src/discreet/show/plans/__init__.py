"""The parts of a plan in words: levels, and sums of the finest table."""
