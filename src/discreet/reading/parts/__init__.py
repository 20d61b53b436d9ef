"""Parts and wholes: subtotals, whole numbers that add up, changes, and several releases read as
one.
"""
