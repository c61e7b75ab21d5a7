"""Proof that a table is right, from the rules alone.

It shares no code with the solvers but kernels that are written by hand, for built-in games.

Takes a table file; returns what was proved, or names the first wrong entry. Read `verify` first:
it has the argument. Whether other rules are meant, no proof can see: `solver.advice`
asks.
"""
