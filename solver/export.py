"""Tables for data users: every canonical position with what it is worth, as JSON, CSV and so on.

Each position has its text, the outcome for the side to move (1, 0 or -1), the distance in plies to
the end of the game, and the best moves, as the table writes moves. A draw has no distance: null, an
empty cell of a CSV file, -1 in an npz file.
"""

from __future__ import annotations

import csv
import io
import json
import os
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from .certificate import check_hash
from .files import writing
from .kernel import find_kernel
from .mapped import MappedTable
from .value import back, distance, outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .kernel import Kernel
    from .table import Table

COLUMNS = ("position", "outcome", "distance", "best")
BLOCK = 1 << 14  # positions written at once


class Row(NamedTuple):
    """One position of the export."""

    position: str
    outcome: int
    distance: int | None
    best: list[int | str]


def export(
    table: Table | MappedTable,
    path: str,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Write a table's positions to a file whose suffix tells the format; return how many.

    Raises ValueError for another suffix, TableFormatError for a large table that has been altered,
    ImportError where a library is missing, and OSError.
    """
    suffix = os.path.splitext(path)[1]
    if suffix not in FORMATS:
        raise ValueError(f"{path!r} ends in {suffix!r}; it must end in {', '.join(FORMATS)}")
    if isinstance(table, MappedTable):
        check_hash(table)
    total, done = table.counts["canonical"], 0

    def counted() -> Iterator[list[Row]]:
        nonlocal done
        for block in _blocks(table):
            yield block
            done += len(block)
            progress(done, total)

    with writing(path) as file:
        FORMATS[suffix](counted(), file)
    return done


def _blocks(table: Table | MappedTable) -> Iterator[list[Row]]:
    """Yield the rows in the order of the table."""
    kernel = find_kernel(table.game)[0] if isinstance(table, MappedTable) else None
    positions = table.positions()
    while block := list(islice(positions, BLOCK)):
        if kernel is not None and isinstance(table, MappedTable):
            best = _best_moves(table, kernel, block)
        else:
            best = [_best(table, p, score) for p, score in block]
        yield [
            Row(table.game.text(p), int(outcome(score)), distance(score), moves)
            for (p, score), moves in zip(block, best, strict=True)
        ]


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
    _, children = kernel.expand(keys.astype(kernel.dtype))
    legal = children >= 0
    worth = table.probe_many(children[legal])
    brings = np.full(children.shape, np.iinfo(np.int16).min, np.int16)
    brings[legal] = np.sign(worth) - worth  # back
    best = brings == held[:, None]
    game, found = table.game, []
    for (p, _), row, those in zip(block, best, legal, strict=True):
        keeps = row[those].tolist()  # in the order of the rules
        moves = game.moves(p) if keeps else ()
        found.append([game.code(m) for m, good in zip(moves, keeps, strict=True) if good])
    return found


def _write_json(blocks: Iterator[list[Row]], file: BinaryIO) -> None:
    opening = b"[\n"
    for block in blocks:
        lines = (json.dumps(row._asdict(), separators=(",", ":")) for row in block)
        file.write(opening + ",\n".join(lines).encode())
        opening = b",\n"
    file.write(b"\n]\n")


def _write_csv(blocks: Iterator[list[Row]], file: BinaryIO) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for block in blocks:
        writer.writerows((*row[:3], " ".join(map(str, row.best))) for row in block)
        file.write(text.getvalue().encode())
        text.seek(0)
        text.truncate()


def _write_parquet(blocks: Iterator[list[Row]], file: BinaryIO) -> None:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError("parquet needs pyarrow: install perfectplay's extra 'data'") from error
    opening: list[list[Row]] = []
    for block in blocks:
        opening.append(block)
        if any(row.best for row in block):
            break
    texts = any(isinstance(code, str) for row in opening[-1] for code in row.best)
    kinds = (pa.string(), pa.int8(), pa.int16(), pa.list_(pa.string() if texts else pa.int64()))
    schema = pa.schema(list(zip(COLUMNS, kinds, strict=True)))
    with parquet.ParquetWriter(file, schema) as writer:
        for block in chain(opening, blocks):
            columns = [list(column) for column in zip(*block, strict=True)]
            if texts:
                columns[3] = [[str(code) for code in best] for best in columns[3]]
            try:
                writer.write_table(pa.table(columns, schema=schema))
            except (pa.ArrowTypeError, pa.ArrowInvalid, OverflowError) as error:
                raise ValueError(
                    f"the moves do not fit parquet, json takes them: {error}"
                ) from None


def _write_npz(blocks: Iterator[list[Row]], file: BinaryIO) -> None:
    """Write four arrays of n positions, and the moves that the columns of `best` stand for."""
    try:
        import numpy as np
    except ImportError as error:
        raise ImportError("npz needs numpy: install perfectplay's extra 'fast'") from error
    parts: dict[str, list[Any]] = {name: [] for name in (*COLUMNS, "count")}
    for block in blocks:
        parts["position"].append(np.array([row.position.encode() for row in block]))
        parts["outcome"].append(np.array([row.outcome for row in block], np.int8))
        plies = [-1 if row.distance is None else row.distance for row in block]
        parts["distance"].append(np.array(plies, np.int16))
        parts["count"].append(np.array([len(row.best) for row in block], np.int32))
        parts["best"].append(np.array([code for row in block for code in row.best] or [], None))
    filled = [codes for codes in parts["best"] if codes.size]
    codes = np.concatenate(filled) if filled else np.empty(0, np.int64)
    if codes.dtype.kind not in "iuU":
        raise ValueError("the moves do not fit npz, json takes them: they are of several kinds")
    moves, columns = np.unique(codes, return_inverse=True)
    counts = np.concatenate(parts.pop("count"))
    mask = np.zeros((len(counts), len(moves)), bool)
    mask[np.repeat(np.arange(len(counts)), counts), columns] = True
    del parts["best"]
    arrays = {name: np.concatenate(pieces) for name, pieces in parts.items()}
    np.savez_compressed(file, allow_pickle=False, **arrays | {"best": mask, "moves": moves})


FORMATS = {
    ".json": _write_json,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".npz": _write_npz,
}
