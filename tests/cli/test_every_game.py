"""Every command works with every game: what a user sees, and players of one's own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from solver import Game, Outcome, TableAgent, UnknownPlayerError, grade, load_game, load_player
from solver.cli.inputs import parse_size
from solver.players.conventions import Shape, shape_of
from tests.conftest import Command

PAWNS = "kingspawns:..k./.p../..P./.K..,promotion=wins"
QUEEN = "kingspawns:k.../..../P.../...K"  # its one pawn may become a queen
GAMES = (
    "connect4:4x3",
    "mnk:3,3,3,misere",
    "wild",
    "notakto",
    "hexapawn:3x3",
    "nim:3,4,5",
    "morris",
    "achi",
    "ponghauki",
    PAWNS,
    QUEEN,
)
ROUND = ("ponghauki", PAWNS)  # a perfect game goes round for ever
BOT = """
def first(rows, side):
    return next(c for c in range(len(rows[0])) if rows[0][c] is None)

def pair(rows, side):
    return (0, 0)

def kaggle(observation, configuration):
    top = observation.board[: configuration.columns]
    assert configuration.inarow == 4 and observation.mark in (1, 2)
    return max(c for c, mark in enumerate(top) if mark == 0)

def last(position, moves, side):
    return moves[-1]

def wrong(position, moves, side):
    return "resign"

def shares(position, moves, side):
    return {move: 1 / len(moves) for move in moves}

def ahead(position, moves, side):
    return "b2b3" if "b2b3" in moves else moves[0]
"""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the table of every game."""
    from solver.solving.solve import SolveOptions, solve_file

    folder = tmp_path_factory.mktemp("tables")
    before = os.environ.get("PERFECTPLAY_TABLES")
    os.environ["PERFECTPLAY_TABLES"] = str(folder)
    for spec in GAMES:
        solve_file(load_game(spec), None, SolveOptions())
    yield folder
    if before is None:
        del os.environ["PERFECTPLAY_TABLES"]
    else:
        os.environ["PERFECTPLAY_TABLES"] = before


@pytest.fixture
def ask(command: Command, tables: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tables))
    return command


@pytest.mark.parametrize("spec", GAMES)
def test_a_line_is_as_long_as_the_distance_says(ask: Command, spec: str) -> None:
    best = ask.json("best", "--game", spec)
    line = ask.json("line", "--game", spec)
    assert line["outcome"] == best["outcome"]
    if best["distance"] is not None:
        assert len(line["line"]) == best["distance"]
    game = load_game(spec)
    p = game.initial()
    met = [p]
    for step in line["line"]:
        moves = {game.code(m): m for m in game.moves(p)}
        p = game.play(p, moves[step["move"]])
        met.append(p)
    assert len(set(met[:-1])) == len(met) - 1
    if spec in ROUND:
        assert game.primitive(p) is None
        assert p in met[:-1]
        assert (line["outcome"], line["distance"]) == ("draw", None)
    else:
        assert game.primitive(p) is not None
    assert ask("line", "--game", spec) == 0
    said = ask.out.splitlines()
    assert said[:-1] == [
        f"{number}. {step['turn']} {step['label']}" for number, step in enumerate(line["line"], 1)
    ]
    ended = said[-1].startswith("The game is over: ")
    assert said[-1] == "The position repeats: a draw." if spec in ROUND else ended


@pytest.mark.parametrize("spec", GAMES)
def test_positions_on_the_way_are_explained(ask: Command, spec: str) -> None:
    line = ask.json("line", "--game", spec)
    distance = line["distance"]
    for step in line["line"]:
        turn = load_game(spec).other(step["turn"])
        options = (step["position"], "--game", spec, "--turn", turn)
        told = ask.json("explain", *options)
        assert (told["position"], told["turn"]) == (step["position"], turn)
        distance = None if distance is None else distance - 1
        assert told["distance"] == distance
        assert all(isinstance(move["reasons"], list) for move in told["moves"])
        assert ask("best", *options) == 0, ask.err


