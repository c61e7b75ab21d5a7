"""Every player against its source, and a player of one's own in every convention and mood."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from solver import TableAgent, UnknownPlayerError, boards, load_player, play_exact
from solver.games.mnk import Mnk
from solver.players import PLAYERS, Player, opened
from solver.players.lookahead import NStep
from solver.players.player import PlayerFault
from tests.conftest import ROOT
from tests.support import bots, oracle

OPEN = [board for board in oracle.reachable() if not oracle.over(board)]
BOTS = ROOT / "tests" / "support" / "bots.py"
Shares = dict[int, float]


def even(cells: list[int]) -> Shares:
    return dict.fromkeys(cells, 1 / len(cells))


def line_of(board: str, mark: str) -> list[int]:
    """Cells that complete a line of a mark, by trying them."""
    return [
        cell
        for cell, here in enumerate(board)
        if here == "." and oracle.winner(board[:cell] + mark + board[cell + 1 :]) == mark
    ]


def other(mark: str) -> str:
    return "O" if mark == "X" else "X"


# The players once more, from the documents, on strings


def says_random(board: str) -> Shares:
    return even(oracle.moves(board))


def says_win(board: str) -> Shares:
    return even(line_of(board, oracle.turn(board)) or oracle.moves(board))


def says_winblock(board: str) -> Shares:
    me = oracle.turn(board)
    return even(line_of(board, me) or line_of(board, other(me)) or oracle.moves(board))


def says_think1(board: str) -> Shares:
    found = line_of(board, oracle.turn(board))
    return even(found[:1] or oracle.moves(board))


def says_think2(board: str) -> Shares:
    me = oracle.turn(board)
    return even(line_of(board, me)[:1] or line_of(board, other(me))[:1] or oracle.moves(board))


def says_think3(board: str) -> Shares:
    """The document's three nested loops over own move, reply and own move."""
    me = oracle.turn(board)
    urgent = line_of(board, me) or line_of(board, other(me))
    if urgent:
        return even(urgent[:1])
    ways: list[int] = []
    for first in oracle.moves(board):
        for reply in oracle.moves(board):
            for last in oracle.moves(board):
                if len({first, reply, last}) == 3:
                    after = list(board)
                    after[first], after[reply], after[last] = me, other(me), me
                    if oracle.winner("".join(after)) == me:
                        ways.append(first)
    if not ways:
        return says_random(board)
    most = max(ways.count(cell) for cell in ways)
    return {min(cell for cell in ways if ways.count(cell) == most): 1.0}


def windows(board: str, printed: bool) -> list[str]:
    """The document's rows, columns and twice a diagonal; in print the second is the first again."""
    rows = [board[i : i + 3] for i in (0, 3, 6)]
    columns = [board[i::3] for i in range(3)]
    falling = board[0] + board[4] + board[8]
    return [*rows, *columns, falling, falling[::-1] if printed else board[2] + board[4] + board[6]]


def says_lookahead1(board: str, printed: bool = False) -> Shares:
    me = oracle.turn(board)
    scores = {}
    for cell in oracle.moves(board):
        seen = windows(oracle.play(board, cell), printed)
        threes = sum(w.count(me) == 3 for w in seen)
        twos = sum(w.count(me) == 2 and w.count(".") == 1 for w in seen)
        danger = sum(w.count(other(me)) == 2 and w.count(".") == 1 for w in seen)
        scores[cell] = 1000 * threes + twos - 100 * danger
    return even([cell for cell in scores if scores[cell] == max(scores.values())])


def says_in_order(board: str, *groups: tuple[int, ...]) -> Shares:
    me = oracle.turn(board)
    urgent = line_of(board, me)[:1] or line_of(board, other(me))[:1]
    if urgent:
        return even(urgent)
    return even(next(free for g in groups if (free := [c for c in g if board[c] == "."])))


def says_minimax(board: str) -> Shares:
    return even([c for c in oracle.moves(board) if oracle.worth(board, c) == oracle.solve(board)])


CORNERS, SIDES = (0, 2, 6, 8), (1, 3, 5, 7)
SAYS: dict[str, Callable[[str], Shares]] = {
    "random": says_random,
    "win": says_win,
    "winblock": says_winblock,
    "think1": says_think1,
    "think2": says_think2,
    "think3": says_think3,
    "lookahead1": says_lookahead1,
    "lookahead1:printed": lambda board: says_lookahead1(board, printed=True),
    "center-first": lambda board: says_in_order(board, (4,), CORNERS, SIDES),
    "corner-first": lambda board: says_in_order(board, CORNERS, (4,), SIDES),
    "minimax": says_minimax,
    "nstep:9": lambda board: even(
        [c for c in oracle.moves(board) if oracle.worth(board, c)[0] == oracle.solve(board)[0]]
    ),
}


