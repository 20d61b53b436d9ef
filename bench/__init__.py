"""Side-by-side measurements against peers; each module runs as `python -m bench.<name>` and
prints what it ran on.
"""
