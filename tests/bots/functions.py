"""Bots that misbehave when they are asked; other files here misbehave while they are imported."""

import builtins
import ctypes
import json
import math
import os
import random
import sys
import time

from solver import TableAgent, boards

agent = TableAgent()
children = []


def perfect(rows):
    return agent.best_move(boards.from_rows(rows))


def first(rows):
    return next((r, c) for r in range(3) for c in range(3) if rows[r][c] is None)


def changes_directory(rows, side):
    os.chdir("/")
    return perfect(rows)


def closes_everything(rows, side):
    os.closerange(0, 100)


def crashes(rows, side):
    ctypes.string_at(0)


def deletes_itself(rows, side):
    os.remove(__file__)
    os._exit(0)


def fails_at_random(rows, side):
    if random.random() < 0.5:
        raise RuntimeError("stage fright")
    return first(rows)


def floods_its_output(rows, side):
    if rows[0][0] == rows[1][1] == "X":
        print("thinking " * 10_000)
    return perfect(rows)


def forks_children(rows, side):
    while len(children) < 3:
        children.append(os.fork())
        if children[-1] == 0:
            time.sleep(600)
            os._exit(0)
    return perfect(rows)


def patches_python(rows, side):
    chosen = first(rows)
    json.dumps = json.loads = lambda *_, **__: "{}"
    math.fsum = lambda *_: 1.0
    builtins.min = builtins.max = lambda *_, **__: 0
    builtins.all = lambda _: True
    builtins.any = lambda _: False
    sys.stdout = sys.stderr = None
    return chosen


def raises_a_huge_exception(rows, side):
    raise ValueError("x" * 100_000_000)


def recurses_forever(rows, side):
    return recurses_forever(rows, side)


def returns_the_board(rows, side):
    row, column = first(rows)
    rows[row][column] = side
    return rows


def sleeps_forever(rows, side):
    time.sleep(1e6)


def wants_too_much_memory(rows, side):
    return len(bytearray(1 << 60))
