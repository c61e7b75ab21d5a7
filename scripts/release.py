"""Builds what a release uploads, and tries each file as a user would: build/release.

    python -m scripts.release

Builds the wheel, the source distribution and the npm package, checks the metadata and the contents,
and installs each in an empty environment far from the checkout. There the examples of README and of
the npm package must print what these pages show, and the page must answer. Prints sizes and hashes;
exits with 1 at the first fault.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

from scripts.examples import COMMAND, FILE_NAME, PACKAGE, blocks, matches
from scripts.sections import ROOT

OUT = ROOT / "build" / "release"
USES = "## Three uses"
TABLE = ROOT / "data" / "tictactoe.json"
FOLDERS = {".whl": {"solver"}, ".gz": {"solver", "data", "tests", "scripts", "examples", "docs"}}
NPM = {"LICENSE", "README.md", "answers.d.ts", "package.json", "perfectplay.js", "types.d.ts"}
TABLES = {".whl": "solver/data/tictactoe.json", ".gz": "data/tictactoe.json"}


class ReleaseError(Exception):
    """A file must not be released; the message says why."""


def run(*command: str | Path, folder: Path, path: Path | None = None) -> str:
    """Return what a command prints; raises ReleaseError if it fails.

    It sees no setting of the checkout; `path` is looked at first for programs.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PERFECTPLAY"))}
    first = [str(path)] if path else []
    variables = {"PATH": os.pathsep.join([*first, kept["PATH"]]), "COLUMNS": "80"}
    variables["PERFECTPLAY_TABLES"] = str(folder / "tables")
    line = [*map(str, command)]
    done = subprocess.run(
        line, cwd=folder, env=kept | variables, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ReleaseError(f"{' '.join(line)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def build() -> list[Path]:
    """Return the built files."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    kinds = ("-t", "sdist", "-t", "wheel")
    run(sys.executable, "-m", "hatchling", "build", "-d", OUT, *kinds, folder=ROOT)
    run("npm", "pack", "--silent", PACKAGE, folder=OUT)
    return sorted(OUT.iterdir())


def check(file: Path) -> None:
    """Raise ReleaseError if a Python package's metadata or contents are not those of a release."""
    run(sys.executable, "-m", "twine", "check", "--strict", file, folder=file.parent)
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as wheel:
            held = {name: wheel.read(name) for name in wheel.namelist()}
    else:
        with tarfile.open(file) as archive:
            files = [member for member in archive.getmembers() if member.isfile()]
            read = [(member.name, archive.extractfile(member)) for member in files]
            held = {name.partition("/")[2]: data.read() for name, data in read if data}
    folders = {name.partition("/")[0] for name in held if "/" in name}
    folders = {name for name in folders if not name.endswith(".dist-info")}
    if folders != FOLDERS[file.suffix]:
        raise ReleaseError(f"{file.name} holds the folders {sorted(folders)}")
    if held.get(TABLES[file.suffix]) != TABLE.read_bytes():
        raise ReleaseError(f"{file.name} does not hold {TABLE.name} as it is committed")


def try_package(file: Path, folder: Path) -> None:
    """Install a Python package in an empty environment, and use it as README says."""
    venv.create(folder / "env")
    programs = folder / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    pip = (sys.executable, "-m", "pip", "--python", programs / "python", "install", "--quiet")
    run(*pip, "--no-compile", f"{file}[fast,web]", folder=folder)
    for block in blocks(ROOT / "README.md"):
        if block.start < (ROOT / "README.md").read_text(encoding="utf-8").index(USES):
            continue
        if block.kind == "console":
            compare(block.body, folder, programs)
        elif block.kind == "python":
            (folder / "uses.txt").write_text(block.body, encoding="utf-8")
            run("python", "-m", "doctest", "uses.txt", folder=folder, path=programs)
    try_page(folder, programs)


def compare(body: str, folder: Path, programs: Path | None = None) -> None:
    """Raise ReleaseError unless the commands of a block print what it shows."""
    commands = [*COMMAND.finditer(body)]
    ends = [*(command.start() for command in commands[1:]), len(body)]
    for command, end in zip(commands, ends, strict=True):
        got = run("sh", "-c", command[1], folder=folder, path=programs)
        if not matches(body[command.end() : end], got):
            raise ReleaseError(f"{command[1].strip()} prints:\n{got}")


def try_page(folder: Path, programs: Path) -> None:
    """Raise ReleaseError unless the installed server sends the page and an answer."""
    line = [str(programs / "perfectplay"), "serve", "--port", "0"]
    with subprocess.Popen(line, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            found = next(filter(None, (re.search(r"http://\S+/", line) for line in server.stdout)))
            for path, part in (("", b"<!doctype html>"), ("api/v1/tictactoe", b'"draw"')):
                with urlopen(found[0] + path) as answer:
                    if part not in answer.read():
                        raise ReleaseError(f"{found[0]}{path} lacks {part!r}")
        finally:
            server.terminate()


def try_npm(file: Path, folder: Path) -> None:
    """Check the contents of the npm package, install it, and run the example of its README."""
    with tarfile.open(file) as archive:
        names = {name.removeprefix("package/") for name in archive.getnames()}
    if names != NPM:
        raise ReleaseError(f"{file.name} holds {sorted(names)}")
    (folder / "package.json").write_text('{"type": "module"}')
    run("npm", "install", "--offline", "--no-audit", "--no-fund", file, folder=folder)
    shutil.copy(TABLE, folder)
    for block in blocks(PACKAGE / "README.md"):
        if block.kind == "console":
            compare(block.body, folder)
        elif name := FILE_NAME.match(block.body):
            (folder / name[1]).write_text(block.body, encoding="utf-8")


def main() -> None:
    """Build all, try all, and print what there is to upload."""
    trials: dict[str, Callable[[Path, Path], None]] = {".tgz": try_npm}
    for file in build():
        if file.suffix not in trials:
            check(file)
        with tempfile.TemporaryDirectory() as folder:
            trials.get(file.suffix, try_package)(file, Path(folder))
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        print(f"{digest}  {file.stat().st_size:>9,} bytes  {file}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except ReleaseError as error:
        sys.exit(f"scripts.release: {error}")
