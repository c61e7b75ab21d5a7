"""Compiled rules: a kernel made of the four methods of a game, without a change of its file."""
