"""The cards of a strategy on at most one A4 sheet: what to play, and on which card to go on.

Takes a strategy and the rules of its game; returns a Drawing. A card shows the board after the
claimant's move, whose cell is marked; each cell that the other side can then take has the number of
the next card, or a dot if the next move is forced: it wins at once or blocks, and has no card.
"""

from __future__ import annotations

from typing import Any

from solver.errors import NoBoardError
from solver.pictures.board_layout import layout_of
from solver.pictures.position import draw_position
from solver.pictures.shapes import Circle, Drawing, Group, Shape, Text
from solver.rules.game import Game
from solver.strategy.file import Node, Strategy

WIDTH, HEIGHT = 794.0, 1123.0  # of A4, in pixels of 96 to an inch
MARGIN, TOP, GAP = 48, 132, 14
HEAD = 16  # above a board, for the number of the card
DOT = "·"  # in place of the number of a card
LARGEST, SMALLEST = 1.5, 0.4  # scales of a board; smaller ones cannot be read


def draw_cards(strategy: Strategy, game: Game[Any, Any]) -> tuple[Drawing, int]:
    """Return the sheet and its number of cards.

    Raises NoBoardError for a game without a board or whose moves are not cells of it, and
    ValueError if the sheet has too little room.
    """
    layout, cards = layout_of(game), _cards(strategy, game)
    width, height = cards[0][0].width, cards[0][0].height + HEAD
    sizes = {n: _scale(n, len(cards), width, height) for n in range(1, len(cards) + 1)}
    columns = max(sizes, key=lambda n: (sizes[n], n))
    if (scale := sizes[columns]) < SMALLEST:
        raise ValueError(f"a sheet has too little room for {len(cards):,} cards")
    shapes: list[Shape] = []
    for i, (board, replies) in enumerate(cards):
        inner: list[Shape] = [Text((layout.left, -4), str(i + 1), 13, "ink", True, "start")]
        for cell, words in replies.items():
            at = layout.centre(cell)
            dot = {*words} == {DOT}
            inner.append(Circle(at, 3, "good") if dot else Text(at, "/".join(words), 15, "good"))
        row, column = divmod(i, columns)
        x, y = MARGIN + column * (width * scale + GAP), TOP + row * (height * scale + GAP)
        shapes.append(Group((*board.shapes, *inner), x, y + HEAD * scale, scale))
    side = game.seats[strategy.side == "second"]
    does = "Win" if strategy.aim == "wins" else "Never lose"
    title = f"{does} at {game.title or game.spec} as {side}: {len(cards):,} cards"
    lines = _directions(strategy, game, side)
    for i, line in enumerate(lines):
        shapes.append(Text((MARGIN, 82 + 19 * i), line, 13, "note", align="start"))
    head = Text((MARGIN, 52), title, 24, "ink", bold=True, align="start")
    used = TOP + -(-len(cards) // columns) * (height * scale + GAP) + MARGIN - GAP
    return Drawing(WIDTH, used, (head, *shapes), title, " ".join(lines)), len(cards)


def _scale(columns: int, cards: int, width: float, height: float) -> float:
    """Return how large boards may be in so many columns."""
    rows = -(-cards // columns)
    across = (WIDTH - 2 * MARGIN - (columns - 1) * GAP) / (columns * width)
    return min(LARGEST, across, (HEIGHT - TOP - MARGIN - (rows - 1) * GAP) / (rows * height))


def _directions(strategy: Strategy, game: Game[Any, Any], side: str) -> list[str]:
    """Return how to use the sheet."""
    other = game.other(side)
    start = "Begin with card 1" if strategy.side == "first" else f"Find the first move of {other}"
    then = f"If {other} then takes a cell with a number, go on with that card."
    lines = [f"{start}: the marked {side} is your move. {then}", "Turn or mirror it if need be."]
    if strategy.cards < strategy.decisions:
        lines[1] += " On a dot, and where no card fits: win at once if you can, else block."
    return lines


def _cards(strategy: Strategy, game: Game[Any, Any]) -> list[tuple[Drawing, dict[int, list[str]]]]:
    """Return for each card the board after its move, and what to write on the cells of replies."""
    labels: dict[Any, str] = {}
    decisions: list[tuple[Any, Node]] = []
    for number, node in strategy.numbered():
        if node.kind != "t" and not node.end:
            p = game.parse(node.position, strategy.seat(game, number))
            if node.kind == "m":
                decisions.append((p, node))
            image = game.canonical(p) if strategy.symmetric else p
            labels[image] = str(len(decisions)) if node.kind == "m" else DOT
    if not decisions:
        raise ValueError("the strategy has no cards: every move is forced")
    cards = []
    for p, node in decisions:
        move = next(m for m in game.moves(p) if game.label(p, m) == node.move)
        after, cell = game.play(p, move), game.cell(p, move)
        replies: dict[int, list[str]] = {}
        for m in game.moves(after) if game.primitive(after) is None else ():
            child, target = game.play(after, m), game.cell(after, m)
            if cell is None or target is None or game.origin(after, m) is not None:
                raise NoBoardError(f"{game.spec} has no cards: its moves are not cells of a board")
            if word := labels.get(game.canonical(child) if strategy.symmetric else child):
                replies.setdefault(target, []).append(word)
        seat = game.seats[strategy.side == "first"]
        cards.append((draw_position(game, after, seat, last=[cell or 0]), replies))
    return cards
