"""Pictures: golden SVG files, decoded PNG and GIF, and what a position's drawing says.

`tests/pictures/golden/board-*.svg` hold drawings. To accept new ones after a deliberate change,
run `python -m tests.pictures.test_position` and look at them.
"""

from __future__ import annotations

import io
import itertools
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageSequence

from solver import Game, MoveScore, Outcome, TableAgent, load_game, show
from solver.cli.session import draw_values
from solver.errors import IllegalMoveError
from solver.games.mnk import Mnk
from solver.pictures.board_layout import find_cell, layout_of
from solver.pictures.colours import DARK, LIGHT, THEMES, ink_on
from solver.pictures.pixels import gif, png
from solver.pictures.position import draw_position
from solver.pictures.shapes import Circle, Drawing, Polygon, Shape, Text
from solver.pictures.svg import svg
from solver.rules.notation import find_move, replay
from tests.conftest import ROOT, Command, solved

GOLDEN = ROOT / "tests" / "pictures" / "golden"
SVG = "{http://www.w3.org/2000/svg}"


def agent_of(spec: str) -> TableAgent:
    return TableAgent(solved(load_game(spec)))


def drawn(spec: str, text: str, **shown: Any) -> Drawing:
    game = load_game(spec)
    return draw_position(game, game.parse(text), **shown)


def valued(spec: str, text: str, **shown: Any) -> Drawing:
    agent = agent_of(spec)
    p = agent.game.parse(text)
    return draw_position(agent.game, p, scores=agent.scores_at(p), **shown)


def chess_values() -> Drawing:
    """A board of chess with values made up: two moves to one square, one to an empty one."""
    game = load_game("kingspawns")
    p = game.initial()
    worths = zip(
        ["c2b3", "a2b3", "d1c1"],
        ((Outcome.WIN, 15), (Outcome.DRAW, None), (Outcome.LOSS, 16)),
        strict=True,
    )
    scores = [MoveScore(m, game.label(p, m), *worth, 0.0) for m, worth in worths]
    return draw_position(game, p, scores=scores, last=(1, 5), arrows=[(10, 5)])


PICTURES: dict[str, Callable[[], Drawing]] = {
    "tictactoe-values": lambda: valued("tictactoe", "XO.X..O..", last=(6,), arrows=[(None, 4)]),
    "tictactoe-won": lambda: drawn("tictactoe", "XXXOO....", last=(2,)),
    "connect4-values": lambda: valued("connect4:3x3,3", "11", last=(3,), arrows=[(None, 7)]),
    "connect4-won": lambda: drawn("connect4:5x4", "1213141", sides=("#009e73", "#e69f00")),
    "mnk-arrow": lambda: drawn("mnk:5,5,4", "X...O......X.............", arrows=[(0, 11)]),
    "morris-values": lambda: valued("morris", "XO.XO.OX."),
    "hexapawn-values": lambda: valued("hexapawn:3x3", "ppp/.../PPP w"),
    "kingspawns-values": chess_values,
}


@pytest.mark.parametrize("name", PICTURES)
def test_golden_pictures(name: str) -> None:
    assert svg(PICTURES[name]()) == (GOLDEN / f"board-{name}.svg").read_text()


def test_every_golden_picture_is_tested() -> None:
    assert {path.stem for path in GOLDEN.glob("board-*.svg")} == {f"board-{n}" for n in PICTURES}


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_pictures_stand_alone(name: str, theme: str) -> None:
    """Well-formed, of the width asked for, titled, and without a reference to anything outside."""
    text = svg(PICTURES[name](), theme, 120)
    root = ET.fromstring(text)
    assert (root.tag, root.get("width"), root.get("role")) == (f"{SVG}svg", "120", "img")
    assert root.find(f"{SVG}title") is not None
    assert text.count("http") == 1
    assert "href" not in text
    styled = "pp-" in text
    assert styled == (theme == "auto")
    for element in root.iter():
        for part in (element.get("class") or "").split():
            assert f".{part}{{" in text


def words_in(drawing: Drawing) -> list[str]:
    return [shape.text for shape in drawing.shapes if isinstance(shape, Text)]


