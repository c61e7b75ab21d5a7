"""Writes a move without the end of the line."""

import sys
import time

sys.stdin.readline()
sys.stdout.write("5")
sys.stdout.flush()
time.sleep(600)
