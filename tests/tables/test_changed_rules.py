"""Tables of custom games know the files of their rules, and say when these have changed."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from examples.checkers import verify_alone
from solver import (
    Game,
    Outcome,
    RulesChangedWarning,
    TableAgent,
    TableFormatError,
    encode,
    load_game,
    open_agent,
    solve,
)
from solver.rules.blanked import blanked
from solver.rules.rule_files import RuleFiles, has_changed
from solver.solving.checkpoint import Checkpoint
from solver.solving.steps_python import PythonSteps
from solver.solving.worker import _CURRENT, Worker, worker_for
from solver.tables.json_table import decode
from solver.web.app import create_app
from tests.conftest import Command
from tests.support.asgi import Client

HEAP = '''\
from solver import Game, Outcome
from {name} import FEW


class Heap(Game):
    """Take 1 or 2 from a heap."""

    def initial(self):
        return 9

    def moves(self, p):
        return [m for m in (1, 2) if m <= p]

    def play(self, p, m):
        return p - m

    def primitive(self, p):
        return Outcome.LOSS if p <= FEW else None
'''


class HandMade(Game[int, int]):
    def initial(self) -> int:
        return 2

    def moves(self, p: int) -> list[int]:
        return [1]

    def play(self, p: int, m: int) -> int:
        return p - m

    def primitive(self, p: int) -> Outcome | None:
        return None if p else Outcome.LOSS


SOURCE = '''\
# -*- coding: utf-8 -*-
"""A docstring
of é lines."""  # with a tail

x = """kept  
 # kept, too

