"""What theorems answer: the closed form of a problem's optimum, and its multipliers."""
