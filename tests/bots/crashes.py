"""Ends its process by reading where it must not."""

import ctypes


def move(rows, side):
    ctypes.string_at(0)
