"""The language model goes on with a text: whole words, each with the probability that the model gave it."""

import re
from codecs import getincrementaldecoder
from html import escape
from typing import NamedTuple

import numpy as np
import traitlets

from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Weights, Whole
from transformer_math.explorables._uniforms import uniforms
from transformer_math.explorables.model import language
from transformer_math.explorables.model.drawings import bars, percent
from transformer_math.output import min_p, probabilities
from transformer_math.tokenization import decode_text, pretokenize
from transformer_math.trained.language_model import tokenizer

MOST_READ = 64  # tokens of the reader's text
WORDS, MOST_TOKENS = 8, 28  # of a continuation
SHARE = 0.25  # of the likeliest token's probability: what is less likely is not drawn
SHORTEST = 3  # words of a sentence that ends a continuation

TASKS = (
    "let it finish a word that you began?",
    "make it 90 % sure of a new word?",
    "type a sign that it never saw?",
)
SPACES = re.compile(r"[ \t\r\n]+\Z")
SIGNS = str.maketrans("“”„‘’", '"""\'\'')  # its texts have straight ones
UNREAD = re.compile(r"[^\x21-\x7eÀ-ÿ—]+")  # spaces, and what its texts have not
WORD = re.compile(rb"[A-Za-z0-9\x80-\xff]")
ENDS = (b".", b"!", b"?")


class Word(NamedTuple):
    """A word that the model wrote: its tokens, and their probability after all that stands before."""

    ids: tuple[int, ...]
    p: float


class Plan(NamedTuple):
    """What is read, and the bytes of an unfinished word, with which what is written must begin."""

    ids: list[int]
    start: bytes
    new_word: bool


def token_bytes(token: int) -> bytes:
    """What a token stands for."""
    return tokenizer().tokens[token]


def heard(text: str) -> str:
    """A text as the model takes it: words between single spaces, as inside a paragraph."""
    words = UNREAD.sub(" ", text.translate(SIGNS)).strip()
    return f" {words}" if words else ""


def plan(text: str) -> Plan:
    """A space at the end changes nothing; a last word that seems unfinished is taken back."""
    read = heard(text)
    ids, last = read_last(language.encode(read)), ["", *pretokenize(read)][-1]
    own = language.encode(last)
    before = ids[: -len(own)] if text[-1:].isalpha() and text[-1] == read[-1:] else []
    if before and not finished(before, own):
        return Plan(before, last.encode(), False)
    return Plan(ids, b"", read[-1:].isalnum())


def finished(before: list[int], own: list[int]) -> bool:
    """Whether no token that begins like a word's last one is likelier there, nor, after several tokens, one that lengthens it."""
    *some, last = own
    alike = np.array([t.startswith(token_bytes(last)) for t in tokenizer().tokens])
    there = language.next_logits(np.array([*before, *some]))
    if last != int(np.where(alike, there, -np.inf).argmax()):
        return False
    after = language.next_logits(np.array([*before, *own])) if some else None
    return after is None or not WORD.match(token_bytes(int(after.argmax())))


