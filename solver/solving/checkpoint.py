"""The folder of an unfinished solve, from which it resumes however it was interrupted.

Many processes read and write in the folder; one of them owns it and its ledger.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from typing import Any, BinaryIO, Self

from solver.errors import LostFileError
from solver.files import DRAFT, lock, remove_draft
from solver.rules.rule_files import RuleFiles
from solver.solving.ledger import Ledger
from solver.solving.slot_files import MARK, SlotFiles

LEDGER, LOCK = "ledger", "lock"
NAMES = re.compile(  # of a part's files, of ranges of the table, and of the ledger
    r"(-?\d+\.){3}seeds|-?\d+\.\d+\.(keys|moves|values)|\d+\.table|ledger"
)


class Checkpoint(SlotFiles):
    """The folder of one solve, locked by one process, with its ledger; a context manager.

    `about` identifies the solve: unfinished work on the same game with anything else changed is
    deleted. `files` are those of the rules, to which those that are loaded later are added whenever
    the ledger is written. Raises OSError if another process has the folder locked or it belongs to
    another game.
    """

    def __init__(
        self, directory: str, about: dict[str, Any], files: RuleFiles | None = None
    ) -> None:
        super().__init__(directory)
        self.files, self.is_resumed = files, False
        self.about = json.loads(json.dumps(about))
        self.ledger = Ledger(self.about)

    def __enter__(self) -> Self:
        if os.path.exists(self.directory) and not os.path.isdir(self.directory):
            raise OSError(f"{self.directory} is not a folder; unfinished work needs one")
        os.makedirs(self.directory, exist_ok=True)
        others = [name for name in os.listdir(self.directory) if not self._is_own(name)]
        if others and self._read_ledger() is None:
            raise OSError(
                f"{self.directory} has other files, such as {others[0]}: name a folder that is"
                " empty or does not exist"
            )
        self._lock = _lock(self.path(LOCK))
        for name in os.listdir(self.directory):
            if DRAFT.fullmatch(name) and self._is_own(name):
                remove_draft(self.path(name))
        if hasattr(os, "register_at_fork"):  # a worker that outlives this process has no lock
            os.register_at_fork(after_in_child=self._lock.close)
        stated = self._read_ledger() or {"about": self.about}
        if stated["about"] != self.about:
            other = stated["about"].get("game")
            if other != self.about.get("game"):
                self._lock.close()
                raise OSError(
                    f"{self.directory} has unfinished work on {other}: name another file, or delete"
                    " that folder"
                )
            self._delete_files()
            stated = {"about": self.about}
        self.ledger = Ledger.decode(stated)
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(FileNotFoundError):
            if os.listdir(self.directory) == [LOCK]:  # nothing was done
                self.clear()
        self._lock.close()

    def note(self) -> None:
        """Write the ledger, even to a disk that is nearly full."""
        self.disk.written = 0
        if self.files is not None:
            self.files.update()
            self.ledger.about["source"] = self.files.stated
        self.put(LEDGER, [(0, 1, self.ledger.encode())])

    def clear(self) -> None:
        """Delete the files of the solve, and the folder if nothing else is in it."""
        self._delete_files()
        os.unlink(self.path(LOCK))
        with suppress(OSError):  # the user put a file there
            os.rmdir(self.directory)

    @classmethod
    def find(cls, directory: str) -> Checkpoint | None:
        """Return the folder of a solve, not locked, or None if `directory` is none."""
        work = cls(directory, {})
        ledger, names = work._read_ledger(), os.listdir(directory)
        if LOCK not in names or (ledger is None and not all(map(work._is_own, names))):
            return None
        work.about = {} if ledger is None else ledger["about"]
        return work

    def _read_ledger(self) -> dict[str, Any] | None:
        """Return the ledger, or None if there is none that can be read."""
        try:
            ledger = json.loads(bytes(self.read(LEDGER)[1]))
        except (LostFileError, ValueError):
            return None
        is_ledger = isinstance(ledger, dict) and isinstance(ledger.get("about"), dict)
        return ledger if is_ledger else None

    def _is_own(self, name: str) -> bool:
        """Return whether a file is one that a solve writes."""
        path = self.path(name)
        if name == LOCK:
            return os.path.isfile(path) and os.path.getsize(path) == 0
        if name == LEDGER:
            with open(path, "rb") as file:
                return file.read(len(MARK)) == MARK or os.path.getsize(path) == 0
        draft = DRAFT.fullmatch(name)
        target = name if draft is None else draft[1]
        return NAMES.fullmatch(target) is not None and os.path.isfile(path)

    def _delete_files(self) -> None:
        for name in os.listdir(self.directory):
            if name != LOCK and self._is_own(name):
                os.unlink(self.path(name))


def _lock(path: str) -> BinaryIO:
    """Lock a folder by its file at `path`, until the returned file is closed."""
    while True:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:  # without locks, two solves at once would only damage each other's files
            return lock(path, wait=False)
        except FileNotFoundError:  # its owner has just deleted the folder
            pass
        except BlockingIOError:
            raise OSError(f"{os.path.dirname(path)}: another solve is using this folder") from None
