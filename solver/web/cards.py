"""Cards: what sites show of a link to a puzzle, a game or a position; and short addresses.

A short address leads to the long one: /p/332 to the puzzle of that day, /p/connect4/332 to that of
another game, and /g/tictactoe/5192 to a game, whose moves are labels of one character each.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from solver.agent.agent import TableAgent
from solver.agent.facts import read_position
from solver.errors import IllegalMoveError, UnknownPositionError
from solver.pictures.board_layout import side_names
from solver.pictures.card import WIDTH, draw_card
from solver.pictures.position import caption, draw_position
from solver.pictures.shapes import Drawing
from solver.pictures.svg import png
from solver.rules.descriptions import title_of
from solver.rules.game import Game
from solver.rules.notation import find_move
from solver.value import outcome
from solver.web.catalogue import ALWAYS, Catalogue, ServedGame
from solver.web.client_positions import positions_of
from solver.web.endpoint import API
from solver.web.messages import Reply, RequestError
from solver.web.shipped_puzzles import shipped_position, shipped_rows
from solver.web.whole_game import turned, whole_game

PNG = "image/png"
DAY, EARLIEST = 86_400, 14 * 3_600  # seconds of a day, and by which it begins sooner somewhere
BEFORE_FIRST = 20_453  # days from 1970 to puzzle 0; this and what follows is as in page/daily.js
MOST_TRIED = 20  # puzzles of which one that goes on is taken
STEP = 7_919  # a prime: all puzzles come in turn
QUESTION = "Can you?"
NO_MOVE = "?"  # begins what is no move of any game
FIELDS = ("position", "turn", "moves")
SHORT = ("/p/{what:path}", "/g/{what:path}")


def latest_day() -> int:
    """Return the number of the latest day that has begun anywhere."""
    return int((time.time() + EARLIEST) // DAY) - BEFORE_FIRST


def preview(catalogue: Catalogue, query: bytes) -> tuple[str, str] | None:
    """Return the title and the path of the picture of a link; None if it carries nothing."""
    asked = dict(parse_qsl(query.decode("latin-1")))
    served = catalogue.games.get(asked.get("game", ALWAYS))
    if served is None or served.is_custom or served.description["style"] is None:
        return None
    name, fields = title_of(served.game), {key: asked[key] for key in FIELDS if key in asked}
    if asked.get("view") == "puzzles" and "puzzle" in asked:
        number = asked["puzzle"]
        if number.isascii() and number.isdigit():
            title = f"{name} puzzle no. {number}: find the one good move"
            has_days = served.description["whole"] or shipped_rows(served.game)
            is_known = has_days and 0 < int(number[:9]) <= latest_day()
            return (title, _path(served, {"puzzle": number})) if is_known else None
        fields = dict(zip(("position", "turn"), number.rsplit(":", 1), strict=False))
        name += " puzzle"
    elif "view" in asked or not fields:
        return None
    try:
        p, turn, _ = (plies := _played(served, *map(fields.get, FIELDS)))[-1]
    except (ValueError, UnknownPositionError):
        return None
    return f"{name}: {' '.join(_words(served, p, turn, len(plies) - 1))}", _path(served, fields)


def _path(served: ServedGame, fields: Mapping[str, str]) -> str:
    return f"{API}/{quote(served.game.spec, safe=':,')}/card?{urlencode(fields)}"


def _played(served: ServedGame, *asked: str | None) -> list[Any]:
    """Return what `positions_of` does; raises ValueError for a wrong move, too."""
    plies, wrong = positions_of(served.agent, *asked)
    if wrong:
        raise ValueError(wrong)
    return plies


def _words(served: ServedGame, p: Any, turn: str, count: int) -> tuple[str, str]:
    """Return who is to move, or who has won after how many moves, and a question."""
    words = caption(served.game, p, turn)
    if served.game.primitive(p) is None:
        return f"{words}.", "Your turn?"
    return f"{words} after {count} moves." if count else f"{words}.", QUESTION


def card(
    game: ServedGame, position: str | None, turn: str | None, moves: str | None, puzzle: int
) -> Reply:
    """Draw the card of a position, of a game that has ended, or of the puzzle of a day."""
    if puzzle > latest_day():
        raise ValueError(f"puzzle {puzzle:,} is of a day to come")
    rules, agent, rows = game.game, game.agent, {}
    if puzzle:
        p, seat = puzzle_of_day(agent, puzzle)
        last, what = [], f"Puzzle no. {puzzle}"
        question = f"{caption(rules, p, seat)}. {QUESTION}"
    else:
        plies = _played(game, position, turn, moves)
        p, seat, cells = plies[-1]
        last = [cell for cell in cells if cell is not None]
        what, question = _words(game, p, seat, len(plies) - 1)
        if rules.primitive(p) is not None and not agent.table.is_searched:
            rows = dict(zip(side_names(rules), _kept(agent, plies), strict=True))
    board = draw_position(rules, p, seat, last=last)
    return png_reply(draw_card(board, title_of(rules), what, rows, question), WIDTH)


def png_reply(drawing: Drawing, width: int) -> Reply:
    """Return a picture; raises RequestError where drawing PNG lacks its extra."""
    try:
        return Reply(png(drawing, width), content_type=PNG)
    except ImportError as error:
        raise RequestError(501, f"this server draws only SVG: {error}") from error


def _kept(agent: TableAgent, plies: list[Any]) -> list[list[bool]]:
    """Return for each side whether its moves kept the value of the game."""
    values = [outcome(agent.table.probe(p)) for p, *_ in plies]
    kept: dict[str, list[bool]] = {seat: [] for seat in agent.game.seats}
    for i, (_, seat, _) in enumerate(plies[:-1]):
        kept[seat].append(-values[i + 1] == values[i])
    return [*kept.values()]


def puzzle_of_day(agent: TableAgent, number: int) -> tuple[Any, str]:
    """Return a game's puzzle of a day and the side to move, the same as on the page."""
    game = agent.game
    if rows := shipped_rows(game):
        p = shipped_position(game, rows[number % len(rows)][0])
        return p, game.turn(p)
    whole, puzzles = whole_game(agent), []
    asked = whole["puzzles"]
    nodes = [node for node, _, grade, _ in asked if grade != "easy"] or [node for node, *_ in asked]
    order = whole["symmetries"][number % len(whole["symmetries"])]["text"]
    for i in range(min(len(nodes), MOST_TRIED)):
        text, seat, *_ = whole["nodes"][nodes[(number * STEP + i) % len(nodes)]]
        puzzles.append(read_position(game, turned(text, order), game.seats[seat]))
        if _goes_on(agent, puzzles[-1][0]):
            return puzzles[-1]
    if not puzzles:
        raise ValueError(f"{game.spec} has no puzzles of days")
    return puzzles[0]


