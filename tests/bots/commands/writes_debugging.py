"""Explains each move on standard output before it makes it."""

import sys

for line in sys.stdin:
    print("thinking about", line.strip())
    print(line.split("\t")[1].index(".") + 1, flush=True)
