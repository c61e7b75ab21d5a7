"""Games given as graphs, with and without cycles."""

from __future__ import annotations

from hypothesis import strategies as st

from solver import Game, Outcome

WIN, DRAW, LOSS = Outcome.WIN, Outcome.DRAW, Outcome.LOSS


class Graph(Game[str, str]):
    """A game whose positions are the nodes of a graph; a move is the node that it leads to.

    `ends` has the outcome, for the side to move, of the nodes where the game is over.
    """

    def __init__(self, start: str, edges: dict[str, str], ends: dict[str, Outcome]) -> None:
        self.start, self.edges, self.ends = start, edges, ends

    def initial(self) -> str:
        return self.start

    def moves(self, p: str) -> str:
        return self.edges[p]

    def play(self, p: str, m: str) -> str:
        return m

    def primitive(self, p: str) -> Outcome | None:
        return self.ends.get(p)

    def text(self, p: str, turn: str | None = None) -> str:
        return p

    def parse(self, text: str, turn: str | None = None) -> str:
        return text


# each is a graph and the values of its nodes, found by hand: (outcome, plies)
SELF_LOOP = Graph("a", {"a": "a"}, {}), {"a": (DRAW, None)}

LOOP_OR_WIN = (Graph("a", {"a": "az"}, {"z": LOSS}), {"a": (WIN, 1), "z": (LOSS, 0)})

FORCED_LOSS = (
    # a must enter b, which wins at z; the detour c-d-c does not matter
    Graph("a", {"a": "b", "b": "zc", "c": "d", "d": "c"}, {"z": LOSS}),
    {"a": (LOSS, 2), "b": (WIN, 1), "c": (DRAW, None), "d": (DRAW, None), "z": (LOSS, 0)},
)

DRAW_BY_CYCLE = (
    # a and b would lose by moving to w, so they cycle
    Graph("a", {"a": "bw", "b": "aw", "w": "z"}, {"z": LOSS}),
    {"a": (DRAW, None), "b": (DRAW, None), "w": (WIN, 1), "z": (LOSS, 0)},
)

LONG_WAY_ROUND = (
    # d-e-z and g-z are forced; a wins through f, so b, between a and c, loses either way
    Graph(
        "a", {"a": "bf", "b": "ac", "c": "d", "d": "e", "e": "z", "f": "g", "g": "az"}, {"z": LOSS}
    ),
    {
        "a": (WIN, 3),
        "b": (LOSS, 4),
        "c": (WIN, 3),
        "d": (LOSS, 2),
        "e": (WIN, 1),
        "f": (LOSS, 2),
        "g": (WIN, 1),
        "z": (LOSS, 0),
    },
)

ENDS_OF_ALL_KINDS = (
    # a game can also end with a win for the side to move, or in a draw
    Graph("a", {"a": "lwd", "n": "w"}, {"w": WIN, "d": DRAW, "l": LOSS}),
    {"a": (WIN, 1), "w": (WIN, 0), "d": (DRAW, None), "l": (LOSS, 0)},
)

ALL = (SELF_LOOP, LOOP_OR_WIN, FORCED_LOSS, DRAW_BY_CYCLE, LONG_WAY_ROUND, ENDS_OF_ALL_KINDS)


@st.composite
def random_graphs(draw: st.DrawFn) -> Graph:
    nodes = "abcdefgh"[: draw(st.integers(1, 8))]
    ends, edges = {}, {}
    for node in nodes:
        if draw(st.booleans()):
            edges[node] = "".join(draw(st.lists(st.sampled_from(nodes), min_size=1, unique=True)))
        else:
            ends[node] = draw(st.sampled_from(list(Outcome)))
    return Graph("a", edges, ends)
