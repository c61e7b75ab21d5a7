"""Packing a mapped table; `packed` describes the file. Needs the extra `fast`."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from solver.errors import needs_extra
from solver.files import atomic_write
from solver.tables.mapped_file import join_head
from solver.tables.packed import AT_ONCE, BLOCK, RAW, WIDTHS, block_arrays

if TYPE_CHECKING:
    from io import BufferedWriter

    import numpy as np

    from solver.tables.mapped_table import MappedTable

LEVEL = 9  # of deflate
LONGEST = 1 << 60  # bytes of all blocks


def pack(
    table: MappedTable, path: str, progress: Callable[[int, int], None] = lambda *_: None
) -> None:
    """Write the packed form of a table to a file; needs the extra `fast`.

    `progress` is called with the number of entries written and their total. Raises OSError.
    """
    with needs_extra("packing a table", "fast"):
        import numpy  # noqa: F401
    with atomic_write(path) as file:
        _write(table, file, progress)


def _write(table: MappedTable, file: BufferedWriter, progress: Callable[[int, int], None]) -> None:
    import numpy as np

    count = -(-table.layout.entries // BLOCK)
    metadata = json.loads(table.head[8:])["__metadata__"]
    size = len(
        join_head(metadata, block_arrays(count, LONGEST))
    )  # of the head, whatever its digits
    file.seek(size + 8 * (2 * count + 1))
    keys, offsets = np.empty(count, "<u8"), np.zeros(count + 1, "<u8")
    done = 0
    for mixed, values in _pieces(table):
        for start in range(0, len(mixed), BLOCK):
            one = mixed[start : start + BLOCK]
            data = _encode_block(one, values[start : start + BLOCK])
            keys[done], offsets[done + 1] = one[0], offsets[done] + np.uint64(len(data))
            file.write(data)
            done += 1
        progress(min(done * BLOCK, table.layout.entries), table.layout.entries)
    file.seek(0)
    file.write(join_head(metadata, block_arrays(count, int(offsets[-1])), size))
    file.write(keys.tobytes() + offsets.tobytes())


def _pieces(table: MappedTable) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the mixed keys and the values of all entries, in pieces of whole blocks."""
    import numpy as np

    layout = table.layout
    offsets, remainders, values = (
        np.asarray(table.arrays[name]) for name in ("offsets", "remainders", "values")
    )
    for start in range(0, layout.entries, BLOCK * AT_ONCE):
        stop = min(start + BLOCK * AT_ONCE, layout.entries)
        first = int(np.searchsorted(offsets, start, "right")) - 1
        last = int(np.searchsorted(offsets, stop, "left"))
        edges = np.clip(offsets[first : last + 1].astype(np.int64), start, stop)
        buckets = np.repeat(np.arange(first, last, dtype=np.uint64), np.diff(edges))
        mixed = buckets << np.uint64(layout.width) | remainders[start:stop].astype(np.uint64)
        yield mixed, values[start:stop]


def _encode_block(mixed: np.ndarray, values: np.ndarray) -> bytes:
    import numpy as np

    gaps = np.diff(mixed)
    most = int(gaps.max(initial=1))
    width = next(width for width in WIDTHS if most < 1 << 8 * width)
    low = gaps.astype(f"<u{width}")
    raw = b"".join(
        (bytes([width]), _planes(low), _planes(values.astype(values.dtype.newbyteorder("<"))))
    )
    squeezed = zlib.compressobj(LEVEL, zlib.DEFLATED, RAW)
    data = squeezed.compress(raw) + squeezed.flush()
    return zlib.crc32(data).to_bytes(4, "little") + data


def _planes(numbers: np.ndarray) -> bytes:
    """Return the lowest byte of all numbers, then the next."""
    import numpy as np

    return numbers.view(np.uint8).reshape(len(numbers), numbers.itemsize).T.tobytes()
