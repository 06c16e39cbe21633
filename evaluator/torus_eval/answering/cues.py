"""Words before and after a letter or an option that make it an answer, a maybe, or a denial."""

from __future__ import annotations

import re
from enum import IntEnum


class Weight(IntEnum):
    """How far words make what they stand beside an answer."""

    NONE = 0
    WEAK = 1
    FAIR = 2
    STRONG = 3


WINDOW_CHARS = 120

_FILL = (
    r"(?:[\s,]+(?:therefore|thus|hence|most|likely|probably|clearly|definitely|indeed|actually|simply"
    r"|certainly"
    r"|obviously|perhaps|maybe|just|still|again|then|options?|choice|letter|answers?|alternative|either|both"
    r"|between|the|that|it's|it|is|be|on|for|with|one|of|number|case|to|as|follows|correct|right|sound)){0,5}"
)
_TAIL = _FILL + r"[\s:=,.\u2026>\u2192\u21d2\u2013\u2014-]{0,6}\Z"
_NOUN = (
    r"(?:answers?|ans|response|solution|choice|selection|selected|option|letter|pick|guess|prediction"
    r"|verdict|vote"
    r"|conclusion|decision|alternative|output|final)"
)
_LINK = r"(?:\b(?:is|are|was|be|being)\b|[:=\u2192\u21d2\u2013\u2014-])"

_STRONG = re.compile(
    rf"\b{_NOUN}\b[^.!?\n]{{0,60}}?{_LINK}{_TAIL}"
    rf"|\b(?:answers?|ans|response|verdict|prediction|guess){_TAIL}"
    r"|\b(?:pick|picked|picking|choose|chose|chosen|choosing|select|selected|selecting"
    r"|go(?:ing)? (?:with|for)"
    r"|went (?:with|for)|vote(?: for)?|say|guess|guessing|bet|opt for|settle on|settled on"
    r"|lean(?:ing)?(?: towards?)?"
    r"|stick(?:ing)? with|stay with|believe|think|suspect|reckon|favou?r|prefer|conclude)\b"
    + _TAIL
    # Words for "answer" of other languages.
    + r"|\b(?:antwort|l\u00f6sung|r\u00e9ponse|reponse|respuesta|risposta|resposta|antwoord|svaret|svar"
    r"|odpowied[z\u017a]|\u043e\u0442\u0432\u0435\u0442"
    r"|\u0432\u0456\u0434\u043f\u043e\u0432\u0456\u0434\u044c|cevap|jawaban|\u0111\u00e1p \u00e1n)\b"
    r"(?:[ ]\w{1,14}){0,2}?[ ]{0,2}(?:ist|est|es|\u00e8|\u00e9|is|\u00e4r|er|jest|adalah"
    r"|l\u00e0)?[\s:=\u2013\u2014-]{0,4}\Z"
    r"|(?:\u7b54\u6848|\u7b54\u3048|\u7b54|\u89e3\u7b54|\u6b63\u89e3|\u9009|\u9078|\u9078\u629e"
    r"|\uc815\ub2f5|\ub2f5)"
    r"[\u662f\u4e3a\u70ba\u306f\uc740\ub294\uc774\u62e9\u64c7\u9879\u9805\u5e94\u61c9\u8be5\u8a72:\s]{0,6}\Z",
    re.IGNORECASE,
)
_FAIR = re.compile(
    r"\b(?:it|that|this|which|sound|clip|audio|recording|one|he|she)(?:'s|[ ](?:is|was|must be|would be"
    r"|has to be|should be|will be|seems to be|appears to be|sounds like|seems like|looks like|seems"
    r"|could be|might be|may be|can only be))"
    + _TAIL
    + r"|\b(?:sounds like|looks like|seems like|matches|corresponds to|points to|consistent with|fits"
    r"|leaves(?: us| me)?|leads(?: us| me)? to|must be|would be|is (?:it|this)|indicates|suggests)" + _TAIL,
    re.IGNORECASE,
)
# What other languages say before a letter without a word for "answer".
_FOREIGN = re.compile(
    r"\b(?:c'est|es ist|das ist|ich (?:denke|w\u00e4hle|glaube|nehme)|creo que es|es la|es|elijo"
    r"|elegir\u00eda"
    r"|\u00e8 la|scelgo|je (?:choisis|pense)|j'opte pour|escolho|\u044d\u0442\u043e)\s{0,2}(?:la |l')?\Z"
    r"|[\u662f\u9009\u9078]\Z",
    re.IGNORECASE,
)
_CAPITAL_ONLY = re.compile(
    r"\b(?:so|therefore|thus|hence|finally|definitely|clearly|certainly|obviously|correct|right|best"
    r"|sure|okay|ok|well|yes|hmm|actually|mean|make (?:that|it)|rather|correction|but|instead|no|wait"
    r"|probably|likely"
    r"|conclusion)\b[\s,:;.!\u2026\u2013\u2014-]{0,5}\Z",
    re.IGNORECASE,
)
_MAYBE = re.compile(r"\b(?:maybe|perhaps|possibly|could be|might be|may be)[\s,:]{0,3}\Z", re.IGNORECASE)
_MENTION = re.compile(
    r"\b(?:options?|opt\.?|only|choice|letter|alternative|opci\u00f3n|opcion|op\u00e7\u00e3o|opzione|optie"
    r"|variante?)[\s:#]{0,3}\Z"
    r"|(?:\u9009\u9879|\u9078\u9805|\u0432\u0430\u0440\u0438\u0430\u043d\u0442)\s{0,3}\Z",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:might|may|could|maybe|perhaps|possibly|some|people|others|someone)\b", re.IGNORECASE
)

