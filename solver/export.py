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

    Raises ValueError for another suffix, ImportError where a library is missing, and OSError.
    """
    suffix = os.path.splitext(path)[1]
    if suffix not in FORMATS:
        raise ValueError(f"{path!r} ends in {suffix!r}; it must end in {', '.join(FORMATS)}")
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
    return [list(np.flatnonzero(row).tolist()) for row in best]


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
            except (pa.ArrowTypeError, pa.ArrowInvalid) as error:
                raise ValueError(
                    f"the moves do not fit parquet, json takes them: {error}"
                ) from None


def _write_npz(blocks: Iterator[list[Row]], file: BinaryIO) -> None:
    """Write four arrays of n positions, and the moves that the columns of `best` stand for."""
    try:
        import numpy as np
    except ImportError as error:
        raise ImportError("npz needs numpy: install perfectplay's extra 'fast'") from error
    parts: dict[str, list[Any]] = {"position": [], "outcome": [], "distance": []}
    best: list[list[int | str]] = []
    for block in blocks:
        parts["position"].append(np.array([row.position.encode() for row in block]))
        parts["outcome"].append(np.array([row.outcome for row in block], np.int8))
        plies = [-1 if row.distance is None else row.distance for row in block]
        parts["distance"].append(np.array(plies, np.int16))
        best += [row.best for row in block]
    codes = sorted({code for row in best for code in row}, key=lambda code: (str(type(code)), code))
    place = {code: i for i, code in enumerate(codes)}
    mask = np.zeros((len(best), len(codes)), bool)
    for i, row in enumerate(best):
        mask[i, [place[code] for code in row]] = True
    arrays = {name: np.concatenate(pieces) for name, pieces in parts.items()}
    arrays |= {"best": mask, "moves": np.array(codes)}
    np.savez_compressed(file, allow_pickle=False, **arrays)


FORMATS = {
    ".json": _write_json,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".npz": _write_npz,
}
