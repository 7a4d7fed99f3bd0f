"""Referees on the workers of a Dask cluster: the side of the runner and the side of the workers."""
