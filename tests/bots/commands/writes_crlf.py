"""Perfect; ends its lines as Windows does."""

import sys

from solver import TableAgent

agent = TableAgent()
for line in sys.stdin:
    turn, board = line.rstrip("\n").split("\t")
    sys.stdout.write(f"{agent.best_move(board, turn) + 1}\r\n")
    sys.stdout.flush()