def filled(drawing: Drawing, role: str) -> list[Shape]:
    shapes = drawing.shapes
    return [s for s in shapes if isinstance(s, Circle | Polygon) and s.fill == role]


def test_values_are_told_by_word_shape_and_colour() -> None:
    """XO.X..O.. has every outcome; only the best move has a second outline."""
    drawing = PICTURES["tictactoe-values"]()
    assert [w for w in words_in(drawing) if w[0] in "WDL"] == ["W2", "D", "L2", "L2", "L2"]
    (win,), (draw,), losses = (filled(drawing, role) for role in ("win", "draw", "loss"))
    assert isinstance(win, Circle)
    assert win.centre == layout_of(load_game("tictactoe")).centre(4)
    assert isinstance(draw, Polygon)
    assert [len({x for x, _ in s.points}) for s in (draw, *losses) if isinstance(s, Polygon)] == [
        *(2, 3, 3, 3)  # a square has two places across, a diamond three
    ]
    outlined = [s for s in filled(drawing, "paper") if isinstance(s, Circle) and s.line == "ink"]
    assert [s.centre for s in outlined] == [win.centre]


def test_equal_moves_have_no_second_outline(agent: TableAgent) -> None:
    drawing = draw_position(agent.game, 0, scores=agent.scores_at(0))
    assert len(filled(drawing, "draw")) == 9
    assert filled(drawing, "paper") == []


def test_each_move_to_one_cell_has_its_value() -> None:
    """Two pawns can take on b3: both values are there, and lie apart."""
    drawing = chess_values()
    assert {"W8", "D", "L8"} < set(words_in(drawing))
    (win,), (draw,) = filled(drawing, "win"), filled(drawing, "draw")
    assert isinstance(win, Circle)
    assert isinstance(draw, Polygon)
    assert min(x for x, _ in draw.points) < max(x for x, _ in draw.points) < win.centre[0] - 8


def test_of_placings_on_one_cell_the_best_is_shown() -> None:
    """In wild tic-tac-toe each cell takes an X or an O: one badge a cell."""
    agent = agent_of("wild")
    scores = agent.scores_at(agent.game.initial())
    assert len(scores) == 18
    drawing = draw_position(agent.game, agent.game.initial(), scores=scores)
    shown = [w for w in words_in(drawing) if w[0] in "WDL"]
    assert len(shown) == 9
    assert shown.count("W4") == 1


def test_the_line_that_won_is_marked() -> None:
    won, rack = PICTURES["tictactoe-won"](), PICTURES["connect4-won"]()
    assert [s for s in won.shapes if getattr(s, "line", None) == "sign"]
    rings = [s for s in rack.shapes if getattr(s, "line", None) == "sign"]
    plan = layout_of(load_game("connect4:5x4"))
    assert {s.centre for s in rings if isinstance(s, Circle)} == {
        plan.centre(cell) for cell in (0, 5, 10, 15)
    }
    for spec, text in [("tictactoe", "XOXXOOOXX"), ("hexapawn:3x3", "P../.../..P b")]:
        drawing = drawn(spec, text)  # a draw, and a game without lines
        assert not [s for s in drawing.shapes if getattr(s, "line", None) == "sign"]
    assert "X has won" in words_in(won)
    assert "Draw" in words_in(drawn("tictactoe", "XOXXOOOXX"))


@pytest.mark.parametrize(
    ("spec", "style"),
    [
        *(("tictactoe", "cells"), ("mnk:4,1,3", "cells"), ("wild", "cells"), ("notakto", "cells")),
        *(("connect4:5x4", "rack"), ("connect4:3x3,3", "rack"), ("morris", "points")),
        *(("achi", "points"), ("hexapawn:3x3", "squares"), ("kingspawns", "squares")),
    ],
)
def test_how_a_board_is_drawn(spec: str, style: str) -> None:
    assert layout_of(load_game(spec)).style == style


