"""Makes a book: the scores of the first plies of a game that is answered by search.

    python -m scripts.book --depth 4 --game connect4:5x5
    python -m scripts.book --depth 3 --game connect4:4x4 -o small.book --workers 2

The positions of the last ply are searched, and their scores passed up by minimax. Blocks of
neighbouring positions are searched together, since what a search has learned of one helps with the
next; each becomes a file in a folder, so that the same command continues after an interruption.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from threading import Event
from typing import Any

from solver.cli.output import counted, progress, report
from solver.errors import PerfectplayError
from solver.files import check_writable, save
from solver.games import load_game
from solver.rules.game import Game, fingerprint
from solver.rules.search import Search, watching
from solver.tables.book import FIELDS, FORMAT, SUFFIX, VERSION, open_positions
from solver.tables.format import NO_HASH, replace_hash
from solver.tables.store import WORK, user_path
from solver.units import format_duration
from solver.value import NARROW, back, narrow, score, widen

BLOCK = 256  # positions
SCORES = ".scores"  # the suffix of a block's file
SAMPLE = 24  # positions from which the time is estimated
CHECKSUM = 4  # bytes of a block's CRC-32, which precedes its scores
MARK, ABOUT = "book.txt", "unfinished book of "  # a file in the folder, and how it begins


class BookMaker:
    """A book in the making, with its finished blocks in a folder."""

    def __init__(self, game: Game[Any, Any], depth: int, folder: str) -> None:
        """Raise ValueError for a game without a search or without so many plies, and OSError.

        The folder is made; ValueError is raised if it has blocks of another book.
        """
        if not game.searchable:
            raise ValueError(f"{game.spec} has no search: perfectplay solve makes a whole table")
        self.search: Search = game.search()
        self.game, self.depth, self.folder = game, depth, folder
        self.plies = list(islice(open_positions(game), depth + 1))
        if len(self.plies) <= depth:
            raise ValueError(
                f"{game.spec} has no open position at ply {depth}; the last ones are at ply"
                f" {len(self.plies) - 1}"
            )
        self.frontier = self.plies[depth]
        self._bind()
        starts = range(0, len(self.frontier), BLOCK)
        self.done = {start: block for start in starts if (block := self._read(start)) is not None}
        self.left = [start for start in starts if start not in self.done]

    @property
    def positions(self) -> int:
        """How many positions the book has."""
        return sum(map(len, self.plies))

    @property
    def searched(self) -> int:
        """How many positions of the last ply are finished."""
        return sum(map(len, self.done.values()))

    def forecast(self) -> float:
        """Return about how many seconds of one processor the rest takes, from a sample."""
        keys = [key for start in self.left for key in self._block(start)]
        sample = random.Random(0).sample(keys, min(SAMPLE, len(keys)))
        started = time.thread_time()
        self._search(sample, Event())
        return (time.thread_time() - started) * len(keys) / max(1, len(sample))

    def make(self, workers: int, progress: Callable[[int, int], None]) -> bytes:
        """Search what is left, in `workers` threads, and return the bytes of the book.

        `progress` is called with the numbers of searched positions and of all of the last ply.
        """
        stop, total = Event(), len(self.frontier)
        progress(self.searched, total)
        with ThreadPoolExecutor(workers) as pool:
            tasks = {pool.submit(self._finish, start, stop): start for start in self.left}
            try:
                for task in as_completed(tasks):
                    self.done[tasks[task]] = task.result()
                    progress(self.searched, total)
            finally:
                stop.set()
                for task in tasks:
                    task.cancel()
        self.left = []
        scores = b"".join(self.done[start] for start in sorted(self.done))
        return encode_book(self.game, self._minimax(scores))

    def remove_work(self) -> None:
        """Delete the finished blocks, and the folder if nothing else is in it."""
        for name in os.listdir(self.folder):
            if name == MARK or name.endswith(SCORES):
                with suppress(FileNotFoundError):  # another process has made the same book
                    os.unlink(os.path.join(self.folder, name))
        with suppress(OSError):
            os.rmdir(self.folder)

    def _bind(self) -> None:
        """Mark the folder as this book's; raises ValueError if it is that of another one."""
        os.makedirs(self.folder, exist_ok=True)
        about = f"{self.game.spec} to ply {self.depth}, rules {fingerprint(self.game)}"
        mark = os.path.join(self.folder, MARK)
        try:
            with open(mark, encoding="utf-8", errors="replace") as file:
                found = file.readline().removeprefix(ABOUT).strip()
        except FileNotFoundError:
            save(mark, f"{ABOUT}{about}\n".encode())
            return
        if found != about:
            raise ValueError(f"{self.folder} has unfinished work on another book: {found}")

    def _path(self, start: int) -> str:
        return os.path.join(self.folder, f"{start:09}{SCORES}")

    def _block(self, start: int) -> Sequence[int]:
        return self.frontier[start : start + BLOCK]

    def _read(self, start: int) -> bytes | None:
        """Return the scores of a finished block; None if it is missing or damaged."""
        try:
            with open(self._path(start), "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return None
        scores = data[CHECKSUM:]
        sound = len(scores) == len(self._block(start)) and data == _checked(scores)
        return scores if sound else None

    def _finish(self, start: int, stop: Event) -> bytes:
        """Search a block and write its file."""
        scores = self._search(self._block(start), stop)
        save(self._path(start), _checked(scores))
        return scores

    def _search(self, keys: Sequence[int], stop: Event) -> bytes:
        """Return the scores of positions; raises CancelledError once `stop` is set."""

        def check(nodes: int) -> None:
            if stop.is_set():
                raise CancelledError

        found = bytearray()
        with watching(check):
            for key in keys:
                found += _byte(self.search.score(self.game.position(key)))
                check(0)
        return bytes(found)

    def _minimax(self, scores: bytes) -> list[bytes]:
        """Return the scores of all plies, given those of the last one."""
        game, plies = self.game, [scores]
        for ply in reversed(range(self.depth)):
            below = memoryview(plies[0]).cast("b")
            after = dict(zip(self.plies[ply + 1], below, strict=True))

            def value(p: Any, after: dict[int, int] = after) -> int:
                over = game.primitive(p)
                known = after.get(game.key(game.canonical(p))) if over is None else score(over)
                assert known is not None
                return widen(known, NARROW) if over is None else known

            found = bytearray()
            for key in self.plies[ply]:
                p = game.position(key)
                found += _byte(max(back(value(game.play(p, m))) for m in game.moves(p)))
            plies.insert(0, bytes(found))
        return plies


def encode_book(game: Game[Any, Any], plies: Sequence[bytes]) -> bytes:
    """Return the bytes of a book, given the stored scores of each ply."""
    counts = [len(scores) for scores in plies]
    values = (FORMAT, VERSION, game.spec, fingerprint(game), counts, NO_HASH)
    fields = dict(zip(FIELDS, values, strict=True))
    head = json.dumps(fields, separators=(",", ":")).encode()
    data = head + b"\n" + zlib.compress(b"".join(plies), 9)
    return replace_hash(data, NO_HASH, sha256(data).hexdigest())


def _byte(found: int) -> bytes:
    return narrow(found, NARROW).to_bytes(1, "little", signed=True)


def _checked(scores: bytes) -> bytes:
    """Return the contents of a block's file."""
    return zlib.crc32(scores).to_bytes(CHECKSUM, "little") + scores


def _make(options: argparse.Namespace) -> None:
    """Make and write a book."""
    rules = load_game(options.game)
    path = options.output
    if path is None:
        path = user_path(rules.spec, SUFFIX)
        os.makedirs(os.path.dirname(path), exist_ok=True)
    check_writable(path)
    depth, folder = options.depth, options.workdir or path + WORK
    maker = BookMaker(rules, depth, folder)
    left = len(maker.frontier) - maker.searched
    report(
        f"{counted(left, 'position')} of ply {depth} to search, out of {len(maker.frontier):,}:"
        f" about {format_duration(maker.forecast())} of processor time"
    )
    with progress("positions") as show:
        data = maker.make(options.workers, show)
    save(path, data)
    maker.remove_work()
    print(f"wrote {path}: {len(data):,} bytes, {counted(maker.positions, 'position')}")


def main(words: list[str] | None = None) -> None:
    """Make the book that the arguments describe; exits with 2 for bad input."""
    parser = argparse.ArgumentParser(prog="python -m scripts.book")
    parser.add_argument("--depth", type=int, required=True, help="the last ply of the book")
    parser.add_argument("--game", default="connect4")
    parser.add_argument("-o", "--output", help="by default in the folder of the user's tables")
    parser.add_argument("--workers", type=int, default=1, help="search in so many threads")
    parser.add_argument("--workdir", help="store unfinished work here, by default beside the book")
    try:
        options = parser.parse_args(words)
        if options.depth < 0 or options.workers < 1:
            raise ValueError("--depth must be at least 0, --workers at least 1")
        _make(options)
    except (PerfectplayError, ValueError, OSError, ImportError) as error:
        report(str(error))
        sys.exit(2)
    except KeyboardInterrupt:
        report("interrupted")
        sys.exit(130)


if __name__ == "__main__":
    main()
