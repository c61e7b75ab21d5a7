"""Perfect, and starts a daemon that has left its session and whose parent is gone."""

import os
import time

from solver import TableAgent, boards

agent = TableAgent()


def start():
    if os.fork():
        os.wait()
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    time.sleep(600)
    os._exit(0)


start()


def move(rows, side):
    return agent.best_move(boards.from_rows(rows))
