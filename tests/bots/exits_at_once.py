"""Ends its process at every question."""

import os


def move(rows, side):
    os._exit(3)
