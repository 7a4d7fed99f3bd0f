"""Protocols on a port. A dialect decodes bytes into commands and encodes frames into bytes."""
