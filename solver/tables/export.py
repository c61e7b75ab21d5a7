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

JSON has null for none, and parquet as well; CSV has an empty cell, and -1 within a list. A line of
JSON Lines is a whole task: it also has the `game`, what it is `about`, the `turn`, and the `labels`
of the legal moves, as people write them. The formats write lists as follows:

                     best     mask                 planes
    json, jsonl      [0, 8]   [1,0,0,0,0,0,0,0,1]  a flat list of 0 and 1
    csv              0 8      1 0 0 0 0 0 0 0 1    0 and 1 with spaces
    parquet          list     list of int8         flat list of int8
    npz              bool     is `best` itself     int8 (n, rows, columns, 2)

In an npz file, `best`, `legal` (bool), `outcomes`, `distances` and `regrets` have the shape
(n, moves). Their columns stand for the moves in its array `moves`: all cells or columns in order,
or, in other games, the moves that are legal in some position. An illegal move counts as a losing
one. -1 stands for no distance, nan for no rate.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from hashlib import sha256
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO

from solver.errors import needs_extra
from solver.files import atomic_write
from solver.rules.descriptions import about_of
from solver.rules.planes import check_planes, count_actions, planes
from solver.rules.positions import every_position, reaches_images
from solver.tables.mapped_table import MappedTable
from solver.value import back, distance, outcome, regret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy as np

    from solver.rules.game import Game
    from solver.tables.json_table import Table

    Block = dict[str, list[Any]]  # columns of some positions
    Shares = dict[str, int]  # the names of the parts of a split to where they end, of 100
    Board = tuple[int, int] | None  # rows and columns of the planes, if there are any

BLOCK = 1 << 14  # positions written at once
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
    positions written and their total. Raises ValueError for another suffix or split and for planes
    of a game that has none, TableFormatError for a large table that has been altered, ImportError
    if a library is missing, and OSError.
    """
    suffix = os.path.splitext(path)[1]
    if suffix not in FORMATS:
        raise ValueError(f"{path!r} ends in {suffix!r}; it must end in {', '.join(FORMATS)}")
    board = check_planes(table.game) if with_planes else None
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
        FORMATS[suffix](counted(), file, board)
    return done


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
    place = int.from_bytes(digest[:8], "big") % 100
    return next(part for part, end in shares.items() if place < end)


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


def _write_jsonl(blocks: Iterator[Block], file: BinaryIO, _: Board) -> None:
    for block in blocks:
        file.write("".join(line + "\n" for line in _lines(block)).encode())


def _write_json(blocks: Iterator[Block], file: BinaryIO, _: Board) -> None:
    opening = b"[\n"
    for block in blocks:
        file.write(opening + ",\n".join(_lines(block)).encode())
        opening = b",\n"
    file.write(b"\n]\n")


def _lines(block: Block) -> Iterator[str]:
    """Yield each position as a JSON object."""
    for row in zip(*block.values(), strict=True):
        yield json.dumps(dict(zip(block, row, strict=True)), separators=(",", ":"))


def _write_csv(blocks: Iterator[Block], file: BinaryIO, _: Board) -> None:
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


def _write_parquet(blocks: Iterator[Block], file: BinaryIO, _: Board) -> None:
    with needs_extra("parquet", "data"):
        import pyarrow as pa
        from pyarrow import parquet
    opening: list[Block] = []
    for block in blocks:
        opening.append(block)
        if any(block["legal"]):
            break
    strings = any(isinstance(code, str) for moves in opening[-1]["legal"] for code in moves)
    moves, small = pa.list_(pa.string() if strings else pa.int64()), pa.list_(pa.int8())
    types = {
        "position": pa.string(),
        "outcome": pa.int8(),
        "distance": pa.int16(),
        "best": moves,
        "legal": moves,
        "outcomes": small,
        "distances": pa.list_(pa.int16()),
        "regrets": small,
        "good_move_rate": pa.float64(),
        "mask": small,
        "planes": small,
        "split": pa.string(),
    }
    schema = pa.schema([(name, types[name]) for name in opening[0]])
    with parquet.ParquetWriter(file, schema) as writer:
        for block in chain(opening, blocks):
            for name in ("best", "legal") if strings else ():
                block[name] = [[str(code) for code in codes] for codes in block[name]]
            try:
                writer.write_table(pa.table(block, schema=schema))
            except (pa.ArrowTypeError, pa.ArrowInvalid, OverflowError) as error:
                raise ValueError(f"parquet cannot store these moves, json can: {error}") from None


def _write_npz(blocks: Iterator[Block], file: BinaryIO, board: Board) -> None:
    """Write arrays of n positions, and the moves that the columns of `best` stand for."""
    with needs_extra("npz", "fast"):
        import numpy as np
    actions = None
    parts: dict[str, list[np.ndarray]] = {}
    for block in blocks:
        if "mask" in block:
            actions = len(block["mask"][0])
        for name, part in _arrays(block, board).items():
            parts.setdefault(name, []).append(part)
    filled = [codes for codes in parts.pop("legal") if codes.size]
    codes = np.concatenate(filled) if filled else np.empty(0, np.int64)
    if codes.dtype.kind not in "iuU":
        raise ValueError("npz cannot store these moves, json can: they are of several types")
    moves = np.unique(codes) if actions is None else np.arange(actions)
    arrays = {name: np.concatenate(parts.pop(name)) for name in [*parts]}
    counts = arrays.pop("count")
    places = np.repeat(np.arange(len(counts)), counts), np.searchsorted(moves, codes)
    shape = len(counts), len(moves)
    for name in ("outcomes", "distances"):
        values, arrays[name] = arrays[name], np.full(shape, -1, arrays[name].dtype)
        arrays[name][places] = values
    arrays["regrets"] = regrets = arrays["outcome"][:, None] - arrays["outcomes"]
    best = (regrets == 0) & (arrays["distances"] == arrays["distance"][:, None])
    legal = np.zeros(shape, bool)
    legal[places] = True
    np.savez_compressed(file, allow_pickle=False, **arrays, best=best, legal=legal, moves=moves)


def _arrays(block: Block, board: Board) -> dict[str, np.ndarray]:
    """Return a block as arrays; those of moves are flat, and `count` has each position's share."""
    import numpy as np

    def numbers(values: Iterable[int | None], kind: type) -> np.ndarray:
        return np.array([-1 if value is None else value for value in values], kind)

    arrays = {
        "position": np.array([text.encode() for text in block["position"]]),
        "outcome": np.array(block["outcome"], np.int8),
        "distance": numbers(block["distance"], np.int16),
        "count": np.array([len(moves) for moves in block["legal"]], np.int32),
        "legal": np.array([*chain.from_iterable(block["legal"])]),
        "outcomes": numbers(chain.from_iterable(block["outcomes"]), np.int8),
        "distances": numbers(chain.from_iterable(block["distances"]), np.int16),
        "good_move_rate": np.array(block["good_move_rate"], np.float64),
    }
    if board is not None:
        arrays["planes"] = np.array(block["planes"], np.int8).reshape(-1, *board, 2)
    if "split" in block:
        arrays["split"] = np.array(block["split"])
    return arrays


FORMATS = {
    ".json": _write_json,
    ".jsonl": _write_jsonl,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".npz": _write_npz,
}
