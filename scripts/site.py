"""Builds the site, which any web server serves from one folder: build/site/index.html.

    python -m scripts.site

It has the documentation, which also opens from disk; the page with the small games, as `page`; and
`play.html`, the playground, where Python runs in the reader's browser. Every warning fails the
build, such as a link that leads nowhere, and so does a page that loads anything from elsewhere.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

from scripts.sections import DOCS, ROOT
from solver import TableAgent, load_game, solve
from solver.units import format_size
from solver.web.pages import filled, games_data, page_files
from solver.web.single import all_answers, described_alone, single

BUILD = ROOT / "build" / "docs"
SITE = ROOT / "build" / "site"
BESIDE = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "RELEASING.md",
)  # pages that are not from docs/
CONTENTS = "contents.md"  # what docs/README.md is called on the site
FOREIGN = re.compile(r"(?:src|href)=[\"']?(https?://[^\"' >]+\.(?:js|css|woff2?))")
SOURCE = DOCS / "site" / "playground"
PYODIDE = ROOT / "tests" / "web" / "node_modules" / "pyodide"  # tests/web/package.json: its version
PYTHON = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
)
UNUSED = re.compile(  # of the package, in a browser
    r"solver/(cli|compiling|env|web/(page|npm|server|app|api|openapi))\b"
    r"|solver/strategy/(?!__init__|candidates|file|rules_check)"
    r"|solver/arena/(?!__init__|again|columns|markov|match|report)"
    r"|solver/reports/(?!__init__|game_words)"
    r"|solver/games/(connect4_search|connect4_kernel|kingspawns_kernel|openspiel)"
    r"|solver/data/connect4|.*\.pyi?\.|.*dist-info/(?!METADATA)"
)
GAMES = (
    *("tictactoe", "wild", "notakto", "morris", "achi", "ponghauki", "mutorere"),
    *("hexapawn:3x3", "dodgem:3x3", "domineering:4x4", "nim:1,3,5,7"),
)
EXAMPLES = {
    "Subtraction: a heap of matches": ("how-to/write-a-game.md", "subtraction"),
    "Treblecross: marks are placed": ("how-to/write-a-game.md", "treblecross"),
    "Hare and hounds: pieces move": ("solve-your-own-game.md", "hounds"),
}
COMPILE = """
import sys
import solver.web.playground
used = {getattr(module, "__file__", None) for module in [*sys.modules.values()]}
import py_compile, zipfile
home, source, compiled = "/lib/python314.zip", "/tmp/source.py", "/tmp/source.pyc"
mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
with zipfile.ZipFile(home) as old, zipfile.ZipFile("/library/python_stdlib.zip", "w") as new:
    for name in old.namelist():
        data, path = old.read(name), f"{home}/{name}"
        if path in used:
            open(source, "wb").write(data)
            py_compile.compile(source, compiled, path, True, 2, mode)
            name, data = f"{name}c", open(compiled, "rb").read()
        new.writestr(zipfile.ZipInfo(name), data)
