"""Perfect, then fills the board that it was shown."""

from solver import TableAgent, boards

agent = TableAgent()


def move(rows, side):
    chosen = agent.best_move(boards.from_rows(rows))
    for row in rows:
        row[:] = [side] * 3
    return chosen
