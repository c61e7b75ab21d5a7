"""Perfect, without standard streams."""

import os

from solver import TableAgent, boards

agent = TableAgent()
for stream in (0, 1, 2):
    os.close(stream)


def move(rows, side):
    return agent.best_move(boards.from_rows(rows))
