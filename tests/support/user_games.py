"""Games as users write them: untyped, with positions of several types."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-any-generics

from solver import Game, IllegalPositionError, Outcome


class Row(Game):
    """Both write X into one row of four cells; two neighbours win. Positions are strings."""

    board = 4, 1

    def initial(self):
        return "...."

    def moves(self, p):
        return [i for i, mark in enumerate(p) if mark == "."]

    def play(self, p, m):
        return p[:m] + "X" + p[m + 1 :]

    def primitive(self, p):
        return Outcome.LOSS if "XX" in p else None if "." in p else Outcome.DRAW

    def cell(self, p, m):
        return m


class Word(Game):
    """Add a letter to a word; the third one loses. The first position is empty, u is a move."""

    def initial(self):
        return ""

    def moves(self, p):
        return ["u", "q", "h"]

    def play(self, p, m):
        return p + m

    def primitive(self, p):
        return Outcome.WIN if len(p) == 3 else None


class Relative(Game):
    """Take one of two stones of the side to move, m; positions are strings, texts have seats."""

    board = 4, 1

    def initial(self):
        return "mmtt"

    def moves(self, p):
        return [i for i, mark in enumerate(p) if mark == "m"]

    def play(self, p, m):
        return (p[:m] + "." + p[m + 1 :]).translate(str.maketrans("mt", "tm"))

    def primitive(self, p):
        return None if "m" in p else Outcome.LOSS

    def cell(self, p, m):
        return m

    def turn(self, p):
        return self.seats[p.count(".") % 2]

    def text(self, p, turn=None):
        mine = turn or self.turn(p)
        return p.translate(str.maketrans("mt", mine + self.other(mine)))

    def parse(self, text, turn=None):
        mine = turn or self.seats[text.count(".") % 2]
        if len(text) != 4 or set(text) - set("XO."):
            raise IllegalPositionError(f"{text!r} is not four cells of X, O and .")
        return text.translate(str.maketrans(mine + self.other(mine), "mt"))


class Heap(Game):
    """Take one or two from a heap; a position is a number."""

    def initial(self):
        return 5

    def moves(self, p):
        return range(1, min(p, 2) + 1)

    def play(self, p, m):
        return p - m

    def primitive(self, p):
        return Outcome.LOSS if p == 0 else None


class Heaps(Game):
    """Take some of one heap; positions and moves are tuples."""

    def initial(self):
        return (1, 2)

    def moves(self, p):
        return [(i, n) for i in (0, 1) for n in range(1, p[i] + 1)]

    def play(self, p, m):
        return tuple(size - m[1] * (i == m[0]) for i, size in enumerate(p))

    def primitive(self, p):
        return None if any(p) else Outcome.LOSS


class Digits(Row):
    """Both write how many cells are empty into one; who fills the row wins."""

    board = 3, 1

    def initial(self):
        return "..."

    def play(self, p, m):
        return p[:m] + str(p.count(".")) + p[m + 1 :]

    def primitive(self, p):
        return None if "." in p else Outcome.LOSS


class Again(Game):
    """Take one to three of seven; who takes two moves again; who takes the last one loses."""

    def initial(self):
        return (7, False)

    def moves(self, p):
        left, must_wait = p
        return ["wait"] if must_wait else [1, 2, 3][: min(3, left)]

    def play(self, p, m):
        return (p[0], False) if m == "wait" else (p[0] - m, m == 2 and p[0] > 2)

    def primitive(self, p):
        return Outcome.WIN if p[0] == 0 else None


class Sided(Heap):
    """A heap of three; a position says whose turn it is."""

    def initial(self):
        return (3, "X")

    def moves(self, p):
        return super().moves(p[0])

    def play(self, p, m):
        return (p[0] - m, self.other(p[1]))

    def primitive(self, p):
        return super().primitive(p[0])

    def turn(self, p):
        return p[1]
