"""A real server on which hundreds of addresses log in at once."""
