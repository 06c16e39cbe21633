"""The record of one call, a line of ``records.jsonl``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, ValidationError, model_validator

from torus_eval.calls import Slot
from torus_eval.errors import EvaluationError
from torus_site.errors import Problem
from torus_site.records.model import Count, Record, Sha256, Slug

if TYPE_CHECKING:
    from torus_eval.calls import Call, Outcome

RECORD_VERSION = 1


class CallRecord(Record):
    """What was asked and what came of it.

    ``heard`` is the clip the call carried and ``clip`` the one it made, both by the sha256 of their files.
    ``text`` is the raw response, or the caption. ``order`` gives for each letter as asked the letter of the
    item file. A call of status ``error`` is still owed.
    """

    v: Literal[1] = 1
    item: Slug
    point: str = ""
    call: Literal["generate", "edit", "caption", "answer"]
    question: str = ""
    repeat: Count = 0
    key: Sha256
    status: Literal["ok", "failed", "error"]
    reason: str = ""
    message: str = ""
    heard: Sha256 | None = None
    clip: Sha256 | None = None
    text: str | None = None
    note: str = ""
    order: str = ""
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0

    @model_validator(mode="after")
    def _holds_what_came(self) -> Self:
        made = self.clip if self.call in ("generate", "edit") else self.text
        if self.status == "ok" and made is None:
            message = f"what came of a call to {self.call}"
            raise ValueError(message)
        return self

    @property
    def slot(self) -> Slot:
        """Which call of the run this was."""
        return Slot(self.item, self.point, self.call, self.question, self.repeat)


def make_record(call: Call, outcome: Outcome, clip: str | None) -> CallRecord:
    """Write down a call and what came of it.

    Args:
        call: The call.
        outcome: What came of it.
        clip: The sha256 of the clip that was made and kept.
    """
    slot = call.slot
    return CallRecord(
        item=slot.item,
        point=slot.point,
        call=slot.call,
        question=slot.question,
        repeat=slot.repeat,
        key=call.key,
        status=outcome.status,
        reason=outcome.reason,
        message=outcome.message,
        heard=call.heard or None,
        clip=clip,
        text=outcome.text,
        note=outcome.note,
        order=call.order,
        seconds=outcome.seconds,
    )


def write_line(record: CallRecord) -> bytes:
    r"""Write a record as one line of JSON with its line end.

    >>> line = write_line(CallRecord(item="a", call="answer", key="0" * 64, status="ok", text="B\n"))
    >>> line.count(b"\n"), read_line(line, file="records.jsonl", number=1).text
    (1, 'B\n')
    """
    data = record.model_dump(mode="json", exclude_defaults=True) | {"v": record.v}
    return json.dumps(data, allow_nan=False, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def read_line(line: bytes, *, file: str, number: int) -> CallRecord:
    """Read a line.

    Args:
        line: The line, with or without its end.
        file: The file's name in messages.
        number: The line's number in messages.

    Raises:
        EvaluationError: It is not a record of this version.
    """
    place = f"line {number}"
    try:
        return CallRecord.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        found = f"{where}: {first['msg']}" if where else first["msg"]
        expected = f"a record of version {RECORD_VERSION}"
        action = "delete the line to have its call made again"
        raise EvaluationError(Problem(file, place, found, expected, action)) from None
