"""Players against each other: exact matches, tournaments, grades, puzzles."""
