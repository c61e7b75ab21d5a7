"""The folder of unfinished work: what is kept there is whole and sound, or it counts as lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import LostFileError
from solver.solving.checkpoint import Checkpoint, SlotFiles

SLOTS = [(3, 2, b"three"), (4, 1, b""), (9, 5, b"nine!!")]


@pytest.fixture
def folder(tmp_path: Path) -> SlotFiles:
    return SlotFiles(str(tmp_path))


def test_slots_are_read_alone_or_in_a_row(folder: SlotFiles) -> None:
    folder.put("a.keys", SLOTS)
    assert [*map(tuple, folder.index("a.keys"))] == [(number, count) for number, count, _ in SLOTS]
    assert bytes(folder.get("a.keys")) == b"threenine!!"
    assert bytes(folder.get("a.keys", 4)) == b"nine!!"
    assert bytes(folder.get("a.keys", 0, 9)) == b"three"
    assert bytes(folder.get("a.keys", 5, 9)) == b""


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


def test_a_cut_or_longer_file_is_seen(folder: SlotFiles, tmp_path: Path) -> None:
    folder.put("a.keys", SLOTS)
    whole = (tmp_path / "a.keys").read_bytes()
    for wrong in (*(whole[:size] for size in range(len(whole))), whole + b"\0"):
        (tmp_path / "a.keys").write_bytes(wrong)
        with pytest.raises(LostFileError):
            folder.index("a.keys")


def test_what_is_missing_is_lost(folder: SlotFiles) -> None:
    for look in (folder.get, folder.index, lambda name: folder.rename(name, "b.keys")):
        with pytest.raises(LostFileError):
            look("a.keys")
    folder.drop("a.keys")  # is no error: it is gone


def test_the_ledger_stays(tmp_path: Path) -> None:
    with Checkpoint(str(tmp_path / "w"), {"game": "g"}) as work:
        work.ledger["done"] = [1, 2]
        work.put("1.0.keys", SLOTS)
        work.note()
    with Checkpoint(str(tmp_path / "w"), {"game": "g"}) as work:
        assert work.ledger["done"] == [1, 2]
        assert bytes(work.get("1.0.keys")) == b"threenine!!"
    with Checkpoint(str(tmp_path / "w"), {"game": "g", "rules": "others"}) as work:
        assert "done" not in work.ledger
        with pytest.raises(LostFileError):
            work.index("1.0.keys")
        work.clear()
    assert not (tmp_path / "w").exists()


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


def test_what_was_put_beside_the_work_stays(tmp_path: Path) -> None:
    with Checkpoint(str(tmp_path / "w"), {"game": "g"}) as work:
        work.put("1.0.keys", SLOTS)
        work.note()
        (tmp_path / "w" / "my.keys").write_text("mine")
    with Checkpoint(str(tmp_path / "w"), {"game": "g"}) as work:
        work.clear()
    assert [path.name for path in (tmp_path / "w").iterdir()] == ["my.keys"]


def test_a_ledger_that_says_something_else_is_none(tmp_path: Path) -> None:
    for data in (b"[1]", b"null", b'{"about":3}', b"nonsense", b"\xff"):
        tmp_path.mkdir(exist_ok=True)
        SlotFiles(str(tmp_path)).put("ledger", [(0, 1, data)])
        with Checkpoint(str(tmp_path), {"game": "g"}) as work:
            assert work.ledger == {"about": {"game": "g"}}
