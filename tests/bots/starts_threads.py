"""Perfect, and leaves threads running that would keep its process from exiting."""

import threading

from solver import TableAgent, boards

agent = TableAgent()
forever = threading.Event()
for _ in range(5):
    threading.Thread(target=forever.wait).start()


def move(rows, side):
    return agent.best_move(boards.from_rows(rows))
