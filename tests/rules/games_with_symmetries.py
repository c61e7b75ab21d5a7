"""Games as users write them, with a text of cells and the side to move, for the search."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-any-generics

from solver import Game, Outcome

OTHER = {"x": "o", "o": "x"}
NEIGHBOURS = ((-1, 0), (1, 0), (0, -1), (0, 1))
AROUND = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]


class Cells(Game):
    """Positions are the cells, row by row, and the side to move; x begins."""

    size = (4, 4)  # columns and rows
    start = "." * 16

    def initial(self):
        return self.start, "x"

    def primitive(self, p):
        return None if self.moves(p) else Outcome.LOSS

    def play(self, p, m):
        cells = list(p[0])
        for i, mark in self.changes(p, m):
            cells[i] = mark
        return "".join(cells), OTHER[p[1]]

    def changes(self, p, m):
        """Return the cells that a move changes, with what it puts there."""
        raise NotImplementedError

    def step(self, i, way, steps=1):
        """Return the cell so many steps away, or None beyond the edge."""
        columns, rows = self.size
        r, c = i // columns + steps * way[0], i % columns + steps * way[1]
        return r * columns + c if 0 <= r < rows and 0 <= c < columns else None

    def stones(self, p):
        return [i for i, mark in enumerate(p[0]) if mark == p[1]]


class Clobber(Cells):
    """Take a neighbouring stone of the other side with one of yours."""

    start = "xoxooxox" * 2

    def moves(self, p):
        pairs = [(i, self.step(i, way)) for i in self.stones(p) for way in NEIGHBOURS]
        return [(i, j) for i, j in pairs if j is not None and p[0][j] == OTHER[p[1]]]

    def changes(self, p, m):
        return [(m[0], "."), (m[1], p[1])]


class BrokenClobber(Clobber):
    """No stone goes from the first cell to the one below: no turn or reflection is left."""

    def moves(self, p):
        return [m for m in super().moves(p) if m != (0, 4)]


class Othello(Cells):
    """Turn over the stones that you enclose; a move None is a pass."""

    start = ".....ox..xo....."

    def __init__(self):
        self.rays = [
            [[j for n in range(1, 4) if (j := self.step(i, way, n)) is not None] for way in AROUND]
            for i in range(16)
        ]

    def flips(self, p, i):
        cells, turn = p
        found = []
        for ray in self.rays[i] if cells[i] == "." else ():
            for n, j in enumerate(ray):
                if cells[j] == turn:
                    found += ray[:n]
                if cells[j] != OTHER[turn]:
                    break
        return found

    def places(self, p):
        return [i for i in range(16) if self.flips(p, i)]

    def moves(self, p):
        return self.places(p) or [None]

    def changes(self, p, m):
        return [] if m is None else [(i, p[1]) for i in (m, *self.flips(p, m))]

    def primitive(self, p):
        if self.places(p) or self.places((p[0], OTHER[p[1]])):
            return None
        more = p[0].count(p[1]) - p[0].count(OTHER[p[1]])
        return Outcome((more > 0) - (more < 0))


class MuTorere(Cells):
    """Eight points in a ring, and the centre, which only a stone next to another side's enters."""

    start = "xxxxoooo."
    ring = ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 0))

    def near(self, i):
        return [a + b - i for a, b in self.ring if i in (a, b)]

    def moves(self, p):
        cells, turn = p
        to = cells.index(".")
        if to == 8:
            return [i for i in self.stones(p) if any(cells[j] != turn for j in self.near(i))]
        return [i for i in (*self.near(to), 8) if cells[i] == turn]

    def changes(self, p, m):
        return [(m, "."), (p[0].index("."), p[1])]


class DotsAndBoxes(Game):
    """2x2 boxes: edges drawn, margin of the side to move, and whether it must pass.

    Whoever draws the fourth edge of a box has it and moves again.
    """

    boxes = ((0, 2, 6, 7), (1, 3, 7, 8), (2, 4, 9, 10), (3, 5, 10, 11))

    def initial(self):
        return "." * 12, 0, False

    def moves(self, p):
        return ["pass"] if p[2] else [i for i, mark in enumerate(p[0]) if mark == "."]

    def play(self, p, m):
        edges, margin, must_pass = p
        if must_pass:
            return edges, -margin, False
        edges = edges[:m] + "#" + edges[m + 1 :]
        made = sum(m in box and all(edges[e] == "#" for e in box) for box in self.boxes)
        return edges, -(margin + made), made > 0 and "." in edges

    def primitive(self, p):
        return None if "." in p[0] else Outcome((p[1] > 0) - (p[1] < 0))
