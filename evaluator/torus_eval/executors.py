"""Where calls are made: threads, processes, or a Dask cluster, all behind ``concurrent.futures.Executor``."""

from __future__ import annotations

import logging
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from torus_eval.errors import EvaluationError
from torus_eval.lanes import Lanes
from torus_site.errors import Problem, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CLUSTER = "dask://"
KINDS = ("thread", "process")
_MOST_BREAKS = 9
_MOST_DEATHS = 2
_WAIT_S = 10
_PACKAGE = "torus-site"


@dataclass(slots=True)
class Crew:
    """Workers that make calls, made anew when one of them is killed.

    Args:
        kind: ``thread``, ``process`` or ``dask://HOST:PORT``.
        jobs: How many calls are made at once; a cluster decides by itself.
        breaks: How many workers have died since a call last came back.
    """

    kind: str = "thread"
    jobs: int = 1
    breaks: int = 0
    _executor: Executor | None = None
    _client: Any = field(default=None, repr=False)
    _flying: set[Future[Any]] = field(default_factory=set, repr=False)

    @property
    def is_cluster(self) -> bool:
        """Whether the workers are those of a cluster."""
        return self.kind.startswith(CLUSTER)

    @property
    def most_waiting(self) -> int:
        """How many calls are handed over at once: enough that no worker waits, few enough for the memory.

        Raises:
            EvaluationError: There are no workers to be had.
        """
        if not self.is_cluster:
            return 2 * self.jobs
        self._get()
        try:
            threads: dict[str, int] = self._client.nthreads()
        except OSError:
            # The scheduler is going away; whoever hands over a call is told.
            return 1
        return 2 * max(1, sum(threads.values()))

    @property
    def most_deaths(self) -> int:
        """How many workers a call may cost before it is given up; a cluster has tried others by itself."""
        return 0 if self.is_cluster else _MOST_DEATHS

    def submit(self, function: Callable[..., Any], *arguments: object) -> Future[Any]:
        """Hand over a call.

        Raises:
            EvaluationError: There are no workers to be had.
        """
        future = self._get().submit(function, *arguments)
        self._flying.add(future)
        future.add_done_callback(self._land)
        return future

    def mend(self) -> None:
        """Make new workers, after a call came back as one whose worker died.

        Raises:
            EvaluationError: It has happened too often.
        """
        if self.is_cluster and (self._client is None or self._client.status != "running"):
            # The scheduler is gone, and all calls come back at once.
            self.close()
            return
        self.breaks += 1
        if self.breaks > _MOST_BREAKS:
            found = f"workers that were ended from outside, {self.breaks} in a row"
            action = "give it more memory or fewer --jobs; what was recorded is kept"
            raise EvaluationError(Problem("--executor", found=found, action=action))

    def close(self, release: Callable[[], None] | None = None) -> None:
        """Let the workers go. Calls not begun are dropped; nobody waits for one that has not come back.

        Args:
            release: What the workers of a cluster do first, as they live on; not while a call is under way.
        """
        executor, self._executor = self._executor, None
        client, self._client = self._client, None
        if client is not None:
            if release is not None and not self._flying and client.status == "running":
                # Workers that cannot be reached any more have nothing open.
                with suppress(OSError):
                    client.run(release, on_error="ignore")
            client.close()
        elif isinstance(executor, Lanes) and self._flying:
            executor.kill()
        if isinstance(executor, Lanes | ThreadPoolExecutor):
            # A thread cannot be ended: what it still waits for, it waits for alone.
            is_idle = isinstance(executor, Lanes) or not self._flying
            executor.shutdown(wait=is_idle, cancel_futures=True)

    def _land(self, future: Future[Any]) -> None:
        self._flying.discard(future)
        if not future.cancelled() and future.exception() is None:
            self.breaks = 0

    def _get(self) -> Executor:
        if self._client is not None and self._client.status != "running":
            self.close()
        if self._executor is None:
            self._executor = self._open()
        return self._executor

    def _open(self) -> Executor:
        if self.is_cluster:
            self._client = _connect(self.kind.removeprefix(CLUSTER))
            executor: Executor = self._client.get_executor(pure=False)
            return executor
        return Lanes(self.jobs) if self.kind == "process" else ThreadPoolExecutor(self.jobs)


def check_kind(kind: str) -> None:
    """Refuse an executor that there is not.

    Raises:
        EvaluationError: It is none of the kinds.
    """
    if kind not in KINDS and not (kind.startswith(CLUSTER) and len(kind) > len(CLUSTER)):
        expected = f"{', '.join(KINDS)} or {CLUSTER}HOST:PORT"
        raise EvaluationError(
            Problem("--executor", found=repr(kind), expected=expected, action=nearest(kind, KINDS))
        )


def is_lost_worker(error: BaseException) -> bool:
    """Tell whether an exception means that the worker died or cannot be reached, not that the call failed."""
    is_unreached = isinstance(error, CancelledError) or type(error).__name__ == "CommClosedError"
    return is_unreached or has_killed(error)


def has_killed(error: BaseException) -> bool:
    """Tell whether an exception means that a worker died of the call."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"


def _connect(address: str) -> Any:  # noqa: ANN401 -- distributed has no types
    try:
        from distributed import Client  # noqa: PLC0415 -- an extra; only a cluster needs it
    except ImportError:
        action = "pip install 'torus-site[cluster]'"
        raise EvaluationError(Problem("--executor", found="no package distributed", action=action)) from None
    # It prints tracebacks when a scheduler goes away, which is told here in a sentence.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    action = "start one with `dask scheduler`, and workers"
    try:
        client = Client(f"tcp://{address}", timeout=_WAIT_S, set_as_default=False)  # type: ignore[no-untyped-call]  # the package has no types
    except (OSError, ValueError) as error:
        found = f"no scheduler at {address}: {str(error).splitlines()[0]}"
        raise EvaluationError(Problem("--executor", found=found, action=action)) from None
    try:
        client.wait_for_workers(1, timeout=_WAIT_S)
        check_versions(client.run(version, _PACKAGE, on_error="return"), version(_PACKAGE))
    except OSError:
        client.close()  # type: ignore[no-untyped-call]  # the same
        found = f"a scheduler at {address} without workers"
        action = f"start some with `dask worker {address}`"
        raise EvaluationError(Problem("--executor", found=found, action=action)) from None
    except EvaluationError:
        client.close()  # type: ignore[no-untyped-call]  # the same
        raise
    return client


def check_versions(found: Mapping[str, object], own: str) -> None:
    """Refuse workers that would make calls in another way, or cannot make them.

    Args:
        found: For each worker its version of this package, or the exception that it has none.
        own: The version here.

    Raises:
        EvaluationError: All such workers.
    """
    problems = []
    for worker, other in sorted(found.items()):
        if other != own:
            what = f"{_PACKAGE} {other}" if isinstance(other, str) else f"no package {_PACKAGE}"
            problems.append(Problem("--executor", f"worker {worker}", what, f"{_PACKAGE} {own}, as here"))
    if problems:
        raise EvaluationError(problems)
