"""Perfect, and leaves three children behind."""

import os
import time

from solver import TableAgent, boards

agent = TableAgent()
children = []


def move(rows, side):
    while len(children) < 3:
        children.append(os.fork())
        if children[-1] == 0:
            time.sleep(600)
            os._exit(0)
    return agent.best_move(boards.from_rows(rows))
