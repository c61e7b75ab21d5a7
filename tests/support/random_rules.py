"""The texts of the rules of random games; `random_styles` draws the constants in capitals."""

HEAD = """from solver import Game, Outcome
from solver.rules.game import IDENTITY, Symmetry

"""

PRIMITIVE = "    def primitive(self, p):\n"

# A position has the stones of the side to move above those of the other side.
BITS = """

class Rules(Game):
    def initial(self):
        return 0

    def moves(self, p):
        full = p >> N | p
        return [i for i in ORDER if not full >> i & 1]

    def play(self, p, m):
        return (p & (1 << N) - 1) << N | p >> N | 1 << m

    def primitive(self, p):
        for line in LINES:
            if p & line == line:
                return LINE
        if (p >> N | p) & (1 << N) - 1 == (1 << N) - 1:
            return FULL
        return None
"""

TEXT_SYMMETRIES = """
    symmetries = tuple(
        Symmetry(
            lambda p, cells=cells: "".join(p[c] for c in cells),
            lambda m, cells=cells: cells.index(m),
            cells,
        )
        for cells in GROUP
    )
"""

BIT_SYMMETRIES = TEXT_SYMMETRIES.replace(
    '"".join(p[c] for c in cells)',
    "sum((p >> c & 1) << i | (p >> N + c & 1) << N + i for i, c in enumerate(cells))",
)

BIT_TIER = """
    def tier(self, p):
        return BASE + SCALE * p.bit_count()
"""

TUPLE = """
EMPTY, FIRST, SECOND = MARKS


class Rules(Game):
    def initial(self):
        return (EMPTY,) * N

    def moves(self, p):
        return [i for i in ORDER if p[i] == EMPTY]

    def play(self, p, m):
        mark = SECOND if (N - p.count(EMPTY)) % 2 else FIRST
        return p[:m] + (mark,) + p[m + 1 :]

    def primitive(self, p):
        mark = FIRST if (N - p.count(EMPTY)) % 2 else SECOND
        for line in LINES:
            if all([p[c] == mark for c in line]):
                return LINE
        if p.count(EMPTY) == 0:
            return FULL
        return None
"""

TEXT = TUPLE.replace("(EMPTY,)", "EMPTY").replace("(mark,)", "mark")

NESTED = """

class Rules(Game):
    def initial(self):
        return ((0,) * N, "." * N, False)

    def moves(self, p):
        return [i for i in ORDER if p[1][i] == "."]

    def play(self, p, m):
        places = [n for n in p[0]]
        places[m] = 1 if p[2] else 2
        return (tuple(places), p[1][:m] + "#" + p[1][m + 1 :], not p[2])

    def primitive(self, p):
        mark = 2 if p[2] else 1
        for line in LINES:
            if all([p[0][c] == mark for c in line]):
                return LINE
        if "." not in p[1]:
            return FULL
        return None
"""

# A position is the number of the side to move, and where the tokens of the two sides are.
TOKENS = """

class Rules(Game):
    def initial(self):
        return START

    def moves(self, p):
        mine, theirs = p[1 + p[0]], p[2 - p[0]]
        found = []
        for a in mine:
            for b in EDGES[a]:
                if b not in mine and (TAKES or b not in theirs):
                    found.append(a * NODES + b)
        return found or ["pass"]

    def play(self, p, m):
        if m == "pass":
            return (1 - p[0], p[1], p[2])
        a, b = m // NODES, m % NODES
        mine = tuple(sorted([b if c == a else c for c in p[1 + p[0]]]))
        theirs = tuple([c for c in p[2 - p[0]] if c != b])
        return (1, mine, theirs) if p[0] == 0 else (0, theirs, mine)

    def primitive(self, p):
        if GOALS[1 - p[0]] in p[2 - p[0]] or not p[1 + p[0]]:
            return Outcome.LOSS
        if self.moves(p) == ["pass"]:
            return STUCK
        return None
"""

