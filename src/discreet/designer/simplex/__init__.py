"""One exact simplex: a basis as trees of tight ratios, its vertex and dual, pivots to the
optimum, what that proves.
"""
