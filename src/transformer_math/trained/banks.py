"""A planted corpus: sentences made from templates, in which “bank” means the side of a river or a house of money.

Every template serves both senses, and “bank” stands at the same place in both: nothing but the two other words of a
sentence that belong to a sense tells which it is. What a model finds in this corpus was put there.
"""

from dataclasses import dataclass
from zlib import crc32

import numpy as np

PAD, MASK = "[pad]", "[mask]"
RIVER, MONEY = "river", "money"
SENSES = (RIVER, MONEY)
# {place} is “bank” or a word of one sense alone; {thing}, {kind} and {near} belong to the sense, the others to nobody.
TEMPLATES = (
    "the {kind} {place} was near the {near}",
    "the {person} {moved} the {thing} to the {kind} {place}",
    "the {person} {moved} the {thing} to the {place} by the {near}",
    "at the {place} the {person} {saw} a {kind} {thing}",
    "a {thing} and a {near} were all that the {person} {saw} from the {place}",
    "the {place} had a {near} and many a {thing}",
    "no {thing} was at the {place} when the {person} came to the {near}",
    "from the {near} the {person} went to the {place} with a {thing}",
    "the {person} who {saw} the {near} did not see the {kind} {place}",
    "one {thing} at the {place} was {kind}",
)
FILLERS = {
    RIVER: {
        "place": ["bank", "bank", "bank", "shore", "beach"],
        "thing": ["boat", "canoe", "raft", "paddle", "net", "fish", "rope", "heron"],
        "kind": ["muddy", "mossy", "wet", "sandy", "slippery", "shady"],
        "near": ["river", "stream", "ford", "ferry", "rapid", "marsh"],
    },
    MONEY: {
        "place": ["bank", "bank", "bank", "treasury", "mint"],
        "thing": ["loan", "coin", "cheque", "purse", "note", "debt", "bond", "wage"],
        "kind": ["rich", "costly", "sealed", "royal", "guarded", "golden"],
        "near": ["market", "court", "vault", "clerk", "counter", "tower"],
    },
}
NEUTRAL = {
    "person": [
        "captain",
        "mate",
        "cook",
        "widow",
        "stranger",
        "boy",
        "pilot",
        "friend",
    ],
    "moved": ["brought", "carried", "took", "sent"],
    "saw": ["saw", "found", "left", "wanted"],
}
WORDS = [
    PAD,
    MASK,
    *sorted(
        {
            word
            for text in (
                *TEMPLATES,
                *(
                    w
                    for group in (NEUTRAL, *FILLERS.values())
                    for ws in group.values()
                    for w in ws
                ),
            )
            for word in text.split()
            if "{" not in word
        }
    ),
]


@dataclass(frozen=True)
class Sentence:
    """A sentence, and the sense that its template was filled with."""

    words: tuple[str, ...]
    sense: str


def draw_sentence(rng: np.random.Generator, unseen: bool = False) -> Sentence:
    """A sentence of either sense, from those held out or from the others."""
    while True:
        sense = SENSES[rng.integers(2)]
        fillers = FILLERS[sense] | NEUTRAL
        chosen = {
            name: words[rng.integers(len(words))] for name, words in fillers.items()
        }
        text = TEMPLATES[rng.integers(len(TEMPLATES))].format(**chosen)
        if held_out(text) == unseen:
            return Sentence(tuple(text.split()), sense)


def held_out(text: str) -> bool:
    """Whether a sentence is kept from training: about every tenth, by a checksum of its letters.

    >>> held_out("the bank had a river and many a boat")
    False
    """
    return crc32(text.encode()) % 10 == 0