"""   # not kept
def f():
    'one' "text"
    s = f"""a { x
    } é  
    b""" ; y = "é # no"  # é yes
    return x


class A:
    r"""Gone.  """
    async def g(self):
        """d"""; return 1
    def h(self): "only"
z = 1 \\

-x
'''  # noqa: W291
WARNING = "the rules of {} have changed since its table was made: solve the game again, or let"


def write(name: str, few: int) -> str:
    """Write rules in two files, of which the second has a number; return the name of the game."""
    Path(f"few_{name}.py").write_text(f"FEW = {few}\n")
    Path(f"{name}.py").write_text(HEAP.format(name=f"few_{name}"))
    return f"{name}.py:Heap"


def test_the_hash_of_a_source_is_the_same_in_every_version_of_python() -> None:
    digest = "4f1567e17ae594bc9f47ff5f426ddc32ab40fff8b88ef53cbd65e694f105df40"
    assert sha256(blanked(SOURCE.encode())).hexdigest() == digest
    edited = (
        SOURCE.replace("# é yes", "").replace("of é lines", "of\n\nlines").replace("\n", "\r\n")
    )
    assert sha256(blanked(edited.encode())).hexdigest() == digest
    for old, new in (
        ("kept  ", "kept"),
        ("1 \\\n\n-x", "1 \\\n-x"),
        ("é # no", "é"),
        ("x\n", "y\n"),
    ):
        assert blanked(SOURCE.replace(old, new, 1).encode()) != blanked(SOURCE.encode())
    assert blanked(b"no python (") == b"no python ("


@pytest.mark.parametrize("suffix", ["json", "safetensors"])
def test_changed_rules_are_reported_once_wherever_a_table_answers(
    suffix: str, command: Command
) -> None:
    game, table = write(f"heap_{suffix}", 0), f"t.{suffix}"
    spec = game.replace(".py", "")
    assert command("solve", game, "-o", table) == 0
    asked = "best", "8", "--game", game, "--table", table
    assert "rules_changed" not in command.json(*asked)
    stated = command.json("info", table, "--game", game)["source"]
    assert stated["files"] == [f"few_heap_{suffix}.py", f"heap_{suffix}.py"]
    Path(f"few_heap_{suffix}.py").write_text("FEW = 0  # as before\n")
    assert "rules_changed" not in command.json(*asked)
    Path(f"few_heap_{suffix}.py").write_text("FEW = int()\n")
    assert command.json(*asked)["rules_changed"] is True
    assert command.err.count("\n") == 1
    assert WARNING.format(spec) in command.err
    assert command.json("verify", table, "--game", game)["rules_changed"] is True, "proved anew"
    with pytest.warns(RulesChangedWarning, match="have changed since its table was made"):
        agent = open_agent(load_game(game), table)
    with asyncio.Runner() as runner:
        client = Client(create_app([TableAgent(), agent]), runner)
        assert client.get(f"/api/v1/{spec}", asked={"position": "8"}).json["rules_changed"] is True
        assert "rules_changed" not in client.get("/api/v1/tictactoe").json
        listed = client.get("/api/v1/games").json["games"]
    assert [one.get("rules_changed") for one in listed] == [None, True]


def perfectplay(*arguments: str) -> tuple[int, str, str]:
    """Run a command in another process, which loads the rules as they are."""
    done = subprocess.run(
        [sys.executable, "-m", "solver", *arguments], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_a_table_of_changed_rules_is_proved_by_the_new_ones(command: Command) -> None:
    game = write("heap_proved", 0)
    assert command("solve", game, "-o", "t.json") == 0
    assert verify_alone.prove(Path("t.json").read_bytes(), load_game(game)) == 10
    write("heap_proved", 0)
    Path("few_heap_proved.py").unlink()
    Path("few_heap_proved.py").mkdir()
    Path("heap_proved.py").write_text(HEAP.replace("from {name} import FEW", "FEW = 0"))
    status, out, errors = perfectplay("verify", "t.json", "--game", game)
    assert (status, errors.count("\n")) == (0, 1)
    assert WARNING.format("heap_proved:Heap") in errors
    assert "proved t.json: by the rules in Python" in out
    status, _, errors = perfectplay("best", "--game", "heap_proved.py:Heap", "--table", "t.json")
    assert (status, errors.count("\n")) == (0, 1)


def test_files_of_rules_with_one_name_have_tables_of_their_own(
    command: Command, tmp_path: Path
) -> None:
    for folder, few in (("a", "0"), ("b", "1")):
        (tmp_path / folder).mkdir()
        rules = HEAP.replace("from {name} import FEW", f"FEW = {few}")
        (tmp_path / folder / "heap_two.py").write_text(rules)
    games = [f"{folder}/heap_two.py:Heap" for folder in "ab"]
    assert perfectplay("solve", games[0])[0] == 0
    (table,) = (tmp_path / "tables").iterdir()
    assert perfectplay("solve", games[1])[0] == 0
    assert len([*(tmp_path / "tables").iterdir()]) == 2
    assert [perfectplay("verify", "--game", game)[::2] for game in games] == [(0, "")] * 2
    table.rename(table.with_name("heap_two-Heap.json"))
    status, _, errors = perfectplay("best", "8", "--json", "--game", games[0])
    assert status == 0
    assert "heap_two-Heap.json has an older name, and may be of other rules" in errors


@pytest.mark.parametrize(
    "stated",
    [[], {"files": []}, {"files": ["b", "a"], "hash": "0" * 64}, {"files": [], "hash": ""}],
)
def test_a_list_of_files_of_another_shape_is_refused(stated: Any) -> None:
    table = solve(HandMade())
    table.rule_files = stated
    with pytest.raises(TableFormatError, match=r"source is not the files|not 64 hexadecimal"):
        decode(encode(table), HandMade())


def test_tables_without_files_say_so_to_who_asks(command: Command) -> None:
    game = write("heap_bare", 0)
    rules = load_game(game)
    table = solve(rules)
    table.rule_files = None
    Path("t.json").write_bytes(encode(table))
    for name in ("info", "verify"):
        assert command(name, "t.json", "--game", game) == 0
        assert "files of the rules: not stated in the table" in command.out
        assert command.err == ""
    assert command("best", "--game", game, "--table", "t.json") == 0
    assert "files" not in command.out + command.err
    module = ModuleType("typed")
    sys.modules["typed"] = module
    exec(HEAP.replace("from {name} import FEW", "FEW = 0"), vars(module))
    try:
        Path("t.json").write_bytes(encode(solve(load_game("python:typed:Heap"))))
        for name in ("info", "verify"):
            assert command(name, "t.json", "--game", "python:typed:Heap") == 0
            assert "none, so they have no hash, and no other process can ask" in command.out
    finally:
        del sys.modules["typed"]


def test_unfinished_work_and_workers_are_of_the_same_files(command: Command) -> None:
    """Both would go on with other rules, which agree at the positions that a fingerprint has."""
    game = write("heap_work", 0)
    rules = load_game(game)
    files = RuleFiles(rules)
    with Checkpoint("work", {"game": rules.spec, "source": files.stated}, files) as work:
        work.note()
        spec = Worker(PythonSteps(rules), game, "work", files).spec
        assert worker_for(spec, 1).steps.game is rules
        _CURRENT.clear()
        assert worker_for(spec, 1).sources.stated == files.stated
        _CURRENT.clear()
        write("heap_work", 1)
        with pytest.raises(ValueError, match="a worker has different rules for"):
            worker_for(spec, 1)
        _CURRENT.clear()
        assert work.ledger.about["source"] == files.stated
    assert has_changed(rules, work.ledger.about["source"])
