"""From the rules of a game to its table.

`solve.py` is the entry; read it first. Small games are solved in memory (`search`, `retrograde`),
large ones tier by tier on files: the coordinator plans, workers run the steps, `assemble` writes.
"""
