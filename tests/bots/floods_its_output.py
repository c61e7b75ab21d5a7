"""Perfect, and prints 90 kB for each move as X."""

from solver import TableAgent, boards

agent = TableAgent()


def move(rows, side):
    if side == "X":
        print("thinking " * 10_000)
    return agent.best_move(boards.from_rows(rows))
