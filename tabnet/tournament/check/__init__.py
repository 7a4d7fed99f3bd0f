"""`tabnet check`: plays a bot through the situations that it has to master."""