def read_last(ids: list[int]) -> list[int]:
    """The last ids; where more are typed, as many are dropped at once as a half of them, so that what was read still counts."""
    half = MOST_READ // 2
    return ids[half * max(0, -(-(len(ids) - MOST_READ) // half)) :]


def follows(token: bytes, written: bytes) -> bool:
    """Whether a token may stand behind what is written: its bytes go on as UTF-8, and no two spaces meet."""
    try:
        getincrementaldecoder("utf-8")().decode(written + token)
    except UnicodeDecodeError:
        return False
    return not (written.endswith(b" ") and token.startswith(b" "))


def allowed(rest: bytes, new_word: bool, written: bytes) -> np.ndarray:
    """Which tokens may follow: no line ends; none that lengthens a finished word; those that complete an unfinished one.

    Where no token completes it, those that it begins with.
    """
    tokens = tokenizer().tokens
    completing = np.array([token.startswith(rest) for token in tokens])
    if not completing.any():
        return np.array([rest.startswith(token) for token in tokens])
    return completing & ~np.array(
        [
            b"\n" in t or bool(new_word and WORD.match(t)) or not follows(t, written)
            for t in tokens
        ]
    )


def continuation(text: str, again: int) -> list[Word]:
    """The words that the model draws after a text, the unfinished one in full; `again` is the seed."""
    ids, rest, new_word = plan(text)
    words: list[Word] = []
    written = b""
    for u, _ in zip(uniforms(again), range(MOST_TOKENS if ids else 0)):
        p = probabilities(language.next_logits(np.array(ids)))
        q = min_p(kept(p, allowed(rest, new_word, written)), SHARE)
        token = int(np.searchsorted(q.cumsum(), u, side="right").clip(0, len(q) - 1))
        begins = token_bytes(token).startswith(b" ") and not rest
        if begins and len(words) == WORDS:
            return words
        words = joined(words, token, float(p[token]), begins)
        ids, rest, new_word = [*ids, token], rest[len(token_bytes(token)) :], False
        written += token_bytes(token)
        if len(words) >= SHORTEST and token_bytes(token).endswith(ENDS):
            return words
    return words[:-1] or words


def kept(p: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The probabilities of what is allowed, renormalised."""
    q = np.where(allowed, p, 0)
    return q / q.sum()


def joined(words: list[Word], token: int, p: float, begins: bool) -> list[Word]:
    """The words with one token more: it begins a new one, or belongs to the last."""
    if begins or not words:
        return [*words, Word((token,), p)]
    last = words[-1]
    return [*words[:-1], Word((*last.ids, token), last.p * p)]


class Beginning(traitlets.Unicode):
    """A text to go on with, and what bounds the continuation."""

    def __init__(self, default: str):
        super().__init__(default)
        self.bounds = {
            "read": MOST_READ,
            "words": WORDS,
            "tokens": MOST_TOKENS,
            "shortest": SHORTEST,
            "share": SHARE,
            "tasks": TASKS,
        }
        self.tag(sync=True)


class ContinuationExplorable(Explorable):
    """The language model goes on with `text`, in other words for each number `again`; on a page it starts when it is touched.

    >>> ContinuationExplorable(text="Call me Ish").ghost.startswith("mael")
    True
    """

    text = Beginning("My original opinion remains unchanged; but it is only an")
    again = Whole(2, low=0, high=9999)
    language_model = Weights(language.checkpoint)

    @property
    def words(self) -> list[tuple[str, float]]:
        """Each word that the model writes, with its probability."""
        return [
            (decode_text(word.ids, tokenizer()).strip(), word.p)
            for word in continuation(self.text, self.again)
        ]

    @property
    def ghost(self) -> str:
        """What stands after the text: without what is typed of an unfinished word, and without a second space."""
        written = continuation(self.text, self.again)
        text = decode_text([v for word in written for v in word.ids], tokenizer())
        text = text[len(plan(self.text).start.decode()) :]
        return text.removeprefix(" ") if SPACES.search(self.text) else text

    def field(self) -> str:
        """The text with what the model adds, the buttons, the tasks: what is typed or pressed there wakes the figure."""
        text = escape(self.text)
        buttons = "".join(
            f'<button type="button" disabled>{name}</button>'
            for name in ("Take it", "Again")
        )
        return (
            '<div class="xp-continued"><label>Write, and the model goes on'
            f'<span class="xp-ghost"><span class="xp-shade" aria-hidden="true">{text}<b>{escape(self.ghost)}</b></span>'
            f'<textarea name="text" autocomplete="off" spellcheck="false" disabled>{text}</textarea></span></label>'
            f'<div class="xp-buttons">{buttons}</div></div>{self._tasks()}'
        )

    @staticmethod
    def _tasks() -> str:
        """The tasks, which stand below the still picture as they will below the live figure."""
        items = "".join(
            f'<li><b aria-hidden="true">○</b><span>{task}</span></li>' for task in TASKS
        )
        return f'<div class="xp-goals"><div class="xp-caption">Can you …</div><ul>{items}</ul></div>'

    def heights(self) -> tuple[str, str]:
        """The field, two buttons, a line for each word, what is said, tasks."""
        return "607px", "536px"

    def description(self) -> str:
        """What the model writes, and how likely it found it."""
        if not self.words:
            return "The language model: no token yet."
        likely = ", ".join(f"{word} {percent(p)}" for word, p in self.words)
        return f"After “{self.text}” the language model writes “{self.ghost.strip()}”. Its probability of each word: {likely}."

    def still(self) -> str:
        """The words with their probabilities."""
        if not self.words:
            return _svg.picture(400, 40, _svg.text(200, 25, "No tokens yet."))
        names, p = zip(*self.words)
        picture = _svg.picture(300, 24 * WORDS, bars(np.array(p), names, 10, 16, 24))
        return f'<div style="max-width:20rem;margin:auto">{picture}</div>'
