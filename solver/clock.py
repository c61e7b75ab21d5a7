"""The clock by which limits of time are kept: the processor time of this thread.

Python in WebAssembly has no clock of a thread, so that of the process stands in.
"""

from __future__ import annotations

import time
from collections.abc import Callable

thread_time: Callable[[], float] = getattr(time, "thread_time", time.process_time)
