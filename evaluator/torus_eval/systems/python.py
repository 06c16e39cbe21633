"""The way in for a class in this interpreter."""

from __future__ import annotations

import inspect
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from torus_eval.admission import admit
from torus_eval.clips import Clip
from torus_eval.errors import CallError, CapabilityError, EvaluationError, OutputError
from torus_eval.systems.base import CAPABILITIES, Made
from torus_site.errors import Problem, TorusError, nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from torus_eval.answering.questions import Asked
    from torus_eval.systems.base import Capability
    from torus_eval.systems.model import PythonWay

GROUP = "torus_eval.systems"
_PAIR = 2


@dataclass(frozen=True, slots=True)
class PythonSystem:
    """A user's object, whose returns are checked and whose exceptions become faults of the call.

    Args:
        inner: The object. It has those of the methods ``generate``, ``edit``, ``caption`` and ``answer`` that
            it can do, or says so in ``capabilities``. A clip may be returned as ``(samples, rate_hz)``, as
            ``Clip`` or as ``Made``.
    """

    inner: Any

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What the object says it can do, else the methods it has."""
        return read_capabilities(self.inner)

    def generate(self, prompt: str, *, seed: int) -> Made:
        """Make a clip from nothing but the prompt."""
        return _read_clip(self._call("generate", lambda: self.inner.generate(prompt, seed=seed)))

    def edit(self, clip: Clip, instruction: str, *, seed: int) -> Made:
        """Change a clip as an instruction says."""
        return _read_clip(self._call("edit", lambda: self.inner.edit(clip, instruction, seed=seed)))

    def caption(self, clip: Clip, *, seed: int) -> str:
        """Say in words what a clip holds."""
        return _read_text(self._call("caption", lambda: self.inner.caption(clip, seed=seed)))

    def answer(self, clip: Clip, asked: Asked, *, seed: int) -> str:
        """Return the raw response."""
        return _read_text(self._call("answer", lambda: self.inner.answer(clip, asked, seed=seed)))

    def close(self) -> None:
        """Close the object, if it can be closed; what goes wrong in it concerns no call any more."""
        if callable(getattr(self.inner, "close", None)):
            with suppress(Exception):
                self.inner.close()

    def _call(self, name: Capability, start: Callable[[], object]) -> object:
        if name not in self.capabilities:
            message = f"{type(self.inner).__name__} cannot {name}"
            raise CapabilityError(message)
        try:
            return start()
        except (CallError, OutputError, TorusError):
            raise
        except MemoryError:
            raise CallError("memory", f"{name} ran out of memory") from None
        except (Exception, SystemExit) as error:
            raise CallError("exception", f"{name} raised {_tell(error)}") from error


def open_python(way: PythonWay, folder: Path, *, sampling: dict[str, Any]) -> PythonSystem:
    """Make the object that a target names.

    Args:
        way: The target and the keyword arguments it is made with.
        folder: Where the system file lies.
        sampling: Passed on as the keyword argument ``sampling`` when it is not empty.

    Raises:
        EvaluationError: There is no such target, or it does not take the options.
        CallError: Making the object raised an exception.
    """
    target = find_target(way.target, folder)
    options = join_options(way, sampling)
    lack = find_misfit(target, options)
    if lack:
        raise EvaluationError(Problem(way.target, "", lack, "options that it takes"))
    try:
        return PythonSystem(target(**options))
    except (CallError, TorusError):
        raise
    except (Exception, SystemExit) as error:
        raise CallError("exception", f"{way.target} raised {_tell(error)}") from error


def join_options(way: PythonWay, sampling: dict[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments that a target is made with."""
    return {**way.options, **({"sampling": sampling} if sampling else {})}


def find_misfit(target: Callable[..., Any], options: dict[str, Any]) -> str:
    """Say why a target does not take some keyword arguments; empty when it does, or when nobody can tell.

    >>> find_misfit(lambda *, size: size, {"sise": 1})
    "missing a required argument: 'size'"
    """
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):
        return ""
    try:
        signature.bind(**options)
    except TypeError as error:
        return str(error)
    return ""


def find_target(name: str, folder: Path) -> Callable[..., Any]:
    """Return what an entry point or ``module:Class`` names.

    Args:
        name: The name.
        folder: Where the system file lies. A module may lie there, or in the current folder.

    Raises:
        EvaluationError: It names nothing that can be called; the nearest entry point is suggested.
    """
    module, colon, attribute = name.partition(":")
    if not colon:
        known = {entry.name: entry for entry in entry_points(group=GROUP)}
        if name not in known:
            expected = f"module:Class, or one of {', '.join(sorted(known))}"
            found = f"no entry point {name!r}"
            raise EvaluationError(Problem(name, "", found, expected, nearest(name, known)))
        return cast("Callable[..., Any]", _load(name, known[name].load))
    return cast("Callable[..., Any]", _load(name, lambda: getattr(_import_from(module, folder), attribute)))


def read_capabilities(thing: object) -> frozenset[Capability]:
    """Tell which calls a class or an object can take."""
    stated = getattr(thing, "capabilities", None)
    if stated is not None and not isinstance(stated, property):
        return frozenset(name for name in CAPABILITIES if name in stated)
    return frozenset(name for name in CAPABILITIES if callable(getattr(thing, name, None)))


def _import_from(module: str, folder: Path) -> object:
    # Where a user's own module usually lies, and where a console script does not look. After all other
    # places: a file there must not stand in for a library.
    for place in (folder, Path.cwd()):
        if str(place) not in sys.path:
            sys.path.append(str(place))
    return import_module(module)


def _load(name: str, load: Callable[[], object]) -> object:
    try:
        found = load()
    except TorusError:
        raise
    except (ImportError, AttributeError) as error:
        raise EvaluationError(
            Problem(name, found=str(error), expected="a class that can be imported")
        ) from error
    except (Exception, SystemExit) as error:
        found_text = f"importing it raised {_tell(error)}"
        raise EvaluationError(Problem(name, found=found_text)) from error
    if not callable(found):
        raise EvaluationError(Problem(name, found=type(found).__name__, expected="a class"))
    return found


def _tell(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _read_clip(given: object) -> Made:
    if isinstance(given, Made):
        return given
    if isinstance(given, Clip):
        return Made(given)
    if given is None:
        raise OutputError("no_audio", "the model returned no audio")
    if isinstance(given, tuple) and len(given) == _PAIR:
        return Made(admit(given[0], given[1]))
    raise OutputError("no_audio", f"the model returned {type(given).__name__}, not (samples, rate_hz)")


def _read_text(given: object) -> str:
    if not isinstance(given, str):
        raise OutputError("no_text", f"the model returned {type(given).__name__}, not text")
    return given
