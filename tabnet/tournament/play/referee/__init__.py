"""The referee: the server code on loopback ports, with games assigned by the tournament."""
