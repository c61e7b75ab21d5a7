"""Making a book: search the positions of its last ply, and pass their scores up by minimax.

The positions of the last ply are searched in blocks, each of which becomes a file in a folder, so
that the same command continues an interrupted run. Neighbouring positions are in one block, since
what a search has learned of one helps with the next.
"""

from __future__ import annotations

import os
import random
import time
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from contextlib import suppress
from itertools import islice
from threading import Event
from typing import Any

from solver.files import save
from solver.rules.game import Game, fingerprint
from solver.rules.search import Search, watching
from solver.tables.book import encode_book, open_positions
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

    def _bind(self) -> None:
        """Mark the folder as this book's; raises ValueError if it is that of another one."""
        os.makedirs(self.folder, exist_ok=True)
        about = f"{self.game.spec} to ply {self.depth}, rules {fingerprint(self.game)}"
        found = describe_work(self.folder)
        if found is None:
            save(os.path.join(self.folder, MARK), f"{ABOUT}{about}\n".encode())
        elif found != about:
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


def describe_work(folder: str) -> str | None:
    """Return which book the unfinished work in a folder is on, its game first; None without any."""
    try:
        with open(os.path.join(folder, MARK), encoding="utf-8", errors="replace") as file:
            line = file.readline()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return line.removeprefix(ABOUT).strip() if line.startswith(ABOUT) else None


def remove_work(folder: str) -> None:
    """Delete the unfinished work on a book in a folder, and the folder if nothing else is in it."""
    for name in os.listdir(folder):
        if name == MARK or name.endswith(SCORES):
            with suppress(FileNotFoundError):  # another process has made the same book
                os.unlink(os.path.join(folder, name))
    with suppress(OSError):
        os.rmdir(folder)


def _byte(found: int) -> bytes:
    return narrow(found, NARROW).to_bytes(1, "little", signed=True)


def _checked(scores: bytes) -> bytes:
    """Return the contents of a block's file."""
    return zlib.crc32(scores).to_bytes(CHECKSUM, "little") + scores
