"""Proof that a table is right, from the rules alone: it shares no code with the solvers.

Takes a table file; returns what was proved, or names the first wrong entry. Read `verify` first:
it has the argument.
"""
