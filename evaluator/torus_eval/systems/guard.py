"""Runs a program, and ends it with everything it started once whoever asked for it is gone.

It is run as a script by itself, with the standard library alone: ``guard.py FD PROGRAM [ARGUMENT...]``.
``FD`` is one end of a pair of sockets. The kernel closes the other end when its owner dies, however it dies;
this is why a process stands here and no ``prctl``, which would have to run between fork and exec in a process
with threads, tells of the death of a thread only, and does not reach what the program started.

It leads a session and a process group of its own. What the program's end was is written to the socket: the
exit status, negative for a signal, or the reason why it could not be started.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time

GRACE_S = 0.5
_ASKED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def main(arguments: list[str]) -> None:
    """Run the program of the command line to its end, then end its process group and this process."""
    line = socket.socket(fileno=int(arguments[0]))
    line.set_inheritable(False)
    for number in _ASKED:
        # A handler, since to ignore a signal would be inherited by the program.
        signal.signal(number, lambda *_: None)
    try:
        process = subprocess.Popen(arguments[1:])  # noqa: S603 -- what a system file names, without a shell
    except OSError as error:
        line.sendall(str(error.strerror or error).encode())
        return
    _let_go_of_streams()
    threading.Thread(target=_watch, args=(line,), daemon=True).start()
    status = process.wait()
    with contextlib.suppress(OSError):
        line.sendall(str(status).encode())
    os.killpg(0, signal.SIGKILL)


def _let_go_of_streams() -> None:
    # Only so do readers of the program's output see its end.
    empty = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(empty, stream)


def _watch(line: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while line.recv(1):
            pass
    os.killpg(0, signal.SIGTERM)
    time.sleep(GRACE_S)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1:])