def test_the_lines_between_points_are_those_of_the_rules() -> None:
    """The 16 lines of the board that `solver.games.morris` draws; morris:any has four more."""
    drawn_lines = "12 14 15 23 25 35 36 45 47 56 57 58 59 69 78 89"
    expected = {(int(pair[0]) - 1, int(pair[1]) - 1) for pair in drawn_lines.split()}
    edges = {(1, 3), (1, 5), (3, 7), (5, 7)}
    assert layout_of(load_game("morris")).joined == expected
    assert layout_of(load_game("achi")).joined == expected
    assert layout_of(load_game("morris:any")).joined == expected | edges


class Letters(Mnk):
    """Tic-tac-toe with a and B in place of X and O, on a board that is told to be larger."""

    def __init__(self, rows: int = 3) -> None:
        super().__init__(3, 3, 3)
        self.board = 3, rows

    def marks(self, text: str) -> str:
        return text.replace("X", "a").replace("O", "B")


def test_letters_that_nobody_knows_stand_on_discs() -> None:
    game = Letters()
    drawing = draw_position(game, game.parse("X...O...."))
    assert words_in(drawing)[:2] == ["A", "B"]
    assert len(filled(drawing, "black")) == len(filled(drawing, "white")) == 1
    with pytest.raises(ValueError, match=r"does not fit its board, \(3, 4\)"):
        draw_position(Letters(4), 0)


def test_names_of_cells() -> None:
    chess, rack, cells = (load_game(s) for s in ("kingspawns", "connect4:5x4", "mnk:5,5,4"))
    assert find_cell(chess, chess.initial(), "a4") == 0
    assert find_cell(chess, chess.initial(), "D1") == 15
    assert find_cell(cells, 0, "25") == 24
    assert find_cell(rack, rack.parse("33"), "3") == 12  # the topmost stone
    assert find_cell(rack, rack.initial(), "3") == 17  # where the first one falls
    with pytest.raises(ValueError, match=r"'e4' is no cell of kingspawns; its cells are a1 to d4"):
        find_cell(chess, chess.initial(), "e4")


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_stand_out(theme: dict[str, str]) -> None:
    """Text by 4.5 to 1 and shapes by 3 to 1, as WCAG 2.1 asks; the themes have the same roles."""
    assert set(theme) == set(LIGHT)
    texts = [("ink", "paper"), ("note", "paper"), *((v, "on-value") for v in ("win", "loss"))]
    texts += [("draw", "on-value"), ("disc-x", "on-x"), ("disc-o", "on-o"), ("note", "paper")]
    assert {
        pair: contrast(theme[pair[0]], theme[pair[1]]) >= 4.5 for pair in texts
    } == dict.fromkeys(texts, True)
    shapes = [("x", "paper"), ("x", "tint"), ("sign", "paper"), ("win", "paper")]
    shapes += [("draw", "paper"), ("loss", "paper"), ("edge-white", "light")]
    shapes += [("edge-white", "white"), ("disc-x", "disc-o")]
    assert [pair for pair in shapes if contrast(theme[pair[0]], theme[pair[1]]) < 3] == []


def test_marks_on_colours_of_ones_own() -> None:
    assert [ink_on(c) for c in ("#ffffff", "#f0e442", "#000000", "#7a3b78")] == [
        *("#222222", "#222222", "#ffffff", "#ffffff")
    ]


# PNG and GIF


def decoded(data: bytes) -> Any:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def pixel(image: Any, drawing: Drawing, place: tuple[float, float]) -> tuple[int, ...]:
    scale = image.width / drawing.width
    found: tuple[int, ...] = image.convert("RGB").getpixel(
        (int(place[0] * scale), int(place[1] * scale))
    )
    return found


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("theme", THEMES)
def test_png(name: str, theme: str) -> None:
    drawing = PICTURES[name]()
    image = decoded(png(drawing, 200, theme))
    assert image.format == "PNG"
    assert image.size == (200, round(200 * drawing.height / drawing.width))
    assert pixel(image, drawing, (1, 1)) == rgb(THEMES[theme]["paper"])
    assert len(image.getcolors(100_000)) > 20  # smooth edges
    assert decoded(png(drawing, 40, theme)).width == 40


