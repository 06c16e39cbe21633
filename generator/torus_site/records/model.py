"""The shapes of results JSON: runs, human studies and compositions.

Every model is frozen and refuses unknown keys. A model checks what one file can tell about itself;
whether it fits a benchmark is checked where both are known.
"""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    model_serializer,
    model_validator,
)

from torus_site.records.problems import broken, quote

SCHEMA_VERSION = 1

Slug = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$",
        max_length=80,
        description="lower-case letters and digits, joined by - or _",
    ),
]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="64 lower-case hexadecimal digits")]
Letter = Annotated[str, Field(pattern=r"^[A-Z]$", description="one letter from A to Z")]
Text = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=0, description="a whole number, 0 or more")]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Point = dict[str, str]
"""A place on axes or facets: axis or facet id to value id, such as ``{"stage": "S1"}``."""

Source = Literal["computed", "reported"]

_PLAIN_PATH = r"^(?!/|[A-Za-z]:)(?!(?:.*/)?\.{0,2}(?:/|$))[^\\\x00-\x1f]+$"


def _stay_inside(path: str) -> str:
    """Refuse a path that is not plain, relative and inside the project, on any system."""
    if re.search(_PLAIN_PATH, path):
        return path
    action = "write forward slashes" if "\\" in path else ""
    raise broken(
        found=quote(path),
        expected="a path inside the project such as audio/a.flac, without \\, . or ..",
        action=action,
    )


InnerPath = Annotated[
    str, Field(min_length=1, json_schema_extra={"pattern": _PLAIN_PATH}), AfterValidator(_stay_inside)
]
"""A file by its path from the project's folder, with forward slashes."""


