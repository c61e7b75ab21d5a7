"""Answers from a table: takes a table and a position; returns its value and moves, best first.

Read `agent.py` first. `facts.py` returns the answers as JSON objects, with the fields that
`answers.py` lists, and `words.py` as sentences; `board_arrays.py` returns best moves for many
boards, `optimality.py` how good many moves are, and `review.py` how good those of a game are.
"""
