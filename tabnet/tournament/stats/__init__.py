"""Statistics of results: ratings, scores, tests, and notes about their limits. Pure."""
