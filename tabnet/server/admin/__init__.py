"""Requests of the operator, with or without a running server."""
