"""Kills the process that started it."""

import os
import signal
import time


def move(rows, side):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
