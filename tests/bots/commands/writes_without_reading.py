"""Writes moves as fast as it can and never reads."""

import sys

while True:
    sys.stdout.write("5\n" * 1000)
