"""The words that the explorables of attention know, with vectors from *Moby-Dick*; packed, they travel once per book."""

import unicodedata
from functools import cache

import numpy as np

from transformer_math.corpus import SENTENCE, moby_dick
from transformer_math.embedding import letters_vector, vectors_of_text
from transformer_math.quantised import pack, unpack
from transformer_math.tokenization.units import words

DIMENSIONS = 8
_JOINER = "\u200d"


@cache
def packed_vectors() -> bytes:
    """The vectors of the novel's words, each of length 1; the running sentence's words are among them."""
    known, W = vectors_of_text(moby_dick(), DIMENSIONS, always=words(SENTENCE.lower()))
    lengths = np.maximum(np.linalg.norm(W, axis=1, keepdims=True), np.finfo(float).tiny)
    return pack({"words": " ".join(known), "vectors": W / lengths})


@cache
def known_vectors() -> tuple[list[str], np.ndarray, dict[str, int]]:
    """The words, their vectors as JavaScript reads them, and the number of each word."""
    found = unpack(packed_vectors())
    known = found["words"].split(" ")
    numbers = {word: number for number, word in enumerate(known)}
    return known, found["vectors"].astype(float), numbers


@cache
def content(token: str) -> np.ndarray:
    """A token's vector: its own if the novel knows the word, else the one that its letters give."""
    known, W, numbers = known_vectors()
    word = token.lower()
    return W[numbers[word]] if word in numbers else letters_vector(word, known, W)


def visible_words(text: str) -> list[str]:
    """Words and single marks, as `words` cuts them; signs that cannot be seen by themselves stay with the one before.

    >>> visible_words("sea 👩\u200d🚀!")
    ['sea', '👩\u200d🚀', '!']
    """
    plain = "".join(" " if _is_control(character) else character for character in text)
    found: list[str] = []
    for token in words(plain) if plain.strip() else []:
        unseen = all(map(_is_unseen, token))
        if found and (unseen or found[-1].endswith(_JOINER)):
            found[-1] += token
        elif not unseen:
            found.append(token)
    return found


def _is_control(character: str) -> bool:
    return unicodedata.category(character) == "Cc" or character == "\ufeff"


def _is_unseen(character: str) -> bool:
    """Joiners, selectors, accents and skin tones: they change the sign before them."""
    kind = unicodedata.category(character)
    return kind[0] == "M" or kind == "Cf" or "\U0001f3fb" <= character <= "\U0001f3ff"