def test_colours_of_a_png_at_its_cells() -> None:
    drawing = PICTURES["connect4-won"]()
    image = decoded(png(drawing, 400))
    plan = layout_of(load_game("connect4:5x4"))
    for cell, colour in ((5, "#009e73"), (16, "#e69f00"), (1, LIGHT["paper"])):
        x, y = plan.centre(cell)
        assert pixel(image, drawing, (x, y + 10)) == rgb(colour)
    drawing = PICTURES["tictactoe-values"]()
    image = decoded(png(drawing, 400, "dark"))
    plan = layout_of(load_game("tictactoe"))
    for cell, role in ((4, "win"), (7, "draw"), (8, "loss"), (0, "x"), (6, "tint")):
        x, y = plan.centre(cell)
        place = (x, y) if role in ("x", "tint") else (x, y - 7)
        assert pixel(image, drawing, place) == rgb(DARK[role])


def test_a_large_png_is_as_wide_as_asked() -> None:
    assert decoded(png(PICTURES["tictactoe-won"](), 2500)).width == 2500


def frames(data: bytes) -> list[tuple[Any, int]]:
    image = Image.open(io.BytesIO(data))
    return [(f.convert("RGB"), f.info["duration"]) for f in ImageSequence.Iterator(image)]


def test_gif(command: Command) -> None:
    """One frame a move, the last one longer; it runs on and on, and colours stay true."""
    record = ["1", "5", "2", "9", "3"]
    assert command("render", "--game-record", " ".join(record), "-o", "g.gif", "--values") == 0
    assert command.out == "wrote g.gif: tictactoe XXX.O...O: X has won, 5 moves\n"
    data = Path("g.gif").read_bytes()
    found = frames(data)
    assert [pause for _, pause in found] == [800] * 4 + [2400]
    assert Image.open(io.BytesIO(data)).info["loop"] == 0
    drawing = PICTURES["tictactoe-won"]()
    plan = layout_of(load_game("tictactoe"))
    for number, move in enumerate(record):
        x, y = plan.centre(int(move) - 1)
        for i, (image, _) in enumerate(found):
            tint = pixel(image, drawing, (x - 15, y + 15)) == rgb(LIGHT["tint"])
            assert tint == (i == number)
            assert image.size == (400, 460)
    first, before_last, last = found[0][0], found[3][0], found[4][0]
    (x, y), (a, b) = plan.centre(4), plan.centre(2)
    assert pixel(first, drawing, (x, y - 6)) == rgb(LIGHT["draw"])
    assert pixel(first, drawing, (a, b - 8)) == rgb(LIGHT["loss"])
    assert pixel(before_last, drawing, (a, b - 8)) == rgb(LIGHT["win"])
    assert pixel(last, drawing, (a, b)) == rgb(LIGHT["sign"])


def test_a_gif_keeps_each_of_its_colours() -> None:
    """Its palette was once that of the last picture, which had no values: blue came out green."""
    drawings = [PICTURES["tictactoe-values"](), PICTURES["tictactoe-won"]()]
    (first, _), _ = frames(gif(drawings, 300, "dark"))
    whole = decoded(png(drawings[0], 300, "dark")).convert("RGB")
    used = {getattr(s, part, None) for s in drawings[0].shapes for part in ("fill", "line")}
    roles = {rgb(DARK[role]) for role in used if role is not None}
    colours = {colour: n for n, colour in whole.getcolors(100_000) if colour in roles}
    kept = {colour: n for n, colour in first.getcolors(100_000)}
    assert len(colours) > 5
    assert all(kept.get(colour, 0) >= n for colour, n in colours.items())


def test_without_pillow(monkeypatch: pytest.MonkeyPatch, command: Command) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    said = command.refuses("render", "-o", "b.png")
    assert "pip install 'perfectplay[pictures]'" in said
    assert command("render", "-o", "b.svg") == 0


# render


def test_render_writes_svg(command: Command) -> None:
    arguments = ("render", "XO.X..O..", "--values", "--last", "7", "--arrow", "best")
    assert command(*arguments, "-o", "b.svg") == 0
    assert command.out == "wrote b.svg: tictactoe XO.X..O..: X to move\n"
    text = Path("b.svg").read_text()
    golden = svg(PICTURES["tictactoe-values"](), width=400)
    assert text == golden
    assert command(*arguments, "-o", "b.svg", "--size", "120", "--theme", "dark") == 0
    assert 'width="120"' in Path("b.svg").read_text()


