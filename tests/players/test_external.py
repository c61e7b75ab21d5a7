"""Custom players that run in a process of their own."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from solver import TableAgent, UnknownPlayerError, load_game, load_player
from solver.players import Player, closing
from solver.players.external import ExternalPlayer
from solver.players.player import PlayerFault
from tests.conftest import BOTS
from tests.support import oracle
from tests.support.heuristics import EXPECTED

pytestmark = pytest.mark.slow

GAME = load_game("tictactoe")
LONG = 120.0  # seconds that no player needs, however busy the machine is
Load = Callable[..., Player]


@pytest.fixture
def load(agent: TableAgent) -> Iterator[Load]:
    """Return a function that loads one of the bots, or another player, in its own process."""
    players: list[Player] = []

    def load_one(name: str, **options: Any) -> Player:
        spec = name if ":" in name else f"{BOTS}:{name}"
        players.append(load_player(spec, agent, **{"limit": LONG} | options))
        return players[-1]

    yield load_one
    with closing(*players):
        pass


def answer(player: Player, board: str = oracle.START) -> Any:
    return player.answer(GAME, GAME.parse(board), oracle.turn(board))


@pytest.mark.parametrize(
    ("name", "convention"),
    [
        ("noisy", "rows"),
        ("sees_cells", "cells"),
        ("sees_numpad", "numpad"),
        ("sees_kaggle", "kaggle"),
    ],
)
@pytest.mark.thinned(4, 4)
def test_every_convention(load: Load, name: str, convention: str, capfd: Any) -> None:
    """All of these take the first free cell; the output of the noisy one is discarded."""
    player = load(name, convention=convention)
    for board in oracle.unfinished()[::17]:
        assert answer(player, board) == board.index(".")
    assert capfd.readouterr() == ("", "")


def test_what_a_player_is_may_be_declared(load: Load) -> None:
    assert load("trained").deterministic
    assert not load("undeclared").deterministic
    assert load("undeclared", deterministic=True).deterministic
    shares = load("shares").distribution(GAME, GAME.parse("X...O...."), "X")
    assert shares == pytest.approx(EXPECTED["random"]("X...O...."))


def test_a_seed_repeats_random_moves(load: Load) -> None:
    def moves(seed: int) -> list[Any]:
        player = load("by_chance", seed=seed)
        return [answer(player) for _ in range(20)]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("crashes", "exception: ValueError: invalid literal"),
        ("exits", "exception: SystemExit: 3"),
        ("dies", "ended: its process has ended with status 3"),
        ("hangs", "too slow: no answer within 1.2 s"),
    ],
)
@pytest.mark.thinned(3, 3)
def test_after_a_fault_the_player_answers_again(load: Load, name: str, fault: str) -> None:
    """`hangs` sleeps, so the clock ends it: 6 times the limit for a first answer, 10 times that."""
    player = load(name, limit=0.02 if name == "hangs" else LONG)
    with pytest.raises(PlayerFault, match=f"^{fault}"):
        answer(player, "....X....")
    assert answer(player) in range(9)


def test_a_forged_reply_is_a_fault(load: Load) -> None:
    """A player can find the pipe and write to it: one line too many, before or after its own."""
    with pytest.raises(PlayerFault, match=r"^surplus output|'\[\]' is not a legal move"):
        answer(load("forges"))


class Scripted(ExternalPlayer):
    """A player whose process would send this line."""

    def __init__(self, line: bytes) -> None:
        super().__init__("bot", GAME)
        self.line = line

    def start(self) -> Any:
        return SimpleNamespace(ask=lambda *_: self.line, answered=True, close=lambda: None)


INVALID = "^ended: its process sent an invalid reply$"
NESTED = "[" * 600 + "]" * 600


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ('{"fault": "exception", "detail": "no idea"}', "^exception: no idea$"),
        ('{"probabilities": {"1": 0.5}}', "^wrong type: the probabilities add up to 0.5"),
        ('{"probabilities": {"1": NaN}}', "^wrong type: nan is not a probability"),
        ('{"probabilities": {"10": 1}}', "^illegal move: '10' is not a legal move"),
        ('{"probabilities": ["1"]}', INVALID),
        ('{"probabilities": {"1": [1]}}', INVALID),
        ('{"probabilities"', INVALID),
        ('{"fault": "too slow", "detail": ""}', INVALID),  # only the grader may say so
        ('{"fault": "\\u001b[31mred", "detail": "x"}', INVALID),  # named by escapes of a terminal
        ('{"fault": "illegal move", "detail": "x", "hint": ["y"]}', INVALID),
        # what can be read, but once ended the grader where its text was made
        (f'{{"probabilities": {{"1": {NESTED}}}}}', INVALID),
        (f'{{"fault": {NESTED}}}', INVALID),
        ("\udcff", r"^wrong type: b'\\xff' is not UTF-8"),
        ("", "^illegal move: '' is not a legal move"),
        (
            "[]",
            r"^illegal move: '\[\]' is not a legal move; a bot must print its answers and nothing",
        ),
    ],
)
def test_a_reply_is_checked(reply: str, fault: str) -> None:
    with pytest.raises(PlayerFault, match=fault):
        answer(Scripted(reply.encode(errors="surrogateescape")))


def test_a_program_may_state_probabilities() -> None:
    player = Scripted(b'{"probabilities": {"1": 0.25, "5": 0.75}}')
    assert player.distribution(GAME, GAME.initial(), "X") == {0: 0.25, 4: 0.75}


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


def running(pids: list[int]) -> list[int]:
    """Return the processes that are neither gone nor zombies."""
    found = []
    for pid in pids:
        try:
            status = Path(f"/proc/{pid}/status").read_text()
        except OSError:
            continue
        if "State:\tZ" not in status:
            found.append(pid)
    return found


def wait_for_end(pids: list[int]) -> None:
    """Wait until no process runs; fail after two minutes."""
    deadline = time.monotonic() + LONG
    while left := running(pids):
        assert time.monotonic() < deadline, f"still running: {left}"
        time.sleep(0.02)


def test_a_restart_changes_no_claim(load: Load, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def move(board, side): return 4\n")
    player = load(f"{tmp_path}/bot.py:move")
    player.close()
    (tmp_path / "bot.py").write_text("def move(board, side): return 4\nmove.deterministic = True\n")
    assert answer(player) == 4
    assert not player.deterministic


LEAVES = (  # a child and a session of its own, each with its process number in a file
    "import os, signal, subprocess, time\n"
    "def leave(folder):\n"
    "    child = subprocess.Popen(['sleep', '600'], start_new_session=True).pid\n"
    "    forked = os.fork()\n"
    "    if not forked:\n"
    "        time.sleep(600)\n"
    "    with open(folder + '/left.part', 'w') as file:\n"
    "        file.write(f'{child} {forked} {os.getppid()}')\n"
    "    os.replace(folder + '/left.part', folder + '/left')\n"
)


def left_by(folder: Path) -> list[int]:
    """Return the processes whose numbers a bot has written: two that it left, and its keeper."""
    deadline = time.monotonic() + LONG
    while not (folder / "left").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return [int(number) for number in (folder / "left").read_text().split()]


@needs_proc
@pytest.mark.parametrize(
    ("when", "how"), [("    ", "SIGKILL"), ("", "SIGKILL"), ("    ", "SIGSTOP")]
)
def test_a_bot_that_kills_its_keeper_has_ended_and_leaves_nothing(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str, how: str
) -> None:
    """What it had forked held the pipe open, which cost the whole total, and stayed behind."""
    monkeypatch.setattr("solver.players.process.PATIENCE", 0.5)
    (tmp_path / "bot.py").write_text(
        f"{LEAVES}def move(board, side):\n    time.sleep(0)\n"
        f"{when}leave({str(tmp_path)!r})\n{when}os.kill(os.getppid(), signal.{how})\n"
        f"{when}time.sleep(600)\n"
    )
    ended = "too slow: " if how == "SIGSTOP" else "ended with status -9$"
    limit = 0.02 if how == "SIGSTOP" else LONG
    with pytest.raises((PlayerFault, UnknownPlayerError), match=ended):
        answer(load(f"{tmp_path}/bot.py:move", limit=limit))
    wait_for_end(left_by(tmp_path))


@needs_proc
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.thinned(2)
def test_a_grader_that_is_killed_leaves_nothing(tmp_path: Path, how: int) -> None:
    """The keeper's timer once ended the keeper itself while it gave a bot time to exit."""
    (tmp_path / "bot.py").write_text(
        f"{LEAVES}signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"def move(board, side):\n    leave({str(tmp_path)!r})\n    time.sleep(600)\n"
    )
    command = [sys.executable, "-m", "solver", "grade", f"{tmp_path}/bot.py:move"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as grader:
        left = left_by(tmp_path)
        assert running(left) == left
        grader.send_signal(how)
    wait_for_end(left)


def test_a_player_may_be_a_module_or_a_method_and_import_others(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "helper.py").write_text("CELL = 4\n")
    (tmp_path / "mine.py").write_text(
        "import helper\n"
        "class Bot:\n    def move(self, board, side):\n        return helper.CELL\n"
        "class Team:\n    first = Bot()\n"
        "move = Team.first.move\n"
    )
    monkeypatch.chdir(tmp_path)
    for name in ("mine.py:move", "python:mine:move", "mine.py:Team.first.move"):
        assert answer(load(name)) == 4


def test_loading_ends_at_the_deadline(load: Load, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import time\ntime.sleep(600)\n")
    with pytest.raises(UnknownPlayerError, match=r"cannot be loaded: no answer within 0\.\d+ s"):
        load(f"{tmp_path}/bot.py:move", deadline=time.monotonic() + 0.5)


def test_a_restart_that_is_too_late_is_no_crash(load: Load) -> None:
    """The total is spent then; the player is not known to fail."""
    player = load("first_free")
    player.close()
    player.deadline = time.monotonic()
    with pytest.raises(PlayerFault, match="too slow: .* cannot be loaded: no answer") as caught:
        answer(player)
    assert not caught.value.final
    player.deadline = math.inf
    assert answer(player) == 0


@pytest.mark.parametrize(
    "noise", ["print('Welcome', flush=True)", "sys.stdout.write('> '); sys.stdout.flush()"]
)
def test_a_greeting_does_not_put_answers_out_of_step(
    load: Load, tmp_path: Path, noise: str
) -> None:
    """Whenever the greeting arrives, no answer counts for another position, as it once did."""
    (tmp_path / "bot.py").write_text(
        f"import sys\n{noise}\n"
        "for line in sys.stdin: print(line.split(chr(9))[1].index('.') + 1, flush=True)\n"
    )
    player = load(f"command:{sys.executable} {tmp_path}/bot.py")
    for board in oracle.unfinished()[:3]:
        with pytest.raises(PlayerFault, match=r"Welcome|> ") as caught:
            answer(player, board)
        assert caught.value.detail.endswith("; a bot must print its answers and nothing else")
