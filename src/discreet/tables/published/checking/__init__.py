"""Whether the files of a bundle say the same: a manifest by itself, and beside its tables and
proofs.
"""
