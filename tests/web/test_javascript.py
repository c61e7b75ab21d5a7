"""The page's JavaScript, run by Node: its answers match Python's."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from solver import TableAgent, load_game, open_agent, solve
from solver.agent import facts
from solver.errors import IllegalPositionError, UnknownPositionError
from solver.players.from_table import all_levels, level
from solver.players.puzzles import DIFFICULTIES, find_puzzles
from solver.strategy.file import read_strategy
from solver.strategy.moves import StrategyMoves
from solver.web.cards import puzzle_of_day
from solver.web.catalogue import ServedGame
from solver.web.messages import to_json
from solver.web.shipped_puzzles import shipped_position, shipped_rows
from solver.web.whole_game import whole_game
from tests.conftest import ROOT, SHIPPED, Command
from tests.support import oracle, user_games
from tests.support.cases import campaign, large
from tests.support.javascript import MODULE, ask, ask_tables, differences, expected, run
from tests.support.tables import table_path

BOARDS = oracle.reachable()
STYLES, OWN = ROOT / "tests" / "bots" / "styles.py", ("Tuples", "SideLast")
AGAIN = f"{user_games.__file__}:Again"


@pytest.fixture(scope="module")
def whole(agent: TableAgent) -> Any:
    """Return tic-tac-toe as the page gets it."""
    return whole_game(agent)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "step"),
    [*(("text", 9), ("object", 99), ("buffer", 99), ("bytes", 99)), *large(("text", 1))],
)
def test_every_tic_tac_toe_board_has_the_same_scores(
    node: str, agent: TableAgent, form: str, step: int
) -> None:
    """All 5,478: outcome, distance, trap, the order of the moves, and the best move."""
    boards = BOARDS[::step]
    assert len(BOARDS) == 5478
    assert differences(agent, boards, ask(node, SHIPPED, boards, form)) == []


def test_a_move_that_is_a_text_of_digits_stays_a_text(node: str, tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    entries = {"abcd": [1, 1, None, [["3", 1, 1, 0]]]}
    head = {"format": "perfectplay table", "version": 2, "game": "own", "canonical": 1}
    path.write_text(json.dumps({**head, "entries": entries}))
    (answer,) = ask(node, path, ["abcd"])
    assert (answer["best"], answer["scores"][0][0]) == ("3", "3")


NO_BOARDS = (
    *("XXX......", "O........", "XO.......X", "X", "", ".........."),
    *("XXXOOO...", "XX.......", "123456789", "constructor", "__proto__", "x.?......"),
)


def test_unreachable_boards_are_refused(node: str, agent: TableAgent) -> None:
    """Random texts of nine marks that no game leads to, and texts that are not boards."""
    generator = random.Random(1)
    known = set(BOARDS)
    marks = ("".join(generator.choices("XO.", k=9)) for _ in range(3000))
    wrong = [*NO_BOARDS, *(text for text in marks if text not in known)]
    assert len(wrong) > 1000
    for text, answer in zip(wrong, ask(node, SHIPPED, wrong), strict=True):
        assert answer.get("error") == "RangeError", (text, answer)
        assert text in answer["message"]


@pytest.mark.slow
def test_connect_4_boards_have_the_same_scores_and_others_are_refused(node: str) -> None:
    """Floating stones, wrong counts, two winners, wrong sizes, and random boards."""
    path = table_path("connect4:4x3,3", ".json")
    agent = open_agent(table=path)
    generator = random.Random(3)
    boards = ["X...........", "...........O", "............X", "...........", "0..........."]
    boards += ["...........X.", "........XXXO", "x" * 12, "X..." * 4, "...." * 4, "........1..."]
    for _ in range(1000):  # stacks, so that not all are wrong
        stacks = ["".join(generator.choices("XO", k=generator.randrange(4))) for _ in range(4)]
        boards.append("".join(s.rjust(3, ".")[row] for row in range(3) for s in stacks))
    right = 0
    for board, answer in zip(boards, ask(node, path, boards), strict=True):
        try:
            answers = expected(agent, board) if board == board.upper() else None
        except (IllegalPositionError, UnknownPositionError):
            answers = None
        if answers:
            assert answer == answers, board
            right += 1
        else:
            assert answer.get("error") == "RangeError", (board, answer)
    assert 20 < right < 700


def test_a_table_of_another_game_has_boards_as_it_writes_them(node: str, tmp_path: Path) -> None:
    """All answers about it have the others, too."""
    path, whole = table_path("nim:3,4,5", ".json"), tmp_path / "nim.json"
    agent = open_agent(table=path)
    whole.write_bytes(to_json(whole_game(agent)))
    written = [agent.game.text(p) for p, _ in agent.table.positions()]
    assert differences(agent, written, ask(node, path, written)) == []
    message = 'the table of nim:3,4,5 has no "5,4,3"'
    assert ask(node, path, ["5,4,3"]) == [{"error": "RangeError", "message": message}]
    for no_text in (None, 5, ["5", "4"]):
        assert ask(node, path, [no_text])[0]["error"] == "TypeError"
    start = agent.game.text(agent.game.initial())
    assert differences(agent, [start, *written], ask(node, whole, [start, *written])) == []


@pytest.mark.parametrize("name", ["tictactoe:Own", "mnk:Own", "connect4x:Own"])
def test_moves_of_a_custom_game_are_not_taken_for_cells(
    node: str, tmp_path: Path, name: str
) -> None:
    """Its name may begin like one of ours; boards are then found only as the table writes them."""
    path = tmp_path / "own.json"
    path.write_bytes(SHIPPED.read_bytes().replace(b'"tictactoe"', f'"{name}"'.encode(), 1))
    written, image = ask(node, path, ["X........", "........X"])
    assert written["probe"] == {"outcome": "draw", "distance": None}
    assert image == {"error": "RangeError", "message": f'the table of {name} has no "........X"'}


def test_a_damaged_table_does_not_open(node: str, tmp_path: Path) -> None:
    """Truncated anywhere, without one entry, of another version, mapped, or not a table."""
    mapped, text = table_path("connect4:4x3,3").read_bytes(), SHIPPED.read_bytes()
    entry = re.compile(rb',\n"XXXO.O...":\[-1,0,\[\],\[\]\]')
    not_table = "not a JSON table, or a damaged one: "
    wrong = [
        (b"no table", not_table + "SyntaxError"),
        (text[:-9], not_table + "SyntaxError"),
        (mapped, not_table + "SyntaxError"),
        (b'{"game":"tictactoe"}', 'not a table: its format is undefined, not "perfectplay table"'),
        (text.replace(b'"version":2', b'"version":1'), "a table of version 1; this reads"),
        (entry.sub(b"", text), "a damaged table: 764 entries instead of 765"),
        *((text[: len(text) * part // 10], "") for part in range(10)),
        *((data, "") for data in (b"{}", b"[]", b"null", b"7", b'{"entries":{}}')),
    ]
    paths = [tmp_path / f"wrong-{number}" for number in range(len(wrong))]
    for path, (data, _) in zip(paths, wrong, strict=True):
        path.write_bytes(data)
    answers = ask_tables(node, paths, ["............"])
    for answer, (_, message) in zip(answers, wrong, strict=True):
        assert isinstance(answer, dict)
        assert answer["message"].startswith(message)
        assert answer["message"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *("tictactoe", "notakto", "wild", "nim:3,4,5", "connect4:4x3,3", "hexapawn:3x3"),
        *("ponghauki", "morris"),
        *OWN,
        AGAIN,
    ],
)
@pytest.mark.thinned(6, 3)
def test_the_page_gives_the_servers_answers(
    node: str, name: str, request: pytest.FixtureRequest
) -> None:
    """On two hundred positions that can be reached: values, reasons, and where moves go."""
    if name in OWN:
        agent = TableAgent(solve(load_game(f"{STYLES}:{name}")))
        assert len(whole_game(agent)["nodes"]) == 765
    elif name == AGAIN:
        agent = TableAgent(solve(load_game(name)))
    else:
        agent = open_agent(table=SHIPPED if name == "tictactoe" else table_path(name, ".json"))
    game = agent.game
    start = game.initial(), game.turn(game.initial())
    found = {(game.text(*start), start[1]): start}
    for p, seat in (queue := [start]):
        for m in () if game.primitive(p) is not None else game.moves(p):
            child = game.play(p, m), game.other(seat)
            if (key := (game.text(*child), child[1])) not in found:
                found[key] = child
                queue.append(child)
    asked = [*found][:: len(found) // 200 + 1]
    ours = name == "tictactoe"
    known = request.getfixturevalue("whole") if ours else whole_game(agent)
    data = {"whole": known, "seats": [*game.seats]}
    answers = run(node, "page.mjs", **data, asked=[[*one] for one in asked])
    for one, answer in zip(asked, answers, strict=True):
        right: Any = facts.explain(agent, *found[one])
        assert answer.pop("over") == (right["result"] is not None)
        assert words_of(answer) == words_of(right)


def words_of(known: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without what the page does not need, and without the order of equal moves.

    The reasons name the opponent's best answer, of which there may be several; then only the rest
    of the sentence counts.
    """
    left = {key: known[key] for key in ("position", "turn", "outcome", "distance", "marks", "won")}
    moves = [
        {
            **move,
            "reasons": [re.sub(r"answers \S+ and|all but \S+ ", "", r) for r in move["reasons"]],
        }
        for move in known["moves"]
    ]
    return left | {
        "winner": known["winner"],
        "best": sorted(map(str, known["best"])),
        "moves": sorted(moves, key=lambda move: str(move["move"])),
    }


