"""The tables and pictures of docs/unbeatable.md, from the results in examples/unbeatable.

python -m examples.unbeatable.page    draw the pictures; python -m scripts.docs writes the tables
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.sections import DOCS, table
from solver import load_game
from solver.pictures.marks import CELL, board
from solver.pictures.position import caption
from solver.pictures.shapes import Drawing, Group, Shape, Text
from solver.pictures.svg import svg
from solver.rules.notation import replay

FOLDER = Path(__file__).parent
VERDICTS = ("can be beaten", "not beaten", "never loses", "perfect")
Row = dict[str, Any]


def rows() -> list[Row]:
    """Return the graded bots with their results, the beaten ones first."""
    results = json.loads((FOLDER / "results.json").read_text(encoding="utf-8"))
    defaults = {"published": "-", "level": "", "seats": "both", "note": "", "claim": ""}
    found = [
        {**defaults, **bot, **results[name], "name": name} for name, bot in read()["bot"].items()
    ]
    return sorted(found, key=lambda row: (VERDICTS.index(verdict(row)), title(row).lower()))


def read() -> dict[str, Any]:
    """Return what bots.toml lists."""
    return tomllib.loads((FOLDER / "bots.toml").read_text(encoding="utf-8"))


def verdict(row: Row) -> str:
    """Return what a result says about a bot: one of VERDICTS.

    Whether a bot loses is certain if it gave a lost game, or if its answers in every position that
    it can reach are known. Otherwise they were sampled.
    """
    if not row["never_loses"]:
        return "can be beaten"
    if row["method"] == "sampled":
        return "not beaten"
    return "perfect" if row["optimal"] else "never loses"


def beaten() -> list[Row]:
    """Return the bots that can be beaten."""
    return [row for row in rows() if not row["never_loses"]]


def title(row: Row) -> str:
    """Return a bot's package and what of it was graded."""
    return f"{row['package']} {row['version']}" + (f", {row['level']}" if row["level"] else "")


def moves(row: Row) -> str:
    """Return a lost game as text, such as X1 O5 X9."""
    game = " ".join(f"{'XO'[i % 2]}{move}" for i, move in enumerate(row["lost_game"]))
    return f"{game}, then {row['seat']} gives no move" if "fault" in row else game


def graded() -> str:
    """Return the table of verdicts."""
    lines: list[tuple[str, ...]] = []
    for row in rows():
        name = verdict(row)
        sampled = "about " if row["method"] == "sampled" else ""
        plays = "both sides" if row["seats"] == "both" else row["seats"]
        rate = f"{sampled}{row['perfect_move_rate']:.1%}"
        found = f"[{name}](#{anchor(row)})" if name == VERDICTS[0] else name
        found += f" in {row['asked']} tries" if name == VERDICTS[1] else ""
        lines.append((title(row), row["language"], row["published"], plays, found, rate))
    days = sorted({row["graded"] for row in rows()})
    when = f"Graded on {days[0]}" + (f" and until {days[-1]}." if days[1:] else ".")
    return f"{when}\n\n{table('bot|language|published|plays|verdict|perfect moves', lines)}"


def anchor(row: Row) -> str:
    """Return the anchor of a bot's heading, as code hosts and the site make it."""
    plain = "".join(c for c in title(row).lower() if c.isalnum() or c in " -_")
    return plain.replace(" ", "-")


def lost_games() -> str:
    """Return a section for each bot that can be beaten: its shortest lost game."""
    parts = []
    for row in beaten():
        picture = f"![{title(row)} loses: {moves(row)}](pictures/{picture_name(row)})"
        text = f"The bot plays {row['seat']}: {moves(row)}. {row['note']}".rstrip()
        parts.append(f"### {title(row)}\n\n{text}\n\n{picture}")
    return "\n\n".join(parts)


def picture_name(row: Row) -> str:
    """Return the name of the picture of a lost game."""
    return f"unbeatable-{row['name'].replace('_', '-')}.svg"


def draw_lost_game(row: Row) -> str:
    """Return the picture of a lost game: the board after each move."""
    game = load_game("tictactoe")
    boards = []
    for number, (p, move) in enumerate(replay(game, game.initial(), " ".join(row["lost_game"]))):
        after, side = game.play(p, move), "XO"[number % 2]
        over = game.primitive(after) is not None
        who = "the bot" if side == row["seat"] else "its opponent"
        below = caption(game, after, game.turn(after)) if over else who
        boards.append((game.text(after, game.turn(after)), f"{side}{game.label(p, move)}", below))
    if "fault" in row:
        marks, above, _ = boards[-1]
        boards[-1] = marks, above, f"{row['seat']} gives no move"
    across = min(len(boards), 4)
    return svg(_draw_sheet(boards, 3, f"{title(row)} loses: {moves(row)}", across))


def _draw_sheet(
    boards: Sequence[tuple[str, str, str]], columns: int, title: str, across: int
) -> Drawing:
    """Return the drawing of boards, each given by its marks, the line above and the line below."""
    rows = max((len(marks) // columns for marks, _, _ in boards), default=0)
    width, height = columns * CELL + 40, rows * CELL + 70
    middle = columns * CELL / 2
    shapes: list[Shape] = []
    for number, (marks, above, below) in enumerate(boards):
        words = (
            Text((middle, -14.5), above, 13, "ink"),
            Text((middle, rows * CELL + 16), below, 12, "note"),
        )
        x, y = number % across * width + 20, number // across * height + 30
        shapes.append(Group((*words, *board(marks, columns)), x, y))
    lines = -(-len(boards) // across)
    return Drawing(min(across, len(boards)) * width, lines * height, tuple(shapes), title)


def pictures() -> dict[str, str]:
    """Return the picture of each lost game by its file's name."""
    return {picture_name(row): draw_lost_game(row) for row in beaten()}


def draw(folder: Path) -> None:
    """Write the pictures of the lost games, and delete those of games no longer shown."""
    found = pictures()
    for path in folder.glob("unbeatable-*.svg"):
        path.unlink()
    for name, text in found.items():
        (folder / name).write_text(text, encoding="utf-8")


def left_out() -> str:
    """Return the table of packages that cannot be graded."""
    lines = [(", ".join(group["packages"]), group["reason"]) for group in read()["left_out"]]
    return table("packages|why not", lines)


def summary() -> str:
    """Return the README's lines about the bots."""
    found = rows()
    counts = {name: sum(verdict(row) == name for row in found) for name in VERDICTS}
    head = (
        f"Of {len(found)} bots, {counts['can be beaten']} can be beaten,"
        f" {counts['never loses'] + counts['perfect']} never lose, and {counts['not beaten']} that"
        " move partly at random were not beaten in repeated tries at each position. Some of the"
        " beaten ones say that it cannot happen:"
    )
    lines = [(title(row), row["claim"], moves(row)) for row in beaten() if row["claim"]]
    return f"{head}\n\n{table('bot|says|loses', lines)}"


if __name__ == "__main__":
    argparse.ArgumentParser(description="Draw the pictures of docs/unbeatable.md.").parse_args()
    draw(DOCS / "pictures")