def _goes_on(agent: TableAgent, p: Any) -> bool:
    """Return whether, after the good move and the best reply, again one move alone is good."""
    for _ in range(2):
        if agent.game.primitive(p) is not None:
            return False
        p = agent.game.play(p, agent.scores_at(p)[0].move)
    scores = agent.scores_at(p)
    return len(scores) > 1 and scores[0].outcome != scores[1].outcome


def long_address(catalogue: Catalogue, path: str) -> str:
    """Return the query of the page that a short address stands for; the page says what is wrong."""
    kind, *names, what = path[1:].split("/")
    name = "/".join(names) or (what if kind == "g" else ALWAYS)
    fields = {"game": name}
    if kind == "p":
        fields |= {"view": "puzzles", "puzzle": what}
    elif names:
        fields["moves"] = f"{NO_MOVE}{what}"
    with suppress(RequestError):
        game = catalogue.find(name).game
        fields["game"] = game.spec
        if "moves" in fields:
            fields["moves"] = ",".join(_codes(game, what))
    return urlencode(fields, safe=":,")


def _codes(game: Game[Any, Any], labels: str) -> Iterator[str]:
    """Yield moves as tables write them, given their labels, up to one that is not legal."""
    p = game.initial()
    for label in labels:
        try:
            m = find_move(game, p, label)
        except IllegalMoveError:
            yield f"{NO_MOVE}{label}"
            return
        yield str(game.code(m))
        p = game.play(p, m)
