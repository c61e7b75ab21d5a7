"""Batches: many positions looked up in one request."""

from __future__ import annotations

from typing import Annotated

from solver.agent.agent import TableAgent
from solver.tables.json_table import Table
from solver.web.client_positions import look_up
from solver.web.requests import parse_json
from solver.web.responses import to_json
from solver.web.schemas import object_of

MAX_POSITIONS = 10_000
MAX_CACHED = 100_000  # results
POSITIONS = object_of({"positions": Annotated[list[str], ("maxItems", MAX_POSITIONS)]})
EXAMPLE = '{"positions": ["X...O...."]}'


class Batches:
    """Answers the batches about one game.

    Results are cached as JSON by the text of the position, except those of a mapped table, which
    has too many positions.
    """

    def __init__(self, agent: TableAgent) -> None:
        self.agent = agent
        self._cached: dict[str, bytes] = {}
        self._caches = isinstance(agent.table, Table)
        self._head = b'{"game":' + to_json(agent.game.spec) + b',"results":['

    def answer(self, body: bytes) -> bytes:
        """Return the answer to a body as JSON; raises ValueError for a malformed body."""
        texts = parse_texts(body)
        results = self._recall(texts) if self._caches else self._look_up(texts)
        return self._head + b",".join(results) + b"]}"

    def _recall(self, texts: list[str]) -> list[bytes]:
        """Return results as JSON, from the cache where they are there."""
        cached = self._cached
        missing = [text for text in dict.fromkeys(texts) if text not in cached]
        if len(cached) + len(missing) > MAX_CACHED:
            cached, missing = {}, [*dict.fromkeys(texts)]
        found = dict(zip(missing, self._look_up(missing), strict=True))
        cached |= {text: result for text, result in found.items() if b'"error"' not in result}
        self._cached = cached
        return [cached.get(text) or found[text] for text in texts]

    def _look_up(self, texts: list[str]) -> list[bytes]:
        """Return results as JSON."""
        return [to_json(look_up(self.agent, text)) for text in texts]


def parse_texts(body: bytes) -> list[str]:
    """Return the positions in a body; raises ValueError."""
    value = parse_json(body, EXAMPLE)
    if not isinstance(value, dict) or list(value) != ["positions"]:
        raise ValueError(f"the body must be an object with only the field positions: {EXAMPLE}")
    texts = value["positions"]
    if not isinstance(texts, list):
        raise ValueError(f"positions must be a list of strings, as in {EXAMPLE}")
    if len(texts) > MAX_POSITIONS:
        raise ValueError(f"expected at most {MAX_POSITIONS:,} positions, got {len(texts):,}")
    wrong = next((index for index, text in enumerate(texts) if type(text) is not str), None)
    if wrong is not None:
        raise ValueError(f"position {wrong} (counted from 0) is not a string")
    return texts
