"""Accuracy before spending: how far a private count may be from the truth, and what a wanted accuracy costs."""

from discreet.accuracy.needed import Needed, epsilon_needed, size_needed
from discreet.accuracy.report import Accuracy, Row, accuracy

__all__ = ["Accuracy", "Needed", "Row", "accuracy", "epsilon_needed", "size_needed"]
