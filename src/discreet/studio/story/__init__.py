"""The story: seven screens that explain a private count to whoever has never heard of one."""
