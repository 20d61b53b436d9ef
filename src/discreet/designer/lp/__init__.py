"""The linear program: its rows, a basis to start from, and the float solve."""
