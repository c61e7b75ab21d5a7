"""The page's JavaScript, run by Node: its answers match Python's."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from solver import TableAgent, open_agent
from solver.agent import facts
from solver.arena.puzzles import DIFFICULTIES, find_puzzles
from solver.errors import IllegalPositionError, UnknownPositionError
from solver.tables.mapped_table import MappedTable
from solver.tables.pack import pack
from solver.web.joined import compact
from solver.web.whole_game import whole_game
from tests.conftest import ROOT, SHIPPED
from tests.support import oracle
from tests.support.javascript import (
    PACKAGE,
    Long,
    ask,
    ask_tables,
    differences,
    expected,
    random_texts,
    run,
    solved_file,
)
from tests.support.small_games import Scattered
from tests.support.tables import SUFFIX, header_of

PAGE = ROOT / "solver" / "web" / "page"
MOST_BYTES = 8_000  # of the code of the module that users embed in their pages
BOARDS = oracle.reachable()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("javascript")


# perfectplay.js


def test_perfectplay_js_is_small_and_imports_nothing() -> None:
    text = (PACKAGE / "perfectplay.js").read_text()
    assert len(compact(text).encode()) < MOST_BYTES
    assert not re.search(r"^\s*import\b|\bimport\(|\brequire\(|https?:", text, re.MULTILINE)


def test_the_modules_can_be_joined_into_one_script() -> None:
    """Each import is one line, exports are named, and no top-level names clash."""
    names: list[str] = []
    for file in sorted(PAGE.glob("*.js")):
        lines = file.read_text().splitlines()
        for line in lines:
            if line.startswith("import"):
                assert re.fullmatch(r'import \{ [\w, ]+ \} from "\./\w+\.js";', line), line
            assert not re.match("export (?!(async )?function|const|class)", line), line
            declared = re.match(
                r"(?:export )?(?:const|let|(?:async )?function|class) (\w+|\{[^}]*\})", line
            )
            names += re.findall(r"\w+", declared[1]) if declared else []
    clashes = {name for name in names if names.count(name) > 1}
    assert not clashes


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "object", "buffer", "bytes"])
def test_every_tic_tac_toe_board_has_the_same_scores(
    node: str, agent: TableAgent, form: str
) -> None:
    """All 5,478: outcome, distance, trap, the order of the moves, and the best move."""
    boards = BOARDS if form == "text" else BOARDS[::50]
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
    *("XXXOOO...", "XX.......", "123456789", "constructor", "__proto__", "x.o......"),
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
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("connect4:4x4", 1_000),
        pytest.param("connect4:5x4", 10_000, marks=pytest.mark.campaign),
    ],
)
def test_mapped_connect_4_tables_need_no_rules(
    node: str, folder: Path, name: str, count: int
) -> None:
    """Random positions of games with four and with three in a row, from the file alone."""
    path = solved_file(folder, name)
    agent = open_agent(table=path)
    boards = random_texts(agent.game, count)
    assert differences(agent, boards, ask(node, path, boards)) == []
    packed = folder / "packed.safetensors"
    pack(MappedTable.open(path), str(packed))
    assert differences(agent, boards[:100], ask(node, packed, boards[:100], "packed")) == []
    packed.write_bytes(packed.read_bytes()[:-9] + bytes(9))
    assert "a damaged table: block" in ask(node, packed, boards[:1], "packed")["message"]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [SUFFIX, ".json"])
@pytest.mark.thinned(2)
def test_connect_4_takes_the_columns_in_order_of_play(node: str, folder: Path, suffix: str) -> None:
    """Legal and illegal games, past their end, with full and missing columns."""
    path = solved_file(folder, "connect4:4x3,3", suffix)
    agent = open_agent(table=path)
    generator = random.Random(2)
    games = ["".join(generator.choices("12345", k=generator.randrange(14))) for _ in range(1500)]
    games += ["", "0", "12334", "1111", "12121", "1212123"]
    legal = 0
    for text, answer in zip(games, ask(node, path, games), strict=True):
        try:
            right = expected(agent, text)
        except IllegalPositionError:
            assert answer.get("error") == "RangeError", (text, answer)
        else:
            assert answer == right, text
            legal += 1
    assert 200 < legal < 1400


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [SUFFIX, ".json"])
@pytest.mark.thinned(2)
def test_unreachable_connect_4_boards_are_refused(node: str, folder: Path, suffix: str) -> None:
    """Floating stones, wrong counts, two winners, wrong sizes, and random boards."""
    path = solved_file(folder, "connect4:4x3,3", suffix)
    agent = open_agent(table=path)
    generator = random.Random(3)
    boards = ["X...........", "...........O", "............X", "...........", "0..........."]
    boards += ["...........X.", "........XXXO", "x" * 12, "X..." * 4, "...." * 4, "........1..."]
    for _ in range(3000):  # stacks, so that not all are wrong
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
    assert 50 < right < 2000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["counter", "long"])
@pytest.mark.thinned(2)
def test_a_mapped_table_of_another_game_takes_the_users_rules(
    node: str, folder: Path, name: str
) -> None:
    """Keys of 64 bits, and distances of one byte and of two."""
    path = solved_file(folder, name)
    kinds = {name: entry.get("dtype") for name, entry in header_of(path.read_bytes()).items()}
    assert (kinds["remainders"], kinds["values"]) == ("U64", {"counter": "I8", "long": "I16"}[name])
    game = Scattered() if name == "counter" else Long()
    agent = open_agent(game, path)
    boards = range(301)
    assert differences(agent, boards, ask(node, path, boards, rules=name)) == []
    packed = folder / "packed.safetensors"
    pack(MappedTable.open(path, game), str(packed))
    assert differences(agent, boards, ask(node, packed, boards, "packed", name)) == []
    (wrong,) = ask(node, path, [1000], rules=name)
    assert wrong["error"] == "RangeError"
    refused = ask(node, path, boards)
    assert refused["error"] == "TypeError"
    assert refused["message"].endswith(" needs its rules: openTable(data, rules)")


def test_a_key_above_the_range_of_the_table_is_not_found(node: str, folder: Path) -> None:
    answers = ask(node, solved_file(folder, "counter"), range(301), rules="far")
    assert {answer.get("error") for answer in answers} == {"RangeError"}


def test_a_json_table_of_another_game_takes_the_users_rules(node: str, folder: Path) -> None:
    """Without rules it finds boards as the table writes them, with rules all others too."""
    path = solved_file(folder, "nim:3,4,5", ".json")
    agent = open_agent(table=path)
    written = [agent.game.text(p) for p, _ in agent.table.positions()]
    assert differences(agent, written, ask(node, path, written)) == []
    turned = [",".join(text.split(",")[::-1]) for text in written]
    assert differences(agent, turned, ask(node, path, turned, rules="nim")) == []
    assert ask(node, path, ["5,4,3"])[0] == {
        "error": "RangeError",
        "message": 'the table of nim:3,4,5 has no "5,4,3"; without rules it has boards only as it '
        "writes them",
    }


def test_a_damaged_table_does_not_open(node: str, folder: Path) -> None:
    """Truncated anywhere, without one entry, of another version, packed, or not a table."""
    table = solved_file(folder, "connect4:4x3,3")
    mapped, text = table.read_bytes(), SHIPPED.read_bytes()
    packed = folder / "packed.safetensors"
    pack(MappedTable.open(table), str(packed))
    entry = re.compile(rb',\n"XXXO.O...":\[-1,0,\[\],\[\]\]')
    not_table = "not a table, or a damaged one: "
    wrong = [
        (b"no table", not_table + "Unexpected end of JSON input"),
        (text[:-9], not_table + "Expected"),
        (b'{"game":"tictactoe"}', 'not a table: its format is undefined, not "perfectplay table"'),
        (text.replace(b'"version":2', b'"version":1'), "a table of version 1; this reads"),
        (entry.sub(b"", text), "a damaged table: 764 entries instead of 765"),
        (mapped.replace(b'"version":"2"', b'"version":"1"'), ""),
        (mapped[:-7], "a damaged table: 7 bytes are missing"),
        (packed.read_bytes(), "a packed table: unpack it first, with unpackTable of unpack.js"),
        *((data[: len(data) * part // 10], "") for data in (mapped, text) for part in range(10)),
        *((data, "") for data in (b"{}", b"[]", b"null", b'{"entries":{}}')),
    ]
    paths = [folder / f"wrong-{number}" for number in range(len(wrong))]
    for path, (data, _) in zip(paths, wrong, strict=True):
        path.write_bytes(data)
    answers = ask_tables(node, paths, ["............"])
    for answer, (_, message) in zip(answers, wrong, strict=True):
        assert isinstance(answer, dict)
        assert answer["message"].startswith(message)
        assert answer["message"]


def test_errors_say_what_is_wrong_with_an_argument(node: str, folder: Path) -> None:
    table = solved_file(folder, "counter")
    refused = ask(node, table, [], "nothing")
    assert refused["message"] == "a table is text, bytes or JSON, not undefined"
    refused = ask(node, table, [], rules="partial")
    assert refused["message"] == "rules are three functions: key, moves and play"
    (refused,) = ask(node, table, [3], rules="numbered")
    assert refused["message"] == "rules.key must return a BigInt, not 3"


# small games as a whole


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *("tictactoe", "notakto", "wild", "hexapawn:3x3", "nim:3,4,5", "connect4:4x3,3", "morris"),
        "ponghauki",
    ],
)
@pytest.mark.thinned(4)
def test_the_page_gives_the_servers_answers(node: str, folder: Path, name: str) -> None:
    """On a thousand positions that can be reached: values, reasons, and where moves go."""
    path = SHIPPED if name == "tictactoe" else solved_file(folder, name, ".json")
    agent = open_agent(table=path)
    game = agent.game
    start = game.initial(), game.turn(game.initial())
    found = {(game.text(*start), start[1]): start}
    for p, seat in (queue := [start]):
        for m in () if game.primitive(p) is not None else game.moves(p):
            child = game.play(p, m), game.other(seat)
            if (key := (game.text(*child), child[1])) not in found:
                found[key] = child
                queue.append(child)
    asked = [*found][:: len(found) // 1000 + 1]
    data = {"whole": whole_game(agent), "seats": [*game.seats]}
    answers = run(node, "page.mjs", **data, asked=[[*one] for one in asked])
    for one, answer in zip(asked, answers, strict=True):
        known: Any = facts.show(agent, *found[one])
        assert answer.pop("over") == (known["result"] is not None)
        assert words_of(answer) == words_of(known)


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


@pytest.mark.slow
def test_puzzles_of_a_whole_game(node: str, agent: TableAgent) -> None:
    """Each has one good move and the difficulty that Python finds."""
    data = {"whole": whole_game(agent), "seats": ["X", "O"]}
    asked = run(node, "page.mjs", **data, puzzles=[1000, None])
    known = {z["position"]: z for z in find_puzzles(agent, 1000)}
    assert len(asked) == len(known)
    for z in asked:
        best, second, *_ = agent.scores(z["position"])
        assert best.outcome > second.outcome
        assert (z["move"], z["label"], z["task"]) == (best.move, best.label, str(best.outcome))
        assert z["difficulty"] in DIFFICULTIES
    hard = run(node, "page.mjs", **data, puzzles=[5, "hard"])
    assert [z["difficulty"] for z in hard] == ["hard"] * 5


def test_large_games_are_not_sent_as_a_whole(folder: Path) -> None:
    agent = open_agent(table=solved_file(folder, "connect4:4x3,3"))
    with pytest.raises(ValueError, match=re.escape("connect4:4x3,3 is too large to be sent")):
        whole_game(agent)
