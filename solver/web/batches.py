"""Answers about many positions at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from ..answers import look_up
from .replies import RefusedError, Reply, encoded

if TYPE_CHECKING:
    from ..agent import TableAgent

MOST = 10_000  # positions of a batch
MOST_KEPT = 100_000  # answers that are remembered
EXAMPLE = '{"positions": ["X...O...."]}'


class Batches:
    """The batches about one game; answers are remembered as JSON under a position's text."""

    def __init__(self, agent: TableAgent) -> None:
        self.agent = agent
        self._known: dict[str, bytes] = {}
        self._head = b'{"game":' + orjson.dumps(agent.game.spec) + b',"results":['

    def reply(self, body: bytes) -> Reply:
        """Return the reply to a body; raises RefusedError if it is none that asks."""
        known = self._known
        texts = read_texts(body)
        found = [known.get(text) for text in texts]
        missing = [place for place, result in enumerate(found) if result is None]
        if missing:
            looked_up = look_up(self.agent, [texts[place] for place in missing])
            if len(known) + len(missing) > MOST_KEPT:
                known = self._known = {}
            for place, result in zip(missing, looked_up, strict=True):
                found[place] = piece = encoded(result)
                if "error" not in result:
                    known[texts[place]] = piece
        return Reply(self._head + b",".join(piece or b"" for piece in found) + b"]}")


def read_texts(body: bytes) -> list[str]:
    """Return the positions of a batch's body; raises RefusedError unless it is as it should be."""
    try:
        asked: Any = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        said = f"the body is no JSON: {error}; it must be as in {EXAMPLE}"
        raise RefusedError(400, said) from error
    if not isinstance(asked, dict) or list(asked) != ["positions"]:
        raise RefusedError(400, f"the body must be an object with positions alone: {EXAMPLE}")
    texts = asked["positions"]
    if not isinstance(texts, list):
        raise RefusedError(400, f"positions must be a list of texts, as in {EXAMPLE}")
    if len(texts) > MOST:
        raise RefusedError(400, f"there are {len(texts):,} positions; at most {MOST:,} at once")
    wrong = next((place for place, text in enumerate(texts) if type(text) is not str), None)
    if wrong is not None:
        raise RefusedError(400, f"position {wrong} (counted from 0) is no text")
    return texts
