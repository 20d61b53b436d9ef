"""Reading released histograms: every answer's total and share, the mean of a scale, and one
group's posterior.
"""
