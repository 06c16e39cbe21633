"""Where calls are made: threads, processes, or a Dask cluster, all behind ``concurrent.futures.Executor``."""

from __future__ import annotations

import os
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from torus_eval.errors import EvaluationError
from torus_site.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

CLUSTER = "dask://"
KINDS = ("thread", "process")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_MOST_BREAKS = 5
_WAIT_S = 10


@dataclass(slots=True)
class Crew:
    """Workers that make calls, made anew when one of them is killed.

    Args:
        kind: ``thread``, ``process`` or ``dask://HOST:PORT``.
        jobs: How many calls are made at once; a cluster decides by itself.
    """

    kind: str = "thread"
    jobs: int = 1
    breaks: int = 0
    _executor: Executor | None = None
    _client: Any = field(default=None, repr=False)

    @property
    def most_waiting(self) -> int:
        """How many calls are handed over at once: enough that no worker waits, few enough for the memory."""
        return 64 if self.kind.startswith(CLUSTER) else 2 * self.jobs

    def submit(self, function: Callable[..., Any], *arguments: object) -> Future[Any]:
        """Hand over a call.

        Raises:
            EvaluationError: There are no workers to be had.
        """
        if self._executor is None:
            self._executor = self._open()
        return self._executor.submit(function, *arguments)

    def mend(self) -> None:
        """Make new workers after one was killed from outside.

        Raises:
            EvaluationError: It has happened too often.
        """
        self.breaks += 1
        if self.breaks > _MOST_BREAKS:
            found = f"a process that was ended from outside, {self.breaks} times"
            action = "give it more memory or fewer --jobs; what was recorded is kept"
            raise EvaluationError(Problem("--jobs", found=found, action=action))
        self.close()

    def close(self) -> None:
        """Let the workers go; calls not begun are dropped."""
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=True, cancel_futures=True)
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _open(self) -> Executor:
        if self.kind.startswith(CLUSTER):
            self._client = _connect(self.kind)
            executor: Executor = self._client.get_executor(pure=False)
            return executor
        if self.kind == "process":
            return ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn"), initializer=limit_threads)
        return ThreadPoolExecutor(self.jobs)


def check_kind(kind: str) -> None:
    """Refuse an executor that there is not.

    Raises:
        EvaluationError: It is none of the kinds.
    """
    if kind not in KINDS and not (kind.startswith(CLUSTER) and len(kind) > len(CLUSTER)):
        expected = f"{', '.join(KINDS)} or {CLUSTER}HOST:PORT"
        raise EvaluationError(Problem("--executor", found=repr(kind), expected=expected))


def limit_threads() -> None:
    """Let libraries of linear algebra use one thread in this process; they read this when they are loaded."""
    for name in _THREADS:
        os.environ[name] = "1"


def is_lost_worker(error: BaseException) -> bool:
    """Tell whether an exception means that the worker died, not that the call went wrong."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ in {"KilledWorker", "CommClosedError"}


def _connect(kind: str) -> Any:  # noqa: ANN401 -- distributed has no types
    address = kind.removeprefix(CLUSTER)
    try:
        from distributed import Client  # noqa: PLC0415 -- an extra; only a cluster needs it
    except ImportError:
        action = "pip install 'torus-site[cluster]'"
        raise EvaluationError(Problem("--executor", found="no package distributed", action=action)) from None
    try:
        # The package declares no types.
        return Client(f"tcp://{address}", timeout=_WAIT_S, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        found = f"no scheduler at {address}: {str(error).splitlines()[0]}"
        raise EvaluationError(
            Problem("--executor", found=found, action="start one with `dask scheduler`, and workers")
        ) from None
