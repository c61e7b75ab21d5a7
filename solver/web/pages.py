"""The page's files, read once when the server starts."""

from __future__ import annotations

from pathlib import Path

from starlette.types import Receive, Scope

from solver.agent.agent import TableAgent
from solver.tables.json_table import Table
from solver.tables.store import read_file, shipped_path
from solver.web.catalogue import ALWAYS
from solver.web.responses import JSON, Reply, RequestError, revalidated

PAGE = Path(__file__).parent / "page"
TABLE = "tictactoe.json"
CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": JSON,
}


class Pages:
    """The files of the page, and the table that it plays from, by name."""

    def __init__(self, agent: TableAgent) -> None:
        files = page_files() | {TABLE: table_file(agent)}
        self.replies = {
            name: revalidated(Reply(data, content_type=CONTENT_TYPES[Path(name).suffix]))
            for name, data in files.items()
        }

    async def file(self, scope: Scope, receive: Receive) -> Reply:
        """Return the file at an address, index.html at /; the page itself reads the query."""
        name = scope["path_params"].get("name", "index.html")
        if name not in self.replies:
            raise RequestError(404, "the page has no such file")
        return self.replies[name]


def page_files() -> dict[str, bytes]:
    """Return the page's files by name."""
    paths = sorted(PAGE.iterdir()) if PAGE.is_dir() else []
    return {path.name: path.read_bytes() for path in paths if path.suffix in CONTENT_TYPES}


def table_file(agent: TableAgent) -> bytes:
    """Return the JSON table of tic-tac-toe that the page plays from."""
    if isinstance(agent.table, Table):
        return agent.table.encode()
    path = shipped_path(ALWAYS)
    if path is None:
        raise FileNotFoundError("the table of tictactoe is missing: run make solve, or reinstall")
    return read_file(path)
