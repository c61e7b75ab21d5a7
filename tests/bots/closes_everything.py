"""Closes every file that its process has open."""

import os


def move(rows, side):
    os.closerange(0, 100)
