"""The linear program: its rows, a basis to start from, the float solve, and the answer made
exact and proven.
"""
