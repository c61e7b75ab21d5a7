"""The page's files, read once when the server starts, and what is written into them.

The page is served with its modules joined into one, and with the list of games in its HTML, so
that it can be played after few requests: a script in the HTML makes the first one for a game while
the modules load. It stands before the styles, for which scripts wait. A link to the page is
previewed with a picture of its first game, or of the game that it carries after a ?: what follows #
in an address never reaches the server.

Modules are joined each after those that it imports. Their top-level names must differ, one in a
declaration, and an import has names in braces. Comments on lines of their own or after a mark,
types and indentation are removed, so no string may span lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from string import ascii_letters
from typing import TYPE_CHECKING, Any

from solver.pictures.board_layout import EDGE, MARGIN, layout_of, side_names
from solver.pictures.marks import CELL, signs
from solver.pictures.position import empty_board
from solver.pictures.svg import properties, symbols
from solver.web.cards import long_address, preview
from solver.web.catalogue import Catalogue, ServedGame
from solver.web.endpoint import API
from solver.web.messages import (
    CONTENT_POLICY,
    JSON,
    POLICY,
    Reply,
    RequestError,
    revalidated,
    source_of,
    to_json,
)

if TYPE_CHECKING:
    from starlette.types import Receive, Scope

IMPORT = re.compile(r'import \{[\w$,\s]*\} from "\.(?:\./npm)?/([\w-]+\.js)";\n', re.ASCII)
EXPORT = re.compile(r"^export (?=(?:async )?function\b|const\b|class\b)", re.MULTILINE)
MODULE_WORD = re.compile(r"^(?:import|export)\b.*|\bimport\(.*", re.MULTILINE)
DECLARED = re.compile(
    r"^(?:async )?(?:function\*? ?|const |let |var |class )([\w$]+)", re.MULTILINE
)
COMMENT = re.compile(
    r"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/[ \t]*|//[^\n]*)\n|/\*\* @type [^*\n]*\*/ ?"
    r"|(?<=[;,({]) // [^\n\"'`]*$",
    re.MULTILINE,
)
INDENT = re.compile(r"^\s+", re.MULTILINE)


def join(texts: Mapping[str, str], first: str) -> str:
    """Return a module and all that it imports as one; raises ValueError if that is impossible."""
    modules: dict[str, str] = {}
    parts = []
    for name in _in_order(texts, first, {}):
        body = EXPORT.sub("", IMPORT.sub("", texts[name]))
        if left := MODULE_WORD.search(body):
            raise ValueError(f"{name} has an import or export that cannot be joined: {left[0]}")
        for word in DECLARED.findall(body):
            if word in modules:
                raise ValueError(
                    f"{name} and {modules[word]} both define the top-level name {word}"
                )
            modules[word] = name
        parts.append(compact(body))
    return "\n".join(parts)


def compact(text: str) -> str:
    """Return a text of JavaScript or CSS without comments, indentation and empty lines."""
    return INDENT.sub("", COMMENT.sub("", text)).strip("\n") + "\n"


def _in_order(texts: Mapping[str, str], name: str, seen: dict[str, bool]) -> Iterator[str]:
    """Yield the modules that a module imports, each after those that it uses, then itself."""
    if name not in texts:
        raise ValueError(f"a module of the page imports {name}, which is missing")
    seen[name] = False
    for used in IMPORT.findall(texts[name]):
        if used not in seen:
            yield from _in_order(texts, used, seen)
        elif not seen[used]:
            raise ValueError(f"{name} and {used} import each other")
    seen[name] = True
    yield name


PAGE = Path(__file__).parent / "page"
PACKAGE = Path(__file__).parent / "npm"  # perfectplay.js, which other pages may import
STYLES = ("style.css", "controls.css", "board.css", "course.css", "screens.css")  # as one file
HOSTS = 16  # names of this server for which the page is cached
DATA = '<script type="application/json" id="data"></script>'
TITLE = re.compile(rb'(?<=property="og:title" content=)"[^"]*"')
SIGNS = '<svg id="signs" hidden></svg>'
CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": JSON,
    ".png": "image/png",
}
SAMPLE = "/card.png"  # in links that carry nothing, or where drawing PNG lacks its extra


NOTHING = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Nothing is here · perfectplay</title>
<link rel="stylesheet" href="{up}style.css">
<main>
<h1 class="status">Nothing is at this address.</h1>
<p>It may have been cut short. <a href="{up}#view=games">All games are here.</a></p>
</main>
"""


