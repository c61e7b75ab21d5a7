"""A server as users start it, in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

MAIN = [sys.executable, "-m", "solver"]


class Live(NamedTuple):
    process: subprocess.Popen[str]
    line: str
    """What it said when it began to listen."""
    port: int

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def ask(self, request: bytes) -> tuple[int, bytes, bytes]:
        """Send bytes on a connection of their own; return status, head and body of the answer."""
        with self.connect() as line:
            line.sendall(request)
            return read_answer(line)

    def get(self, path: str) -> tuple[int, bytes, bytes]:
        return self.ask(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode("latin-1"))

    def stop(self, how: int = signal.SIGTERM) -> tuple[int, str]:
        """Tell it to end; return its status and what it wrote on stderr."""
        self.process.send_signal(how)
        _, err = self.process.communicate(timeout=30)
        return self.process.returncode, err


def read_answer(line: socket.socket) -> tuple[int, bytes, bytes]:
    """Return the next answer on a connection."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = line.recv(65536)
        assert piece, f"the connection was closed after {data!r}"
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    size = int(re.findall(rb"content-length: (\d+)", head)[0]) if b"content-length" in head else 0
    while len(body) < size:
        piece = line.recv(65536)
        assert piece, "the connection was closed in a body"
        body += piece
    return int(head.split()[1]), head, body


def waits_closed(line: socket.socket) -> float:
    """Return after how many seconds the other side closes a connection."""
    begun = time.perf_counter()
    try:
        while line.recv(65536):
            pass
    except ConnectionError:
        pass
    return time.perf_counter() - begun


@contextmanager
def serving(tables: Path, *arguments: str) -> Iterator[Live]:
    """Run a server until the end of the block."""
    process = subprocess.Popen(
        [*MAIN, "serve", "--port", "0", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PERFECTPLAY_TABLES": str(tables)},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, line + process.stderr.read()
        yield Live(process, line, int(found[1]))
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stdout.close()
        process.stderr.close()