@pytest.mark.parametrize("spec", GAMES)
def test_perfect_is_optimal_and_random_is_not(ask: Command, spec: str, tmp_path: Path) -> None:
    found = ask.json("grade", "perfect", "--game", spec)
    assert found["optimal"] is True
    assert found["reachable"]["mean_regret"] == 0
    page = tmp_path / "page.html"
    assert ask("grade", "random", "--game", spec, "-o", str(page)) == 0, ask.err
    assert "can be beaten" in ask.out
    assert f"play --o human --game {spec}" in ask.out
    assert page.read_text().count("<figure>") > 3


@pytest.mark.parametrize("spec", GAMES)
def test_exact_matches(ask: Command, spec: str) -> None:
    """The mover that is lost against perfect play loses; results add up."""
    value = ask.json("best", "--game", spec)["outcome"]
    match = ask.json("arena", "perfect", "minimax", "--exact", "--game", spec)
    assert match["a_first"][value] == pytest.approx(1)
    if spec != "connect4:4x3":
        match = ask.json("arena", "nstep:2", "win", "--game", spec)
        for part in ("a_first", "a_second", "both"):
            assert sum(match[part][name] for name in ("win", "draw", "loss")) == pytest.approx(1)


def third_time(ask: Command, spec: str) -> list[dict[str, Any]]:
    """Return a line with its round once more, to where a position comes for the third time."""
    told = ask.json("line", "--game", spec)
    line: list[dict[str, Any]] = told["line"]
    positions = [told["position"], *(step["position"] for step in line)]
    return line + line[positions.index(positions[-1]) :]


@pytest.mark.parametrize("spec", GAMES)
def test_a_person_plays_to_the_end(
    ask: Command, spec: str, typing_at_terminal: Callable[..., None]
) -> None:
    """Typing what the line says, the person gets what the position is worth."""
    line = ask.json("line", "--game", spec)["line"]
    outcome = ask.json("best", "--game", spec)["outcome"]
    first, second = load_game(spec).seats
    if spec in ROUND:
        line = third_time(ask, spec)
    typing_at_terminal(*(step["label"] for step in line[::2]), "n")
    assert ask("play", "--game", spec) == 0, ask.err
    assert ask.out.count("your move") == len(line[::2])
    said = {"win": f"{first} has won", "loss": f"{second} has won", "draw": "a draw"}[outcome]
    ended = "Threefold repetition" if spec in ROUND else "The game is over"
    assert f"{ended}: {said}" in ask.out


def test_the_third_time_can_be_taken_back(
    ask: Command, typing_at_terminal: Callable[..., None]
) -> None:
    typed = [step["label"] for step in third_time(ask, "ponghauki")[::2]]
    typing_at_terminal(*typed, "u", typed[-1], "n")
    assert ask("play", "--game", "ponghauki") == 0, ask.err
    assert ask.out.count("your move") == len(typed) + 1
    assert ask.out.count("Threefold repetition: a draw.") == 2


def test_moves_are_typed_as_labels_or_by_their_squares(
    ask: Command, typing_at_terminal: Callable[..., None]
) -> None:
    """In chess as b2b3 too; where moves are numbers, a number is no slide."""
    for first in ("cxb3+", "c2b3", "C2B3"):
        typing_at_terminal(first, "q")
        assert ask("play", "--game", PAWNS) == 0
        assert "Black plays Kxb3." in ask.out
    typing_at_terminal("52", "q")
    assert ask("play", "--game", "morris") == 0
    assert "'52' is not a legal move; the legal moves are 1, 2, 3, 4, 5, 6, 7, 8, 9" in ask.out


@pytest.mark.parametrize("spec", ROUND)
def test_a_drawn_game_has_no_distance(ask: Command, spec: str) -> None:
    best, line = (ask.json(command, "--game", spec) for command in ("best", "line"))
    for told in (best, line):
        assert (told["outcome"], told["distance"]) == ("draw", None)
    held = [move for move in best["moves"] if move["outcome"] == "draw"]
    assert held == best["moves"][: len(held)]
    assert all(move["distance"] is None for move in held)
    assert line["line"][0]["move"] == held[0]["move"]
    assert held[0]["move"] in best["best"]
    assert ask("best", "--game", spec) == 0
    first = load_game(spec).seats[0]
    assert f"{first} to move: a draw with best play." in ask.out


