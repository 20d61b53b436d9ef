"""The key pictures: what each figure finds, at a glance."""
