"""Deletes its file and ends."""

import os


def move(rows, side):
    os.remove(__file__)
    os._exit(0)
