"""The page's files, read once when the server starts."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from solver.tables.json_table import Table
from solver.tables.store import read_file, shipped_path
from solver.web.catalogue import FIRST, etag_of, tag
from solver.web.responses import ASK, JSON, Reply
from solver.web.routes import nothing_here

if TYPE_CHECKING:
    from starlette.types import Receive, Scope

    from solver.agent.agent import TableAgent

PAGE = Path(__file__).parent / "page"
TABLE = "tictactoe.json"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": JSON,
}


class Pages:
    """The files of the page and the table that it plays from, by name."""

    def __init__(self, agent: TableAgent) -> None:
        files = page_files() | {TABLE: table_file(agent)}
        self.replies = {name: _reply(name, data) for name, data in files.items()}

    async def file(self, scope: Scope, receive: Receive) -> Reply:
        """Return the file that an address names; index.html for none.

        The query is the page's own: it says which position to show.
        """
        found = self.replies.get(scope["path_params"].get("name", "index.html"))
        return found if found is not None else await nothing_here(scope, receive)


def page_files() -> dict[str, bytes]:
    """Return the page's files by name."""
    found = sorted(PAGE.iterdir()) if PAGE.is_dir() else []
    return {path.name: path.read_bytes() for path in found if path.suffix in KINDS}


def table_file(agent: TableAgent) -> bytes:
    """Return the JSON table of tic-tac-toe that the page plays from."""
    if isinstance(agent.table, Table):
        return agent.table.encode()
    path = shipped_path(FIRST)
    if path is None:
        raise FileNotFoundError("the table of tictactoe is missing: run make solve, or reinstall")
    return read_file(path)


def _reply(name: str, data: bytes) -> Reply:
    kind = KINDS[Path(name).suffix]
    return Reply(data, etag_of(tag(hashlib.sha256(data).hexdigest())), ASK, kind)
