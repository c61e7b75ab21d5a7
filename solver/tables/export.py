"""Tables for other programs: positions and moves with their values, as JSON, CSV and so on.

An export has the canonical positions, or every position that the game can reach. Its columns are:

    position         the position as text
    outcome          1, 0 or -1 for the side to move
    distance         plies to the end of the game; none for a draw
    best             the moves that keep outcome and distance, as the table writes moves
    legal            all legal moves; the next three have an entry for each of them, in this order
    outcomes         the outcome of the move for the side that makes it
    distances        plies to the end of the game, this move included; none for a draw
    regrets          by how much the move lowers the outcome, 0 to 2
    good_move_rate   the share of the legal moves whose regret is 0; none if the game is over
    mask             if every move is a cell or a column of the board: 1 for each best move, else 0
    planes           if requested: those of `solver.rules.planes`
    split            if requested: train, validation or test, the same for symmetric positions

JSON has null for none; CSV has an empty cell, and -1 within a list. Spaces separate the entries of
its lists. A line of JSON Lines is a whole task: it also has the `game`, what it is `about`, the
`turn`, and the `labels` of the legal moves, as people write them.

A file .safetensors is the table itself, in its packed form (see `solver.tables.packed`).
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from hashlib import sha256
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Any, BinaryIO

from solver.files import atomic_write
from solver.rules.descriptions import about_of
from solver.rules.planes import check_planes, count_actions, planes
from solver.rules.positions import every_position, reaches_images
from solver.tables.mapped_table import MappedTable
from solver.value import back, distance, outcome, regret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from solver.rules.game import Game
    from solver.tables.json_table import Table

    Block = dict[str, list[Any]]  # columns of some positions
    Shares = dict[str, int]  # the names of the parts of a split to where they end, of 100

BLOCK = 1 << 14  # positions written at once
PACKED = ".safetensors"
LISTS = {"best", "legal", "outcomes", "distances", "regrets", "mask", "planes"}
SPLIT = re.compile("[1-9][0-9]?(/[1-9][0-9]?){1,2}")
PARTS = {2: ("train", "test"), 3: ("train", "validation", "test")}


def export(
    table: Table | MappedTable,
    path: str,
    progress: Callable[[int, int], None] = lambda done, total: None,
    with_planes: bool = False,
    every: bool = False,
    split: str | None = None,
    seed: int = 0,
) -> int:
    """Write a table's positions in the format given by the file's suffix; return their number.

    Of symmetric positions only the canonical one is written, unless `every` is true. `split` has
    the percentages of train and test, such as "80/20", or of train, validation and test; the seed
    alone decides where a position and its images go. `progress` is called with the number of
    positions written and their total. Raises ValueError for another suffix or split, for planes of
    a game that has none, and for what cannot be packed; TableFormatError for a large table that has
    been altered; ImportError if a library is missing, and OSError.
    """
    suffix = os.path.splitext(path)[1]
    if suffix not in SUFFIXES:
        raise ValueError(f"{path!r} ends in {suffix!r}; it must end in {', '.join(SUFFIXES)}")
    if suffix == PACKED:
        if with_planes or every or split is not None:
            raise ValueError("a packed table has no --planes, --all or --split")
        return _pack(table, path, progress)
    if with_planes:
        check_planes(table.game)
    shares = None if split is None else _shares(split)
    if isinstance(table, MappedTable):
        table.check_hash()
    total, done = table.counts["positions" if every else "canonical"], 0

    def counted() -> Iterator[Block]:
        nonlocal done
        positions = _positions(table, every)
        while entries := list(islice(positions, BLOCK)):
            block = _block(table, entries, with_planes)
            if shares is not None:
                block["split"] = [_part(table.game, p, shares, seed) for p, _ in entries]
            yield _tasks(table.game, entries, block) if suffix == ".jsonl" else block
            done += len(entries)
            progress(done, total)

    with atomic_write(path) as file:
        FORMATS[suffix](counted(), file)
    return done


def _pack(table: Table | MappedTable, path: str, progress: Callable[[int, int], None]) -> int:
    """Write the packed form of a table; return the number of its positions."""
    from solver.tables.packed import pack

    if not isinstance(table, MappedTable):
        raise ValueError(
            f"a JSON table cannot be packed: solve {table.game.spec} to a file {PACKED} first"
        )
    pack(table.entries, path, progress)
    return table.layout.entries


def _shares(split: str) -> Shares:
    """Return where the parts of a split such as "80/20" end; raises ValueError."""
    shares = [int(share) for share in split.split("/")] if SPLIT.fullmatch(split) else []
    if sum(shares) != 100:
        raise ValueError(
            f"the split is {split!r}; it must be percentages of train and test, such as 80/20, or"
            " of train, validation and test, such as 80/10/10"
        )
    return dict(zip(PARTS[len(shares)], accumulate(shares), strict=True))


def _part(game: Game[Any, Any], p: Any, shares: Shares, seed: int) -> str:
    """Return the part of a split that a position and its images belong to."""
    digest = sha256(f"{seed} {game.text(game.canonical(p))}".encode()).digest()
    percentile = int.from_bytes(digest[:8], "big") % 100
    return next(part for part, end in shares.items() if percentile < end)


def _positions(table: Table | MappedTable, every: bool) -> Iterator[tuple[Any, int]]:
    """Yield the positions to export with their scores, canonical ones first."""
    game = table.game
    if not every:
        yield from table.positions()
    elif reaches_images(game):
        for p, score in table.positions():
            for image in dict.fromkeys([p, *(s.position(p) for s in game.symmetries)]):
                yield image, score
    else:
        for p in every_position(game):
            yield p, table.probe(p)


def _block(table: Table | MappedTable, entries: list[tuple[Any, int]], with_planes: bool) -> Block:
    """Return the columns of some positions."""
    game, actions = table.game, count_actions(table.game)
    moves = [_move_scores(table, p) for p, _ in entries]
    codes = [[game.code(m) for m, _ in row] for row in moves]
    made = [[made for _, made in row] for row in moves]
    scores = [score for _, score in entries]
    regrets = [[regret(s, m) for m in row] for s, row in zip(scores, made, strict=True)]
    block: Block = {
        "position": [game.text(p) for p, _ in entries],
        "outcome": [int(outcome(score)) for score in scores],
        "distance": [distance(score) for score in scores],
        "best": [
            [code for code, m in zip(*rows, strict=True) if m == score]
            for score, *rows in zip(scores, codes, made, strict=True)
        ],
        "legal": codes,
        "outcomes": [[int(outcome(m)) for m in row] for row in made],
        "distances": [[distance(m) for m in row] for row in made],
        "regrets": regrets,
        "good_move_rate": [row.count(0) / len(row) if row else None for row in regrets],
    }
    if actions is not None:
        rows = zip(block["best"], codes, strict=True)
        block["mask"] = [_mask(best, legal, actions) for best, legal in rows]
    if with_planes:
        block["planes"] = [planes(game, p) for p, _ in entries]
    return block


def _tasks(game: Game[Any, Any], entries: list[tuple[Any, int]], block: Block) -> Block:
    """Return a block with all that it takes to ask for a move in each position."""
    legal = [game.moves(p) if game.primitive(p) is None else () for p, _ in entries]
    return {
        "game": [game.spec] * len(entries),
        "about": [about_of(game)] * len(entries),
        "turn": [game.turn(p) for p, _ in entries],
        **block,
        "labels": [
            [game.label(p, m) for m in ms] for (p, _), ms in zip(entries, legal, strict=True)
        ],
    }


def _move_scores(table: Table | MappedTable, p: Any) -> list[tuple[Any, int]]:
    """Return the legal moves with their scores, each looked up in the table."""
    game = table.game
    if game.primitive(p) is not None:
        return []
    return [(m, back(table.probe(game.play(p, m)))) for m in game.moves(p)]


def _mask(best: list[Any], legal: list[Any], actions: int) -> list[int]:
    """Return a 1 for each cell or column among the best moves, and a 0 for each other one."""
    for move in legal:
        if not isinstance(move, int) or not 0 <= move < actions:
            raise ValueError(f"the move {move!r} is not among the {actions} legal at the start")
    return [int(action in best) for action in range(actions)]


def _write_jsonl(blocks: Iterator[Block], file: BinaryIO) -> None:
    for block in blocks:
        file.write("".join(line + "\n" for line in _lines(block)).encode())


def _write_json(blocks: Iterator[Block], file: BinaryIO) -> None:
    opening = b"[\n"
    for block in blocks:
        file.write(opening + ",\n".join(_lines(block)).encode())
        opening = b",\n"
    file.write(b"\n]\n")


def _lines(block: Block) -> Iterator[str]:
    """Yield each position as a JSON object."""
    for row in zip(*block.values(), strict=True):
        yield json.dumps(dict(zip(block, row, strict=True)), separators=(",", ":"))


def _write_csv(blocks: Iterator[Block], file: BinaryIO) -> None:
    for number, block in enumerate(blocks):
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        if number == 0:
            writer.writerow(block)
        for name in LISTS & block.keys():
            block[name] = [
                " ".join("-1" if value is None else str(value) for value in values)
                for values in block[name]
            ]
        writer.writerows(zip(*block.values(), strict=True))
        file.write(text.getvalue().encode())


FORMATS = {".json": _write_json, ".jsonl": _write_jsonl, ".csv": _write_csv}
SUFFIXES = (*FORMATS, PACKED)
