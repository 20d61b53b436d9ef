"""The story: eight screens that explain a private count to whoever has never heard of one."""
