"""Closed forms that theorems prove optimal, with their multipliers."""
