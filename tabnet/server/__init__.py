"""The referee: matches, players and storage, behind any number of ports."""
