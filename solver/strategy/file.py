"""Strategy files: `docs/reference/strategies.md` has the format and what it proves.

Takes bytes; returns a Strategy, whose form and graph have been checked, which needs no rules of the
game. `solver.strategy.rules_check` checks the rest.
"""

from __future__ import annotations

import hashlib
import os
import re
from array import array
from bisect import bisect
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from solver.errors import StrategyError, quoted
from solver.files import open_regular
from solver.rules.game import Game
from solver.tables.format import STRATEGY

FORMAT = STRATEGY + b"1\n"
MOST_BYTES = 1 << 28
MOST_LINE = 1 << 16  # bytes
NUMBER = "[1-9][0-9]{0,8}"
HEADER = [
    (FORMAT, "'perfectplay strategy 1'"),
    (rb"game ([^\t\n]+)\n", "'game ' and its name"),
    (rb"claim (first|second) (wins|holds)\n", "'claim first' or 'second', then 'wins' or 'holds'"),
    (rb"symmetry (yes|no)\n", "'symmetry yes' or 'symmetry no'"),
    (f"nodes ({NUMBER})\n".encode(), "'nodes ' and a number"),
]
NODE = re.compile(rf"([mft])\t(?:(=won|=drawn)|({NUMBER}(?: {NUMBER})*))\t([^\t\n]+)\t([^\t\n]+)\n")
OWN = "mf"  # the kinds of nodes in which the claimant is to move


class Node(NamedTuple):
    """A position of a strategy, with one side or the other to move."""

    kind: str
    """'m' or 'f' if the claimant is to move, freely or forced; 't' if the other side is."""
    end: str
    """'=won' or '=drawn', for the claimant, if the game is over, else empty."""
    next: Sequence[int]
    """The numbers of the nodes that the moves lead to, ascending; none if the game is over."""
    move: str
    """The claimant's move, or '-'."""
    position: str
    """The text of the position."""


class Strategy:
    """A strategy in a file; its nodes are parsed as they are asked for, numbered from 1."""

    def __init__(self, data: bytes) -> None:
        """Check the form and the graph; raises StrategyError, which names the first wrong line."""
        at, found = 0, list[str]()
        _check_form(data)
        for line, (pattern, what) in enumerate(HEADER, 1):
            match = re.compile(pattern).match(data, at)
            if match is None:
                raise StrategyError(f"line {line} is not {what}")
            at, found = match.end(), [*found, *(field.decode() for field in match.groups())]
        self.game, self.side, self.aim, symmetry, nodes = found
        self.symmetric = symmetry == "yes"
        self.data, self._starts = data, array("q", [at])
        self.sha256: str = data[-65:-1].decode()
        while (stop := data.index(b"\n", at) + 1) < len(data):
            if stop - at > MOST_LINE:
                raise StrategyError(f"line {self.line(len(self._starts))} is too long")
            self._starts.append(at := stop)
        if len(self) != int(nodes):
            raise StrategyError(f"line 5 states {int(nodes):,} nodes, but there are {len(self):,}")
        counts = self._check_graph()
        self.cards: int = counts["m"]
        """The number of decisions that are not forced."""
        self.decisions: int = counts["m"] + counts["f"]
        """The number of positions in which the claimant moves."""

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, number: int) -> Node:
        match = NODE.fullmatch(self.data[slice(*self._starts[number - 1 : number + 1])].decode())
        if match is None:
            raise StrategyError(f"line {self.line(number)} is not a node")
        kind, end, numbers, move, position = match.groups("")
        return Node(kind, end, [*map(int, numbers.split())], move, position)

    def numbered(self) -> Iterator[tuple[int, Node]]:
        """Yield the number of each node, and the node."""
        return ((number, self[number]) for number in range(1, len(self) + 1))

    def line(self, number: int) -> int:
        """Return the number of a node's line."""
        return number + len(HEADER)

    def text(self, number: int) -> str:
        """Return the text of the position of a node."""
        stop = self._starts[number] - 1
        return self.data[self.data.rfind(b"\t", 0, stop) + 1 : stop].decode()

    def is_own(self, number: int) -> bool:
        """Return whether the claimant is to move at a node."""
        return chr(self.data[self._starts[number - 1]]) in OWN

    def find(self, position: str, own: bool) -> int:
        """Return the number of the node with this text and side to move, the claimant or not; or 0.

        The header has no TAB, so that every text after one, with the end of its line, is a node's.
        """
        end = f"\t{position}\n".encode()
        at = self.data.find(end)
        while at >= 0:
            number = bisect(self._starts, at)
            if self.is_own(number) == own:
                return number
            at = self.data.find(end, at + 1)
        return 0

    def require(self, game: Game[Any, Any]) -> None:
        """Raise StrategyError unless the strategy is for this game."""
        if self.game != game.spec:
            raise StrategyError(f"the strategy is for {self.game}, not for {game.spec}")

    def seat(self, game: Game[Any, Any], number: int) -> str:
        """Return the seat that is to move at a node."""
        return game.seats[(self.side == "first") != self.is_own(number)]

    @property
    def about(self) -> str:
        """What the strategy claims and how large it is, in words."""
        does = "wins" if self.aim == "wins" else "never loses"
        cards = f", {self.cards:,} of them cards" if self.cards < self.decisions else ""
        return (
            f"the {self.side} player of {self.game} {does}: {len(self):,} positions,"
            f" {self.decisions:,} decisions{cards}"
        )

    def _check_graph(self) -> dict[str, int]:
        """Check what needs no rules, and return the numbers of nodes of each kind but ends."""
        counts = dict.fromkeys("mft", 0)
        turns = bytes(chr(self.data[start]) in OWN for start in self._starts)
        led = bytearray(len(self) + 1)
        led[1] = 1
        for number, node in self.numbered():
            counts[node.kind] += not node.end
            for wrong in self._wrongs(number, node, turns, led):
                raise StrategyError(f"line {self.line(number)}: {wrong}")
            for n in node.next:
                led[n] |= n > number
        return counts

    def _wrongs(self, number: int, node: Node, turns: bytes, led: bytearray) -> Iterator[str]:
        """Yield what is wrong with a node in the graph.

        `turns` says of each node, from the first on, if the claimant is to move, and `led` of each
        number if a node before leads there.
        """
        own = node.kind in OWN
        if not led[number]:
            yield "no node with a smaller number leads here"
        if number == 1 and own != (self.side == "first"):
            yield f"this is not the turn of the {self.side} player"
        if node.end == "=drawn" and self.aim == "wins":
            yield "a drawn end is no win"
        if node.kind == "f" and node.end:
            yield "no move is forced after the end of the game"
        if (node.end or not own) and node.move != "-":
            yield f"the move is '-' here, not {quoted(node.move)}"
        if own and len(node.next) > 1:
            yield "the claimant has one move"
        for n, before in zip(node.next, [0, *node.next], strict=False):
            if not before < n <= len(self):
                yield f"{n} is not the number of a node, or not in order"
            elif turns[n - 1] == own:
                yield f"the wrong side is to move at node {n}"
            elif n <= number and self.aim == "wins":
                yield f"node {n} does not come later"


