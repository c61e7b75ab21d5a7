"""The HTTP API: a function that answers each endpoint, and the table of endpoints.

The routes, the OpenAPI description, the parsing of queries and the limits follow from the table. To
add an endpoint, write its function here, its entry in ENDPOINTS and the type that it
returns in `solver.web.answers`, or in `solver.agent.answers` if commands print it, too.
"""

from __future__ import annotations

import time
from typing import Annotated, Any, NotRequired

from solver.agent import answers, facts
from solver.agent.agent import TableAgent
from solver.errors import IllegalPositionError, UnknownPlayerError, printable
from solver.pictures.position import draw_position
from solver.pictures.strategy_map import draw_map
from solver.pictures.svg import svg
from solver.players import fits, load_player, players_of, searches
from solver.players.puzzles import DIFFICULTIES, find_puzzles
from solver.rules.game import Game
from solver.web import answers as sent
from solver.web.cards import PNG, card, png_reply
from solver.web.catalogue import Catalogue, ServedGame
from solver.web.client_positions import LONGEST, POSITIONS, parse_position, positions_of
from solver.web.endpoint import API, GAME, TEXT, Endpoint, Parameter, object_of
from solver.web.messages import Reply, parse_json, to_json
from solver.web.openapi import describe
from solver.web.shipped_puzzles import shipped_puzzles
from solver.web.whole_game import whole_game

FAST, SLOW = 8, 2  # threads for questions that take milliseconds, and for those that take seconds
LONGEST_NAME = 100  # characters of the name of a player
TIME_LIMIT = 3.0  # seconds of a player
MAX_SEED = 2**31 - 1
SVG = "image/svg+xml"
WIDTH = 600  # pixels of a PNG

Text = str | None
Json = dict[str, Any]


def health(catalogue: Catalogue) -> sent.Health:
    """Report that the server runs."""
    return {"status": "ok"}


def description(catalogue: Catalogue) -> sent.Description:
    """Describe this API, as OpenAPI 3.1."""
    return describe(ENDPOINTS, list(catalogue.games))


def games(catalogue: Catalogue) -> sent.Games:
    """Return the games that are served."""
    return {"games": [game.description for game in catalogue.games.values()]}


def best(game: ServedGame, position: Text, turn: Text) -> answers.Best:
    """Return the value of a position and of each move, best first."""
    return facts.best(game.agent, *parse_position(game.agent, position, turn))


def outcomes(game: ServedGame, position: Text, turn: Text) -> answers.Outcomes:
    """Return the outcome of each move, which a search knows long before its distance."""
    return facts.outcomes(game.agent, *parse_position(game.agent, position, turn))


def line(game: ServedGame, position: Text, turn: Text) -> answers.Line:
    """Return the game to its end by the best moves."""
    return facts.line(game.agent, *parse_position(game.agent, position, turn))


def explain(game: ServedGame, position: Text, turn: Text) -> answers.Explained:
    """Return the value of each move with the reasons in words, and how to show it on a board."""
    return facts.explain(game.agent, *parse_position(game.agent, position, turn))


def record(game: ServedGame, position: Text, turn: Text, moves: Text) -> sent.Record:
    """Return the answers of `explain` for each position of a game, given its moves."""
    positions, wrong = positions_of(game.agent, position, turn, moves)
    plies = [facts.explain(game.agent, p, seat) for p, seat, _ in positions]
    return {"game": game.game.spec, "plies": plies, "wrong": wrong}


def rules(game: ServedGame, position: Text, turn: Text, moves: Text) -> sent.Rules:
    """Like `record`, without values and reasons: answers immediately."""
    positions, wrong = positions_of(game.agent, position, turn, moves)
    plies = [facts.outline(game.game, p, seat) for p, seat, _ in positions]
    return {"game": game.game.spec, "plies": plies, "wrong": wrong}


def whole(game: ServedGame) -> sent.Whole:
    """Return all answers about a small game, from which the page plays it by itself."""
    return whole_game(game.agent)


