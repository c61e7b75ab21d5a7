"""Answers with bytes that are not text."""

import sys

for _ in sys.stdin:
    sys.stdout.buffer.write(b"\xff\n")
    sys.stdout.flush()
