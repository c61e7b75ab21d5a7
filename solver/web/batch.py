"""Answers about many positions at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from solver.tables.json_table import Table
from solver.web.client_positions import look_up
from solver.web.responses import RefusedError, Reply, encoded

if TYPE_CHECKING:
    from solver.agent.agent import TableAgent

MOST = 10_000  # positions of a batch
MOST_KEPT = 100_000  # answers that are remembered
EXAMPLE = '{"positions": ["X...O...."]}'


class Batches:
    """The batches about one game; answers are remembered as JSON under a position's text.

    Not those of a mapped table, which has too many positions.
    """

    def __init__(self, agent: TableAgent) -> None:
        self.agent = agent
        self._known: dict[str, bytes] = {}
        self._remembers = isinstance(agent.table, Table)
        self._head = b'{"game":' + orjson.dumps(agent.game.spec) + b',"results":['

    def reply(self, body: bytes) -> Reply:
        """Return the reply to a body; raises RefusedError if it is none that asks."""
        texts = read_texts(body)
        found = self._recalled(texts) if self._remembers else self._worked_out(texts)
        return Reply(self._head + b",".join(found) + b"]}")

    def _recalled(self, texts: list[str]) -> list[bytes]:
        """Return answers as JSON, those of before from memory."""
        known = self._known
        fresh = [text for text in dict.fromkeys(texts) if text not in known]
        if len(known) + len(fresh) > MOST_KEPT:
            known, fresh = {}, [*dict.fromkeys(texts)]
        found = dict(zip(fresh, self._worked_out(fresh), strict=True))
        known |= {text: piece for text, piece in found.items() if b'"error"' not in piece}
        self._known = known
        return [known.get(text) or found[text] for text in texts]

    def _worked_out(self, texts: list[str]) -> list[bytes]:
        """Return answers as JSON; equal ones are mostly one object."""
        pieces: dict[int, bytes] = {}
        results = look_up(self.agent, texts)
        for result in results:
            if id(result) not in pieces:
                pieces[id(result)] = encoded(result)
        return [pieces[id(result)] for result in results]


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
