"""Tasks of the operator, with or without a running server; `tasks` is the entry point."""
