"""Tables for data users: every canonical position with what it is worth, as JSON, CSV and so on.

Each position has its text, the outcome for the side to move (1, 0 or -1), the distance in plies to
the end of the game, and the best moves, as the table writes moves. A draw has no distance: null, an
empty cell of a CSV file, -1 in an npz file.

For programs that learn: where every move is a cell or a column of the board, `mask` has a 1 for
each that is best and a 0 for each other one, all 0 where the game is over. If planes are asked for,
`planes` has those of `solver.rules.planes`. How each format writes them:

              best             mask                 planes
    json      [0, 8]           [1,0,0,0,0,0,0,0,1]  a flat list of 0 and 1
    csv       0 8              1 0 0 0 0 0 0 0 1    0 and 1 with spaces
    parquet   list             list of int8         flat list of int8
    npz       bool (n, moves)  is `best` itself     int8 (n, rows, columns, 2)

The columns of `best` in an npz file stand for the moves in its array `moves`: all cells or columns
in order, or in other games those that are best somewhere.
"""

from __future__ import annotations

import csv
import io
import json
import os
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from solver.files import atomic_write
from solver.rules.check_kernel import find_kernel
from solver.rules.planes import check_planes, count_actions, planes
from solver.tables.mapped_table import MappedTable
from solver.value import back, distance, outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from solver.rules.kernel import Kernel
    from solver.tables.json_table import Table

BLOCK = 1 << 14  # positions written at once


class ExportRow(NamedTuple):
    """One position of the export."""

    position: str
    outcome: int
    distance: int | None
    best: list[int | str]
    mask: list[int] | None = None
    """For each cell or column whether it is a best move; None in games of other moves."""
    planes: list[int] | None = None


class ExportColumns(NamedTuple):
    """What the rows of an export have beside what all have."""

    actions: int | None
    """The length of a mask."""
    board: tuple[int, int] | None
    """The rows and columns of the planes, if they are asked for."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, the first fields of an ExportRow with some left out."""
        here = {"mask": self.actions is not None, "planes": self.board is not None}
        return tuple(name for name in ExportRow._fields if here.get(name, True))


def export(
    table: Table | MappedTable,
    path: str,
    progress: Callable[[int, int], None] = lambda done, total: None,
    with_planes: bool = False,
) -> int:
    """Write a table's positions to a file whose suffix tells the format; return how many.

    Raises ValueError for another suffix and for planes of a game that has none, TableFormatError
    for a large table that has been altered, ImportError where a library is missing, and OSError.
    """
    suffix = os.path.splitext(path)[1]
    if suffix not in FORMATS:
        raise ValueError(f"{path!r} ends in {suffix!r}; it must end in {', '.join(FORMATS)}")
    game = table.game
    columns = ExportColumns(count_actions(game), check_planes(game) if with_planes else None)
    if isinstance(table, MappedTable):
        table.check_hash()
    total, done = table.counts["canonical"], 0

    def counted() -> Iterator[list[ExportRow]]:
        nonlocal done
        for block in _blocks(table, columns):
            yield block
            done += len(block)
            progress(done, total)

    with atomic_write(path) as file:
        FORMATS[suffix](counted(), file, columns)
    return done


def _blocks(table: Table | MappedTable, columns: ExportColumns) -> Iterator[list[ExportRow]]:
    """Yield the rows in the order of the table."""
    kernel = find_kernel(table.game)[0] if isinstance(table, MappedTable) else None
    positions = table.positions()
    while block := list(islice(positions, BLOCK)):
        if kernel is not None and isinstance(table, MappedTable):
            best = _best_moves(table, kernel, block)
        else:
            best = [_best(table, p, score) for p, score in block]
        yield [
            ExportRow(
                table.game.text(p),
                int(outcome(score)),
                distance(score),
                moves,
                None if columns.actions is None else _mask(moves, columns.actions),
                None if columns.board is None else planes(table.game, p),
            )
            for (p, score), moves in zip(block, best, strict=True)
        ]


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


def _best_moves(
    table: MappedTable, kernel: Kernel, block: list[tuple[Any, int]]
) -> list[list[int | str]]:
    """Return the same for many positions, by the kernel."""
    import numpy as np

    keys = np.array([table.game.key(p) for p, _ in block], np.int64)
    held = np.array([score for _, score in block], np.int16)
    children, after = table.lookup.children(kernel, keys.astype(kernel.dtype))
    legal = children >= 0
    best = legal & (np.sign(after) - after == held[:, None])  # as `back` does
    game, found = table.game, []
    for (p, _), row, those in zip(block, best, legal, strict=True):
        keeps = row[those].tolist()  # in the order of the rules
        moves = game.moves(p) if keeps else ()
        found.append([game.code(m) for m, good in zip(moves, keeps, strict=True) if good])
    return found