@pytest.mark.parametrize("word", ["easy", "perfect", "0.5"])
def test_levels_play_as_pythons_do(node: str, agent: TableAgent, word: str) -> None:
    """The same probabilities on all 5,478 boards, and moves are drawn as often."""
    draws = [n / 50 for n in range(50)]
    asked = {"boards": BOARDS, "level": float(word) if word[0] == "0" else word, "random": draws}
    answers = run(node, "play.mjs", module=MODULE, table=str(SHIPPED), **asked)
    choose = level(agent, "1" if word == "perfect" else word)
    for board, answer in zip(BOARDS, answers, strict=True):
        p, chances = agent.position(board), dict(answer["chances"])
        over = agent.game.primitive(p) is not None
        assert chances == ({} if over else pytest.approx(choose(p, "")))
        counts = Counter(answer["drawn"])
        assert counts == {None: 50} if over else {*counts} <= {*chances}
        assert all(abs(counts[move] - 50 * share) <= 1.001 for move, share in chances.items())


def test_the_words_of_levels_are_pythons() -> None:
    rows = re.findall(r'^  "?([\w:,]+)"?: (\[.*\]),$', Path(MODULE).read_text(), re.M)
    assert {"tictactoe", "mnk:4,3,3", "hexapawn:4x4", "mutorere"} <= {*dict(rows)}
    for game, shares in rows:
        words = all_levels()[game]
        assert json.loads(shares) == [words[word]["p"] for word in ("easy", "medium", "hard")]


