"""The proof of a table, from the rules alone."""
