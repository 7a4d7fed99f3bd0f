"""How often the intervals of ratings hold the true strengths, in simulated tournaments."""