def _check_form(data: bytes) -> None:
    """Raise StrategyError unless the bytes are lines of text that end with their hash."""
    if len(data) > MOST_BYTES:
        raise StrategyError(f"a strategy file has at most {MOST_BYTES:,} bytes")
    if not data.startswith(FORMAT):
        raise StrategyError(f"line 1 is not {HEADER[0][1]}")
    if match := re.search(rb"[\0-\x08\x0b-\x1f]", data):
        line = data.count(b"\n", 0, match.start()) + 1
        raise StrategyError(f"line {line} has a control character")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise StrategyError(f"line {line} is not UTF-8") from None
    cut = data.rfind(b"\n", 0, -1) + 1
    if data[cut:] != sealed(data[:cut])[cut:]:
        raise StrategyError(
            "the last line is not the SHA-256 of what is before it: the file is damaged"
        )


def sealed(data: bytes) -> bytes:
    """Return the lines of a strategy file with the last one, their hash."""
    return data + b"sha256 %s\n" % hashlib.sha256(data).hexdigest().encode()


def encode(game: str, side: str, aim: str, symmetric: bool, nodes: Sequence[Node]) -> bytes:
    """Return the bytes of a strategy file; raises StrategyError if a position has an empty text."""
    if any(not node.position for node in nodes):
        raise StrategyError(f"a position of {game} has an empty text, which no line can show")
    head = f"game {game}\nclaim {side} {aim}\nsymmetry {'yes' if symmetric else 'no'}\n"
    lines = [
        f"{n.kind}\t{n.end or ' '.join(map(str, n.next))}\t{n.move}\t{n.position}\n" for n in nodes
    ]
    return sealed(FORMAT + f"{head}nodes {len(nodes)}\n{''.join(lines)}".encode())


def read_strategy(path: str | os.PathLike[str]) -> Strategy:
    """Return the strategy in a file; raises OSError and StrategyError."""
    with open_regular(path, MOST_BYTES) as file:
        data = file.readall()
    return Strategy(data)