def test_render_takes_every_grid_game(command: Command) -> None:
    specs = ("tictactoe", "wild", "notakto", "mnk:5,5,4", "connect4:7x6", "hexapawn:4x4")
    for spec in (*specs, "morris", "achi", "kingspawns", "kingspawns,promotion=wins"):
        assert command("render", "--game", spec, "-o", "b.png", "--size", "120") == 0
        assert decoded(Path("b.png").read_bytes()).width == 120


def test_render_arrows_and_last_moves(command: Command) -> None:
    chess = ("render", "--game", "kingspawns", "--last", "a3-a2", "--arrow", "cxb3")
    assert command(*chess, "--arrow", "d1-c1", "-o", "b.svg") == 0
    text = Path("b.svg").read_text()
    assert text.count('class="pp-fill-tint"') == 2
    assert text.count('class="pp-line-sign"') == text.count('class="pp-fill-sign"') == 2
    assert command("render", "--arrow", "5", "-o", "b.svg", "--colours", "#0072B2,#f0e442") == 0
    assert "pp-fill-goal" in Path("b.svg").read_text()


def test_a_record_as_a_picture_is_its_last_position(command: Command) -> None:
    assert command("render", "X...O....", "--game-record", "2, 3", "-o", "b.svg") == 0
    assert "XXO.O....: X to move" in command.out
    assert Path("b.svg").read_text().count('class="pp-fill-tint"') == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "b.jpg"], "the name of a picture ends in .svg, .png, .gif"),
        (["-o", "b.gif"], "a GIF shows a game; give its moves with --game-record"),
        ([], "Missing option '-o'"),
        (["-o", "no/b.svg"], "no file can be written there"),
        (["-o", "b.svg", "--game", "nim:3,4"], "nim:3,4 cannot be drawn: it has no board"),
        (["-o", "b.svg", "--theme", "blue"], "the themes are auto, light, dark"),
        (["-o", "b.svg", "--size", "5"], "--size"),
        (["-o", "b.svg", "--colours", "red,blue"], "write them as '#0072b2,#f0e442'"),
        (["-o", "b.svg", "--last", "10"], "'10' is no cell of tictactoe; its cells are 1 to 9"),
        (["-o", "b.svg", "--arrow", "1-99"], "'99' is no cell"),
        (["-o", "b.svg", "--arrow", "zz"], "'zz' is not a legal move; the legal moves are 1, 2, 3"),
        (["-o", "b.svg", "--values", "--game", "morris"], "run perfectplay solve morris"),
        (["-o", "b.svg", "XX"], "'XX' is not a board"),
        (
            ["-o", "b.gif", "--game-record", "5 1 5"],
            "move 3 of the record: '5' is not a legal move",
        ),
        (["-o", "b.gif", "--game-record", ""], "1 to 1,000 moves with spaces between them, not 0"),
        (["-o", "b.gif", "--game-record", "1 4 2 5 3 6"], "move 6 of the record: '6' is no move"),
        (["-o", "b.gif", "--game-record", "1", "--last", "1"], "tells its last move itself"),
        (["-o", "b.gif", "--game-record", "1", "--arrow", "2"], "--arrow takes best alone"),
    ],
)
def test_render_refuses(command: Command, arguments: list[str], said: str) -> None:
    assert said in command.refuses("render", *arguments)
    assert not [*ROOT.glob("b.*")]


# moves as people type them


def test_moves_are_found_by_label_and_code() -> None:
    chess = load_game("kingspawns")
    p = chess.initial()
    for typed in ("cxb3+", "cxb3", "CXB3", "c2b3"):
        assert find_move(chess, p, typed) == "c2b3"
    rack = load_game("connect4:5x4")
    assert find_move(rack, rack.initial(), "5") == 4
    for typed in ("0", "6", "", "five"):
        with pytest.raises(IllegalMoveError, match="the moves are 1, 2, 3, 4, 5"):
            find_move(rack, rack.initial(), typed)


