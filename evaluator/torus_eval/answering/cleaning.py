"""Takes from a raw response what is not part of the answer: reasoning, chat tokens, markup."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEAD_CHARS, _TAIL_CHARS = 3_000, 7_000

# Full-width forms stand for the same characters; look-alikes of other scripts do not.
_PLAIN = str.maketrans(
    "".join(map(chr, range(0xFF01, 0xFF5F)))
    + "\u2018\u2019\u02bc\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d\u300e\u300f"
    + "\u3010\u3011\u3002\u3001\u00a0\u202f\u3000\u2009\t\x0b\x0c",
    "".join(map(chr, range(0x21, 0x7F))) + "'''" + 9 * '"' + "[].," + 7 * " ",
    # Marks without width, and those that only set a direction.
    "\ufeff\u00ad\x00"
    + "".join(map(chr, [*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A)])),
)

_NAMES = (
    r"(?:seed:)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|scratchpad|analysis|rationale|cot"
    r"|inner[_ ]monologue|chain[_ ]of[_ ]thought|deliberation|thought[_ ]process)"
)
_REASONING = re.compile(
    rf"(?:<\|?|\[|\u25c1)\s{{0,2}}(?P<close>/"
    rf"|end_of_)?(?:begin_of_)?{_NAMES}(?:\s[^<>\[\]]{{0,80}})?(?:\|?>|\]|\u25b7)"
    r"|<\|channel>\s{0,2}(?:thought|analysis)|(?P<close2><channel\|>)",
    re.IGNORECASE,
)
_CHANNEL = re.compile(r"<\|channel\|>\s{0,2}(?P<name>\w{1,20})?[^<]{0,80}(?:<\|message\|>)?", re.IGNORECASE)
_BARE_CHANNELS = re.compile(r"assistant\s{0,2}final(?=\W|[A-Z])")
_START = re.compile(
    r"<\|start_header_id\|>\s{0,3}\w{1,20}\s{0,3}<\|end_header_id\|>"
    r"|<(?:\|im_start\||start_of_turn|\|turn|\|start\|)>\s{0,3}(?:assistant|model)?"
    r"|<\|(?:begin_of_text|begin\u2581of\u2581sentence|assistant|model|bot|bos)\|>|<s>|<bos>|\[/?INST\]",
    re.IGNORECASE,
)
_END = re.compile(
    r"</s>|<(?:/?eos|end_of_turn|turn\||end_of_utterance|endoftext|end|pad|unk|eot)>|\[(?:EOS|/s|PAD|END|DONE|STOP)\]|<0x[0-9A-F]{2}>"
    r"|<\|(?:im_end|im_start|eot_id|eom_id|endoftext|end_of_text|end_of_turn|end|return|eot|eos|user|start"
    r"|end\u2581of\u2581sentence|endofprompt|start_header_id)\|>",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"<\|[^<>|\s]{1,40}\|>")
_ROLE = re.compile(r"\A\s*(?:assistant|model|bot|ai)\s{0,3}[:\n]", re.IGNORECASE)

_TAG = re.compile(
    r"[<\[](?:final[_ ]?)?(?:answer|ans|choice|option|solution|final|response|output)[>\]]", re.IGNORECASE
)
_TAG_END = re.compile(
    r"[<\[]/(?:final[_ ]?)?(?:answer|ans|choice|option|solution|final|response|output)[>\]]", re.IGNORECASE
)
_MARKUP = (
    (re.compile(r"~~[^~\n]{1,200}~~"), ""),
    (re.compile(r"```[a-z]{0,10}"), "\n"),
    (re.compile(r"\\n(?![a-z])"), "\n"),
    (re.compile(r"<br\s{0,2}/?>", re.IGNORECASE), "\n"),
    (re.compile(r"<([A-Za-z])>(?![^<]{0,200}</)"), r"(\1)"),
    (
        re.compile(
            r"</?(?:b|i|u|em|strong|p|span|div|code|center|font|mark|li|ul|ol|h[1-6])(?:\s[^<>]{0,80})?/?>",
            re.IGNORECASE,
        ),
        "",
    ),
    (re.compile(r"\\f?boxed\s{0,2}\{"), "\nAnswer: "),
    (re.compile(r"\\(?:text|math|operator)?(?:rm|bf|it|sf|tt|cal|name|box)?\s{0,2}\{"), ""),
    (re.compile(r"\\[()\[\]]"), ""),
    (re.compile(r"(?m)^[ ]{0,8}(?:[-*][ ]{1,3})?(?:\[ \]|\u2610|\u25a1)[^\n]*$"), ""),
    (re.compile(r"\[[xX\u2713\u2714]\](?=[ ]{0,3}[A-Za-z(])"), ""),
    (re.compile(r"(?m)^[ ]{0,8}(?:#{1,6}|>)[ ]{1,3}"), ""),
    (re.compile(r"(?m)^[ ]{0,8}\d{1,2}[.):][ ]{1,3}(?=\W{0,4}[A-Za-z]\W{0,4}$)"), ""),
    (re.compile(r"(?<!\w)'([A-Za-z])'(?!\w)"), r"\1"),
    (re.compile(r"[*`\"$~]"), ""),
    (re.compile(r"[_{}]"), " "),
)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A response without what is not part of its answer.

    Args:
        text: What is left to read.
        truncated: The response ended inside its reasoning, so it holds no answer.
    """

    text: str
    truncated: bool = False


