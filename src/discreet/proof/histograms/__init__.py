"""Proofs about histograms, and about counts that one person moves by several: the format,
checks, and files.
"""
