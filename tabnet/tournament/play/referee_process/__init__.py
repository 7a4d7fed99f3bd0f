"""A referee in a process of its own: the side of the runner and the side of the process."""
