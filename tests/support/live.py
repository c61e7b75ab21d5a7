"""A server as users start it, in its own process."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

MAIN = [sys.executable, "-m", "solver"]
PATIENCE = 180  # seconds: the last resort of every wait, for a busy machine


class Live(NamedTuple):
    process: subprocess.Popen[str]
    line: str
    """What it printed when it had started."""
    port: int

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def ask(self, request: bytes) -> tuple[int, bytes, bytes]:
        """Send bytes on a new connection; return the answer's status, head and body."""
        with self.connect() as connection:
            connection.sendall(request)
            return read_answer(connection)

    def get(self, path: str) -> tuple[int, bytes, bytes]:
        return self.ask(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode("latin-1"))

    def stop(self, how: int = signal.SIGTERM) -> tuple[int, str]:
        """Stop it with a signal; return its exit status and what it wrote to stderr."""
        self.process.send_signal(how)
        _, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, err


def read_answer(connection: socket.socket) -> tuple[int, bytes, bytes]:
    """Return the status, head and body of the next answer on a connection."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        assert piece, f"the connection was closed after {data!r}"
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    size = int(re.findall(rb"content-length: (\d+)", head)[0]) if b"content-length" in head else 0
    while len(body) < size:
        piece = connection.recv(65536)
        assert piece, "the connection was closed within a body"
        body += piece
    return int(head.split()[1]), head, body


def wait_closed(connection: socket.socket) -> None:
    """Wait until the server closes a connection."""
    with suppress(ConnectionError):
        while connection.recv(65536):
            pass


@contextmanager
def serving(tables: Path, *arguments: str, main: list[str] = MAIN) -> Iterator[Live]:
    """Run a server until the end of the block, on any free port unless the arguments name one."""
    port = [] if "--port" in arguments else ["--port", "0"]
    process = subprocess.Popen(
        [*main, "serve", *port, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PERFECTPLAY_TABLES": str(tables)},
    )
    with process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            line = process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            assert found, line + process.stderr.read()
            yield Live(process, line, int(found[1]))
        finally:
            process.kill()  # does nothing if the test has stopped it
