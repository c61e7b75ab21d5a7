"""Never answers, at rest."""

import time


def move(rows, side):
    time.sleep(1e6)
