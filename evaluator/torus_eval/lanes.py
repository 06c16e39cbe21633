"""Worker processes, each with one call at a time: when one dies, the call that it died of is known."""

from __future__ import annotations

import atexit
import os
import queue
import signal
import sys
import threading
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context, parent_process
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_Task = tuple["Future[Any]", "Callable[..., Any]", tuple[Any, ...]]


class Lanes(Executor):
    """Processes that are started when they are needed, and anew when one of them was ended from outside.

    Args:
        count: How many.
    """

    def __init__(self, count: int) -> None:
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._processes: set[int] = set()
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:  # type: ignore[override]  # noqa: ANN401 -- whatever can be pickled
        """Hand over a call; it raises ``BrokenExecutor`` when its process was ended from outside."""
        future: Future[Any] = Future()
        self._tasks.put((future, function, arguments))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 -- the standard library's signature
        """Let the processes end by themselves, each after its last call."""
        while cancel_futures:
            try:
                task = self._tasks.get_nowait()
            except queue.Empty:
                break
            if task is not None:
                task[0].cancel()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads if wait else ():
            thread.join()

    def kill(self) -> None:
        """End the processes at once, whatever they do."""
        for number in tuple(self._processes):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    def _serve(self) -> None:
        """Work for one process from this thread."""
        pool: ProcessPoolExecutor | None = None
        number = 0
        while (task := self._tasks.get()) is not None:
            future, function, arguments = task
            if not future.set_running_or_notify_cancel():
                continue
            if pool is None:
                pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=begin_work)
            try:
                number = number or self._begin(pool)
                result = pool.submit(function, *arguments).result()
            except BaseException as error:  # noqa: BLE001 -- it belongs to whoever waits for the call
                if isinstance(error, BrokenExecutor):
                    pool.shutdown()
                    self._processes.discard(number)
                    pool, number = None, 0
                future.set_exception(error)
            else:
                future.set_result(result)
        if pool is not None:
            pool.shutdown()
            self._processes.discard(number)

    def _begin(self, pool: ProcessPoolExecutor) -> int:
        number: int = pool.submit(os.getpid).result()
        self._processes.add(number)
        return number


def begin_work() -> None:
    """Prepare a worker process, before any library of linear algebra is loaded.

    Such libraries read how many threads they may use when they are loaded. The signal of Ctrl-C reaches every
    process of a terminal: the parent alone decides what comes of it. A worker ends with its parent, however
    that dies, and closes its systems when it ends by itself.
    """
    for name in THREADS:
        os.environ[name] = "1"
    # A handler, since to ignore a signal would be inherited by the programs that a system starts.
    signal.signal(signal.SIGINT, lambda *_: None)
    threading.Thread(target=_follow_parent, daemon=True).start()
    atexit.register(_close_systems)


def _follow_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _close_systems() -> None:
    # A process that made no call has none open, and need not load what it takes to know.
    calls = sys.modules.get("torus_eval.calls")
    if calls is not None:
        calls.close_systems()
