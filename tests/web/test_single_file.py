"""The page as one file: the order of modules, its policy, and what cannot be joined."""

from __future__ import annotations

import base64
import gzip
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from solver import open_agent
from solver.tables.store import find_table
from solver.web import pages
from solver.web.single import single
from solver.web.whole_game import whole_game
from tests.conftest import SHIPPED, Command

INDEX = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<link rel="icon" href="data:image/svg+xml,">
<link rel="stylesheet" href="style.css">
<script type="module" src="app.js"></script>
</head>
<body></body>
</html>
"""
APP = """\
import { add, twice } from "./sums.js";
import { ONE } from "./numbers.js";

const table = JSON.parse(document.getElementById("whole").textContent);
console.assert(add(ONE, ONE) === 2); // two
console.assert("; // two".length === 8);
console.log(JSON.stringify([twice(ONE), table.game]));
"""
SUMS = """\
/** Sums,
 *  of numbers. */
import { ONE, TWO } from "./numbers.js";

// adds
export function add(/** @type {number} */ a, b) {
  return (
    /** @type {number} */ (a) + b
  );
}

/** A constant. */

export const twice = (n) => n * TWO * ONE;
"""
NUMBERS = """\
export const ONE = 1;
export const TWO = 2;
"""
STYLE = "body { color: black; }\n"


TEXTS = {"index.html": INDEX, "style.css": STYLE, "app.js": APP, "sums.js": SUMS, "unpack.js": ""}
PAGE = {name: text.encode() for name, text in {**TEXTS, "numbers.js": NUMBERS}.items()}


def packed(html: str, name: str) -> bytes:
    """Return what an element of a page holds."""
    data = re.findall(rf'id="{name}">(.*?)</script>', html)
    return gzip.decompress(base64.b64decode(data[0]))


def test_the_joined_modules_run(tmp_path: Path, node: str) -> None:
    html = single(PAGE, SHIPPED.read_bytes()).decode()
    stub = 'const document = { getElementById: () => ({ textContent: \'{"game":"g"}\' }) };\n'
    (tmp_path / "joined.mjs").write_text(stub + packed(html, "code").decode())
    done = subprocess.run(
        [node, "joined.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert (json.loads(done.stdout), done.stderr) == ([2, "g"], "")


@pytest.mark.slow
def test_the_command_writes_it(command: Command, tmp_path: Path) -> None:
    source = tmp_path / "page"
    source.mkdir()
    for name, data in PAGE.items():
        (source / name).write_bytes(data)
    command.monkeypatch.setattr(pages, "PAGE", source)
    assert command("serve", "--static", "site/deep") == 0
    path = tmp_path / "site" / "deep" / "index.html"
    assert whole_in(path)["game"] == "tictactoe"
    assert command.out == f"wrote site/deep/index.html: {path.stat().st_size:,} bytes\n"
    nim = "--game", "nim:1,2"
    assert command("solve", "nim:1,2") == 0
    assert command("serve", "--static", "site/deep", *nim) == 0
    assert whole_in(path) == whole_game(open_agent(table=find_table("nim:1,2")))
    (tmp_path / "taken").write_text("x")
    assert "taken" in command.refuses("serve", "--static", "taken", *nim)
    assert "taken/deep" in command.refuses("serve", "--static", "taken/deep", *nim)
    assert [file.name for file in path.parent.iterdir()] == ["index.html"]


def whole_in(path: Path) -> Any:
    """Return the game in a page."""
    return json.loads(packed(path.read_text(), "whole"))


@pytest.mark.slow
def test_the_page_is_one_small_file(command: Command, tmp_path: Path) -> None:
    assert command("serve", "--static", "site") == 0, command.err
    html = (tmp_path / "site" / "index.html").read_text()
    assert len(html.encode()) <= 160_000
    assert "http://" not in html.replace("http://www.w3.org/", "")
    assert set(re.findall(r'(?:src|href)="([^"]{5})', html)) == {"data:", "#boar"}
    assert html.lower().count("</script") == html.count("<script") == 4
    assert html.lower().count("</style") == 1
    known = json.loads(re.findall(r'id="data">(.*?)</script>', html)[0])
    assert [game["title"] for game in known["games"]] == ["Tic-tac-toe"]
    assert known["games"][0]["players"] == ["random", "minimax", "perfect", "level:P"]
