"""Writes an answer for each question before the first one, then never reads."""

import sys
import time

sys.stdout.write("5\n" * 10_000)
sys.stdout.flush()
time.sleep(600)
