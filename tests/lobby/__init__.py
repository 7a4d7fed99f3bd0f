"""The cost of joining, leaving and listing games, and of rankings, at different sizes."""
