"""A real server and a real tournament whose processes are stopped for longer than the clock."""
