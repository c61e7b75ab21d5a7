"""The answers of the API, without a network."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solver import TableAgent, load_game, review
from solver.agent import facts as answers
from solver.pictures.strategy_map import draw_map
from solver.pictures.svg import svg
from solver.players import PLAYERS, load_player
from solver.solving.solve import SolveOptions, solve_file
from solver.web import api
from solver.web.app import Dispatcher, create_app
from solver.web.catalogue import Catalogue, ServedGame, offered, open_agents
from tests.conftest import Command
from tests.support import oracle
from tests.support.asgi import Client
from tests.support.tables import table_path

API = "/api/v1"
UNKNOWN = "unknown parameter 'positions'; the parameters are: position, turn"
PAWNS = "kingspawns:.k../.p../.P../.K.."


@pytest.fixture(scope="session")
def agents() -> list[TableAgent]:
    mapped = [str(table_path(spec)) for spec in ("connect4:4x3", "mnk:3,3,3,misere")]
    small = [str(table_path(spec, ".json")) for spec in (PAWNS, "nim:3,4,5", "morris")]
    return open_agents([], [mapped[0], *small, mapped[1]])


@pytest.fixture(scope="session")
def client(agents: list[TableAgent]) -> Iterator[Client]:
    with asyncio.Runner() as runner:
        yield Client(create_app(agents), runner)


def texts_of(agent: TableAgent) -> list[str]:
    return sorted({agent.game.text(p) for p, _ in agent.table.positions()})


@pytest.mark.slow
@pytest.mark.parametrize("step", [1300, pytest.param(397, marks=pytest.mark.large)])
def test_best_line_and_explain_match_the_commands(
    client: Client, command: Command, step: int
) -> None:
    for board in oracle.reachable()[::step]:
        for name in ("best", "line", "explain"):
            path = f"{API}/tictactoe" + ("" if name == "best" else f"/{name}")
            reply = client.get(path, asked={"position": board}).json
            known = command.json(name, board)
            if name == "explain":
                reply = {k: v for k, v in reply.items() if k in known}
                reply["moves"] = [
                    {k: v for k, v in m.items() if k in ("reasons", *known["moves"][0])}
                    for m in reply["moves"]
                ]
            assert reply == known


@pytest.mark.parametrize("number", range(6))
@pytest.mark.slow
def test_explain_shows_where_moves_go(
    client: Client, agents: list[TableAgent], number: int
) -> None:
    agent = agents[number]
    game = agent.game
    for text in random.Random(number).sample(texts_of(agent), 12):
        p = game.parse(text)
        path = f"{API}/{game.spec.replace('/', '%2F')}/explain"
        reply = client.get(path, asked={"position": text}).json
        assert reply["marks"] == (game.marks(reply["position"]) if game.has_cells else None)
        over = game.primitive(p)
        assert (reply["result"] is not None) == (over is not None)
        assert (reply["winner"] is not None) == (over is not None and over != 0)
        moves = {} if over is not None else {game.code(m): m for m in game.moves(p)}
        assert {entry["move"] for entry in reply["moves"]} == set(moves)
        for entry in reply["moves"]:
            m = moves[entry["move"]]
            assert (entry["cell"], entry["origin"]) == (game.cell(p, m), game.origin(p, m))
            after = game.parse(entry["position"], game.other(reply["turn"]))
            assert after == game.play(p, m)


@pytest.mark.parametrize("moves", ["", "0,3,1,4", "0,3,1,4,2"])
def test_rules_are_the_record_without_values(client: Client, moves: str) -> None:
    asked = {"moves": moves}
    record = client.get(f"{API}/tictactoe/record", asked=asked).json
    for ply in record["plies"]:
        if ply["moves"]:
            nothing = dict.fromkeys(("outcome", "distance", "move"))
            ply.update(nothing, best=[], verdict=f"{ply['turn']} to move.")
        nothing = {"outcome": None, "distance": None, "trap": None, "reasons": []}
        ply["moves"] = sorted((m | nothing for m in ply["moves"]), key=lambda m: m["move"])
    rules = client.get(f"{API}/tictactoe/rules", asked=asked).json
    for ply in rules["plies"]:
        ply["moves"].sort(key=lambda m: m["move"])
    assert rules == record


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("tictactoe?turn=Z", 400, "'Z'; it must be X or O"),
        ("tictactoe?position=%FF", 400, "UTF-8"),
        ("tictactoe?position=%ED%A0%80", 400, "UTF-8"),
        ("tictactoe?position=" + "X" * 4001, 400, "4,001 characters; the limit is 4,000"),
        ("tictactoe?positions=X", 400, UNKNOWN),
        ("tictactoe?position=X........&position=.........", 400, "repeats a parameter"),
        ("tictactoe?" + "&".join(f"a{i}" for i in range(200)), 400, "joined by &"),
        ("tictactoe?position=\xe9", 400, "UTF-8"),
        ("tictactoe/player", 400, "?name=perfect"),
        ("tictactoe/player?name=/etc/passwd.py:f", 400, "no player"),
        ("tictactoe/player?name=os:system", 400, "no player"),
        ("tictactoe/player?name=nstep:" + "9" * 50, 400, "plies to look"),
        ("tictactoe/player?name=level:nan", 400, "from 0 to 1"),
        ("nim:3,4,5/player?name=winblock", 400, "no player of nim:3,4,5"),
        ("tictactoe/puzzles?count=0", 400, "integer from 1 to 20"),
        ("tictactoe/puzzles?count=" + "9" * 5000, 400, "integer"),
        ("tictactoe/puzzles?count=١", 400, "integer"),
        ("tictactoe/picture?moves=1+1", 400, "move 2 of the record: '1' is not a legal move; the"),
        ("tictactoe/picture?moves=0,0", 400, "move 2, 0, is no move: the moves there are 1, 2"),
        ("tictactoe/picture?format=bmp", 400, "the format is 'bmp'; it must be one of svg, png"),
        ("tictactoe/map?side=Z", 400, "there is no side 'Z' in tictactoe; it must be X or O"),
        ("nim:3,4,5/map?side=First", 400, "nim:3,4,5 has no map: its board is not 3x3"),
        ("chess", 404, "no game 'chess' is served here; the games are: connect4:4x3"),
        ("..%2f..%2fetc/passwd", 404, "no game"),
        ("a%0ab", 404, "nothing is here"),
        ("games?x=1", 400, "the parameters are: none"),
        (f"{PAWNS}?position=.k../.P../.p../.K.._w", 404, "no game of"),
        (f"{PAWNS}?position=.k../.P../.p../.K..", 400, "does not end in w or b"),
    ],
)
def test_errors_say_what_would_be_right(
    client: Client, path: str, status: int, message: str
) -> None:
    path = path.replace("١", "%D9%A1").replace(" ", "%20")
    answer = client.get(f"{API}/{path}")
    assert answer.status == status, answer
    assert message in answer.error


def test_games(client: Client, agents: list[TableAgent]) -> None:
    listed = client.get(f"{API}/games").json["games"]
    assert [entry["game"] for entry in listed] == [agent.game.spec for agent in agents]
    known = {entry["game"]: entry for entry in listed}
    first = known["tictactoe"]
    assert (first["positions"], first["canonical"]) == (5478, 765)
    assert (first["outcome"], first["distance"], first["start"]) == ("draw", None, "." * 9)
    assert (first["board"], first["style"], first["joined"]) == ([3, 3], "grid", [])
    assert (first["title"], known["nim:3,4,5"]["title"]) == ("Tic-tac-toe", "Nim with 3, 4 and 5")
    assert first["about"].endswith("three in a row, in any direction, wins.")
    assert first["players"] == [entry.name for entry in PLAYERS]
    assert len(first["sha256"]) == 64
    assert known["connect4:4x3"]["style"] == "rack"
    assert known["connect4:4x3"]["board"] == [4, 3]
    assert known[PAWNS]["style"] == "squares"
    assert known[PAWNS]["seats"] == ["White", "Black"]
    assert known["morris"]["style"] == "points"
    assert [0, 1] in known["morris"]["joined"]
    assert (known["nim:3,4,5"]["board"], known["nim:3,4,5"]["style"]) == (None, "heaps")
    assert len(known["nim:3,4,5"]["places"]) == len(known["nim:3,4,5"]["marks"]) == 12


@pytest.mark.slow
def test_the_odds_of_players(client: Client, agent: TableAgent) -> None:
    game = agent.game
    names = ["nstep:3", "level:0.25", "level:hard", "lookahead1:printed"]
    names += [entry.name for entry in PLAYERS if ":" not in entry.name]
    for name in names:
        player = load_player(name, agent)
        for board in random.Random(name).sample(oracle.reachable(), 12):
            p, seat = answers.read_position(game, board, None)
            path = f"{API}/tictactoe/player"
            reply = client.get(path, asked={"name": name, "position": board}).json
            assert (reply["player"], reply["position"], reply["turn"]) == (name, board, seat)
            if game.primitive(p) is not None:
                assert reply["moves"] == []
                continue
            right = player.distribution(game, p, seat)
            assert {m["move"]: m["probability"] for m in reply["moves"]} == right
            assert [m["label"] for m in reply["moves"]] == [
                str(m["move"] + 1) for m in reply["moves"]
            ]


def test_players_have_a_time_limit(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "TIME_LIMIT", 0.05)
    answer = client.get(f"{API}/connect4:4x3/player", asked={"name": "nstep:12"})
    assert answer.status == 400
    assert "needs more than 0.05 s" in answer.error


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "tictactoe .........: X to move"),
        ({"moves": "4,0,8"}, "tictactoe O...X...X: O to move"),
        ({"position": "XX.OO....", "moves": "2", "values": "1"}, "tictactoe XXXOO....: X has won"),
    ],
)
def test_a_picture_shows_a_position(client: Client, asked: dict[str, str], words: str) -> None:
    answer = client.get(f"{API}/tictactoe/picture", asked=asked)
    assert answer.headers["content-type"] == "image/svg+xml"
    assert f"<title>{words}</title>" in answer.body.decode()


def test_a_map_is_drawn_as_render_draws_it(client: Client, agent: TableAgent) -> None:
    answer = client.get(f"{API}/tictactoe/map?side=X")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.body.decode() == svg(draw_map(agent, "X")[0])


def test_a_server_without_the_extra_says_that_it_draws_only_svg(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    answer = client.get(f"{API}/tictactoe/picture?format=png&moves=8")
    assert answer.status == 501
    assert "this server draws only SVG: " in answer.error


@pytest.mark.slow
def test_a_batch_answers_each_position_in_order(client: Client, agents: list[TableAgent]) -> None:
    for agent in agents:
        game = agent.game
        texts = random.Random(0).choices(texts_of(agent), k=40)
        path = f"{API}/{game.spec.replace('/', '%2F')}/batch"
        for _ in range(2):
            reply = client.post(path, {"positions": texts}).json
            assert reply["game"] == game.spec
            for text, result in zip(texts, reply["results"], strict=True):
                best = client.get(path.removesuffix("/batch"), asked={"position": text}).json
                assert result == {name: best[name] for name in ("outcome", "distance", "move")}


def test_a_batch_reports_each_error(client: Client) -> None:
    texts = ["X...O....", "XX", [1, 0, 0, 0, 2, *[0] * 4], "\0", "É", [], [["X"] * 2000]]
    results = client.post(f"{API}/tictactoe/batch", {"positions": texts}).json["results"]
    assert [result.get("status") for result in results] == [None, 400, None, 400, 400, 400, 400]
    assert results[0] == results[2]
    assert "a board has 9 cells" in results[1]["error"]
    outside = {"positions": [".k../.P../.p../.K.. w"]}
    (result,) = client.post(f"{API}/{PAWNS}/batch", outside).json["results"]
    assert result["status"] == 404
    assert client.post(f"{API}/tictactoe/batch", {"positions": []}).json["results"] == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b'{"positions":["\\ud800"]}', "not JSON"),
        (b'\xff{"positions":[]}', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "an object with only the field positions"),
        (b"{}", "an object with only the field positions"),
        (b'{"positions":[],"turn":"X"}', "an object with only the field positions"),
        (b'{"positions":"X...O...."}', "a list of texts or arrays"),
        (b'{"positions":["........."," ",3]}', "position 2 (counted from 0) is not a text or an"),
        (b'{"positions":[' + b'"",' * 10_000 + b'""]}', "at most 10,000 positions, got 10,001"),
    ],
)
def test_malformed_batches_are_refused(client: Client, body: bytes, message: str) -> None:
    answer = client.send("POST", f"{API}/tictactoe/batch", body)
    assert answer.status == 400
    assert message in answer.error


@pytest.mark.parametrize(
    ("moves", "more", "message"),
    [
        ("5 2 1", {}, ""),
        ("4 1 0", {"from_zero": True}, ""),
        ("[4, 1, 2]", {}, "can count moves from 0 and from 1"),
        ("5" * 4001, {}, "moves has 4,001 characters; the limit is 4,000"),
        ([4, 1, 0], {}, ""),
        (5, {}, "the body must be an object with moves, a text or a list"),
        ("5", {"from_zero": 1}, "the body must be an object with moves, a text or a list"),
    ],
)
def test_a_game_is_reviewed(
    client: Client, moves: object, more: dict[str, Any], message: str
) -> None:
    answer = client.post(f"{API}/tictactoe/review", {"moves": moves, **more})
    assert answer.status == (400 if message else 200)
    assert message in answer.error if message else answer.json == review("tictactoe", "5 2 1")


OWN = '''
from tests.support.user_games import Heap


class Count(Heap):
    def canonical(self, p):
        return {5: 5, 4: 4, 3: 3, 2: 2, 1: 1, 0: 0}[p]


class Failing(Count):
    """Its rules fail in one place."""

    bad = False

    def label(self, p, m):
        if self.bad:
            raise ZeroDivisionError("/secret/path.py")
        return str(m)
'''


@pytest.mark.parametrize("module", ["counting", "nim"])
def test_a_custom_game(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its module may have the name of a family of built-in games."""
    (tmp_path / f"{module}.py").write_text(OWN)
    spec = str(tmp_path / f"{module}.py") + ":"
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    for name in ("Count", "Failing"):
        solve_file(load_game(spec + name), None, SolveOptions())
    agents = open_agents([spec + "Count", spec + "Failing"], [])
    client = Client(create_app(agents))
    path = f"{API}/{module}:Count"
    assert client.get(path).json["move"] == 2
    assert client.get(f"{path}/explain?position=3&turn=O").json["turn"] == "O"
    for typed, right in (("2", "2"), ("position:2", "2"), ("moves:2", "3")):  # 2 is a move, too
        assert client.get(path, asked={"position": typed}).json["position"] == right
    for strange in (
        *["moves:9", "7", "-1", "[]", "{}", "'a'", "((", "0.5", "True", "None", "1if"],
        "9" * 4000,
    ):
        answer = client.get(path, asked={"position": strange})
        assert answer.status in (400, 404), strange
        assert answer.error
        batch = client.post(f"{path}/batch", {"positions": [strange]}).json["results"]
        assert batch[0]["status"] == answer.status
    assert "it must be X or O" in client.get(f"{path}?turn=Z").error
    monkeypatch.setattr(type(agents[1].game), "bad", True)
    answer = client.get(f"{API}/{module}:Failing/explain")
    assert answer.status == 400
    rules = f"the rules of {module}:Failing"
    assert answer.error == f"{rules} raised ZeroDivisionError on this position"


