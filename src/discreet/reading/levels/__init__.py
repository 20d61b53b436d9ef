"""Several levels of one release read together: estimates and whole numbers that add up, and how
to share epsilon.
"""
