"""What a process finds out about memory."""

from __future__ import annotations

import mmap

from solver.solving.memory import resident

BLOCK = 64 << 20  # bytes


def test_the_memory_that_a_process_takes_grows_by_what_it_fills() -> None:
    before = resident()
    with mmap.mmap(-1, BLOCK) as block:  # malloc may return memory that the process has already
        for first in range(0, BLOCK, mmap.PAGESIZE):
            block[first] = 1
        assert 0.9 * BLOCK < resident() - before < 1.1 * BLOCK
