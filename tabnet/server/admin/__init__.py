"""Requests and tasks of the operator, with or without a running server."""
