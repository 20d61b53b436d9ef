"""Ways to release a histogram, compared and recommended."""