@pytest.mark.parametrize("name", SAYS)
def test_a_player_does_what_its_source_says(agent: TableAgent, name: str) -> None:
    """On every position, with the same probabilities."""
    player = load_player(name, agent)
    for board in OPEN:
        p = agent.game.parse(board)
        said = player.distribution(agent.game, p, oracle.turn(board))
        expected = SAYS[name](board)
        assert said.keys() == expected.keys(), board
        assert all(math.isclose(said[cell], expected[cell]) for cell in said)


def stones(x: list[int], o: list[int]) -> int:
    """A position with X to move, cells from 1; the documents print some that no game reaches."""
    return sum(1 << cell - 1 for cell in x) << 9 | sum(1 << cell - 1 for cell in o)


@pytest.mark.parametrize(
    ("x", "o", "depth", "printed"),
    [
        ([1, 2], [5], 2, {3: 100, 4: 0, 6: 0, 7: 0, 8: 0, 9: 0}),
        ([2, 8], [1, 5], 4, {3: -100, 4: -100, 6: -100, 7: -100, 9: -100}),
        ([4, 7, 8], [1, 2, 5], 3, {3: -100, 6: -100, 9: 100}),
    ],
)
def test_the_scores_that_wesley_beckner_prints(
    x: list[int], o: list[int], depth: int, printed: dict[int, int]
) -> None:
    scores = NStep(Mnk(3, 3, 3), depth).scores(stones(x, o))
    assert {cell + 1: score for cell, score in scores.items()} == printed


def test_a_full_board_scores_nothing() -> None:
    """The printed program never saw that a board was full, and scored it infinity."""
    game = Mnk(3, 3, 3)
    assert NStep(game, 3).scores(game.parse("XOXXOOO.X")) == {7: 0}


def test_level_is_a_dial(agent: TableAgent) -> None:
    game = agent.game
    for skill in (0.0, 0.25, 1.0):
        said = load_player(f"level:{skill}", agent).distribution(game, game.initial(), "X")
        assert math.isclose(said[0], skill + (1 - skill) / 9)
        assert all(math.isclose(said.get(cell, 0), (1 - skill) / 9) for cell in range(1, 9))


@pytest.mark.no_cover  # most of its time is the oracle's
@pytest.mark.parametrize("opponent", ["random", "winblock", "think3", "center-first", "level:0.5"])
def test_perfect_against_is_best_among_the_perfect(agent: TableAgent, opponent: str) -> None:
    """No other way to choose among the ties does better: tried by brute force over the tree."""
    rival = load_player(opponent, agent)
    game = agent.game

    def best(board: str, seat: str, known: dict[str, float]) -> float:
        if board not in known:
            if oracle.over(board):
                value = {seat: 1.0, None: 0.0}.get(oracle.winner(board), -1.0)
            elif oracle.turn(board) == seat:
                ties = says_minimax(board)
                value = max(best(oracle.play(board, c), seat, known) for c in ties)
            else:
                said = rival.distribution(game, game.parse(board), oracle.turn(board))
                value = sum(x * best(oracle.play(board, c), seat, known) for c, x in said.items())
            known[board] = value
        return known[board]

    player = load_player(f"perfect-against:{opponent}", agent)
    match = play_exact(game, player, rival)
    assert math.isclose(match.a_first.expected, best(oracle.START, "X", {}), abs_tol=1e-12)
    assert math.isclose(match.a_second.expected, best(oracle.START, "O", {}), abs_tol=1e-12)
    for less in ("minimax", "perfect"):
        weaker = play_exact(game, load_player(less, agent), rival)
        assert match.both.expected >= weaker.both.expected - 1e-12


def test_every_player_names_its_source_or_its_purpose() -> None:
    for entry in PLAYERS:
        doc = entry.about.__doc__ or ""
        known = entry.name in ("level:P", "perfect-against:PLAYER")
        assert "Source: " in doc or known, entry.name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nobody", "no player 'nobody'; the players are: human, random, win"),
        ("random:3", "takes nothing after a colon"),
        ("nstep", "give the plies to look, as in nstep:3"),
        ("nstep:0", "give the plies"),
        ("nstep:two", "give the plies"),
        ("nstep:²", "give the plies"),
        ("level:2", "a number from 0 to 1"),
        ("level:", "a number from 0 to 1"),
        ("level:nan", "a number from 0 to 1"),
        ("lookahead1:new", "there is lookahead1:printed"),
        ("perfect-against", "needs a player"),
        ("perfect-against:nobody", "no player 'nobody'"),
        ("none.py:move", "cannot be loaded: FileNotFoundError"),
        ("json:nothing", "cannot be loaded: AttributeError"),
        (f"{BOTS}:not_a_function", "cannot be loaded: TypeError: not_a_function is no function"),
    ],
)
def test_what_is_no_player(agent: TableAgent, name: str, said: str) -> None:
    with pytest.raises(UnknownPlayerError, match=said):
        load_player(name, agent)


