"""Restricts bot processes: their files, ports and signals."""
