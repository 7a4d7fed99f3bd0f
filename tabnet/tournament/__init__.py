"""The arena: hosts a referee of its own, and lets bots play each other in mirrored pairs."""