_CLAUSE = re.compile(
    r"[.,;:!?\n]|\b(?:but|so|therefore|thus|hence|because|and|yet|however|then)\b", re.IGNORECASE
)
_NO_DENIAL = re.compile(
    r"\b(?:no (?:doubt|question|wait)|not only|without (?:a |any )?doubt|not sure what else|wait no)\b",
    re.IGNORECASE,
)
_DENIED_BEFORE = re.compile(
    r"\b(?:not|cannot|never|neither|nor|without|unlike|except|excluding|than|exclude[sd]?|eliminat(?:e|es"
    r"|ed|ing)|none of"
    r"|rul(?:e|es|ed|ing) out|reject\w{0,4}|dismiss\w{0,4}|hardly|instead of|wrong|incorrect|false"
    r"|whether|absence of)\b"
    r"|n't\b|\bno (?:(?!it\b|that\b|this\b|i\b)\w{1,14} ){0,3}\Z",
    re.IGNORECASE,
)
_BE = r"(?:is|are|was|were|seems?|looks?|sounds?|appears?|can|could|would|does|do|did|has|have)"
_DENIED_AFTER = re.compile(
    r"\A[)\]'\s]{0,3}(?:(?:,|and|or|/|&)\s{0,2}\(?[A-Za-z]\)?(?![\w'])\s{0,2}){0,6}"
    rf"(?:{_BE}[ ](?:(?!and\b|but\b|or\b|it\b)\w{{1,14}}[ ]){{0,2}}?(?:not|wrong|incorrect|false"
    rf"|unlikely|impossible|out"
    r"|ruled|eliminated|excluded|absent|missing|irrelevant|distractors?|a distractor)\b"
    r"|(?:is|are|was|were|does|do|did|ca|could|would|wo|has|have)n't\b|cannot\b)",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\A[)\]'.:\s]{0,3}(?:(?:is|was|seems|looks|sounds|appears|would be|must be|has to be"
    r"|should be)[ ](?:to be[ ])?"
    r"(?:(?:clearly|definitely|probably|likely|more|much|obviously|certainly|therefore|thus|indeed|the|my"
    r"|most"
    r"|final|only|a)[ ]){0,4}"
    r"(?:correct|right|best|answer|likely|closest|accurate|true|appropriate|plausible|choice|pick|guess"
    r"|option|match|fit|one)\b"
    r"|(?:is[ ]what|fits|matches|works|makes[ ]sense)\b(?=\W{0,2}\Z|[ ](?:the|what|best|well|i|because)\b)"
    r"|(?:fits|matches|describes it|sounds)[ ]best\b|best[ ](?:fits|matches|describes)\b"
    r"|it[ ]is(?=\W{0,3}\Z)|for[ ]sure\b)",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"\A[)\]]?,?[ ](?:i (?:think|guess|believe|suppose)|i'd say|obviously|definitely|probably|clearly"
    r"|final answer)\b",
    re.IGNORECASE,
)

