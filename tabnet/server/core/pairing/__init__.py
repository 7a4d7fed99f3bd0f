"""How players come together: waits, private games, house bots. Pure."""
