"""What each address answers: reads the question, asks the table, returns a reply.

Questions that take a moment are worked out in a thread, so that single look-ups do not wait.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import anyio.to_thread

from solver.agent import facts as answers
from solver.arena.puzzles import find_puzzles
from solver.errors import UnknownPositionError, printable
from solver.pictures.strategy_map import draw_map
from solver.pictures.svg import svg
from solver.web.batch import Batches
from solver.web.catalogue import etag_of, facts, serve, tag
from solver.web.client_positions import custom_rules_error, parse_position
from solver.web.player_odds import chances
from solver.web.requests import read_body, read_query, whole_number
from solver.web.responses import ASK, FOREVER, RefusedError, Reply, json_reply

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.types import Receive, Scope

    from solver.agent.agent import TableAgent

POSITION = ("position", "turn")
TAG = "tag"  # a question with it may be answered from what was kept
MOST_KEPT = {"best": 8192, "line": 1024, "explain": 1024, "player": 1024, "puzzles": 256, "map": 64}
LONGEST_KEPT = 200  # characters of a question whose answer is kept
MOST_PUZZLES = 20
SEEDS = 2**31 - 1
THINKING = 2  # questions that take a second or more, at once
READING = 8  # those that take some milliseconds

Values = tuple[str | None, ...]


class Handlers:
    """The answers about some games."""

    def __init__(self, agents: Sequence[TableAgent]) -> None:
        self.games = {agent.game.spec: serve(agent) for agent in agents}
        self.list = json_reply({"games": [facts(served) for served in self.games.values()]})
        digest = hashlib.sha256(self.list.body).hexdigest()
        self.list = self.list._replace(etag=etag_of(tag(digest)), kept=ASK)
        self.batches = {spec: Batches(served.agent) for spec, served in self.games.items()}
        self.kept = {kind: lru_cache(most)(_KINDS[kind]) for kind, most in MOST_KEPT.items()}
        self.thinking = anyio.CapacityLimiter(THINKING)
        self.reading = anyio.CapacityLimiter(READING)

    async def health(self, scope: Scope, receive: Receive) -> Reply:
        """Say that the server runs."""
        read_query(scope, ())
        return json_reply({"status": "ok"})

    async def all_games(self, scope: Scope, receive: Receive) -> Reply:
        """Tell which games there are."""
        read_query(scope, ())
        return self.list

    async def best(self, scope: Scope, receive: Receive) -> Reply:
        """Tell what a position and its moves are worth."""
        found = self._query(scope, POSITION)
        return self._answer("best", scope, (found.get("position"), found.get("turn")))

    async def line(self, scope: Scope, receive: Receive) -> Reply:
        """Tell the line of best play."""
        return await self._about_position("line", scope)

    async def explain(self, scope: Scope, receive: Receive) -> Reply:
        """Say why each move is worth what it is."""
        return await self._about_position("explain", scope)

    async def player(self, scope: Scope, receive: Receive) -> Reply:
        """Tell the chances of a player's moves."""
        found = self._query(scope, ("name", *POSITION))
        if "name" not in found:
            raise RefusedError(
                400, "name the player, as in ?name=perfect; GET /api/v1/games lists them"
            )
        values = found["name"], found.get("position"), found.get("turn")
        return await self._in_thread(self.thinking, "player", scope, values)

    async def puzzles(self, scope: Scope, receive: Receive) -> Reply:
        """Set puzzles."""
        found = self._query(scope, ("count", "seed", "difficulty"))
        count = whole_number(found, "count", 5, 1, MOST_PUZZLES)
        seed = whole_number(found, "seed", 0, -SEEDS, SEEDS)
        values = str(count), str(seed), found.get("difficulty")
        return await self._in_thread(self.thinking, "puzzles", scope, values)

    async def map(self, scope: Scope, receive: Receive) -> Reply:
        """Draw a side's whole perfect play."""
        found = self._query(scope, ("side",))
        seats = self._game(scope).agent.game.seats
        side = answers.seat_named(self._game(scope).agent.game, found.get("side", seats[0]))
        return await self._in_thread(self.thinking, "map", scope, (side,))

    async def batch(self, scope: Scope, receive: Receive) -> Reply:
        """Answer many positions at once."""
        read_query(scope, ())
        spec = self._game(scope).agent.game.spec
        body = await read_body(scope, receive)
        reply = self.batches[spec].reply
        return await anyio.to_thread.run_sync(reply, body, limiter=self.thinking)

    async def _about_position(self, kind: str, scope: Scope) -> Reply:
        found = self._query(scope, POSITION)
        values = found.get("position"), found.get("turn")
        return await self._in_thread(self.reading, kind, scope, values)

    async def _in_thread(
        self, limiter: anyio.CapacityLimiter, kind: str, scope: Scope, values: Values
    ) -> Reply:
        return await anyio.to_thread.run_sync(self._answer, kind, scope, values, limiter=limiter)

    def _query(self, scope: Scope, names: Sequence[str]) -> dict[str, str]:
        """Return the fields of a question about a game; one with its tag is answered for good.

        Raises RefusedError, too if the tag is of another table or of another version.
        """
        found = read_query(scope, (*names, TAG))
        served = self._game(scope)
        tag = found.pop(TAG, None)
        if tag not in (None, served.tag):
            said = f"answers about {served.agent.game.spec} have the tag {served.tag} here"
            raise RefusedError(404, f"{said}, not {printable(tag or '', 60)}")
        scope["kept"] = ASK if tag is None else FOREVER
        return found

    def _game(self, scope: Scope) -> Any:
        """Return the game that an address names; raises RefusedError."""
        name = scope["path_params"]["game"]
        served = self.games.get(name)
        if served is None:
            known = ", ".join(self.games)
            raise RefusedError(404, f"no game {name!r:.100} is served here; the games are: {known}")
        return served

    def _answer(self, kind: str, scope: Scope, values: Values) -> Reply:
        """Return the reply to a question, kept from before if it is short enough to be."""
        served = self._game(scope)
        short = sum(len(value) for value in values if value is not None) <= LONGEST_KEPT
        answer: Callable[..., Reply] = self.kept[kind] if short else _KINDS[kind]
        try:
            reply = answer(served.agent, values)
        except UnknownPositionError as error:
            raise RefusedError(404, str(error)) from error
        except ValueError as error:
            raise RefusedError(400, str(error)) from error
        except Exception as error:
            raise RefusedError(400, custom_rules_error(served.agent, error)) from error
        return reply._replace(etag=etag_of(served.tag), kept=scope["kept"])


