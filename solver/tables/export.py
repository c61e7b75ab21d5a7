"""Tables for other programs: positions with their values, as JSON, CSV and so on.

An export has the canonical positions, or every position that the game can reach.

Each position has its text, the outcome for the side to move (1, 0 or -1), the distance in plies to
the end of the game, and the best moves, as the table writes moves. A draw has no distance: null, an
empty cell of a CSV file, -1 in an npz file.

For machine learning: if every move is a cell or a column of the board, `mask` has a 1 for each best
move and a 0 for each other one, all 0 if the game is over. `planes`, if requested, has those of
`solver.rules.planes`. The formats write them as follows:

              best             mask                 planes
    json      [0, 8]           [1,0,0,0,0,0,0,0,1]  a flat list of 0 and 1
    csv       0 8              1 0 0 0 0 0 0 0 1    0 and 1 with spaces
    parquet   list             list of int8         flat list of int8
    npz       bool (n, moves)  is `best` itself     int8 (n, rows, columns, 2)

The columns of `best` in an npz file stand for the moves in its array `moves`: all cells or columns
in order, or, in other games, the moves that are best in some position.
"""

from __future__ import annotations

import csv
import io
import json
import os
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO

from solver.errors import needs_extra
from solver.files import atomic_write
from solver.rules.planes import check_planes, count_actions, planes
from solver.rules.positions import every_position, reaches_images
from solver.tables.mapped_table import MappedTable
from solver.value import back, distance, outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np

    from solver.tables.json_table import Table

    Block = dict[str, list[Any]]  # columns of some positions: position to best, mask, planes
    Board = tuple[int, int] | None  # rows and columns of the planes, if there are any

BLOCK = 1 << 14  # positions written at once
LISTS = {"best", "mask", "planes"}  # columns of lists


def export(
    table: Table | MappedTable,
    path: str,
    progress: Callable[[int, int], None] = lambda done, total: None,
    with_planes: bool = False,
    every: bool = False,
) -> int:
    """Write a table's positions in the format given by the file's suffix; return their number.

    Of symmetric positions only the canonical one is written, unless `every` is true.
    `progress` is called with the number of positions written and their total. Raises ValueError for
    another suffix and for planes of a game that has none, TableFormatError for a large table that
    has been altered, ImportError if a library is missing, and OSError.
    """
    suffix = os.path.splitext(path)[1]
    if suffix not in FORMATS:
        raise ValueError(f"{path!r} ends in {suffix!r}; it must end in {', '.join(FORMATS)}")
    board = check_planes(table.game) if with_planes else None
    if isinstance(table, MappedTable):
        table.check_hash()
    total, done = table.counts["positions" if every else "canonical"], 0

    def counted() -> Iterator[Block]:
        nonlocal done
        for block in _blocks(table, _positions(table, every), with_planes):
            yield block
            done += len(block["position"])
            progress(done, total)

    with atomic_write(path) as file:
        FORMATS[suffix](counted(), file, board)
    return done


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


def _blocks(
    table: Table | MappedTable, positions: Iterator[tuple[Any, int]], with_planes: bool
) -> Iterator[Block]:
    """Yield positions, many at once."""
    game, actions = table.game, count_actions(table.game)
    while some := list(islice(positions, BLOCK)):
        best = [_best(table, p, score) for p, score in some]
        block: Block = {
            "position": [game.text(p) for p, _ in some],
            "outcome": [int(outcome(score)) for _, score in some],
            "distance": [distance(score) for _, score in some],
            "best": best,
        }
        if actions is not None:
            block["mask"] = [_mask(moves, actions) for moves in best]
        if with_planes:
            block["planes"] = [planes(game, p) for p, _ in some]
        yield block


def _mask(moves: list[int | str], actions: int) -> list[int]:
    """Return a 1 for each cell or column among the moves, and a 0 for each other one."""
    mask = [0] * actions
    for move in moves:
        if not isinstance(move, int) or not 0 <= move < actions:
            raise ValueError(f"the move {move!r} is not among the {actions} legal at the start")
        mask[move] = 1
    return mask


def _best(table: Table | MappedTable, p: Any, score: int) -> list[int | str]:
    """Return the codes of the moves that keep the score."""
    game = table.game
    if game.primitive(p) is not None:
        return []
    return [game.code(m) for m in game.moves(p) if back(table.probe(game.play(p, m))) == score]


def _write_json(blocks: Iterator[Block], file: BinaryIO, _: Board) -> None:
    opening = b"[\n"
    for block in blocks:
        rows = (dict(zip(block, row, strict=True)) for row in zip(*block.values(), strict=True))
        lines = (json.dumps(row, separators=(",", ":")) for row in rows)
        file.write(opening + ",\n".join(lines).encode())
        opening = b",\n"
    file.write(b"\n]\n")


def _write_csv(blocks: Iterator[Block], file: BinaryIO, _: Board) -> None:
    for number, block in enumerate(blocks):
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        if number == 0:
            writer.writerow(block)
        for name in LISTS & block.keys():
            block[name] = [" ".join(map(str, values)) for values in block[name]]
        writer.writerows(zip(*block.values(), strict=True))
        file.write(text.getvalue().encode())


def _write_parquet(blocks: Iterator[Block], file: BinaryIO, _: Board) -> None:
    with needs_extra("parquet", "data"):
        import pyarrow as pa
        from pyarrow import parquet
    opening: list[Block] = []
    for block in blocks:
        opening.append(block)
        if any(block["best"]):
            break
    strings = any(isinstance(code, str) for moves in opening[-1]["best"] for code in moves)
    types = {
        "position": pa.string(),
        "outcome": pa.int8(),
        "distance": pa.int16(),
        "best": pa.list_(pa.string() if strings else pa.int64()),
        "mask": pa.list_(pa.int8()),
        "planes": pa.list_(pa.int8()),
    }
    schema = pa.schema([(name, types[name]) for name in opening[0]])
    with parquet.ParquetWriter(file, schema) as writer:
        for block in chain(opening, blocks):
            if strings:
                block["best"] = [[str(code) for code in moves] for moves in block["best"]]
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
    filled = [codes for codes in parts.pop("best") if codes.size]
    codes = np.concatenate(filled) if filled else np.empty(0, np.int64)
    if codes.dtype.kind not in "iuU":
        raise ValueError("npz cannot store these moves, json can: they are of several types")
    moves = np.unique(codes) if actions is None else np.arange(actions)
    counts = np.concatenate(parts.pop("count"))
    best = np.zeros((len(counts), len(moves)), bool)
    best[np.repeat(np.arange(len(counts)), counts), np.searchsorted(moves, codes)] = True
    arrays = {name: np.concatenate(pieces) for name, pieces in parts.items()}
    np.savez_compressed(file, allow_pickle=False, **arrays | {"best": best, "moves": moves})


def _arrays(block: Block, board: Board) -> dict[str, np.ndarray]:
    """Return a block as arrays; `best` has the moves of all its positions, `count` their number."""
    import numpy as np

    plies = [-1 if plies is None else plies for plies in block["distance"]]
    arrays = {
        "position": np.array([text.encode() for text in block["position"]]),
        "outcome": np.array(block["outcome"], np.int8),
        "distance": np.array(plies, np.int16),
        "count": np.array([len(moves) for moves in block["best"]], np.int32),
        "best": np.array([code for moves in block["best"] for code in moves]),
    }
    if board is not None:
        arrays["planes"] = np.array(block["planes"], np.int8).reshape(-1, *board, 2)
    return arrays


FORMATS = {
    ".json": _write_json,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".npz": _write_npz,
}