def clean_response(response: str) -> Cleaned:
    r"""Strip reasoning blocks, chat tokens and markup from a response.

    An answer tag is opened, what follows the end of a turn is dropped, full-width characters become plain
    ones. Of more than 10 000 characters the first 3 000 and the last 7 000 are kept.

    >>> clean_response("<think>A or D?</think>\n**B**<|im_end|>")
    Cleaned(text='B', truncated=False)
    >>> clean_response("<think>Maybe A").truncated
    True
    """
    text = response.replace("\r\n", "\n").replace("\r", "\n").translate(_PLAIN)
    final = _take_final_channel(text)
    spoken = None if final is None else _drop_reasoning(final)
    if spoken is None:
        return Cleaned("", truncated=True)
    text = _take_tagged(_drop_tokens(spoken))
    if len(text) > _HEAD_CHARS + _TAIL_CHARS:
        text = f"{text[:_HEAD_CHARS]}\n{text[-_TAIL_CHARS:]}"
    return Cleaned(plain_markup(text).strip())


def plain_markup(text: str) -> str:
    """Write text without Markdown, HTML and LaTeX; a boxed answer becomes one that is announced."""
    for pattern, plain in _MARKUP:
        text = pattern.sub(plain, text)
    return text


def plain_characters(text: str) -> str:
    """Write full-width characters, curly quotes and odd spaces as plain ones."""
    return text.translate(_PLAIN)


def _take_final_channel(text: str) -> str | None:
    """Return what the final channel holds: all if there are no channels, nothing if it never came."""
    found = list(_CHANNEL.finditer(text))
    if found:
        finals = [match for match in found if (match["name"] or "").lower() == "final"]
        return text[finals[-1].end() :] if finals else None
    if text.startswith("analysis"):
        bare = list(_BARE_CHANNELS.finditer(text))
        return text[bare[-1].end() :] if bare else text
    return text


def _drop_reasoning(text: str) -> str | None:
    """Return what stands outside reasoning; an end without a start ends what began with the response."""
    kept: list[str] = []
    inside, position = False, 0
    for tag in _REASONING.finditer(text):
        closes = tag["close"] is not None or tag["close2"] is not None
        if closes and not inside:
            kept = []
        elif not closes and not inside:
            kept.append(text[position : tag.start()])
        inside, position = not closes, tag.end()
    if inside:
        return None
    return "\n".join([*kept, text[position:]])


def _drop_tokens(text: str) -> str:
    text = _START.sub("", text) if "<" in text or "[" in text else text
    for end in _END.finditer(text):
        if text[: end.start()].strip():
            text = text[: end.start()]
            break
    text = _TOKEN.sub(" ", _END.sub(" ", text))
    return _ROLE.sub("", text, count=1)


def _take_tagged(text: str) -> str:
    starts = list(_TAG.finditer(text))
    if not starts:
        return _TAG_END.sub(" ", text)
    start = starts[-1].end()
    end = _TAG_END.search(text, start)
    inner = text[start : end.start() if end else len(text)]
    return inner if inner.strip() else _TAG_END.sub(" ", text)
