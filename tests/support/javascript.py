"""The JavaScript of perfectplay.js and the page, run by Node, and what Python answers."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from solver import Game, Outcome, TableAgent
from tests.conftest import ROOT
from tests.support.small_games import Scattered
from tests.support.tables import SUFFIX, solved_bytes, table_path

SCRIPTS = ROOT / "tests" / "web" / "javascript"
PACKAGE = ROOT / "solver" / "web" / "npm"
MODULES = tuple(str(PACKAGE / name) for name in ("perfectplay.js", "unpack.js"))


class Long(Scattered):
    """Take 1 or 3 from a counter of 300: distances need two bytes."""

    def moves(self, p: int) -> tuple[int, ...]:
        return tuple(m for m in (1, 3) if m <= p)

    def primitive(self, p: int) -> Outcome | None:
        return None if p else Outcome.LOSS


def run(node: str, script: str | Path, **asked: Any) -> Any:
    """Return the JSON output of a script of tests/web/javascript, or of one at a path."""
    command = [node, "--no-warnings", str(SCRIPTS / script)]
    done = subprocess.run(
        command, check=False, input=json.dumps(asked), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def ask(node: str, table: Path, boards: Any, form: str = "buffer", rules: str | None = None) -> Any:
    """Return the answers of perfectplay.js about boards, or its errors."""
    (answers,) = ask_tables(node, [table], boards, form, rules)
    return answers


def ask_tables(
    node: str,
    tables: Sequence[Path],
    boards: Any,
    form: str = "buffer",
    rules: str | None = None,
    folder: Path = SCRIPTS,
    modules: Sequence[str] = MODULES,
) -> Any:
    """Return the answers of perfectplay.js about boards for each table, or its errors.

    It is imported from `modules` by a script in the folder.
    """
    paths = [str(path) for path in tables]
    asked = {"form": form, "rules": rules, "boards": list(boards), "modules": modules}
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


@cache
def solved_file(folder: Path, name: str, suffix: str = SUFFIX) -> Path:
    """Return the file of a game's table; those of custom games are in the folder."""
    custom = {"counter": Scattered, "long": Long}
    if name not in custom:
        return table_path(name, suffix)
    path = folder / f"{name}{suffix}"
    path.write_bytes(solved_bytes(custom[name](), suffix=suffix))
    return path


def random_texts(game: Game[Any, Any], count: int, seed: int = 0) -> list[str]:
    """Return the texts of distinct positions of random games, from starts to ends."""
    generator, found = random.Random(seed), {game.text(game.initial()): None}
    while len(found) < count:
        p = game.initial()
        while game.primitive(p) is None and len(found) < count:
            p = game.play(p, generator.choice(game.moves(p)))
            found[game.text(p)] = None
    return list(found)
