"""Strategies for one side of a game, small enough to hold, in files that anyone can check.

Takes a solved table; returns a strategy with as few positions, decisions or cards as it finds, and
writes it as text. Without a table, `weak.py` finds a strategy by search. A file is proved in two
halves that use no table: its graph, which needs no rules, then each of its positions by the rules.
Read `docs/reference/strategies.md` first, then `file.py` and `rules_check.py`.
"""
