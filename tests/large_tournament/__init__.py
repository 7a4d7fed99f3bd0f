"""A tournament of many bots and games that was never played, and the cost of its reports."""
