"""Answers from a table: takes a table and a position; returns its value and moves, best first.

Read `agent.py` first. `facts.py` returns the answers as JSON objects, with the fields that
`answers.py` lists, and `words.py` as sentences; `tree.py` returns the game tree below a position,
`board_arrays.py` best moves for many boards, and `optimality.py` how good many moves are.
"""
