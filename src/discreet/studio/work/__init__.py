"""The studio's work in processes that can be ended."""
