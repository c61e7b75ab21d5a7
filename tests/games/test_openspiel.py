"""OpenSpiel's games, against a walk of pyspiel that uses no code of the package."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver import (
    GameLawError,
    IllegalPositionError,
    TableAgent,
    UnknownGameError,
    encode,
    grade,
    load_game,
    open_agent,
    solve,
    verify,
)
from solver.env.single import BoardEnv
from solver.games.openspiel import PASS, AgentBot, OpenSpiel
from solver.solving.solve import SolveOptions, solve_file
from solver.value import distance, outcome
from tests.conftest import Command
from tests.support.brute import Value, brute
from tests.support.cases import campaign, large

pyspiel = pytest.importorskip("pyspiel")

GAMES = [
    ("mnk(m=3,n=2,k=2)", 129),
    ("nim(pile_sizes=2;3;4)", 112),
    ("nim(pile_sizes=2;3;4)+plies", 197),
    ("havannah(board_size=2)", 910),
    ("dots_and_boxes(num_rows=1,num_cols=2)", 157),
    ("go(board_size=2,max_game_length=3)+history", 95),
    ("oware(num_houses_per_player=2,num_seeds_per_house=1)+history", 144),
    ("y(board_size=3)", 547),
    ("gomoku(size=2,dims=3,connect=2)", 233),
    ("checkers(rows=4,columns=4)", 1),
    *large(
        ("hex(board_size=3)", 5_514),
        ("nim", 752),
        ("misere(game=tic_tac_toe())", 5_478),
        ("gomoku(size=3,connect=3,wrap=True)", 5_194),
        ("hex(board_size=3,swap=True)", 11_027),
        ("clobber(rows=3,columns=4)", 13_343),
        ("breakthrough(rows=4,columns=3)", 10_689),
        ("dots_and_boxes", 6_905),
        ("go(board_size=2)+history", 4_635),
        ("connect_four(rows=3,columns=4,x_in_row=3)", 7_157),
    ),
    *campaign(
        ("tic_tac_toe", 5_478),
        ("y(board_size=4)", 55_799),
        ("quoridor(board_size=3)+plies", 42_955),
        ("mnk(m=4,n=3,k=3)", 111_973),
        ("connect_four(rows=4,columns=4)", 161_029),
    ),
]
DOTS = "openspiel:dots_and_boxes(num_rows=1,num_cols=2)"


def kind() -> Any:
    """Return the type of a game that is written here."""
    enum = pyspiel.GameType
    provided = "information_state_string information_state_tensor observation_string"
    return enum(
        short_name="trap",
        long_name="Trap",
        dynamics=enum.Dynamics.SEQUENTIAL,
        chance_mode=enum.ChanceMode.DETERMINISTIC,
        information=enum.Information.PERFECT_INFORMATION,
        utility=enum.Utility.ZERO_SUM,
        reward_model=enum.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        parameter_specification={},
        **{f"provides_{name}": False for name in [*provided.split(), "observation_tensor"]},
    )


class TrapState(pyspiel.State):  # type: ignore[misc, name-defined]
    """Two moves four times; the first alone decides, and the text has only their number."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.taken: list[int] = []

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else len(self.taken) % 2

    def _legal_actions(self, player: int) -> list[int]:
        return [0, 1]

    def _apply_action(self, action: int) -> None:
        self.taken.append(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def is_terminal(self) -> bool:
        return len(self.taken) == 4

    def returns(self) -> list[float]:
        sign = self.taken[0] * 2 - 1 if self.is_terminal() else 0
        return [sign, -sign]

    def __str__(self) -> str:
        return f"ply {len(self.taken)}"


class Trap(pyspiel.Game):  # type: ignore[misc, name-defined]
    def __init__(self, params: Any = None) -> None:
        super().__init__(kind(), pyspiel.GameInfo(2, 0, 2, -1.0, 1.0, 0.0, 4), params or {})

    def new_initial_state(self) -> TrapState:
        return TrapState(self)


pyspiel.register_game(kind(), Trap)


def node(state: Any, side: int, holds: str) -> tuple[Any, ...]:
    """Return what a position is to the walk below."""
    more = {"": None, "+plies": state.move_number(), "+history": tuple(state.history())}[holds]
    return str(state), state.current_player(), side, more


def valued(name: str, holds: str) -> dict[Any, Value]:
    """Return the outcome and the distance at every node."""
    start = pyspiel.load_game(name).new_initial_state()
    known = {node(start, 0, holds): (start, 0)}

    def rules(key: Any) -> int | list[Any]:
        state, side = known[key]
        if state.is_terminal():
            return int(np.sign(state.returns()[side]))
        passes = state.current_player() != side
        after = [state] if passes else [state.child(a) for a in state.legal_actions()]
        found = {node(s, 1 - side, holds): (s, 1 - side) for s in after}
        known.update(found)
        return [*found]

    return brute(rules, node(start, 0, holds))


@pytest.mark.parametrize(("name", "positions"), GAMES)
def test_every_value_and_distance_is_that_of_pyspiel(
    name: str, positions: int, tmp_path: Path
) -> None:
    game = load_game(f"openspiel:{name}")
    assert isinstance(game, OpenSpiel)
    path = solve_file(game, str(tmp_path / "table"), SolveOptions())
    proof = verify(Path(path).read_bytes(), load_game(game.spec))
    assert proof.positions == positions
    base, plus, holds = name.partition("+")
    right, table = valued(base, plus + holds), open_agent(game, path).table
    assert len(right) == positions
    for p, known in game._memory.items():
        score = table.probe(p)
        stated = right.pop(node(known.state, known.side, plus + holds))
        assert (outcome(score), distance(score)) == stated, p
    assert not right


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("go(board_size=2)", "lead to .* and go on differently"),
        ("go(board_size=2)+plies", "although they differ: name openspiel:.*\\+history"),
        ("oware(num_houses_per_player=2,num_seeds_per_house=1)", "lead to .* go on differently"),
        ("oware(num_houses_per_player=2,num_seeds_per_house=4)", "games .{,165} lead to"),
        ("trap", "lead to 'ply 1 1' and go on differently"),
    ],
)
def test_a_game_whose_texts_lack_what_matters_is_refused(
    name: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By `solve` and by `verify`, for a table that was made without the comparisons."""
    with pytest.raises(GameLawError, match=reason):
        solve(load_game(f"openspiel:{name}"))
    with monkeypatch.context() as patched:
        patched.setattr(OpenSpiel, "_meet", lambda self, t, k: self._memory.setdefault(t, k))
        patched.setattr(OpenSpiel, "_lift", lambda *_: None)
        data = encode(solve(load_game(f"openspiel:{name}"), force=True))
    with pytest.raises(GameLawError, match=reason):
        verify(data, load_game(f"openspiel:{name}"))


def test_texts_that_lead_back_to_themselves_are_refused() -> None:
    """A game of quoridor ends after some moves, whose number is not in its texts."""
    with pytest.raises(GameLawError, match="repeats texts, .* name openspiel:.*\\+plies, whose"):
        solve(load_game("openspiel:quoridor(board_size=3)"))


def test_the_whole_history_shows_what_decides_the_trap() -> None:
    table = solve(load_game("openspiel:trap+history"))
    assert (table.counts["positions"], table.describe()["outcome"]) == (31, 1)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("kuhn_poker", "it has chance"),
        ("matrix_pd", "its players move at the same time"),
        ("phantom_ttt", "players do not see everything"),
        ("catch", "it has 1 players, and must have 2"),
        ("chess(chess960=True)", "has chance, though OpenSpiel denies it"),
        ("clobber(rows=1,columns=1)", "a position has no move"),
        ("nosuch", "OpenSpiel has no game nosuch"),
        ("tictactoe", "no game tictactoe; did you mean openspiel:tic_tac_toe?"),
        ("Tic-Tac Toe", "no game Tic-Tac Toe; did you mean openspiel:tic_tac_toe?"),
        ("python_tic_tac_toe", "Python are left out; did you mean openspiel:tic_tac_toe?"),
        ("nim(pile_sizes=1,2,3)", "of a list is a semicolon: write pile_sizes=1;2;3"),
        ("hex(3)", "write openspiel:NAME or openspiel:NAME(PARAMETER=VALUE,...)"),
        ("hex(board_size=x)", "Wrong type for parameter board_size"),
        ("hex(board_size=3,swap=True,board_size=4)", "it has the parameter board_size twice"),
        ("hex(nosuch=3)", "Unknown parameter 'nosuch'"),
        ("hex(board_size=3", "write openspiel:NAME or openspiel:NAME(PARAMETER=VALUE,...)"),
        ("connect_four(rows=0)", "OpenSpiel fails with these parameters: it crashes"),
        ("havannah(board_size=100)", "OpenSpiel fails with these parameters"),
        ("misere(game=" * 20 + "nim" + ")" * 20, "write openspiel:NAME"),
    ],
)
def test_other_names_are_refused_with_the_reason(
    name: str, reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UnknownGameError, match="^there is no game 'openspiel:") as refusal:
        load_game(f"openspiel:{name}")
    assert reason in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert capfd.readouterr() == ("", "")


def test_without_pyspiel_the_error_names_the_extra(command: Command) -> None:
    command.monkeypatch.setitem(sys.modules, "pyspiel", None)
    command.monkeypatch.delitem(sys.modules, "solver.games.openspiel")
    said = command.refuses("solve", "openspiel:nim")
    assert "needs the extra 'openspiel': run python -m pip install open_spiel" in said


def test_a_player_who_moves_again_waits_for_a_forced_pass() -> None:
    game = load_game(DOTS)
    p = game.initial()
    while game.moves(p) != [PASS]:
        p = game.play(p, game.moves(p)[-1])
    assert (game.label(p, PASS), p.endswith(" pass")) == ("pass", True)
    q = game.play(p, PASS)
    assert game.turn(q) != game.turn(p)
    assert PASS not in game.moves(q)
    assert load_game(DOTS).parse(q) == q  # in another game object, by a search
    with pytest.raises(IllegalPositionError, match="is not a position .* no game leads there; one"):
        game.parse("nothing 0")


@pytest.mark.slow
def test_the_command_line(command: Command) -> None:
    spec = "openspiel:hex(board_size=2)"
    assert command("solve", spec, "-o", "hex.json") == 0
    assert f"name its rules with --game '{spec}'" in command.refuses("verify", "hex.json", status=1)
    assert command("verify", "hex.json", "--game", spec) == 0
    assert "proved" in command.out
    table = "--table", "hex.json", "--game", spec
    found = command.json("best", *table)
    assert (found["distance"], found["moves"][0]["label"], found["move"]) == (3, "b1", 1)
    after = command.json("best", "b1", *table)
    assert after["position"] == ". x / . . 1"
    assert command.json("best", after["position"], *table) == after
    assert command("line", *table) == 0
    assert "The game is over: X has won." in command.out
    refused = command.refuses("solve", spec, "-o", "two.json", "--workers", "2")
    assert "use one worker" in refused
    env = BoardEnv(spec, "perfect", oracle=True, table="hex.json")
    array, info = env.reset(seed=0)
    assert (array.shape, info["distance"]) == ((2, 2, 2), 3)
    assert env.step(1)[0][0, 1].tolist() == [1, 0]


def test_bots_and_policies() -> None:
    from open_spiel.python.policy import UniformRandomPolicy

    agent = TableAgent(solve(load_game(DOTS)))
    perfect = AgentBot(agent)
    found = grade(perfect, agent, deterministic=True)
    assert (found.optimal, found.faults) == (True, [])
    rules = pyspiel.load_game(DOTS.removeprefix("openspiel:"))
    for seed in range(10):
        players = [perfect, pyspiel.make_uniform_random_bot(1, seed)]
        assert pyspiel.evaluate_bots(rules.new_initial_state(), players, seed)[0] >= 0
    random, again = grade(UniformRandomPolicy(rules), agent), grade("random", agent)
    named = random._replace(player="random")
    assert json.dumps(named, default=str) == json.dumps(again, default=str)
    other = pyspiel.load_game("nim").new_initial_state()
    with pytest.raises(IllegalPositionError, match="a state of nim"):
        perfect.step(other)
