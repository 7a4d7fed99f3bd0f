"""Values that a tournament keeps: games, results, the lines of its journal. Pure."""
