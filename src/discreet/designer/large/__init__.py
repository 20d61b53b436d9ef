"""Large groups under a column property: a program of n variables in place of (n+1)^2, its cost,
its matrix.
"""
