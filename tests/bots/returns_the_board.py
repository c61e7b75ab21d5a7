"""Makes its move on the board and returns all of it."""


def move(rows, side):
    row, column = next((r, c) for r in range(3) for c in range(3) if rows[r][c] is None)
    rows[row][column] = side
    return rows
