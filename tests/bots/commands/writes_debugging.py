"""Explains each move on standard output before it makes it."""

import sys

for line in sys.stdin:
    move = line.split("\t")[1].index(".") + 1
    sys.stdout.write(f"thinking about {line.strip()}\n{move}\n")  # at once, so that both arrive
    sys.stdout.flush()