@pytest.mark.parametrize("wrong", ["harder", "", -0.1, 1.5, "0.5", None])
def test_a_level_that_is_none_is_refused(node: str, wrong: Any) -> None:
    asked = {"module": MODULE, "table": str(SHIPPED), "boards": ["........."], "level": wrong}
    (answer,) = run(node, "play.mjs", **asked)
    assert answer["error"] == "RangeError"
    assert answer["message"].endswith("give easy, medium, hard, perfect or a number from 0 to 1")


def test_marks_are_read_and_what_is_no_board_is_said(node: str) -> None:
    flat = ["X", None, "", " ", "o", ".", "-", None, None]
    boards = [flat, [flat[:3], flat[3:6], flat[6:]], [1, 0, 0, 0, 2, 0, 0, 0, 0]]
    texts = ["X---O----", "x../.o./...", "X..\n.O.\n...\n", "X__|_O_|___", "X   O    "]
    right = [*boards, ["X..", ".O.", "..."], *texts]
    asked = [*right, "x...?....", "X", "X23456789O", [], ["?"], 5, [1, 2, 0, None], [1, -1, 2]]
    answers = run(node, "play.mjs", module=MODULE, table=str(SHIPPED), boards=asked)
    assert answers[: len(right)] == [{"best": 1}] * len(right)
    both = (
        "a board has 0 or null for an empty cell, not both",
        "a board has -1 or 2 for O, not both",
    )
    form = 'a board is a text such as "X...O....", or an array of "X", "O" and null, not '
    assert [answer["message"] for answer in answers[len(right) :]] == [
        *(f'the table of tictactoe has no "{t}"; write it like "........."' for t in asked[-8:-5]),
        *(form + what for what in ("[]", 'the mark "?"', "5")),
        *both,
    ]
    level: dict[str, Any] = {"boards": ["........."], "level": 0.5, "random": [0.5, 7, None]}
    (answer,) = run(node, "play.mjs", module=MODULE, table=str(SHIPPED), **level)
    assert answer["message"] == "random is a function that returns 0 to 1, as Math.random, not null"


@pytest.mark.parametrize("name", ["tictactoe", "connect4:3x3,3", "mnk:4,2,2"])
def test_a_strategy_file_has_the_moves_of_its_side(
    node: str, name: str, tmp_path: Path, command: Command
) -> None:
    """In every image of every position, and each leads to one of the next node; in no other."""
    path, game = tmp_path / "s.txt", load_game(name)
    if name == "tictactoe":
        path = ROOT / "examples" / "check-strategy" / "never-lose.txt"
    else:
        assert command("solve", name) == command("strategy", name, "-o", str(path)) == 0
    strategy = read_strategy(path)
    moves = StrategyMoves(strategy, game, str(path))
    own = [one.position for number, one in strategy.numbered() if strategy.is_own(number)]
    boards = sorted({game.text(s.position(game.parse(t))) for t in own for s in game.symmetries})
    answers = run(node, "play.mjs", module=MODULE, table=str(path), boards=[*boards, "X", "O"])
    assert [answer["error"] for answer in answers[-2:]] == ["RangeError"] * 2
    for board, answer in zip(boards, answers[:-2], strict=True):
        p = game.parse(board)
        at = strategy[moves.number_of(p, game.turn(p))]
        if at.end:
            assert answer == {"best": None}
        else:
            child = game.play(p, answer["best"])
            assert moves.number_of(child, game.turn(child)) == at.next[0]


