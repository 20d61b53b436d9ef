"""Matrices from other tools, and for them."""
