"""The JavaScript of perfectplay.js and the page, run by Node, and what Python answers."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from solver import TableAgent
from tests.conftest import ROOT, lacks

SCRIPTS = ROOT / "tests" / "web" / "javascript"
PACKAGE = ROOT / "solver" / "web" / "npm"
MODULE = str(PACKAGE / "perfectplay.js")


def tool(name: str) -> str:
    """Return the path of a file that npm installs; tests/web/package.json lists the packages."""
    path = ROOT / "tests" / "web" / "node_modules" / name
    needed = f"needs {name} in tests/web/node_modules: run make modules"
    return str(path) if path.exists() else lacks(needed)


def run(node: str, script: str | Path, **asked: Any) -> Any:
    """Return the JSON output of a script of tests/web/javascript, or of one at a path."""
    command = [node, "--no-warnings", str(SCRIPTS / script)]
    done = subprocess.run(
        command, check=False, input=json.dumps(asked), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def ask(node: str, table: Path, boards: Any, form: str = "buffer") -> Any:
    """Return the answers of perfectplay.js about boards, or its errors."""
    (answers,) = ask_tables(node, [table], boards, form)
    return answers


def ask_tables(
    node: str,
    tables: Sequence[Path],
    boards: Any,
    form: str = "buffer",
    folder: Path = SCRIPTS,
    module: str = MODULE,
) -> Any:
    """Return the answers of perfectplay.js about boards for each table, or its errors.

    It is imported from `module` by a script in the folder.
    """
    paths = [str(path) for path in tables]
    asked = {"form": form, "boards": list(boards), "module": module}
    return run(node, folder / "answers.mjs", tables=paths, **asked)


def expected(agent: TableAgent, board: Any) -> dict[str, Any]:
    """Return Python's answers about a board, in the form of answers.mjs."""
    scores = agent.scores(board)
    best = agent.best_move(board)
    return {
        "probe": {"outcome": str(agent.outcome(board)), "distance": agent.distance(board)},
        "scores": [[agent.game.code(s.move), str(s.outcome), s.distance, s.trap] for s in scores],
        "best": None if best is None else agent.game.code(best),
    }


def differences(agent: TableAgent, boards: Any, answers: Any) -> list[Any]:
    """Return the boards where JavaScript and Python differ."""
    pairs = zip(boards, answers, strict=True)
    return [(b, answer) for b, answer in pairs if answer != expected(agent, b)]
