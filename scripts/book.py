"""Makes a book: the scores of the first plies of a game that is answered by search.

    python -m scripts.book --depth 4 --game connect4:5x5
    python -m scripts.book --depth 3 --game connect4:4x4 -o small.book --workers 2

The positions of the last ply are searched, and their scores passed up by minimax. Blocks of
neighbouring positions are searched together, since what a search has learned of one helps with the
next. Finished blocks go into a file beside the book, so that the same command continues after an
interruption.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from hashlib import sha256
from itertools import islice, pairwise
from pathlib import Path
from threading import Event
from typing import Any

from solver.cli.output import counted, progress, report
from solver.errors import PerfectplayError
from solver.files import check_writable, save
from solver.games import load_game
from solver.rules.game import Game, fingerprint
from solver.tables.book import FIELDS, FORMAT, SUFFIX, VERSION, open_positions
from solver.tables.format import NO_HASH, replace_hash
from solver.tables.store import WORK, user_path
from solver.value import NARROW, back, narrow, score, widen

BLOCK = 256  # positions


class BookMaker:
    """A book in the making; the file `work` has the finished scores of the last ply, in order."""

    def __init__(self, game: Game[Any, Any], depth: int, work: str) -> None:
        """Raise ValueError for a game without a search, or so many plies, or another book's work.

        The file is a line that names the book, and a zlib stream for each block of positions.
        """
        if not game.searchable:
            raise ValueError(f"{game.spec} has no search: perfectplay solve makes a whole table")
        self.game, self.search, self.work = game, game.search(), work
        self.plies = list(islice(open_positions(game), depth + 1))
        if len(self.plies) <= depth:
            raise ValueError(
                f"{game.spec} has no open position at ply {depth}; the last ones are at ply"
                f" {len(self.plies) - 1}"
            )
        self.about = f"unfinished book of {game.spec} to ply {depth}, rules {fingerprint(game)}"
        self.scores = self._read() if os.path.exists(work) else b""
        save(work, f"{self.about}\n".encode() + zlib.compress(self.scores))
        self.left: Sequence[int] = self.plies[-1][len(self.scores) :]

    def _read(self) -> bytes:
        """Return the finished scores, up to the first damage; raises ValueError."""
        about, _, data = Path(self.work).read_bytes().partition(b"\n")
        if about != self.about.encode():
            raise ValueError(f"{self.work} is of another book: {about.decode(errors='replace')}")
        scores, stream = b"", zlib.decompressobj()
        while data:
            try:
                block = stream.decompress(data)
            except zlib.error:
                break
            if not stream.eof:
                break
            scores, data, stream = scores + block, stream.unused_data, zlib.decompressobj()
        return scores

    def make(self, workers: int, progress: Callable[[int, int], None]) -> bytes:
        """Search what is left, in `workers` threads, and return the bytes of the book.

        `progress` is called with the numbers of searched positions and of all of the last ply.
        """
        stop, total = Event(), len(self.plies[-1])
        blocks = [self.left[at : at + BLOCK] for at in range(0, len(self.left), BLOCK)]
        with ThreadPoolExecutor(workers) as pool, open(self.work, "ab", buffering=0) as file:
            try:
                for scores in pool.map(lambda keys: self._search(keys, stop), blocks):
                    file.write(zlib.compress(scores))
                    self.scores += scores
                    progress(len(self.scores), total)
            finally:
                stop.set()
        return encode_book(self.game, self._minimax())

    def _search(self, keys: Sequence[int], stop: Event) -> bytes:
        """Return the scores of positions; raises CancelledError once `stop` is set."""
        scores = b""
        for key in keys:
            if stop.is_set():
                raise CancelledError
            scores += encode_score(self.search.score(self.game.position(key)))
        return scores

    def _minimax(self) -> list[bytes]:
        """Return the scores of all plies, given those of the last one."""
        plies = [self.scores]
        for later, earlier in pairwise(reversed(self.plies)):
            after = dict(zip(later, memoryview(plies[0]).cast("b"), strict=True))
            positions = map(self.game.position, earlier)
            plies.insert(0, b"".join(encode_score(self._best(p, after)) for p in positions))
        return plies

    def _best(self, p: Any, after: Mapping[int, int]) -> int:
        """Return the score of an open position, given the stored scores of the next ply."""
        game, scores = self.game, []
        for m in game.moves(p):
            q = game.play(p, m)
            over = game.primitive(q)
            stored = after[game.key(game.canonical(q))] if over is None else 0
            scores.append(back(widen(stored, NARROW) if over is None else score(over)))
        return max(scores)


def encode_score(value: int) -> bytes:
    """Return the byte of a score in a book."""
    return narrow(value, NARROW).to_bytes(1, "little", signed=True)


def encode_book(game: Game[Any, Any], plies: Sequence[bytes]) -> bytes:
    """Return the bytes of a book, given the stored scores of each ply."""
    counts = [len(scores) for scores in plies]
    values = (FORMAT, VERSION, game.spec, fingerprint(game), counts, NO_HASH)
    fields = dict(zip(FIELDS, values, strict=True))
    head = json.dumps(fields, separators=(",", ":")).encode()
    data = head + b"\n" + zlib.compress(b"".join(plies), 9)
    return replace_hash(data, NO_HASH, sha256(data).hexdigest())


def make_book(options: argparse.Namespace) -> None:
    """Make and write a book; raises what `main` reports."""
    if options.depth < 0 or options.workers < 1:
        raise ValueError("--depth must be at least 0, --workers at least 1")
    game = load_game(options.game)
    path = options.output or user_path(game.spec, SUFFIX)
    if options.output is None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    check_writable(path)
    maker = BookMaker(game, options.depth, path + WORK)
    left, total = counted(len(maker.left), "position"), len(maker.plies[-1])
    report(f"{left} of ply {options.depth} to search, out of {total:,}")
    with progress("positions") as show:
        data = maker.make(options.workers, show)
    save(path, data)
    os.unlink(maker.work)
    positions = counted(sum(map(len, maker.plies)), "position")
    print(f"wrote {path}: {len(data):,} bytes, {positions}")


def main(words: list[str] | None = None) -> None:
    """Make the book that the arguments describe; exits with 2 for bad input."""
    parser = argparse.ArgumentParser(prog="python -m scripts.book")
    parser.add_argument("--depth", type=int, required=True, help="the last ply of the book")
    parser.add_argument("--game", default="connect4")
    parser.add_argument("-o", "--output", help="by default in the folder of the user's tables")
    parser.add_argument("--workers", type=int, default=1, help="search in so many threads")
    try:
        make_book(parser.parse_args(words))
    except (PerfectplayError, ValueError, OSError, ImportError) as error:
        report(str(error))
        sys.exit(2)
    except KeyboardInterrupt:
        report("interrupted")
        sys.exit(130)


if __name__ == "__main__":
    main()
