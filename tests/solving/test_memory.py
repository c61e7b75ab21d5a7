"""What a process finds out about memory."""

from __future__ import annotations

from solver.solving.memory import resident

BLOCK = 64 << 20  # bytes


def test_the_memory_that_a_process_takes_grows_by_what_it_fills() -> None:
    before = resident()
    block = b"x" * BLOCK
    assert 0.9 * BLOCK < resident() - before < 1.1 * BLOCK
    del block