# A position is a row, whose stones turn when they are between two others, and the passes so far.
PASSING = """

class Rules(Game):
    def initial(self):
        return ("." * N, 0, "X")

    def moves(self, p):
        found = [i for i in range(N) if p[0][i] == "." and (not TOUCH or self.touches(p[0], i))]
        return found + [-1] if FREE or not found else found

    def touches(self, row, i):
        return row.count(".") == N or "." != row[max(0, i - 1)] or "." != row[min(N - 1, i + 1)]

    def play(self, p, m):
        row, passes, mark = p
        other = "O" if mark == "X" else "X"
        if m < 0:
            return (row, passes + 1, other)
        row = row[:m] + mark + row[m + 1 :]
        row = row.replace(mark + other + mark, mark * 3)
        row = row.replace(mark + other * 2 + mark, mark * 4)
        return (row, 0, other)

    def primitive(self, p):
        if p[1] < 2 and "." in p[0]:
            return None
        more = SIGN * (p[0].count("X") - p[0].count("O")) * (1 if p[2] == "X" else -1)
        return Outcome.WIN if more > 0 else Outcome.LOSS if more < 0 else Outcome.DRAW
"""

HEAPS = """

class Rules(Game):
    def initial(self):
        return START

    def moves(self, p):
        found = [(i, k) for i in range(len(p)) for k in TAKES if k <= p[i]]
        if SPLIT and len(p) < 4:
            found += [(i, -1) for i in range(len(p)) if p[i] > 3]
        return found

    def play(self, p, m):
        i, k = m
        if k < 0:
            rest = [p[i] // 2, p[i] - p[i] // 2 - 1]
        else:
            rest = [p[i] - k]
        found = [*p[:i], *rest, *p[i + 1 :]]
        if SHRINK:
            found = [n for n in found if n]
        return tuple(sorted(found) if SORTED else found)

    def primitive(self, p):
        if sum(p) in DRAWN:
            return Outcome.DRAW
        if self.moves(p):
            return None
        return STUCK
"""

HEAP_SYMMETRIES = """
    symmetries = tuple(
        Symmetry(
            lambda p, order=order: tuple(p[i] for i in order),
            lambda m, order=order: (order.index(m[0]), m[1]),
            None,
        )
        for order in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    )
"""

HEAP_TIER = """
    def tier(self, p):
        return BASE - SCALE * (sum(p) - len(p))
"""

GRAPH = """

def mixed(n):
    n = (n * A + B) % 1000003
    return n ^ n >> 7


class Rules(Game):
    def initial(self):
        return LIFT

    def moves(self, p):
        return range(1 + mixed(p - LIFT) % WIDE)

    def play(self, p, m):
        n = p - LIFT
        step = mixed(n * 5 + m + 1)
        if CYCLES:
            return LIFT + step % SIZE
        return LIFT + min(SIZE, n + 1 + step % STEP)

    def primitive(self, p):
        n = p - LIFT
        if n == SIZE:
            return Outcome.LOSS
        kind = mixed(n * 3 + 1) % ENDS if n else 9
        if kind == 0:
            return Outcome.LOSS
        if kind == 1:
            return Outcome.WIN
        if kind == 2 and n % 3 == 0:
            return Outcome.DRAW
        return None
"""

OWN_KEYS = """
    def key(self, p):
        return p * FACTOR % (1 << WIDTH) if p < 1 << 12 else -1

    def position(self, key):
        return key * pow(FACTOR, -1, 1 << WIDTH) % (1 << WIDTH)
"""

LATE = """

class Rules(Game):
    def initial(self):
        return (0, 0, 0)

    def moves(self, p):
        return [s for s in STEPS if p[0] + s <= LENGTH]

    def play(self, p, m):
        n, mark = p[0] + m, p[2]
        value = (p[1] * A + m) % WIDTH
        if n > LENGTH - LATE or (n * A + value) % RARE == 1:
            mark = MARK
        return (n, value, mark)

    def primitive(self, p):
        if self.moves(p):
            return None
        if p[2] == MARK and p[1] == 0:
            return Outcome.DRAW
        if p[1] == 1:
            return Outcome.WIN
        return END
"""

LONG = """

class Rules(Game):
    def initial(self):
        return (0, 0)

    def moves(self, p):
        return ["on"] if p[0] % 5 else ["on", "turn"]

    def play(self, p, m):
        return (p[0] + 1, 1 - p[1] if m == "turn" else p[1])

    def primitive(self, p):
        if p[0] == LENGTH:
            return Outcome.LOSS if p[1] else Outcome.WIN
        return Outcome.DRAW if p[1] and p[0] * A % ENDS == 1 else None
"""
