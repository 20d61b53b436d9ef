"""The statistics behind the readings: debiased scores, intervals, sums, and a prior from all
groups.
"""
