"""The contract of a game, and everything that follows from its rules alone.

Takes a game's rules; returns positions, moves, outcomes and arrays of keys. Nothing here solves a
game, reads a file or knows a particular game. Read `game.py` first, then `laws.py` and
`positions.py`; `kernel.py` is the same contract for compiled code.
"""