_ACTIONS = (
    r"(?:audio|hear|listen|process|access|assist|help|play|answer|sound|clip|file|provide|analy[sz]e|comply"
    r"|identify|receive|capable|able|ability)\b"
)
_REFUSED = re.compile(
    r"\b(?:sorry|apologi[sz]e|an ai\b|language model|text-based|unable to|not able to|no audio"
    r"|no (?:sound|clip|recording) (?:was|is)|please (?:provide|upload|share|attach)|(?:ca|wo)n't (?:help"
    r"|assist)"
    r"|i (?:refuse|decline|must decline)|not (?:allowed|permitted) to|against my|d\u00e9sol\u00e9"
    r"|lo siento|no puedo"
    r"|je ne peux pas|tut mir leid|kann (?:ich )?nicht|mi dispiace|desculpe"
    r"|\u0438\u0437\u0432\u0438\u043d\u0438\u0442\u0435)\b"
    r"|\b(?:can't|couldn't|won't|can ?not|could not|will not|am not|i'm not|not capable|incapable"
    r"|lack)\b[^.!?\n]{0,40}\b"
    + _ACTIONS
    + r"|\b(?:don't|didn't|do not|did not|haven't|have not)\b[^.!?\n]{0,24}\b(?:hear|have|see|receive"
    r"|received|detect|get|find)\b"
    r"[^.!?\n]{0,24}\b(?:any|the|an|audio|anything|access|ability)\b(?: (?:audio|sounds?|clips?|files?"
    r"|recordings?|attachments?"
    r"|ability|access|capability|means)\b|(?=[^a-z]{0,3}\Z))"
    r"|\A\W*(?:i )?(?:can't|cannot|can not|won't|refuse)\W*\Z"
    r"|\u62b1\u6b49|\u5bf9\u4e0d\u8d77|\u65e0\u6cd5|\u7121\u6cd5|\u7533\u3057\u8a33"
    r"|\u3067\u304d\u307e\u305b\u3093|\u308f\u304b\u308a\u307e\u305b\u3093",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:unsure|uncertain|unclear|inconclusive|no idea|not (?:entirely |completely |quite |really "
    r"|at all )?(?:sure|certain|clear)"
    r"|(?:do not|don't) (?:really )?(?:know|recogni[sz]e)|(?:hard|difficult|impossible|tough) to (?:say"
    r"|tell|determine|know|decide)"
    r"|(?:can ?not|can't|couldn't|could not) (?:be sure|be certain|say|tell|decide|determine"
    r"|be determined|choose|pick|make out|answer|know)"
    r"|not enough information|insufficient information|your guess is as good|i give up|i pass|no clue)\b",
    re.IGNORECASE,
)


def weigh_before(before: str, *, capital: bool = True) -> Weight:
    """Weigh the words that lead to a letter or an option text.

    Args:
        before: What stands before it, at most ``WINDOW_CHARS`` characters.
        capital: It is a capital letter or an option text. A small letter needs a cue that names an answer.
    """
    phrase = before.rstrip(" \n([<'")
    if not phrase:
        return Weight.NONE
    # A word such as "yes" at the end of a line says nothing of the next one.
    weight = _weigh(phrase, capital=capital and "\n" not in before[len(phrase) :])
    if weight > Weight.WEAK and _HEDGE.search(last_clause(phrase)):
        return Weight.WEAK
    return weight


def _weigh(before: str, *, capital: bool) -> Weight:
    if _STRONG.search(before):
        return Weight.STRONG
    if _FAIR.search(before) or (capital and (_CAPITAL_ONLY.search(before) or _FOREIGN.search(before))):
        return Weight.FAIR
    if _MENTION.search(before) or (capital and _MAYBE.search(before)):
        return Weight.WEAK
    return Weight.NONE


def names_option(before: str) -> bool:
    """Tell whether the words before a letter call it an option, so that it cannot be a word itself."""
    return bool(_MENTION.search(before.rstrip(" (['")))


def weigh_after(after: str) -> Weight:
    """Weigh the words that follow a letter: what they say of it."""
    return Weight.STRONG if _AFTER.search(after) or _REMARK.search(after) else Weight.NONE


def is_denied(before: str, after: str) -> bool:
    """Tell whether the words around a letter or an option text say that it is not the one."""
    clause = _NO_DENIAL.sub(" ", last_clause(before))
    return bool(_DENIED_BEFORE.search(clause) or _DENIED_AFTER.search(after))


def last_clause(text: str) -> str:
    """Return what follows the last comma, stop or joining word."""
    start = 0
    for match in _CLAUSE.finditer(text):
        start = match.end()
    return text[start:]


def refuses(text: str) -> bool:
    """Tell whether a response says that its writer cannot or will not answer."""
    return bool(_REFUSED.search(text))


def is_unsure(text: str) -> bool:
    """Tell whether a response says that its writer does not know."""
    return bool(_UNSURE.search(text))
