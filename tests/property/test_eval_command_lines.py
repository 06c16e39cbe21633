from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from torus_eval.systems.lines import LineCutter, find_message, write_line

unhurried = settings(deadline=None)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
NOT_BRACES = st.binary().map(lambda data: data.replace(b"{", b"(").replace(b"\n", b" "))


@unhurried
@given(text=st.text(), extra=st.dictionaries(st.sampled_from(["note", "x"]), JSON), number=st.integers())
def test_a_reply_comes_back_as_it_was_written(text, extra, number):
    message = {"id": number, "text": text, **extra}
    assert find_message(write_line(message)) == message


@unhurried
@given(before=NOT_BRACES, after=st.binary(), text=st.text(), number=st.integers())
def test_a_reply_is_found_between_whatever_is_printed_around_it(before, after, text, number):
    message = {"id": number, "text": text}
    line = before + write_line(message).rstrip(b"\n") + after.replace(b"\n", b" ")
    assert find_message(line) == message


@unhurried
@given(lines=st.lists(st.binary(max_size=20).map(lambda b: b.replace(b"\n", b""))), data=st.data())
def test_lines_are_the_same_however_they_arrive(lines, data):
    stream, cutter, found = b"".join(line + b"\n" for line in lines), LineCutter(), []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        found += cutter.cut(stream[:size])
        stream = stream[size:]
    assert (found, cutter.rest) == (lines, b"")
