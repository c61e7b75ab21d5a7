"""The folder of unfinished work: what is kept there is whole and sound, or it counts as lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import LostFileError
from solver.solving.checkpoint import Checkpoint, SlotFiles

SLOTS = [(3, 2, b"three"), (4, 1, b""), (9, 5, b"nine!!")]


@given(place=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_an_altered_byte_is_seen(
    tmp_path_factory: pytest.TempPathFactory, place: int, bit: int
) -> None:
    """Wherever it is: in the mark, the index or the data."""
    path = tmp_path_factory.mktemp("work")
    folder = SlotFiles(str(path))
    folder.put("a.keys", SLOTS)
    data = bytearray((path / "a.keys").read_bytes())
    data[place % len(data)] ^= 1 << bit
    (path / "a.keys").write_bytes(data)
    with pytest.raises(LostFileError, match=r"the file a\.keys is missing or damaged"):
        folder.get("a.keys")


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    """Whatever they are called; what a solve has left may lie there."""
    for name, data in (("server.keys", b"secret"), ("ledger", b"accounts"), ("lock", b"!")):
        folder = tmp_path / name.replace(".", "-")
        folder.mkdir()
        (folder / name).write_bytes(data)
        with pytest.raises(OSError, match="has other files, such as"), Checkpoint(str(folder), {}):
            pass
        assert (folder / name).read_bytes() == data
    (tmp_path / "a").write_text("a file")
    with pytest.raises(OSError, match="is not a folder"), Checkpoint(str(tmp_path / "a"), {}):
        pass


def test_a_ledger_that_says_something_else_is_none(tmp_path: Path) -> None:
    for data in (b"[1]", b"null", b'{"about":3}', b"nonsense", b"\xff"):
        tmp_path.mkdir(exist_ok=True)
        SlotFiles(str(tmp_path)).put("ledger", [(0, 1, data)])
        with Checkpoint(str(tmp_path), {"game": "g"}) as work:
            assert work.ledger == {"about": {"game": "g"}}
