"""Makes a book: the scores of the first plies of a game that is answered by search.

    python -m scripts.book --depth 4 --game connect4:5x5
    python -m scripts.book --depth 3 --game connect4:4x4 -o small.book --workers 2

The positions of the last ply are searched, and their scores passed up by minimax. Blocks of
neighbouring positions are searched together, since what a search has learned of one helps with the
next. Finished blocks go into a folder beside the book, so that the same command continues after an
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
from contextlib import suppress
from hashlib import sha256
from itertools import islice, pairwise
from threading import Event
from typing import Any

from solver.cli.output import progress, report
from solver.errors import LostFileError, PerfectplayError
from solver.files import check_writable, save
from solver.games import load_game
from solver.rules.game import Game, fingerprint
from solver.solving.checkpoint import Checkpoint
from solver.tables.book import FIELDS, VERSION, open_positions
from solver.tables.format import BOOK, NO_HASH, replace_hash
from solver.tables.store import BOOK_SUFFIX, WORK, user_path
from solver.units import counted
from solver.value import NARROW, back, narrow, score, widen

BLOCK = 256  # positions


class BookMaker:
    """A book in the making; the folder `work` has the scores of finished blocks, each in a file."""

    def __init__(self, game: Game[Any, Any], depth: int, folder: str) -> None:
        """Raise ValueError for a game without a search, or without positions at this depth."""
        if not game.searchable:
            raise ValueError(f"{game.spec} has no search: perfectplay solve makes a whole table")
        self.game, self.search = game, game.search()
        self.plies = list(islice(open_positions(game), depth + 1))
        if len(self.plies) <= depth:
            raise ValueError(
                f"{game.spec} has no open position at ply {depth}; the last ones are at ply"
                f" {len(self.plies) - 1}"
            )
        about = {"game": game.spec, "rules": fingerprint(game), "depth": depth, "block": BLOCK}
        self.work = Checkpoint(folder, about)
        starts = range(0, len(self.plies[-1]), BLOCK)
        self.blocks = {f"{depth}.{at}.values": self.plies[-1][at : at + BLOCK] for at in starts}

    def make(self, workers: int, progress: Callable[[int, int], None]) -> bytes:
        """Search what no file has, in `workers` threads, and return the bytes of the book.

        `progress` is called with the numbers of positions of the last ply that have scores, and of
        all of them.
        """
        stop, scores, last = Event(), self.finished(), self.plies[-1]
        left = [name for name in self.blocks if name not in scores]
        with ThreadPoolExecutor(workers) as pool:
            try:
                searched = pool.map(lambda name: self._search(self.blocks[name], stop), left)
                for name, block in zip(left, searched, strict=True):
                    self.work.put(name, [(0, len(block), block)])
                    scores[name] = block
                    progress(sum(map(len, scores.values())), len(last))
            finally:
                stop.set()
        return encode_book(self.game, self._minimax(b"".join(scores[name] for name in self.blocks)))

    def finished(self) -> dict[str, bytes]:
        """Return the scores that whole files of the folder have, by the names of the files."""
        scores = {}
        for name in self.blocks:
            with suppress(LostFileError):
                scores[name] = bytes(self.work.read(name)[1])
        return scores

    def _search(self, keys: Sequence[int], stop: Event) -> bytes:
        """Return the scores of positions; raises CancelledError once `stop` is set."""
        scores = b""
        for key in keys:
            if stop.is_set():
                raise CancelledError
            scores += encode_score(self.search.score(self.game.position(key)))
        return scores

    def _minimax(self, last: bytes) -> list[bytes]:
        """Return the scores of all plies, given those of the last one."""
        plies = [last]
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
    values = (BOOK, VERSION, game.spec, fingerprint(game), counts, NO_HASH)
    fields = dict(zip(FIELDS, values, strict=True))
    head = json.dumps(fields, separators=(",", ":")).encode()
    data = head + b"\n" + zlib.compress(b"".join(plies), 9)
    return replace_hash(data, NO_HASH, sha256(data).hexdigest())


def make_book(options: argparse.Namespace) -> None:
    """Make and write a book; raises what `main` reports."""
    if options.depth < 0 or options.workers < 1:
        raise ValueError("--depth must be at least 0, --workers at least 1")
    game = load_game(options.game)
    path = options.output or user_path(game.spec, BOOK_SUFFIX)
    if options.output is None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    check_writable(path)
    maker = BookMaker(game, options.depth, f"{path}.{options.depth}{WORK}")
    with maker.work as work:
        work.note()
        total = len(maker.plies[-1])
        left = counted(total - sum(map(len, maker.finished().values())), "position")
        report(f"{left} of ply {options.depth} to search, out of {total:,}")
        with progress("positions") as show:
            data = maker.make(options.workers, show)
        save(path, data)
        work.clear()
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
