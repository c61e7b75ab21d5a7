"""Answers with empty lines."""

import sys

for _ in sys.stdin:
    print(flush=True)