@pytest.mark.parametrize("spec", GAMES)
def test_tables_of_every_game_are_told_of_and_exported(
    ask: Command, spec: str, tables: Path, tmp_path: Path
) -> None:
    (path,) = [
        str(path)
        for path in tables.iterdir()
        if ask.json("info", str(path))["game"] == load_game(spec).spec
    ]
    canonical = ask.json("info", path)["canonical"]
    out = tmp_path / "rows.csv"
    assert ask("export", path, "-o", str(out)) == 0, ask.err
    assert out.read_text().count("\n") == canonical + 1
    assert ask("verify", path) == 0, ask.err


@pytest.mark.parametrize("spec", ["morris", "achi"])
def test_a_page_about_slides(ask: Command, spec: str, tmp_path: Path) -> None:
    """A game may be lost by a slide; blunders of either side are framed."""
    page = tmp_path / "page.html"
    for player in ("perfect", "win"):
        assert ask("grade", player, "--game", spec, "-o", str(page)) == 0, ask.err
    figures = page.read_text().split("<figure>")[1:]
    blunders = [figure for figure in figures if "threw a" in figure or "missed a" in figure]
    assert len(blunders) == 10
    assert all(">bad<" in figure and ">best<" in figure for figure in blunders)


def test_a_page_about_chess(ask: Command, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert ask("grade", "random", "--game", PAWNS, "-o", str(page)) == 0, ask.err
    assert "as Black: White cxb3+, Black Kd4, White b4." in ask.out
    text = page.read_text()
    assert text.count("<svg") == text.count("<figure>") == 13
    assert "White plays cxb3+</figcaption>" in text


def test_what_goes_round_for_too_long_is_left_out_or_sampled(
    ask: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.arena.markov.MOST_STEPS", 1000)
    said = ask.refuses("arena", "random", "random", "--game", "ponghauki")
    assert "its games cycle for too long; sample it with --games 1000" in said
    assert ask("tournament", "random", "minimax", "--game", "ponghauki", "--games", "10") == 0
    assert "Sampled, 10 games each, not exact: random against minimax" in ask.out
    assert ask("grade", "random", "--game", "ponghauki") == 0
    assert "Exact results against random" in ask.out
    assert "would take too long, because games cycle" in " ".join(ask.out.split())
    assert ask.json("grade", "random", "--game", "ponghauki")["left_out"][0] == "random"


def test_white_always_begins(ask: Command) -> None:
    """Where the position tells whose turn it is, the sides cannot be exchanged."""
    for spec in (PAWNS, "hexapawn:3x3"):
        said = ask.refuses("play", "--x", "random", "--o", "random", "--first", "b", "--game", spec)
        assert "it must be White, Black or random" in said
        options = ("--x", "random", "--o", "random", "--game", spec)
        assert f"White always moves first in {spec}" in ask.refuses(
            "play", "--first", "black", *options
        )
        assert ask("play", "--first", "white", *options) == 0
    assert ask("play", "--first", "O", "--x", "random", "--o", "random", "--game", "ponghauki") == 0


def test_a_game_without_puzzles_says_so(ask: Command) -> None:
    assert ask("puzzles", "--game", "ponghauki", "--difficulty", "hard") == 0
    assert ask.out == "No puzzle found: none of the positions examined has exactly one good move.\n"


def test_puzzles_say_who_is_to_move(ask: Command) -> None:
    """Turned round, a puzzle of White becomes one of Black."""
    for spec in (PAWNS, QUEEN):
        told = ask.json("puzzles", "--game", spec, "--count", "20")
        assert len(told) == 20
        for puzzle in told:
            known = ask.json("best", puzzle["position"], "--game", spec)
            assert puzzle["turn"] == known["turn"]
            assert (puzzle["move"], puzzle["task"]) == (known["moves"][0]["move"], known["outcome"])


def test_puzzles(ask: Command, tmp_path: Path) -> None:
    picture = tmp_path / "p.svg"
    agent = TableAgent.open(os.path.join(os.environ["PERFECTPLAY_TABLES"], "wild.json"))
    for spec in GAMES:
        for puzzle in ask.json("puzzles", "--game", spec, "--count", "3"):
            if spec == "wild":
                scores = agent.scores(puzzle["position"])
                assert scores[0].outcome > scores[1].outcome
                assert agent.game.code(scores[0].move) == puzzle["move"]
    assert ask("puzzles", "--game", "connect4:4x3", "-o", str(picture)) == 0
    assert picture.read_text().count("<circle") > 3
    assert "no board of cells" in ask.refuses("puzzles", "--game", "nim:3,4,5", "-o", str(picture))


@pytest.fixture
def bot(tmp_path: Path) -> str:
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    return str(path)


def test_players_of_ones_own_drop_stones(ask: Command, bot: str) -> None:
    def graded(name: str, *options: str) -> dict[str, Any]:
        arguments = ("--game", "connect4:4x3", "--deterministic", *options)
        found: dict[str, Any] = ask.json("grade", f"{bot}:{name}", *arguments)
        return found

    assert graded("first")["faults"] == []
    assert graded("kaggle", "--convention", "kaggle")["faults"] == []
    assert graded("last", "--convention", "text")["faults"] == []
    fault = graded("pair")["faults"][0]
    assert (fault["kind"], fault["detail"]) == ("wrong type", "(0, 0) is not a move")


@pytest.mark.parametrize("spec", GAMES)
def test_a_player_that_sees_text_plays_every_game(ask: Command, bot: str, spec: str) -> None:
    options = ("--game", spec, "--convention", "text")
    ours = ask.json("arena", "random", "perfect", "--game", spec)
    theirs = ask.json("arena", f"{bot}:shares", "perfect", *options)
    for part in ("a_first", "a_second"):
        assert theirs[part] == pytest.approx(ours[part])
    found = ask.json("grade", f"{bot}:wrong", *options, "--deterministic")
    assert {fault["kind"] for fault in found["faults"]} == {"illegal move"}
    kinds = {"cell": "an empty cell", "column": "an open column", "move": "a legal move"}
    kind = kinds[shape_of(load_game(spec)).move]
    assert found["faults"][0]["detail"] == f"'resign' is not {kind}"


def test_a_player_of_ones_own_names_squares(ask: Command, bot: str) -> None:
    spec = "kingspawns:...k/..../.P../...K,promotion=wins"
    assert ask("solve", "--game", spec, "-o", "t.json") == 0, ask.err
    options = ("--game", spec, "--table", "t.json", "--convention", "text", "--deterministic")
    found = ask.json("grade", f"{bot}:ahead", *options, "--as", "first")
    assert found["faults"] == []
    match = ask.json("arena", f"{bot}:ahead", "perfect", *options)
    assert match["faults"] == []
    assert ask("play", "--x", f"{bot}:ahead", "--o", "perfect", *options[:-1]) == 0, ask.err
    assert ask.out.startswith("White plays b3.")


@pytest.mark.parametrize(
    ("spec", "shape"),
    [
        ("tictactoe", Shape(3, 3, 3, "cell")),
        ("connect4:4x3", Shape(4, 3, 4, "column")),
        ("connect4:7x6", Shape(7, 6, 4, "column")),
        ("mnk:4,3,3", Shape(4, 3, 3, "cell")),
        ("notakto", Shape(3, 3, 0, "cell")),
        ("wild", Shape(3, 3, 0, "move")),
        ("morris", Shape(3, 3, 0, "move")),
        ("morris:any", Shape(3, 3, 0, "move")),
        ("achi", Shape(3, 3, 0, "move")),
        ("ponghauki", Shape()),
        (PAWNS, Shape(4, 4, 0, "move")),
        ("nim:3,4,5", Shape()),
    ],
)
def test_what_a_move_names(spec: str, shape: Shape) -> None:
    assert shape_of(load_game(spec)) == shape


def test_a_convention_that_does_not_fit_is_refused(ask: Command, bot: str) -> None:
    said = ask.refuses("grade", f"{bot}:first", "--game", "nim:3,4,5")
    assert "the convention rows does not fit nim:3,4,5; conventions that fit: text" in said
    for spec in ("morris", "achi", "ponghauki", PAWNS):
        said = ask.refuses("grade", f"{bot}:first", "--game", spec)
        assert f"the convention rows does not fit {spec}; conventions that fit: text" in said
    said = ask.refuses("grade", f"{bot}:first", "--game", "connect4:4x3", "--convention", "numpad")
    assert "conventions that fit: rows, kaggle, text" in said
    assert "--numpad needs a game on 3x3 in which" in ask.refuses(
        "play", "--numpad", "--game", "nim:3,4,5"
    )


def test_players_fit_by_what_the_rules_tell(ask: Command) -> None:
    assert "`threats`" in ask.refuses("arena", "winblock", "random", "--game", "nim:3,4,5")
    assert "fits tictactoe" in ask.refuses("grade", "center-first", "--game", "wild")
    agent = TableAgent()
    with pytest.raises(UnknownPlayerError, match="there is no player 'best'"):
        load_player("best", agent)


def test_a_grade_of_too_large_a_game_is_refused(
    ask: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.arena.audit.BUDGET", 1000)
    said = ask.refuses("grade", "random", "--game", "connect4:4x3")
    assert "asks about every position" in said
    assert "arena" in said


def test_the_turn_is_a_seat_of_the_game(ask: Command) -> None:
    told = ask.json("best", "ppp/P../.PP b", "--turn", "black", "--game", "hexapawn:3x3")
    assert told["turn"] == "Black"
    assert "not X" in ask.refuses("best", "--turn", "X", "--game", "hexapawn:3x3")


def test_the_same_game_by_any_name(ask: Command, tmp_path: Path) -> None:
    assert ask.json("solve", "mnk:3,3,3", "-o", "t.json")["game"] == "tictactoe"
    assert ask.json("solve", "--game", "nim:5,4,3", "-o", "t.json")["game"] == "nim:3,4,5"
    assert "name one game" in ask.refuses("solve", "wild", "--game", "notakto")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("mnk:3,3", "mnk is written tictactoe, or mnk:M,N,K"),
        ("mnk:0,3,3", "each must be 1 or more"),
        ("mnk:9,9,5", "more than 64 cells"),
        ("connect4:4", "connect4 is written connect4:WxH"),
        ("connect4:10x4", "at most 9 columns"),
        ("connect4:4x4,0", "each must be 1 or more"),
        ("connect4:٤x٤", "connect4 is written"),
        ("wild:4,4,4", "wild is written wild"),
        ("nim:", "nim is written"),
        ("", "the games are tictactoe"),
        ("chess", "the games are tictactoe"),
        ("a:b:c", "cannot be loaded"),
        ("solver.games.mnk:Mnk", "missing 3 required positional arguments"),
    ],
)
def test_names_of_no_game(ask: Command, spec: str, said: str) -> None:
    for words in (("solve", spec), ("best", "--game", spec), ("check", spec)):
        assert said in ask.refuses(*words)


@pytest.mark.parametrize(
    ("text", "size"),
    [("4GB", 4 * 10**9), ("512 MiB", 512 << 20), ("1.5gb", 1_500_000_000), ("4096 B", 4096)],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "lots", "300", "4 gigs", "-4GB", "0", "0GB", "1e9", "4GBB"])
