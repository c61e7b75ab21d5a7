"""Tables of solved games, and their files."""
