"""The page as one HTML file that needs no server, its code and answers about a game as packed text.

The game is one that `whole_game` describes. The file loads nothing else: its policy allows only its
scripts and its styles, by their hashes.
"""

from __future__ import annotations

import base64
import gzip
import os
from collections.abc import Mapping, Sequence
from typing import Any

from solver.agent.agent import TableAgent
from solver.files import save
from solver.pictures.strategy_map import draw_map
from solver.pictures.svg import svg
from solver.web.catalogue import ServedGame
from solver.web.messages import to_json
from solver.web.middleware import source_of
from solver.web.pages import compact, join, page_files, with_games
from solver.web.whole_game import whole_game

ALONE = ("random", "minimax", "perfect", "level:P")  # players that go by the values of moves
STYLE = '<link rel="stylesheet" href="style.css">'
SCRIPT = '<script type="module" src="app.js"></script>'


def write_single(directory: str, agent: TableAgent) -> str:
    """Write the page into a directory, created if missing, and return the file's path.

    Raises OSError, and ValueError if the game is too large or the page cannot become one file.
    """
    game = ServedGame(agent)
    game.description["players"], game.description["whole"] = [*ALONE], True
    files = page_files()
    whole: dict[str, Any] = {**whole_game(agent)}
    marks = "".join(node[4] or "" for node in whole["nodes"])
    page = with_games(files["index.html"].decode(), [game], marks=marks)
    files["index.html"] = page.encode()
    if game.description["map"]:
        whole["maps"] = {side: svg(draw_map(agent, side)[0]) for side in agent.game.seats}
    content = single(files, to_json(whole))
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, "index.html")
    save(path, content)
    return path


def single(files: Mapping[str, bytes], whole: bytes) -> bytes:
    """Return the page's files and all answers about a game as one file; raises ValueError."""
    texts = {name: data.decode() for name, data in files.items()}
    code, start = join(texts, "app.js"), compact(texts["unpack.js"])
    style, page = compact(texts["style.css"]), compact(texts["index.html"])
    inline = {
        STYLE: f"{_policy([code, start], style)}\n<style>{style}</style>",
        SCRIPT: f"{_packed('whole', whole)}\n{_packed('code', code.encode())}\n"
        f'<script type="module">{start}</script>',
    }
    for tag, text in inline.items():
        page = page.replace(tag, text)
    return page.encode()


def _packed(name: str, data: bytes) -> str:
    """Return an element that holds data as base64 of gzip."""
    text = base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()
    return f'<script type="application/gzip" id="{name}">{text}</script>'


def _policy(scripts: Sequence[str], style: str) -> str:
    """Return the element that allows the page these scripts and styles and nothing else."""
    return (
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\';'
        f" script-src {' '.join(map(source_of, scripts))}; style-src {source_of(style)};"
        " img-src data:; base-uri 'none'; form-action 'none'\">"
    )
