"""The trained language model for the explorables: the bytes that a page fetches, and what Python makes of the same bytes."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import traitlets

from transformer_math.corpus import SENTENCE
from transformer_math.explorables._traits import require
from transformer_math.explorables.model.silenced import silenced
from transformer_math.explorables.tokenization.labels import named_bytes
from transformer_math.model import DecoderOnlyParameters, decoder_only_attention
from transformer_math.tokenization import decode_text, encode_text
from transformer_math.trained.committed import FOLDER
from transformer_math.trained.language_model import (
    N_HEADS,
    language_logits,
    language_model,
    tokenizer,
)
from transformer_math.trees import map_leaves

# what is no character, or one that no font shows
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffd]")
PLACES = {"self": ".layers[{}].rotary_attention"}


class Reading(NamedTuple):
    """Logits (n, V) of the next token at each position, and each layer's weights (heads, n, n)."""

    logits: np.ndarray
    attention: tuple[np.ndarray, ...]


def checkpoint() -> bytes:
    """The committed bytes."""
    return (FOLDER / "language_model.bin").read_bytes()


@cache
def parameters() -> DecoderOnlyParameters:
    """The parameters that the bytes hold, in double precision, in which JavaScript computes too."""
    return map_leaves(lambda x: x.astype(float), language_model())


def encode(text: str) -> list[int]:
    """A text as ids; an empty one has none."""
    return encode_text(text, tokenizer()) if text else []


def label(token: int) -> str:
    """A token as a reader sees it: a space as ␣, a line's end as ⏎, bytes that cannot be seen each by its number."""
    text = decode_text([token], tokenizer())
    if UNSEEN.search(text):
        return named_bytes(tokenizer().tokens[token])
    return text.replace("\n", "⏎").replace(" ", "␣").replace("\t", "⇥")


class WrittenIds(traitlets.List):
    """The ids of tokens that were added to a text."""

    def __init__(self) -> None:
        super().__init__(traitlets.Int())
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> list[int]:
        """The ids, unless one is outside the vocabulary."""
        ids, size = super().validate(obj, value), len(tokenizer().tokens)
        outside = [token for token in ids if not 0 <= token < size]
        require(
            outside == [],
            f"the ids hold {outside[:1]}; wanted ids in 0..{size - 1}. Fix: what encode_text gave.",
        )
        return ids


@cache
def _read(ids: tuple[int, ...], off: tuple[str, ...]) -> Reading:
    model = silenced(parameters(), off, PLACES, N_HEADS)
    attention = decoder_only_attention(np.array(ids), model, N_HEADS)
    return Reading(language_logits(np.array(ids), model), attention)


def read(ids: Sequence[int], off: Sequence[str] = ()) -> Reading:
    """What the model makes of a text, with the heads that are off left out."""
    return _read(tuple(ids), tuple(off))


class ReadsText(traitlets.HasTraits):
    """What a figure has whose `text` the language model reads, with the ids that were `written` after it, if any.

    The figure says of how many tokens at most, `most_tokens`, which `row` is in sight, and which heads are `off`.
    """

    most_tokens: int
    text = traitlets.Unicode(SENTENCE).tag(sync=True)
    written: Sequence[int] = ()
    off: Sequence[str] = ()

    @property
    def ids(self) -> list[int]:
        """The ids of the text and of what was added, as many as take part."""
        return [*encode(self.text), *self.written][: self.most_tokens]

    @property
    def tokens(self) -> list[str]:
        """The tokens as the page writes them."""
        return [label(token) for token in self.ids]

    @property
    def given(self) -> list[int]:
        """The ids, of which there must be one."""
        require(
            self.ids != [],
            f"the text {self.text!r} holds no token. Fix: set one with a word in it.",
        )
        return self.ids

    @property
    def at(self) -> int:
        """The number of the token in sight."""
        return min(self.row, len(self.ids) - 1)

    @property
    def reading(self) -> Reading:
        """Logits and attention, by the package."""
        return read(self.given, self.off)


def next_logits(ids: np.ndarray) -> np.ndarray:
    """The logits (V,) of the token after the ids: what the functions of decoding go on from."""
    return read(ids.tolist()).logits[-1]