def test_an_internal_error_reveals_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("secret /work/place.py")

    monkeypatch.setattr(Dispatcher, "call", fail)
    answer = client.get(f"{API}/tictactoe")
    assert answer.status == 500
    assert "secret" not in answer.error
    assert capsys.readouterr().err.count("\n") == 1


@pytest.fixture
def searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    return Client(create_app(open_agents(["connect4:5x4"], [])))


def test_a_game_without_a_table_is_searched(searched: Client) -> None:
    found = searched.send("GET", f"{API}/connect4:5x4?position=1234").json
    assert found["outcome"] == "draw"
    answer = searched.send("GET", f"{API}/connect4:5x4/explain?position=1234").json
    assert [move["outcome"] for move in answer["moves"]] == [m["outcome"] for m in found["moves"]]
    body = json.dumps({"positions": ["1234", "12341", "99"]}).encode()
    results = searched.send("POST", f"{API}/connect4:5x4/batch", body).json["results"]
    assert results[0]["move"] == found["move"]
    assert "error" in results[2]
    listed = searched.send("GET", f"{API}/games").json["games"][0]
    assert (listed["positions"], listed["canonical"]) == (3_945_711, None)
    assert (listed["searched"], listed["published"]) == (True, "draw")
    assert (listed["outcome"], listed["distance"]) == ("draw", None)
    puzzles = searched.send("GET", f"{API}/connect4:5x4/puzzles?count=3").json["puzzles"]
    assert len(puzzles) == 3