class Record(BaseModel):
    """Base of every record: frozen, strict, no unknown keys."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, populate_by_name=True, protected_namespaces=()
    )


class _Grown(Record):
    """A record that got fields after version 1 was out: they are written only where they say something."""

    added: ClassVar[tuple[str, ...]] = ()

    @model_serializer(mode="wrap")
    def _leave_out(self, write: SerializerFunctionWrapHandler) -> dict[str, object]:
        written: dict[str, object] = write(self)
        for name in self.added:
            if getattr(self, name) == type(self).model_fields[name].default:
                written.pop(name, None)
        return written


class ClipRef(Record):
    """A clip by its place in the project and its content."""

    path: InnerPath
    sha256: Sha256


class Lenient(Record):
    """What a forgiving reader takes from the same response; ``reason`` is its code."""

    pick: Letter | None = None
    reason: Text
    correct: bool


class Again(_Grown):
    """The same question asked once more, with its options in another order."""

    added: ClassVar[tuple[str, ...]] = ("lenient",)

    response: str | None = None
    pick: Letter | None = None
    reason: Text
    correct: bool
    lenient: Lenient | None = None


class Answer(Again):
    """What a system answered to one question about its own clip.

    ``response`` is the raw text and ``pick`` the letter extracted from it; both are null where a paper
    reports only whether the answer was right. Letters stand for options in the order of the item file.
    """

    added: ClassVar[tuple[str, ...]] = ("lenient", "again")

    question: Text
    again: tuple[Again, ...] = ()

    @property
    def orders(self) -> tuple[Again, ...]:
        """This answer and those in further orders, as often as the question was asked."""
        return (self, *self.again)


class CellRecord(_Grown):
    """One system on one item at one point of the axes.

    A cell is ``failed`` where the model came back with nothing usable and ``not_reached`` after one that
    is: their questions count as wrong. It is ``owed`` where a call was lost on its way: nothing is known yet.
    """

    added: ClassVar[tuple[str, ...]] = ("status", "reason")

    at: Point = {}
    clip: ClipRef | None = None
    caption: str | None = None
    note: str | None = None
    status: Literal["made", "failed", "not_reached", "owed"] = "made"
    reason: str | None = None
    answers: tuple[Answer, ...] = ()

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.status == "made":
            if self.reason is not None:
                expected = "null where the status is made; a note says what a reader should know"
                raise broken(found="a reason", expected=expected, inside=("reason",))
            return self
        if not self.reason:
            raise broken(found="no reason", expected=f"why the cell is {self.status}", inside=("reason",))
        if self.clip is not None and self.status != "owed":
            expected = f"null where the status is {self.status}"
            raise broken(found="a clip", expected=expected, inside=("clip",))
        if self.answers and self.status == "not_reached":
            raise broken(found="answers", expected="none where no clip was made", inside=("answers",))
        if self.status == "failed" and any(each.correct for whole in self.answers for each in whole.orders):
            expected = "answers that count as wrong where no clip was made"
            raise broken(found="a right answer", expected=expected, inside=("answers",))
        return self


class ItemRecord(Record):
    """One system on one item, every point in order."""

    item: Slug
    cells: tuple[CellRecord, ...]


class IntervalRecord(Record):
    """An interval as computed, or as reported with a half-width alone (then the limits are null)."""

    low: Finite | None = None
    high: Finite | None = None
    half_width: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    level: Annotated[float, Field(gt=0, lt=1)] = 0.95
    method: Text
    clusters: Count | None = None
    resamples: Count | None = None
    seed: int | None = None

    @model_validator(mode="after")
    def _order(self) -> Self:
        if (self.low is None) != (self.high is None):
            raise broken(found="one limit", expected="both low and high, or neither")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise broken(
                found=f"{self.low:g}", expected=f"at most high, which is {self.high:g}", inside=("low",)
            )
        return self


class Score(_Grown):
    """One number of one system with its counts: a metric at a point, over the items of a facet value.

    A rate is in percent. ``value`` is null unless the status is ``scored``, and then ``reason`` says why.
    ``parameters`` are what the metric was computed with, in words and figures as they are shown.
    """

    added: ClassVar[tuple[str, ...]] = ("parameters",)

    metric: Slug
    at: Point = {}
    where: Point = {}
    subset: Slug = "all"
    status: Literal["scored", "unscored", "failed"] = "scored"
    reason: str | None = None
    correct: Count | None = None
    n: Count | None = None
    value: Finite | None = None
    interval: IntervalRecord | None = None
    parameters: dict[str, str] = {}

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.status == "scored" and self.value is None:
            raise broken(
                found="no value", expected="a value, or another status with a reason", inside=("value",)
            )
        if self.status != "scored" and self.value is not None:
            raise broken(
                found="a value", expected=f"null where the status is {self.status}", inside=("value",)
            )
        if self.status != "scored" and not self.reason:
            expected = f"why the status is {self.status}"
            raise broken(found="no reason", expected=expected, inside=("reason",))
        if self.correct is not None and self.n is None:
            raise broken(found="no n", expected="the n that correct is out of", inside=("n",))
        if self.correct is not None and self.n is not None and self.correct > self.n:
            raise broken(
                found=f"{self.correct}", expected=f"at most n, which is {self.n}", inside=("correct",)
            )
        return self


class Difference(Record):
    """A system's score minus the baseline's, both on the same items; in percentage points for a rate."""

    metric: Slug
    at: Point = {}
    where: Point = {}
    subset: Slug = "all"
    baseline: Slug
    value: Finite | None = None
    reason: str | None = None
    n: Count | None = None
    interval: IntervalRecord | None = None

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.value is None and not self.reason:
            raise broken(found="neither", expected="a value, or the reason why there is none")
        if self.value is None and self.interval is not None:
            raise broken(found="an interval", expected="null where there is no value", inside=("interval",))
        return self


class Provenance(Record):
    """Where a run came from: enough to run it again."""

    tool: Text
    tool_version: Text
    commit: str | None = None
    seed: int | None = None
    model_revision: str | None = None
    config_hash: str | None = None
    started: str | None = None


class _File(_Grown):
    schema_version: Literal[1] = Field(alias="schema")
    benchmark: Slug
    source: Source
    citation: str | None = None

    @model_validator(mode="after")
    def _cited(self) -> Self:
        if self.source == "reported" and not self.citation:
            raise broken(found="nothing", expected="where the figures were reported", inside=("citation",))
        return self


class RunRecord(_File):
    """One system over one benchmark: what it made, what it answered, how it scored.

    ``owed`` counts the calls that were lost on their way and not made again; with any, it is incomplete.
    """

    added: ClassVar[tuple[str, ...]] = ("status", "owed", "differences")

    kind: Literal["run"]
    system: Slug
    clips: Literal["published", "none"] = "published"
    status: Literal["complete", "incomplete"] = "complete"
    owed: Count = 0
    provenance: Provenance | None = None
    items: tuple[ItemRecord, ...] = ()
    scores: tuple[Score, ...] = ()
    differences: tuple[Difference, ...] = ()

    @model_validator(mode="after")
    def _count_owed(self) -> Self:
        right = "incomplete" if self.owed else "complete"
        if self.status != right:
            expected = f"{right!r}, as {self.owed} calls are owed"
            raise broken(found=quote(self.status), expected=expected, inside=("status",))
        return self


class AgreementRecord(Record):
    """How far the raters of a study agreed, each figure null where it is not stated."""

    raw_percent: Finite | None = None
    fleiss_kappa: Finite | None = None
    krippendorff_alpha: Finite | None = None
    basis: Text


class StudyRecord(_File):
    """A pairwise human study as win counts: ``wins[a][b]`` is how often a was preferred to b."""

    kind: Literal["study"]
    id: Slug
    raters: Count
    comparisons: Count
    per_pair: Count
    tie_rule: Text
    wins: dict[Slug, dict[Slug, Count]]
    win_rate_percent: dict[Slug, Finite] = {}
    agreement: AgreementRecord | None = None


class CountsRecord(Record):
    """How many items or questions each value of a facet has."""

    of: Literal["items", "questions"]
    facet: Slug
    counts: dict[str, Count]
    total: Count

    @model_validator(mode="after")
    def _add_up(self) -> Self:
        counted = sum(self.counts.values())
        if counted != self.total:
            raise broken(
                found=f"{self.total}", expected=f"{counted}, the sum of the counts", inside=("total",)
            )
        return self


class CompositionRecord(_File):
    """What a benchmark's whole bank is made of."""

    kind: Literal["composition"]
    id: Slug
    options_per_question: Count | None = None
    tables: tuple[CountsRecord, ...]


ResultsFile = Annotated[RunRecord | StudyRecord | CompositionRecord, Field(discriminator="kind")]
RESULTS: TypeAdapter[RunRecord | StudyRecord | CompositionRecord] = TypeAdapter(ResultsFile)
