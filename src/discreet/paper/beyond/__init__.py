"""Results beyond the paper, one module each."""