@pytest.mark.parametrize("spec", ["tictactoe", "morris", "hexapawn:4x4", "kingspawns", "wild"])
def test_records_of_labels_lead_where_the_moves_lead(spec: str) -> None:
    game: Game[Any, Any] = load_game(spec)
    p, labels = game.initial(), []
    moves: list[tuple[Any, Any]] = []
    for step in itertools.cycle((3, 0, 5, 1)):
        if game.primitive(p) is not None or len(moves) == 20:
            break
        legal = game.moves(p)
        moves.append((p, legal[step % len(legal)]))
        labels.append(game.label(*moves[-1]))
        p = game.play(*moves[-1])
    assert replay(game, game.initial(), " ".join(labels)) == moves


# notebooks


def test_boards_show_in_notebooks(agent: TableAgent) -> None:
    board = show.Board(agent, "X...O....")
    text = board._repr_svg_()
    assert ET.fromstring(text).get("width") == "240"
    assert "tictactoe X...O....: X to move" in text
    assert repr(board) == "Board('tictactoe', 'X...O....')"
    game = load_game("kingspawns")
    assert show.Board(game)._repr_svg_() == show.Board(game, game.initial())._repr_svg_()
    assert "X to move" in show.Board(agent, "O........", "X")._repr_svg_()
    with pytest.raises(ValueError, match="no board of cells"):
        show.Board(load_game("nim:3,4"))


def test_scores_are_a_list_that_shows(agent: TableAgent) -> None:
    scores = show.Scores(agent, "XO.X..O..")
    assert scores == agent.scores("XO.X..O..")
    text = scores._repr_svg_()
    assert text is not None
    assert re.findall(r">([WDL]\d*)<", text) == ["W2", "D", "L2", "L2", "L2"]
    assert show.Scores(agent_of("nim:3,4"))._repr_svg_() is None


# the terminal


def test_the_terminals_board_has_the_values() -> None:
    agent = agent_of("connect4:3x3,3")
    p = agent.game.parse("11")
    scores = agent.scores_at(p)
    moves = {s.label: "" if s.distance is None else str((s.distance + 1) // 2) for s in scores}
    by_column = {s.label: "LDW"[s.outcome + 1] + moves[s.label] for s in scores}
    lines = draw_values(agent.game, p, "X", scores).splitlines()
    assert lines[:-1] == agent.game.render(p).splitlines()
    assert lines[-1].split() == [by_column[n] for n in "123"]
    morris = agent_of("morris")
    p = morris.game.parse("XO.XO.OX.")
    assert draw_values(morris.game, p, "X", morris.scores_at(p)) == morris.game.render(p)


def test_a_board_too_wide_for_values_stays_as_it_is() -> None:
    game = load_game("mnk:9,7,9")
    worth = [MoveScore(m, str(m + 1), Outcome.WIN, 5, 0.0) for m in game.moves(0)]
    lines = draw_values(game, 0, "X", worth).splitlines()
    assert max(map(len, lines)) <= 79
    assert " 63 W3" in lines[-1]
    far = [s._replace(distance=55) for s in worth]
    assert draw_values(game, 0, "X", far) == game.render(0)


def test_a_hint_shows_the_values(command: Command, typing_at_terminal: Callable[..., None]) -> None:
    typing_at_terminal("1", "h", "q")
    assert command("play", "--x", "human", "--o", "human") == 0
    assert " X    | 2 L3 | 3 L3\n------+" in command.out
    assert "Hint: 5, draw" in command.out


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for golden_name, make in PICTURES.items():
        (GOLDEN / f"board-{golden_name}.svg").write_text(svg(make()))


def test_what_is_shown_is_an_agent_s_or_a_game_s() -> None:
    for made in (show.Board, show.Scores):
        with pytest.raises(TypeError, match="[aA]gent"):
            made("tictactoe", "X........")  # type: ignore[arg-type]


def test_a_table_that_is_named_is_opened(command: Command, tmp_path: Path) -> None:
    said = command.refuses("render", "--table", "nosuch.json", "-o", str(tmp_path / "x.svg"))
    assert "nosuch.json" in said