def test_players_say_which_games_they_fit() -> None:
    from solver import solve

    agent = TableAgent(solve(Mnk(2, 3, 2)))
    assert load_player("winblock", agent)
    for name in ("lookahead1", "center-first", f"{BOTS}:sees_numpad"):
        convention = "numpad" if ":" in name else "rows"
        with pytest.raises(UnknownPlayerError, match="mnk:2,3,2"):
            load_player(name, agent, convention)


# players of one's own


@pytest.fixture
def own(agent: TableAgent) -> Iterator[Callable[..., Player]]:
    """Return a function that loads one of the bots in its own process."""
    players: list[Player] = []

    def load(name: str, **options: Any) -> Player:
        players.append(load_player(f"{BOTS}:{name}", agent, **options))
        return players[-1]

    yield load
    with opened(*players):
        pass


def at(agent: TableAgent, player: Player, board: str) -> Any:
    return player.answer(agent.game, agent.game.parse(board), oracle.turn(board))


@pytest.mark.parametrize(
    ("name", "convention"),
    [
        ("first_free", "rows"),
        ("by_index", "rows"),
        ("sees_cells", "cells"),
        ("sees_numpad", "numpad"),
        ("sees_kaggle", "kaggle"),
        ("noisy", "rows"),
    ],
)
def test_every_convention(
    agent: TableAgent, own: Callable[..., Player], name: str, convention: str, capfd: Any
) -> None:
    """All of these take the first free cell; the noisy one is not heard."""
    player = own(name, convention=convention)
    for board in OPEN[::17]:
        assert at(agent, player, board) == board.index(".")
    assert capfd.readouterr() == ("", "")


def test_declared_by_attribute_or_option(own: Callable[..., Player]) -> None:
    assert own("first_free").deterministic
    assert own("trained").deterministic
    assert not own("undeclared").deterministic
    assert own("undeclared", deterministic=True).deterministic


def test_a_distribution_of_ones_own(agent: TableAgent, own: Callable[..., Player]) -> None:
    player = own("shares")
    p = agent.game.parse("X...O....")
    assert player.distribution(agent.game, p, "X") == pytest.approx(says_random("X...O...."))
    match = play_exact(agent.game, player, load_player("random", agent))
    expected = play_exact(agent.game, load_player("random", agent), load_player("random", agent))
    assert match.both == pytest.approx(expected.both)


def test_the_seed_makes_chance_repeatable(agent: TableAgent, own: Callable[..., Player]) -> None:
    def moves(seed: int) -> list[Any]:
        player = own("by_chance", seed=seed)
        return [at(agent, player, ".........") for _ in range(20)]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)


@pytest.mark.parametrize(
    ("name", "board", "kind", "detail"),
    [
        ("cheats", "....X....", "illegal move", "(1, 1) is no empty cell"),
        ("off_the_board", "....X....", "illegal move", "(0, 5) is no empty cell"),
        ("crashes", "X........", "exception", "RuntimeError: no idea"),
        ("answers_words", ".........", "wrong type", "'centre' is no move"),
        ("answers_nothing", ".........", "wrong type", "None is no move"),
        ("answers_half", ".........", "wrong type", "add up to 0.5"),
        ("answers_negative", ".........", "wrong type", "is no probability"),
        ("answers_letters", ".........", "wrong type", "'often' is no probability"),
        ("exits", "....X....", "ended", "its process has ended"),
        ("dies", "....X....", "ended", "its process has ended"),
        ("hangs", "....X....", "too slow", "no answer within 0.3 s"),
    ],
)
def test_a_fault_is_told_and_harms_nothing(
    agent: TableAgent, own: Callable[..., Player], name: str, board: str, kind: str, detail: str
) -> None:
    player = own(name, limit=0.3)
    with pytest.raises(PlayerFault) as caught:
        at(agent, player, board)
    assert (caught.value.kind, detail in caught.value.detail) == (kind, True)
    if caught.value.fatal:
        with pytest.raises(PlayerFault):
            at(agent, player, ".........")
    else:
        with pytest.raises(PlayerFault):  # still there, and asked again
            at(agent, player, board)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
def test_a_player_that_forks_hangs_nothing(agent: TableAgent, own: Callable[..., Player]) -> None:
    """Its child would hold the pipe open, were it not of the group that is killed."""
    begun = time.monotonic()
    player = own("forks")
    assert at(agent, player, ".........") == 0
    player.close()
    assert time.monotonic() - begun < 20


