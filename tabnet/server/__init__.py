"""The referee: `service` is the whole server without a socket, `hub` and `listener` give it one."""
