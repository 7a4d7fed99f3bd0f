"""Anything at all sent to a server's port for another dialect, while honest clients go on."""
