"""Accounts, nicks, the order of logins and rankings. Pure."""