answer = len(used)
"""
INVITATION = """
<a class="md-button md-button--primary" href="page/index.html">Play against perfect play</a>
<a class="md-button" href="play.html">Make up a game, and send it to a friend</a>
"""
"""What the first page begins with."""
WAY = '<a href="../play.html">Make up a game</a>'  # on the page with the small games
INVENT = '<p>Or <a href="../play.html">make up a game</a> of your own, and send it to a friend.</p>'


def main() -> None:
    """Build the site; raises SystemExit if that fails."""
    build_docs()
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.copytree(BUILD / "site", SITE)
    build_page(SITE / "page")
    build_playground(SITE)
    for path in SITE.rglob("*.html"):
        if foreign := FOREIGN.findall(path.read_text(encoding="utf-8")):
            sys.exit(f"{path} loads {foreign[0]}, so it does not work offline")
    print(f"built {(SITE / 'index.html').relative_to(ROOT)}")


def build_docs() -> None:
    """Build the documentation from a copy of the pages."""
    shutil.rmtree(BUILD, ignore_errors=True)
    left_out = shutil.ignore_patterns("zensical.toml", SOURCE.name)
    pages = shutil.copytree(DOCS, BUILD / "pages", ignore=left_out)
    shutil.copy(DOCS / "site" / "zensical.toml", BUILD)
    (pages / "README.md").rename(pages / CONTENTS)  # the README of the project is the first page
    for name in BESIDE:
        shutil.copy(ROOT / name, pages)
    for page in pages.rglob("*.md"):
        text = page.read_text(encoding="utf-8").replace("](docs/README.md", f"]({CONTENTS}")
        text = re.sub(r"\]\(\.\./([A-Z]+\.md)", r"](\1", text)
        up = "../" * (len(page.relative_to(pages).parts) - 1)
        text = text.replace("*playground*", f'<a href="{up}play.html">playground</a>')
        page.write_text(text.replace("](docs/", "]("), encoding="utf-8")
    first = pages / "README.md"
    about, rest = first.read_text(encoding="utf-8").split("\n## ", 1)
    heading, about = about.split("\n", 1)
    first.write_text(f"{heading}\n{INVITATION}{about}\n## {rest}", encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "-f", "zensical.toml"]
    if subprocess.run(command, cwd=BUILD, check=False).returncode:
        sys.exit("the site has errors: see above")


def build_page(folder: Path) -> None:
    """Write the page with the small games, each of which it loads when it is opened."""
    folder.mkdir(parents=True)
    (folder / "games").mkdir()
    games, marks = [], set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    for name in GAMES:
        agent = TableAgent(solve(load_game(name)))
        whole = all_answers(agent).whole
        marks |= {mark for node in json.loads(whole)["nodes"] for mark in node[4] or ""}
        stem = re.sub(r"\W+", "-", agent.game.spec)
        (folder / "games" / f"{stem}.json").write_bytes(whole)
        games.append(described_alone(agent))
    files = page_files()
    data, drawings = games_data(games, marks="".join(sorted(marks)))
    html = filled(files["index.html"].decode(), data, drawings)
    html = html.replace("</header>", f"{WAY}</header>", 1)
    files["index.html"] = html.replace('<ol id="cards"', f'{INVENT}<ol id="cards"', 1).encode()
    page = single(files, b"", sources=" connect-src 'self';")
    (folder / "index.html").write_bytes(page)
    (folder / "style.css").write_bytes(files["style.css"])
    print(f"page/index.html: {format_size(len(page))}, and {len(games)} games")


def build_playground(site: Path) -> None:
    """Write the playground with the page that it shows, its examples, Python and the package."""
    folder = site / "playground"
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("*.html", "start.js"))
    shutil.copy(SOURCE / "play.html", site)
    shutil.copy(SOURCE / "sandbox.html", folder)
    files = page_files()
    start = (SOURCE / "start.js").read_bytes()
    files["start.js"] = start.replace(b"unpack();", files["unpack.js"])
    (folder / "player.html").write_bytes(single(files, b"", "start.js"))
    examples = {title: read_example(*where) for title, where in EXAMPLES.items()}
    (folder / "examples.json").write_text(json.dumps(examples), encoding="utf-8")
    parts = {name: (PYODIDE / name).read_bytes() for name in PYTHON}
    parts |= {"python_stdlib.zip": library(), "solver.zip": core()}
    listed: list[dict[str, object]] = []
    total = 0
    for name, data in parts.items():
        packed = gzip.compress(data, 9, mtime=0)
        at = f"{name}.{sha256(packed).hexdigest()[:12]}.bin"  # which may be cached for ever
        (folder / at).write_bytes(packed)
        listed.append({"name": name, "at": at, "bytes": len(packed)})
        total += len(packed)
        print(f"playground/{at}: {format_size(len(packed))}")
    (folder / "files.json").write_text(json.dumps(listed), encoding="utf-8")
    print(f"the first visit downloads {format_size(total)} of Python")


def read_example(page: str, name: str) -> str:
    """Return the file with a name that a page of the documentation has the reader save."""
    text = (DOCS / page).read_text(encoding="utf-8")
    match = re.search(rf"```python\n# {name}\.py\n(.*?)```", text, re.DOTALL)
    if match is None:
        sys.exit(f"docs/{page} has no {name}.py")
    return match[1].lstrip("\n")


def library() -> bytes:
    """Return Python's library with bytecode of what the playground imports, which starts sooner.

    The Python that will run it makes it; it is not packed, since what is sent is.
    """
    folder = BUILD / "library"
    folder.mkdir(parents=True, exist_ok=True)
    folders = {"/package": str(ROOT), "/library": str(folder)}
    request = json.dumps({"folders": folders, "hashSeed": "1", "code": COMPILE})
    command = ["node", str(ROOT / "tests" / "web" / "javascript" / "pyodide.mjs")]
    subprocess.run(command, input=request, stdout=subprocess.DEVNULL, text=True, check=True)
    return (folder / "python_stdlib.zip").read_bytes()


def core() -> bytes:
    """Return the package's wheel without what only other faces need, as a zip."""
    folder = BUILD / "wheel"
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    subprocess.run([*command, "--no-build-isolation", "-w", folder, ROOT], check=True)
    (wheel,) = folder.glob("*.whl")
    out = io.BytesIO()
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(out, "w") as target:
        for info in source.infolist():
            if not UNUSED.match(info.filename):
                target.writestr(zipfile.ZipInfo(info.filename), source.read(info))  # stored
    return out.getvalue()


if __name__ == "__main__":
    main()
