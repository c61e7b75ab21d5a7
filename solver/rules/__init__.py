"""What a game is, and what follows from its rules alone."""
