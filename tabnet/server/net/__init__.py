"""Connections, sockets, TLS and time: the service on trio."""
