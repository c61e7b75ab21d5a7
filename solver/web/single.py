"""The page as one HTML file, which needs no server and loads nothing: its policy allows only its
scripts and its styles, by their hashes. Its code and the answers about a game are packed text.

`solver.web.playground` sends the same answers to a page of which all else is there already.
"""

from __future__ import annotations

import base64
import gzip
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from solver.agent.agent import TableAgent
from solver.files import save
from solver.pictures.strategy_map import draw_map
from solver.pictures.svg import svg
from solver.web.catalogue import ServedGame
from solver.web.messages import source_of, to_json
from solver.web.pages import compact, filled, games_data, join, page_files
from solver.web.whole_game import whole_game

ALONE = ("random", "minimax", "perfect", "level:P")  # players that go by the values of moves
STYLE = '<link rel="stylesheet" href="style.css">'
SCRIPT = '<script type="module" src="app.js"></script>'


class Answers(NamedTuple):
    """What the page plays a game from."""

    data: str
    """What it says of the game: JSON."""
    drawings: str
    """Its board and its marks: symbols of SVG."""
    whole: bytes
    """All answers about it: JSON."""


def write_single(directory: str, agent: TableAgent) -> str:
    """Write the page into a directory, created if missing, and return the file's path.

    Raises OSError, and ValueError if the game is too large or the page cannot become one file.
    """
    data, drawings, whole = all_answers(agent)
    files = page_files()
    files["index.html"] = filled(files["index.html"].decode(), data, drawings).encode()
    content = single(files, whole)
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, "index.html")
    save(path, content)
    return path


def all_answers(agent: TableAgent) -> Answers:
    """Return what the page needs to play a game by itself; raises ValueError if it is too large."""
    game = described_alone(agent)
    whole: dict[str, Any] = {**whole_game(agent)}
    if game.description["map"]:
        whole["maps"] = {side: svg(draw_map(agent, side)[0]) for side in agent.game.seats}
    marks = "".join(node[4] or "" for node in whole["nodes"])
    return Answers(*games_data([game], marks=marks), to_json(whole))


def described_alone(agent: TableAgent) -> ServedGame:
    """Return a game as the page describes it that has no server."""
    game = ServedGame(agent)
    game.description["players"], game.description["whole"] = [*ALONE], True
    return game


def single(
    files: Mapping[str, bytes], whole: bytes, start: str = "unpack.js", sources: str = ""
) -> bytes:
    """Return the page's files and all answers about a game as one file; raises ValueError.

    `start` is the script that runs its code; `sources` are more lines of its policy.
    """
    texts = {name: data.decode() for name, data in files.items() if not name.endswith(".png")}
    code, begin = join(texts, "app.js"), compact(texts[start])
    style, page = compact(texts["style.css"]), compact(texts["index.html"])
    inline = {
        STYLE: f"{_policy([code, begin], style, sources)}\n<style>{style}</style>",
        SCRIPT: f"{_element('whole', whole)}\n{_element('code', code.encode())}\n"
        f'<script type="module">{begin}</script>',
    }
    for tag, text in inline.items():
        page = page.replace(tag, text)
    return page.encode()


def packed(data: bytes) -> str:
    """Return data as base64 of gzip."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def _element(name: str, data: bytes) -> str:
    """Return an element that holds data, packed."""
    text = packed(data) if data else ""
    return f'<script type="application/gzip" id="{name}">{text}</script>'


def _policy(scripts: Sequence[str], style: str, sources: str) -> str:
    """Return the element that allows the page these scripts and styles and nothing else."""
    return (
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\';'
        f" script-src {' '.join(map(source_of, scripts))}; style-src {source_of(style)};"
        f" img-src data:; base-uri 'none'; form-action 'none';{sources}\">"
    )
