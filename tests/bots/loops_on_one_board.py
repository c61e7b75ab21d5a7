"""Perfect, but it never answers on one board that its opponent can bring about."""

from solver import TableAgent, boards

agent = TableAgent()


def move(rows, side):
    if boards.from_rows(rows) == "X........":
        while True:
            pass
    return agent.best_move(boards.from_rows(rows))