def test_a_server_alone_offers_games_that_wait_and_puzzles_without_a_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it says of a game before it is solved is what its table says."""
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    monkeypatch.setattr("solver.tables.oracle.Oracle.search", None)
    catalogue = Catalogue(offered())
    games = [*catalogue.games.values()]
    assert [served.game.spec for served in games[:2]] == ["tictactoe", "connect4:7x6"]
    waiting = [served for served in games if served.waits and "agent" not in vars(served)]
    assert len(waiting) == len(games) - 2 >= 12
    for served in waiting:
        solved = ServedGame(served.agent).description
        assert solved["whole"]
        assert served.description["distance"] in (None, solved["distance"])
        assert solved == served.description | {k: solved[k] for k in ("tag", "sha256", "distance")}
    rack = catalogue.games["connect4:7x6"]
    value = answers.value_of(rack.agent.table.probe(rack.game.initial()))
    assert value.items() <= rack.description.items()
    found, again, other = (api.puzzles(rack, 3, seed, "hard")["puzzles"] for seed in (7, 7, 8))
    assert found == again != other
    assert len({puzzle["position"] for puzzle in found}) == 3


def test_a_search_ends_when_its_client_leaves(
    searched: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.games.connect4_search.SLICE", 500)
    answer = Client(searched.app, leaves=True).get(f"{API}/connect4:5x4")
    assert (answer.status, answer.json["error"]) == (503, "the client has left")


def test_a_long_search_says_what_is_known_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    monkeypatch.setattr("solver.games.connect4_search.SLICE", 500)
    for module in ("app", "catalogue"):
        monkeypatch.setattr(f"solver.web.{module}.NODES", 1500)
    client = Client(create_app(open_agents(["connect4:5x4"], [])))
    assert client.send("GET", f"{API}/games").json["games"][0]["outcome"] is None
    asked, known = 0, {}
    while (answer := client.send("GET", f"{API}/connect4:5x4?position=12")).status == 503:
        asked += 1
        assert answer.headers["retry-after"] == "1"
        assert "ask again" in answer.json["error"]
        known = answer.json.get("known", {})
    assert asked > 2
    assert answer.status == 200
    right = {m["label"]: m["outcome"] for m in answer.json["moves"]}
    assert known.items() <= right.items()
    assert client.send("GET", f"{API}/connect4:5x4/outcomes?position=12").json["outcomes"] == right


def test_outcomes_of_moves_are_those_of_their_values(client: Client) -> None:
    for board in ("XO.X..O..", "XXXOO....", ".........", "XOX......"):
        asked = {"position": board}
        moves = client.get(f"{API}/tictactoe", asked=asked).json["moves"]
        answer = client.get(f"{API}/tictactoe/outcomes", asked=asked).json
        assert answer["outcomes"] == {m["label"]: m["outcome"] for m in moves}


def test_a_player_that_needs_no_table_answers_on_any_board(client: Client) -> None:
    answer = client.get("/api/v1/tictactoe/player?name=nstep:2&position=XX..O....&turn=X").json
    assert {each["label"]: each["score"] for each in answer["scores"]}["3"] == 100
    assert "no game leads to this board" in answer["remark"]
    usual = client.get("/api/v1/tictactoe/player?name=think1&position=XX.OO....").json
    assert usual["scores"] is None
    assert "remark" not in usual
    path = "/api/v1/tictactoe/player?name=perfect&position=XX..O....&turn=X"
    assert client.get(path).status == 404
