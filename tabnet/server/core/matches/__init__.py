"""One match: its terms, seats, clock and history, and what each action makes of it. Pure."""
