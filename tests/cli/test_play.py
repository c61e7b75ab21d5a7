"""The command play, and the boards with values that it shows."""

from __future__ import annotations

from solver import MoveScore, Outcome, load_game
from solver.agent.text import draw_values
from tests.conftest import BOTS, Command
from tests.support import user_games
from tests.support.solved import solved_agent


def test_a_person_against_the_table(command: Command) -> None:
    command.type("5", "9", "h", "2", "1", "x", "4", "7", "n")
    assert command("play") == 0
    assert command.out.endswith(
        "The game is over: a draw.\nPlay again? (y or n, u to take back): n\n"
    )
    assert "O plays 1.\n\n O | 2 | 3\n" in command.out
    assert (
        "Hint: 2, draw: blocks O's win; threatens to win at 8;"
        " the only move that holds the draw; of O's 4 replies only 8 does not lose\n"
    ) in command.out
    assert "'x' is not a legal move; the legal moves are " in command.out


def test_help(command: Command) -> None:
    command.type("5", "?", "help", "HELP", "q")
    assert command("play", "--o", "human") == 0
    assert command.out.count("Type a move, for O: 1, 2, 3, 4, 6, 7, 8, 9.\n") == 3
    assert "is not a legal move" not in command.out


def test_taking_back(command: Command) -> None:
    command.type("u", "1", "u", "5", "q")
    assert command("play") == 0
    assert "There is no move to take back." in command.out
    assert command.out.count("O plays 5.") == 1
    assert command.out.count("O plays 1.") == 1
    assert command.out.endswith("Bye.\n")


def test_two_people(command: Command) -> None:
    """They take the end of the game back, and play again."""
    command.type("1", "4", "2", "5", "3", "u", "7", "6", "y", "9")
    assert command("play", "--o", "human") == 0
    assert "The game is over: X has won." in command.out
    _, _, again = command.out.partition("The game is over: O has won.")
    assert " 1 | 2 | 3\n" in again
    assert " 7 | 8 | X\n" in again
    assert again.endswith("Bye.\n")


def test_numpad(command: Command) -> None:
    command.type("7", "h", "^C")
    assert command("play", "--o", "human", "--numpad") == 0
    assert command.out.startswith(" 7 | 8 | 9\n---+---+---\n 4 | 5 | 6\n")
    assert " X    | 8 L3 | 9 L3\n------+" in command.out
    assert "Hint: 5, draw" in command.out


def test_a_seed_makes_random_games_repeatable(command: Command) -> None:
    outs = []
    for seed in ("1", "1", "2", "3", "4"):
        arguments = ("--x", "random", "--o", "random", "--first", "random", "--seed", seed)
        assert command("play", *arguments) == 0
        outs.append(command.out)
    assert outs[0] == outs[1]
    assert len(set(outs)) > 1
    assert {out.split()[0] for out in outs} <= {"X", "O"}


def test_a_game_without_a_table_has_no_hints(command: Command) -> None:
    command.type("h", "4", "q")
    assert command("play", "--o", "random", "--game", "connect4:9x7") == 0
    assert (
        "No hint: there is no table for connect4:9x7 yet, and it has more than 25,000"
        in command.out
    )
    assert "O plays" in command.out


def test_o_may_move_first(command: Command) -> None:
    command.type("q")
    assert command("play", "--first", "O") == 0
    assert command.out.startswith("O plays 1.")


def test_a_custom_player(command: Command) -> None:
    assert command("play", "--x", f"{BOTS}:first_free", "--o", "perfect") == 0
    assert command.out.startswith("X plays 1.")
    assert command("play", "--x", f"{BOTS}:cheats", "--o", "perfect") == 1
    error = "perfectplay: X gave no legal move: illegal move: (1, 1) is not an empty cell\n"
    assert command.err == error


def test_a_forced_wait_plays_itself(command: Command) -> None:
    """Taking back goes to where the person had a choice."""
    command.type("2", "u", "2", "2", "3", "n")
    assert command("play", "--game", f"{user_games.__file__}:Again", "--o", "human") == 0
    assert command.out.count("O can only wait.") == 3
    assert "O has won" in command.out
    command.type("2", "wait", "2", "wait", "3", "n")  # as `grade` says how to replay a game
    assert command("play", "--game", f"{user_games.__file__}:Again", "--o", "human") == 0
    assert "not a legal move" not in command.out


def test_the_board_shows_values() -> None:
    agent = solved_agent("connect4:3x3,3")
    p = agent.game.parse("11")
    scores = agent.scores_at(p)
    moves = {s.label: "" if s.distance is None else str((s.distance + 1) // 2) for s in scores}
    by_column = {s.label: "LDW"[s.outcome + 1] + moves[s.label] for s in scores}
    lines = draw_values(agent.game, p, "X", scores).splitlines()
    assert lines[:-1] == agent.game.render(p).splitlines()
    assert lines[-1].split() == [by_column[n] for n in "123"]
    morris = solved_agent("morris")
    p = morris.game.parse("XO.XO.OX.")
    assert draw_values(morris.game, p, "X", morris.scores_at(p)) == morris.game.render(p)


def test_a_board_too_wide_for_values_has_none() -> None:
    game = load_game("mnk:9,7,9")
    scores = [MoveScore(m, str(m + 1), Outcome.WIN, 5, 0.0) for m in game.moves(0)]
    lines = draw_values(game, 0, "X", scores).splitlines()
    assert max(map(len, lines)) <= 79
    assert " 63 W3" in lines[-1]
    far = [s._replace(distance=55) for s in scores]
    assert draw_values(game, 0, "X", far) == game.render(0)