class Pages:
    """The files of the page by name."""

    def __init__(self, catalogue: Catalogue) -> None:
        files = page_files()
        index = files["index.html"].decode()
        games = list(catalogue.games.values())
        texts = {name: data.decode() for name, data in files.items() if name.endswith(".js")}
        script = join(texts, "early.js")
        index = index.replace(DATA, f"{DATA}\n<script>{script}</script>")
        files["index.html"] = filled(index, *games_data(games)).encode()
        policy = POLICY.replace("script-src 'self'", f"script-src 'self' {source_of(script)}")
        self.catalogue, self.policy = catalogue, (CONTENT_POLICY[0], policy.encode())
        self.framed = CONTENT_POLICY[0], policy.replace("ancestors 'none'", "ancestors *").encode()
        self.index = lru_cache(HOSTS)(self._index)
        files["app.js"] = join(texts, "app.js").encode()
        self.replies = {
            name: revalidated(Reply(data, content_type=CONTENT_TYPES[Path(name).suffix]))
            for name, data in files.items()
        }

    def _index(self, origin: str, query: bytes) -> Reply:
        """Return the page with what sites show of a link to it, which needs whole addresses."""
        reply = self.replies["index.html"]._replace(headers=(self.policy,))
        title, picture = preview(self.catalogue, query) or ("", SAMPLE)
        picture = picture if picture_format() == "png" else SAMPLE
        body = reply.body
        if title:
            body = TITLE.sub(lambda _: f'"{escape(title)}"'.encode(), body)
        tag = f'<meta property="og:image" content="{escape(origin + picture)}">\n</head>'
        return revalidated(reply._replace(body=body.replace(b"</head>", tag.encode())))

    @property
    def paths(self) -> list[str]:
        """The addresses of the page and its files."""
        return ["/", "/embed", *(f"/{name}" for name in self.replies)]

    async def file(self, scope: Scope, receive: Receive) -> Reply:
        """Return the file at one of `paths`; /embed is the page for frames of other sites."""
        from anyio import to_thread  # here, since only a server needs it

        name = scope["path"].strip("/") or "index.html"
        if name in ("index.html", "embed"):
            query, index = scope["query_string"], self.index
            if query:  # whose game may take a while to open
                reply = await to_thread.run_sync(index, origin_of(scope), query)
            else:
                reply = index(origin_of(scope), query)
            return reply._replace(headers=(self.framed,)) if name == "embed" else reply
        return self.replies[name]

    async def missing(self, scope: Scope, receive: Receive) -> Reply:
        """Return the way back to the games, to a browser; raises RequestError for other clients."""
        path, accepts = scope["path"], dict(scope["headers"]).get(b"accept", b"")
        if b"text/html" not in accepts or path.startswith("/api/"):
            raise RequestError(404, f"nothing is here; {API}/openapi.json describes the API")
        page = NOTHING.format(up=up_from(scope) or "./").encode()
        return Reply(page, status=404, content_type=CONTENT_TYPES[".html"])

    async def short(self, scope: Scope, receive: Receive) -> Reply:
        """Return the way from a short address to the long one, which a proxy's path may precede."""
        way = f"{up_from(scope)}?{long_address(self.catalogue, scope['path'])}"
        return Reply(b"", status=302, headers=((b"location", way.encode()),))


def up_from(scope: Scope) -> str:
    """Return the relative way from a request's address to the page."""
    path: bytes = scope["raw_path"]
    return "../" * (path.count(b"/") - 1)


def origin_of(scope: Scope) -> str:
    """Return the start of this server's addresses; a proxy adds its TLS and path in headers."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    secure = headers.get(b"x-forwarded-proto") == "https"
    path = headers.get(b"x-forwarded-prefix", "").rstrip("/")
    return f"{'https' if secure else scope['scheme']}://{headers.get(b'host', '')}{path}"


def picture_format() -> str:
    """Return the format of the pictures that the page asks for: SVG if PNG needs an extra."""
    return "png" if find_spec("resvg_py") and find_spec("PIL") else "svg"


def games_data(games: Sequence[ServedGame], marks: str = ascii_letters) -> tuple[str, str]:
    """Return what the page says of the games, as JSON, and the drawings of boards and marks.

    `marks` may come to the boards.
    """
    sizes = {"cell": CELL, "edge": EDGE, "margin": MARGIN}
    known = {"games": [_listed(game) for game in games], "sizes": sizes}
    text = to_json(known).decode().replace("<", "\\u003c")
    drawn = {}
    for served in games:
        marks += served.description["marks"] or ""
        if served.description["style"]:
            game = served.game
            drawn[f"board-{game.spec}"] = empty_board(layout_of(game))
    return text, symbols(signs(marks) | drawn, {})


def _listed(served: ServedGame) -> dict[str, Any]:
    """Return a game's entry with the names of its sides; `codes` are those of the API."""
    seats = served.description["seats"]
    return {**served.description, "seats": side_names(served.game), "codes": seats}


def filled(index: str, data: str, drawings: str) -> str:
    """Return the HTML of the page with both parts of `games_data`."""
    index = index.replace(DATA, DATA.replace("></", f">{data}</"))
    return index.replace(SIGNS, SIGNS.replace("></", f">{drawings}</"))


def page_files() -> dict[str, bytes]:
    """Return the page's files, its styles with the colours of pictures, and perfectplay.js."""
    served = [path for path in sorted(PAGE.iterdir()) if path.suffix in CONTENT_TYPES]
    files = {path.name: path.read_bytes() for path in [*served, *sorted(PACKAGE.glob("*.js"))]}
    styles = b"".join(files.pop(name, b"") for name in STYLES)
    return files | {"style.css": properties().encode() + styles}
