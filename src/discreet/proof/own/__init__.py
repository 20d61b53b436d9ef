"""Proofs about rows of the caller's own: what a file says of them, checked and written."""