def player(game: ServedGame, name: str, position: Text, turn: Text) -> answers.Chances:
    """Return a player's moves in a position with their probabilities, and its scores if it has any.

    A player that needs no table answers on any board.
    """
    agent, remark = game.agent, ""
    try:
        p, seat = parse_position(agent, position, turn)
    except IllegalPositionError as error:
        p, seat, remark = facts.read_unreached(agent.game, position, turn, error)
    chances = _odds(agent, name, p, seat)
    return {**chances, "remark": remark} if remark else chances


class Timed:
    """The rules of a game, except that `play` raises an error after a time limit."""

    def __init__(self, game: Game[Any, Any], seconds: float) -> None:
        self._game, self._end = game, time.monotonic() + seconds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def play(self, p: Any, m: Any) -> Any:
        """Return the position after a move; raises ValueError after the time limit."""
        if time.monotonic() > self._end:
            raise ValueError(
                f"the player needs more than {TIME_LIMIT:g} s in {self._game.spec}; try one that"
                " looks less far ahead"
            )
        return self._game.play(p, m)


class Prompt:
    """A table that is searched, except that `best` takes no long search."""

    def __init__(self, table: Any) -> None:
        self._table, self.best = table, table.soon

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)


def _odds(agent: TableAgent, name: str, p: Any, seat: str) -> answers.Chances:
    """Return what `player` does; user code is never run for remote clients.

    Raises UnknownPlayerError, and ValueError if the player takes too long.
    """
    game = agent.game
    if len(name) > LONGEST_NAME or not fits(name, agent):
        raise UnknownPlayerError(
            f"no player of {game.spec} is called {printable(repr(name), 60)}; the players are:"
            f" {', '.join(players_of(game))}"
        )
    timed: Any = Timed(game, TIME_LIMIT)
    table: Any = agent.table
    if table.is_searched:
        table = Prompt(table)
    timed_agent = TableAgent(table)
    timed_agent.game = timed
    try:
        return load_player(name, timed_agent).chances(timed, p, seat)
    except RecursionError:
        raise ValueError(f"{name} looks too far ahead in {game.spec}") from None


def puzzles(game: ServedGame, count: int, seed: int, difficulty: Text) -> sent.Puzzles:
    """Return positions in which exactly one move keeps the win or the draw."""
    agent = game.agent
    listed = shipped_puzzles(agent, count, seed, difficulty) if agent.table.is_searched else []
    if len(listed) < count:
        listed = find_puzzles(agent, count, seed, difficulty)
    return {"game": game.game.spec, "puzzles": listed}


def picture(
    game: ServedGame, position: Text, turn: Text, moves: Text, values: Text, format_: Text
) -> Reply:
    """Draw a position, after moves if there are any, and with the values of its moves if asked."""
    agent = game.agent
    plies, wrong = positions_of(agent, position, turn, moves)
    if wrong:
        raise ValueError(wrong)
    p, seat, cells = plies[-1]
    scores = agent.scores_at(p) if values == "1" else ()
    last = [cell for cell in cells if cell is not None]
    drawing = draw_position(agent.game, p, seat, scores=scores, last=last)
    if format_ != "png":
        return Reply(svg(drawing, WIDTH, plain=True).encode(), content_type=SVG)
    return png_reply(drawing, WIDTH)


def draw_side(game: ServedGame, side: str) -> Reply:
    """Draw all of one side's perfect play as nested boards."""
    return Reply(svg(draw_map(game.agent, side)[0]).encode(), content_type=SVG)


def batch(game: ServedGame, body: bytes) -> Annotated[Reply, sent.Batch]:
    """Return outcome, distance and best move of many positions, in their order."""
    return Reply(game.batches.answer(body))


