"""Contests of players: takes players and a game; returns matches, tournaments, grades, puzzles.

Read `match.py` first: exact results come from a Markov chain of positions (`markov.py`). `audit.py`
grades a player over every position that it can reach, `sample.py` over some.
"""
