"""What counts as the same word: text made plain before words are compared.

``plain-english``, this project's own: Unicode NFKC, lower case, numerals as words, "&" and "%" as words,
apostrophes dropped inside words (don't = dont), every other sign a space. Nothing else: no fillers are taken
out, no spellings are made equal and contractions stay, so a figure is never better than what was said.
``whisper-english`` is the one that came with Whisper, from the package ``whisper-normalizer`` or
``openai-whisper``; it forgives more, so its figures are lower and the two must not be compared.
"""

from __future__ import annotations

import importlib
import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any

from torus_eval.errors import EvaluationError
from torus_eval.metrics.numerals import spell_numerals
from torus_site.errors import Problem, nearest

if TYPE_CHECKING:
    from collections.abc import Callable

PLAIN = "plain-english"
WHISPER = "whisper-english"
NORMALISERS = (PLAIN, WHISPER)
_WHISPER_PLACES = ("whisper_normalizer.english", "whisper.normalizers")
_APOSTROPHES = re.compile("(?<=\\w)['\u2019\u02bc](?=\\w)")
_SIGNS = re.compile(r"[^\w\s]|_")


def normalise(text: str) -> str:
    """Make text plain by this project's own rules.

    Args:
        text: Any text.

    Returns:
        Words of letters and digits, parted by one space.

    >>> normalise("Don't  stop -- 3 dogs & 1 cat, 50%!")
    'dont stop three dogs and one cat fifty percent'
    """
    text = unicodedata.normalize("NFKC", text).lower()
    text = spell_numerals(text.replace("&", " and ").replace("%", " percent "))
    text = _SIGNS.sub(" ", _APOSTROPHES.sub("", text))
    # Some numerals stand alone only now that the signs around them are gone.
    return " ".join(spell_numerals(text).split())


def find_normaliser(name: str) -> Callable[[str], str]:
    """Find a normaliser by name.

    Args:
        name: One of ``NORMALISERS``.

    Raises:
        EvaluationError: There is none of that name, or its package is not installed.
    """
    if name == PLAIN:
        return normalise
    if name == WHISPER:
        found: Callable[[str], str] = _open_whisper()
        return found
    raise EvaluationError(
        Problem(
            "normaliser",
            found=f"no normaliser {name!r}",
            expected=f"one of {', '.join(NORMALISERS)}",
            action=nearest(name, NORMALISERS),
        )
    )


@cache
def _open_whisper() -> Any:  # noqa: ANN401 -- neither package has types
    for place in _WHISPER_PLACES:
        try:
            return importlib.import_module(place).EnglishTextNormalizer()
        except ImportError:
            continue
    raise EvaluationError(
        Problem(
            "normaliser",
            found=f"no package that has {WHISPER}",
            expected="whisper-normalizer or openai-whisper to be installed",
            action=f"run: pip install whisper-normalizer, or choose {PLAIN}",
        )
    )
