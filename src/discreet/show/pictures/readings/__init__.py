"""Pictures of what was released, and of what was read from it."""
