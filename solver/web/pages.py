"""The page's files, read once when the server starts, and what is written into them.

The page is served with its modules joined into one, and with the list of games in its HTML, so that
it can be played after few requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import orjson
from starlette.types import Receive, Scope

from solver.agent.agent import TableAgent
from solver.players import PLAYERS
from solver.tables.json_table import Table
from solver.tables.store import read_file, shipped_path
from solver.web.catalogue import ALWAYS, Catalogue, ServedGame
from solver.web.joined import join
from solver.web.responses import JSON, Reply, RequestError, revalidated

PAGE = Path(__file__).parent / "page"
PACKAGE = Path(__file__).parent / "npm"  # perfectplay.js, which other pages may import
TABLE = "tictactoe.json"
DATA = '<script type="application/json" id="data"></script>'
CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": JSON,
}


class Pages:
    """The files of the page, and a table for other pages, by name."""

    def __init__(self, catalogue: Catalogue) -> None:
        files = page_files() | {TABLE: table_file(catalogue.games[ALWAYS].agent)}
        index = files.get("index.html", b"").decode()
        files["index.html"] = with_games(index, list(catalogue.games.values())).encode()
        texts = {name: data.decode() for name, data in files.items() if name.endswith(".js")}
        if "app.js" in files:
            files["app.js"] = join(texts, "app.js").encode()
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


def with_games(index: str, games: Sequence[ServedGame]) -> str:
    """Return the HTML of the page with what it says of the games and the players."""
    about = {
        entry.stem: " ".join((entry.about.__doc__ or "").split("\n\n")[0].split())
        for entry in PLAYERS
    }
    known = {"games": [game.description for game in games], "players": about}
    text = orjson.dumps(known).decode().replace("<", "\\u003c")
    return index.replace(DATA, DATA.replace("></", f">{text}</"))


def page_files() -> dict[str, bytes]:
    """Return the page's files and the modules for other pages, by name."""
    paths = sorted(PAGE.iterdir()) if PAGE.is_dir() else []
    served = [path for path in paths if path.suffix in CONTENT_TYPES]
    return {path.name: path.read_bytes() for path in [*served, *sorted(PACKAGE.glob("*.js"))]}


def table_file(agent: TableAgent) -> bytes:
    """Return the JSON table of tic-tac-toe that the page plays from."""
    if isinstance(agent.table, Table):
        return agent.table.encode()
    path = shipped_path(ALWAYS)
    if path is None:
        raise FileNotFoundError("the table of tictactoe is missing: run make solve, or reinstall")
    return read_file(path)