@pytest.mark.slow
def test_puzzles_of_a_whole_game(node: str, agent: TableAgent, whole: dict[str, Any]) -> None:
    """Each has one good move and the difficulty that Python finds."""
    data = {"whole": whole, "seats": ["X", "O"]}
    asked = run(node, "page.mjs", **data, puzzles=[300, None])
    known = {z["position"]: z for z in find_puzzles(agent, 300)}
    assert len(asked) == len(known)
    for z in asked:
        best, second, *_ = agent.scores(z["position"])
        assert best.outcome > second.outcome
        assert (z["move"], z["label"], z["task"]) == (best.move, best.label, str(best.outcome))
        assert z["difficulty"] in DIFFICULTIES
    hard = run(node, "page.mjs", **data, puzzles=[5, "hard"])
    assert [z["difficulty"] for z in hard] == ["hard"] * 5


@pytest.mark.slow
def test_a_year_of_puzzles_is_medium_or_hard_and_several_moves_deep(
    node: str, agent: TableAgent, whole: dict[str, Any]
) -> None:
    """202 of 365 were won at once; now all are two or three moves deep, none twice a week."""
    days = run(node, "daily.mjs", whole=whole, seats=["X", "O"])
    print(f"tictactoe: {Counter((grade, moves) for _, grade, _, moves in days)}")
    assert {grade for _, grade, _, _ in days} <= {"medium", "hard"}
    assert {moves for _, _, _, moves in days} == {2, 3}
    assert 1 not in {distance for _, _, distance, _ in days}
    places = [position for position, *_ in days]
    game = agent.game
    assert [game.text(puzzle_of_day(agent, i)[0]) for i in range(1, 366, 7)] == places[::7]
    assert all(len({*places[i : i + 7]}) == 7 for i in range(359))


@pytest.mark.slow
@pytest.mark.parametrize("step", [90, *large(14), *campaign(1)])
def test_a_year_of_puzzles_of_connect4_is_several_moves_deep(step: int) -> None:
    """After the good move and the best answer, again exactly one move is good."""
    agent = open_agent("connect4:7x6")
    game = agent.game
    rows = shipped_rows(game)
    assert len({moves for moves, *_ in rows}) == len(rows) == 365
    for moves, good, end in rows[::step]:
        p = shipped_position(game, moves)
        for question in range(2):
            best, second, *_ = agent.scores_at(p)
            assert best.outcome > second.outcome
            assert question or (best.label, str(best.outcome)) == (good, end)
            assert question or best.distance != 1
            answered = game.play(p, best.move)
            if not question:
                p = game.play(answered, agent.scores_at(answered)[0].move)


@pytest.mark.large
def test_no_game_is_promised_that_is_too_large() -> None:
    """It has 6,948 positions up to all symmetries, but more up to those of the cells."""
    agent = open_agent(table=table_path("hexapawn:4x4", ".json"))
    assert not ServedGame(agent).description["whole"]


def test_large_games_are_not_sent_as_a_whole() -> None:
    agent = open_agent(table=table_path("connect4:4x3,3"))
    with pytest.raises(ValueError, match=re.escape("connect4:4x3,3 cannot be sent as a whole")):
        whole_game(agent)


@pytest.mark.slow
def test_a_game_counts_only_if_nobody_helped(node: str, whole: dict[str, Any]) -> None:
    """In 2,000 random sequences of 60 events: moves, hints, steps back, seats, reloads, links."""
    asked = {"whole": whole, "seats": ["X", "O"], "start": "." * 9, "count": 2000}
    ends = run(node, "store.mjs", **asked)
    counted = [end for end in ends if end[6]]
    assert len(counted) > 300
    assert len(ends) - len(counted) > 10_000
    for hints, link, seats, undone, rivals, met, counts, own, named, why, again in ends:
        if counts:
            assert (hints, link, seats, undone, why) == (False, False, 0, False, "")
            assert len(rivals) <= 1
        assert why or not again  # another try at a game that is over
        if own is not None:
            assert {*named} <= {*met}  # who is said to have been beaten