def test_a_forged_reply_is_a_fault(agent: TableAgent, own: Callable[..., Player]) -> None:
    """A player can find the pipe and write to it; that is noticed."""
    player = own("forges")
    with pytest.raises(PlayerFault, match="something that is no answer"):
        at(agent, player, ".........")


@pytest.mark.parametrize("name", ["floods", "cheats_json"])
def test_odd_replies_are_faults(agent: TableAgent, own: Callable[..., Player], name: str) -> None:
    player = own(name, limit=5)
    if name == "cheats_json":  # it changes json.dumps, which the host no longer asks
        assert at(agent, player, ".........") == 0
    else:
        with pytest.raises(PlayerFault, match="something that is no answer"):
            at(agent, player, ".........")


def test_a_neighbour_called_solver(agent: TableAgent, tmp_path: Path) -> None:
    """A student's solver.py must not be hidden by this package."""
    (tmp_path / "solver.py").write_text("CELL = 4\n")
    (tmp_path / "bot.py").write_text(
        "from solver import CELL\ndef move(board, side):\n    return CELL\n"
    )
    player = load_player(f"{tmp_path}/bot.py:move", agent)
    with opened(player):
        assert at(agent, player, ".........") == 4


@pytest.mark.parametrize("limit", [float("inf"), 1e300])
def test_a_limit_may_be_as_long_as_one_likes(
    agent: TableAgent, own: Callable[..., Player], limit: float
) -> None:
    assert at(agent, own("first_free", limit=limit), ".........") == 0


@pytest.mark.parametrize("limit", [float("nan"), -1.0])
def test_a_limit_that_is_none(agent: TableAgent, limit: float) -> None:
    with pytest.raises(ValueError, match="seconds from 0"):
        load_player(f"{BOTS}:first_free", agent, limit=limit)


def test_an_opponent_of_ones_own(agent: TableAgent) -> None:
    player = load_player(f"perfect-against:{BOTS}:first_free", agent)
    (opponent,) = player.parts
    with opened(player):
        match = play_exact(agent.game, player, opponent)
        assert match.a_first.win == 1
    assert opponent._process.poll() is not None  # type: ignore[attr-defined]


def test_an_unknown_convention(agent: TableAgent) -> None:
    with pytest.raises(ValueError, match="rows, cells, numpad, kaggle"):
        load_player(f"{BOTS}:first_free", agent, convention="braille")


def test_a_player_may_be_called_like_a_module(agent: TableAgent, tmp_path: Path) -> None:
    """A file random.py must not hide the standard library's from the process that runs it."""
    (tmp_path / "random.py").write_text("def move(board, side):\n    return 4\n")
    player = load_player(f"{tmp_path}/random.py:move", agent)
    with opened(player):
        assert at(agent, player, ".........") == 4


def test_a_player_may_import_its_neighbours_and_be_a_module(
    agent: TableAgent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "helper.py").write_text("CELL = 4\n")
    (tmp_path / "mine.py").write_text(
        "import helper\ndef move(board, side):\n    return helper.CELL\n"
    )
    monkeypatch.chdir(tmp_path)
    for name in ("mine.py:move", "mine:move"):
        player = load_player(name, agent)
        with opened(player):
            assert at(agent, player, ".........") == 4


def test_processes_end_with_their_players(agent: TableAgent) -> None:
    player = load_player(f"{BOTS}:first_free", agent)
    process = player._process  # type: ignore[attr-defined]
    with opened(player):
        assert process.poll() is None
    assert process.poll() is not None


def test_sampling_follows_the_distribution(agent: TableAgent) -> None:
    player = load_player("winblock", agent)
    generator = random.Random(3)
    p = agent.game.parse("X...O....")
    drawn = {player.sample(agent.game, p, "X", generator) for _ in range(200)}
    assert drawn == set(says_winblock("X...O...."))


def test_the_bots_work_in_this_process_too() -> None:
    """So that a failure above is one of the process around them."""
    rows: bots.Rows = [["X", None, None], [None, "O", None], [None, None, None]]
    assert bots.first_free(rows, "X") == (0, 1)
    assert bots.Trained()(rows, "X") == (2, 2)
    assert boards.from_rows(rows) == "X...O...."


def test_a_killed_command_leaves_no_process_behind(tmp_path: Path) -> None:
    """The player's process ends when the pipe to it closes, whatever ended the command."""
    code = (
        "import os, signal\n"
        "from solver import TableAgent, load_player\n"
        f"player = load_player({str(BOTS)!r} + ':first_free', TableAgent())\n"
        "print(player._process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT
    )
    pid = int(done.stdout)
    for _ in range(100):
        try:
            status = Path(f"/proc/{pid}/status").read_text()
        except OSError:
            return
        if "State:\tZ" in status:
            return
        subprocess.run(["sleep", "0.05"], check=True)
    pytest.fail("the player's process outlives the command")