def _write_json(blocks: Iterator[list[ExportRow]], file: BinaryIO, columns: ExportColumns) -> None:
    opening = b"[\n"
    for block in blocks:
        rows = (row._asdict() for row in block)
        kept = ({name: row[name] for name in columns.names} for row in rows)
        lines = (json.dumps(row, separators=(",", ":")) for row in kept)
        file.write(opening + ",\n".join(lines).encode())
        opening = b",\n"
    file.write(b"\n]\n")


def _write_csv(blocks: Iterator[list[ExportRow]], file: BinaryIO, columns: ExportColumns) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns.names)
    for block in blocks:
        for row in block:
            lists = (" ".join(map(str, codes)) for codes in row[3:] if codes is not None)
            writer.writerow((*row[:3], *lists))
        file.write(text.getvalue().encode())
        text.seek(0)
        text.truncate()


def _write_parquet(
    blocks: Iterator[list[ExportRow]], file: BinaryIO, columns: ExportColumns
) -> None:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError("parquet needs pyarrow: install perfectplay's extra 'data'") from error
    opening: list[list[ExportRow]] = []
    for block in blocks:
        opening.append(block)
        if any(row.best for row in block):
            break
    texts = any(isinstance(code, str) for row in opening[-1] for code in row.best)
    kinds = {
        "position": pa.string(),
        "outcome": pa.int8(),
        "distance": pa.int16(),
        "best": pa.list_(pa.string() if texts else pa.int64()),
        "mask": pa.list_(pa.int8()),
        "planes": pa.list_(pa.int8()),
    }
    schema = pa.schema([(name, kinds[name]) for name in columns.names])
    with parquet.ParquetWriter(file, schema) as writer:
        for block in chain(opening, blocks):
            values = [[getattr(row, name) for row in block] for name in columns.names]
            if texts:
                values[3] = [[str(code) for code in best] for best in values[3]]
            try:
                writer.write_table(pa.table(values, schema=schema))
            except (pa.ArrowTypeError, pa.ArrowInvalid, OverflowError) as error:
                raise ValueError(
                    f"the moves do not fit parquet, json takes them: {error}"
                ) from None


def _write_npz(blocks: Iterator[list[ExportRow]], file: BinaryIO, columns: ExportColumns) -> None:
    """Write arrays of n positions, and the moves that the columns of `best` stand for."""
    try:
        import numpy as np
    except ImportError as error:
        raise ImportError("npz needs numpy: install perfectplay's extra 'fast'") from error
    parts: dict[str, list[Any]] = {
        name: [] for name in ("position", "outcome", "distance", "best", "count")
    }
    if columns.board is not None:
        parts["planes"] = []
    for block in blocks:
        parts["position"].append(np.array([row.position.encode() for row in block]))
        parts["outcome"].append(np.array([row.outcome for row in block], np.int8))
        plies = [-1 if row.distance is None else row.distance for row in block]
        parts["distance"].append(np.array(plies, np.int16))
        parts["count"].append(np.array([len(row.best) for row in block], np.int32))
        parts["best"].append(np.array([code for row in block for code in row.best] or [], None))
        if columns.board is not None:
            bits = np.array([row.planes for row in block], np.int8)
            parts["planes"].append(bits.reshape(-1, *columns.board, 2))
    filled = [codes for codes in parts["best"] if codes.size]
    codes = np.concatenate(filled) if filled else np.empty(0, np.int64)
    if codes.dtype.kind not in "iuU":
        raise ValueError("the moves do not fit npz, json takes them: they are of several kinds")
    moves = np.unique(codes) if columns.actions is None else np.arange(columns.actions)
    places = np.searchsorted(moves, codes)
    counts = np.concatenate(parts.pop("count"))
    mask = np.zeros((len(counts), len(moves)), bool)
    mask[np.repeat(np.arange(len(counts)), counts), places] = True
    del parts["best"]
    arrays = {name: np.concatenate(pieces) for name, pieces in parts.items()}
    np.savez_compressed(file, allow_pickle=False, **arrays | {"best": mask, "moves": moves})


FORMATS = {
    ".json": _write_json,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".npz": _write_npz,
}
