"""Perfect, and leaves its working directory."""

import os

from solver import TableAgent, boards

agent = TableAgent()


def move(rows, side):
    os.chdir("/")
    return agent.best_move(boards.from_rows(rows))