def review(game: ServedGame, body: bytes) -> Annotated[Reply, answers.Review]:
    """Return the value of every move of a game; null where a search takes longer: ask again."""
    from solver.agent.records import EPISODE
    from solver.agent.review import review as reviewed

    value = parse_json(body, RECORD_EXAMPLE)
    fields: Json = {"from_zero": False} | (value if isinstance(value, dict) else {})
    kinds = {name: type(field) for name, field in fields.items()}
    if kinds not in [{"from_zero": bool, "moves": kind} for kind in (str, list)]:
        raise ValueError(
            "the body must be an object with moves, a text or a list, and, if needed, the flag"
            f" from_zero: {RECORD_EXAMPLE}"
        )
    moves = fields["moves"]
    if len(moves) > LONGEST and EPISODE not in moves:
        raise ValueError(f"moves has {len(moves):,} characters; the limit is {LONGEST:,}")
    return Reply(to_json(reviewed(game.agent, moves, fields["from_zero"])))


def _integer(least: int, most: int, default: int) -> Json:
    return {"type": "integer", "minimum": least, "maximum": most, "default": default}


NOTATION = "A position in the game's notation, such as X...O....; by default the start"
POSITION = (
    Parameter("position", NOTATION, {**TEXT, "maxLength": LONGEST}),
    Parameter("turn", "The side to move, such as X, if it does not follow from the position"),
)
MOVES = Parameter(
    "moves",
    "The moves as tables write them, such as 0,4; by default none",
    {**TEXT, "maxLength": LONGEST},
)
NAME = Parameter("name", "A player that GET /api/v1/games lists", example="perfect")
PUZZLE = (
    Parameter("count", "How many puzzles", _integer(1, 20, default=5)),
    Parameter("seed", "Makes the choice repeatable", _integer(-MAX_SEED, MAX_SEED, default=0)),
    Parameter("difficulty", "Only of this difficulty", {**TEXT, "enum": [*DIFFICULTIES]}),
)
VALUES = Parameter("values", "1 to show the values of the moves", {**TEXT, "enum": ["0", "1"]})
SIDE = Parameter("side", "The side, such as X", example="X")
FORMAT = Parameter("format", "By default svg", {**TEXT, "enum": ["svg", "png"]})
PICTURE = (*POSITION, MOVES, VALUES, FORMAT)
DAY = Parameter(
    "puzzle",
    "The number of a day's puzzle, instead of a position",
    _integer(0, 99_999, default=0),
)
CARD = (*POSITION, MOVES, DAY)

RECORD = object_of({"moves": str | list[Any], "from_zero": NotRequired[bool]})
RECORD_EXAMPLE = '{"moves": "5 1 9"}'

ENDPOINTS = (
    Endpoint("/healthz", health),
    Endpoint(f"{API}/openapi.json", description, cache=1),
    Endpoint(f"{API}/games", games, cache=1),
    Endpoint(f"{GAME}/outcomes", outcomes, POSITION, cache=1024, threads=FAST),
    Endpoint(f"{GAME}/line", line, POSITION, cache=1024, threads=FAST),
    Endpoint(f"{GAME}/explain", explain, POSITION, cache=1024, threads=FAST),
    Endpoint(f"{GAME}/record", record, (*POSITION, MOVES), cache=256, threads=SLOW),
    Endpoint(f"{GAME}/rules", rules, (*POSITION, MOVES), cache=256, threads=FAST, is_quick=True),
    Endpoint(f"{GAME}/whole", whole, cache=16, threads=SLOW),
    Endpoint(
        f"{GAME}/player",
        player,
        (NAME, *POSITION),
        cache=1024,
        threads=SLOW,
        is_search=lambda name, *_: searches(name),
    ),
    Endpoint(f"{GAME}/puzzles", puzzles, PUZZLE, cache=256, threads=SLOW),
    Endpoint(f"{GAME}/picture", picture, PICTURE, (SVG, PNG), cache=64, threads=SLOW),
    Endpoint(f"{GAME}/card", card, CARD, (PNG,), cache=256, threads=SLOW, busy="cards are drawn"),
    Endpoint(f"{GAME}/map", draw_side, (SIDE,), (SVG,), cache=8, threads=SLOW),
    Endpoint(f"{GAME}/batch", batch, body=POSITIONS, threads=SLOW),
    Endpoint(f"{GAME}/review", review, body=RECORD, threads=SLOW),
    Endpoint(GAME, best, POSITION, cache=8192),  # last: its path matches all the others
)
