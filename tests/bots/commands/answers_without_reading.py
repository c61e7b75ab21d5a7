"""Writes a move now and then, whatever it is asked."""

import time

while True:
    print("5", flush=True)
    time.sleep(0.01)
