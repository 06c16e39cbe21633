"""ONNX models on one thread, and inner values of a model as outputs.

A model file is a protocol buffer. Two such messages written one after the other read as one, in which lists
of an inner message are joined. So an output is added by appending a graph that holds nothing but that output:
field 7 of the model (the graph) with a field 12 (an output) with a field 1 (its name). The runtime finds out
the type itself. This saves a dependency on the library that edits such files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torus_eval.backbones.needs import need_library

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_MODEL_GRAPH = 7
_GRAPH_OUTPUT = 12
_OUTPUT_NAME = 1
_BYTES = 2
_EXTERNAL_FOLDER = "session.model_external_initializers_file_folder_path"
_ERRORS_ONLY = 3


def add_outputs(model: bytes, names: Sequence[str]) -> bytes:
    """Make inner values of a model its outputs too.

    Args:
        model: A whole ONNX file.
        names: The values, after the outputs that the model has.

    Returns:
        A whole ONNX file.

    >>> add_outputs(b"", ["ab"]).hex(" ")
    '3a 06 62 04 0a 02 61 62'
    """
    outputs = b"".join(
        _write_field(_GRAPH_OUTPUT, _write_field(_OUTPUT_NAME, name.encode())) for name in names
    )
    return model + _write_field(_MODEL_GRAPH, outputs)


def open_session(path: Path, *, outputs: Sequence[str] = ()) -> Any:  # noqa: ANN401 -- the runtime has no types
    """Open a model so that it gives the same numbers every time on one machine.

    Args:
        path: The ONNX file; weights kept beside it are found.
        outputs: Inner values that become outputs too.

    Returns:
        An ``onnxruntime.InferenceSession`` with one thread.

    Raises:
        EvaluationError: The runtime is not installed.
    """
    runtime = need_library("onnxruntime", extra="models")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.use_deterministic_compute = True
    options.log_severity_level = _ERRORS_ONLY
    options.add_session_config_entry(_EXTERNAL_FOLDER, str(path.parent))
    model = add_outputs(path.read_bytes(), outputs) if outputs else path.read_bytes()
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _write_field(number: int, value: bytes) -> bytes:
    return _write_number(number << 3 | _BYTES) + _write_number(len(value)) + value


def _write_number(value: int) -> bytes:
    """Write a number seven bits at a time, the lowest first; the top bit says that more follow."""
    parts = bytearray()
    while value > 0x7F:  # noqa: PLR2004 -- seven bits
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)