def test_what_is_no_size(ask: Command, text: str) -> None:
    assert "is not a size: write" in ask.refuses("solve", "wild", f"--memory={text}")


def test_rules_that_raise_are_named(ask: Command, tmp_path: Path) -> None:
    path = tmp_path / "mistaken.py"
    path.write_text(
        "from solver import Game, Outcome\n"
        "class Mistaken(Game):\n"
        "    def initial(self): return 9\n"
        "    def moves(self, p): return [1, 2 // (p - 3)]\n"
        "    def play(self, p, m): return p - m\n"
        "    def primitive(self, p): return Outcome.LOSS if p <= 0 else None\n"
    )
    for words in (("solve",), ("check",), ("best", "--table", str(path), "--game")):
        said = ask.refuses(*words, f"{path}:Mistaken")
        if words[0] != "best":
            assert f"the rules in {path}, line 4, raised ZeroDivisionError" in said


def test_text_positions_of_a_game_with_str_positions() -> None:
    """A str is a text to parse, never a position, so nothing is taken for another."""

    class Letters(Game[str, str]):
        def initial(self) -> str:
            return "a"

        def moves(self, p: str) -> str:
            return "b"

        def play(self, p: str, m: str) -> str:
            return p + m

        def primitive(self, p: str) -> Outcome | None:
            return Outcome.LOSS if len(p) > 3 else None

    from solver import solve

    agent = TableAgent(solve(Letters()))
    assert agent.distance("'a'") == 3
    with pytest.raises(ValueError, match="is not a position"):
        agent.distance("a")
    assert grade("random", agent).optimal
