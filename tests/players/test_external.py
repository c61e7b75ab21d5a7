"""Custom players that run in a process of their own."""

from __future__ import annotations

import math
import os
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


def test_what_a_player_prints_is_discarded(load: Load, capfd: Any) -> None:
    player = load("noisy", convention="rows")
    for board in oracle.unfinished()[::17]:
        assert answer(player, board) == board.index(".")
    assert capfd.readouterr() == ("", "")


def test_what_a_player_is_may_be_declared(load: Load) -> None:
    assert load("trained").deterministic
    assert not load("undeclared").deterministic
    assert load("undeclared", deterministic=True).deterministic
    shares = load("shares").distribution(GAME, GAME.parse("X...O...."), "X")
    assert shares == pytest.approx(EXPECTED["random"]("X...O...."))


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("crashes", "exception: ValueError: invalid literal"),
        ("exits", "exception: SystemExit: 3"),
        ("dies", "ended: its process has ended with status 3"),
        ("hangs", r"too slow: no answer within 0\.06 s"),
    ],
)
@pytest.mark.thinned(3, 3)
def test_after_a_fault_the_player_answers_again(load: Load, name: str, fault: str) -> None:
    """A first answer may take 3 times the limit."""
    player: Any = load(name, limit=0.02 if name == "hangs" else LONG)
    with pytest.raises(PlayerFault, match=f"^{fault}"):
        answer(player, "....X....")
    player.limit = LONG
    assert answer(player) in range(9)


def test_a_forged_reply_is_a_fault(load: Load) -> None:
    """A player can find the pipe and write to it: one line too many, before or after its own."""
    with pytest.raises(PlayerFault, match=r"^surplus output|'\[\]' is not a legal move"):
        answer(load("forges"))


class Scripted(ExternalPlayer):
    """A player whose processes would send these lines; one that sends None is late."""

    def __init__(self, *lines: bytes | None) -> None:
        super().__init__("bot", GAME)
        self.lines = [*lines]

    def start(self) -> Any:
        return SimpleNamespace(ask=self.send, answered=True, close=lambda: None)

    def send(self, *_: object) -> bytes:
        line = self.lines.pop(0)
        if line is None:
            raise PlayerFault("too slow", f"no answer within {len(self.lines)} s")
        return line


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
        ("[]", r"^illegal move: '\[\]' is not a legal move; a bot must print one move a line"),
    ],
)
def test_a_reply_is_checked(reply: str, fault: str) -> None:
    with pytest.raises(PlayerFault, match=fault):
        answer(Scripted(reply.encode(errors="surrogateescape")))


def test_a_program_may_state_probabilities() -> None:
    player = Scripted(b'{"probabilities": {"1": 0.25, "5": 0.75}}')
    assert player.distribution(GAME, GAME.initial(), "X") == {0: 0.25, 4: 0.75}


def test_a_late_player_is_asked_once_more() -> None:
    """The machine may have been busy; after three positions it is not asked again."""
    player = Scripted(None, b"5", *[None] * 6)
    assert answer(player) == 4
    for left, is_last in ((5, False), (3, False), (1, True)):  # the first of two faults counts
        with pytest.raises(PlayerFault, match=f"too slow: no answer within {left} s") as caught:
            answer(player)
        assert caught.value.final == is_last
    assert player.lines == []
    with pytest.raises(PlayerFault, match="too slow"):
        answer(player)


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


@needs_proc
def test_a_bot_that_has_ended_leaves_nothing_of_its_group(load: Load, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "import os, time\n"
        "def leave(and_first=lambda: None):\n"
        "    pid = os.fork()\n"
        "    if not pid:\n"
        "        and_first()\n"
        "        time.sleep(600)\n"
        "    return pid\n"
        "def move(board, side):\n"
        "    away = leave(os.setsid)\n"
        "    while os.getpgid(away) == os.getpgrp():\n"
        "        time.sleep(0.01)\n"
        f"    with open({str(tmp_path / 'left')!r}, 'w') as file:\n"
        "        print(away, leave(), file=file)\n"
        "    os._exit(3)\n"
    )
    with pytest.raises(PlayerFault, match="ended with status 3$"):
        answer(load(f"{tmp_path}/bot.py:move"))
    away, near = map(int, (tmp_path / "left").read_text().split())
    wait_for_end([near])
    assert running([away]) == [away]  # as the documentation says
    os.kill(away, signal.SIGKILL)


@needs_proc
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.thinned(2)
def test_a_bot_sees_the_end_of_its_input_if_the_grader_is_killed(tmp_path: Path, how: int) -> None:
    started = tmp_path / "started"
    (tmp_path / "bot.py").write_text(
        "import os, sys\n"
        f"with open('{started}.part', 'w') as file: file.write(str(os.getpid()))\n"
        f"os.replace('{started}.part', '{started}')\n"
        "for line in sys.stdin: pass\n"
    )
    bot = f"command:{sys.executable} {tmp_path}/bot.py"
    command = [sys.executable, "-m", "solver", "grade", bot]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as grader:
        deadline = time.monotonic() + LONG
        while not started.exists():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        grader.send_signal(how)
    wait_for_end([int(started.read_text())])


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
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "one.py").write_text((tmp_path / "mine.py").read_text())
    monkeypatch.chdir(tmp_path)
    names = ("mine.py:move", "python:mine:move", "mine.py:Team.first.move", "bots.one:move")
    for name in names:
        assert answer(load(name)) == 4


def test_loading_ends_at_the_deadline(load: Load, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import time\ntime.sleep(600)\n")
    with pytest.raises(UnknownPlayerError, match=r"cannot be loaded: no answer within 0[.\d]* s"):
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
        assert caught.value.detail.endswith("; a bot must print one move a line and nothing else")
