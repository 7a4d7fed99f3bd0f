"""Benchmarks of tournaments on a Dask cluster of this machine."""