def _best(agent: TableAgent, values: Values) -> Reply:
    return json_reply(answers.best(agent, *parse_position(agent, *values)))


def _line(agent: TableAgent, values: Values) -> Reply:
    return json_reply(answers.line(agent, *parse_position(agent, *values)))


def _explain(agent: TableAgent, values: Values) -> Reply:
    return json_reply(answers.show(agent, *parse_position(agent, *values)))


def _player(agent: TableAgent, values: Values) -> Reply:
    name, position, turn = values
    p, seat = parse_position(agent, position, turn)
    return json_reply(chances(agent, name or "", p, seat))


def _puzzles(agent: TableAgent, values: Values) -> Reply:
    count, seed, difficulty = values
    found = find_puzzles(agent, int(count or 0), int(seed or 0), difficulty)
    return json_reply({"game": agent.game.spec, "puzzles": [puzzle._asdict() for puzzle in found]})


def _map(agent: TableAgent, values: Values) -> Reply:
    drawing, _ = draw_map(agent, values[0] or "")
    picture = svg(drawing)
    styles = re.findall("<style>(.*?)</style>", picture, re.DOTALL)
    digests = [hashlib.sha256(style.encode()).digest() for style in styles]
    allowed = " ".join(f"'sha256-{base64.b64encode(d).decode()}'" for d in digests) or "'none'"
    policy = f"default-src 'none'; style-src {allowed}"
    more = ((b"content-security-policy", policy.encode()),)
    return Reply(picture.encode(), kind="image/svg+xml", more=more)


_KINDS: dict[str, Callable[[TableAgent, Values], Reply]] = {
    "best": _best,
    "line": _line,
    "explain": _explain,
    "player": _player,
    "puzzles": _puzzles,
    "map": _map,
}
