"""Texts in three parts by whole chapters: to learn from, to choose settings by, and to measure by once."""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from transformer_math.contract import Size, contract, requires

PASSAGE = 12  # words in a row that two parts may not share
EVERY, VALIDATION, TEST = 10, 2, 7


@dataclass(frozen=True)
class Parts:
    """The chapters of each part, in the order of the book."""

    training: tuple[str, ...]
    validation: tuple[str, ...]
    test: tuple[str, ...]


def split_by_chapters(chapters: Sequence[str]) -> Parts:
    """Split a text by chapters: of each ten the third is for validation, the eighth for the test.

    What another part says too is cut out of the training part, and what the test says out of that for validation: no
    passage of `PASSAGE` words stands in two.

    >>> split_by_chapters([f"chapter {i}" for i in range(10)]).test
    ('chapter 7',)
    """
    kept = {VALIDATION: chapters[VALIDATION::EVERY], TEST: chapters[TEST::EVERY]}
    others = [c for i, c in enumerate(chapters) if i % EVERY not in kept]
    test = passages(kept[TEST])
    held_out = test | passages(kept[VALIDATION])
    return Parts(
        training=tuple(without(chapter, held_out) for chapter in others),
        validation=tuple(without(chapter, test) for chapter in kept[VALIDATION]),
        test=tuple(kept[TEST]),
    )


@contract
def passages(texts: Iterable[str], length: Size = PASSAGE) -> set[tuple[str, ...]]:
    """All that is said in so many words in a row, whatever stands between the words, small letters or large.

    >>> passages(["Call me -- Ishmael!"], length=2) == {("call", "me"), ("me", "ishmael")}
    True
    """
    return {
        run
        for text in texts
        for run in _runs([w.lower() for w, _, _ in _words(text)], length)
    }


@contract
@requires(
    lambda said, length: not said or len(next(iter(said))) == length,
    lambda said, length: (
        f"said holds passages of {len(next(iter(said)))} words; wanted {length}, the length. "
        f"Fix: length={len(next(iter(said)))}, or passages(texts, length={length})."
    ),
)
def without(text: str, said: Set[tuple[str, ...]], length: Size = PASSAGE) -> str:
    """Cut out every sentence that holds a word of a passage that is said elsewhere.

    Raises ValueError where the passages have another length.

    >>> without("It rains. Call me Ishmael. It snows.", {("me", "ishmael")}, length=2)
    'It rains. It snows.'
    """
    words = _words(text)
    runs = _runs([word.lower() for word, _, _ in words], length)
    shared = [
        (words[i][1], words[i + length - 1][2])
        for i, run in enumerate(runs)
        if run in said
    ]
    return "".join(
        text[start:end]
        for start, end in _sentences(text)
        if not any(first < end and start < last for first, last in shared)
    )


def _runs(words: list[str], length: int) -> list[tuple[str, ...]]:
    return list(zip(*(words[i:] for i in range(length))))


def _words(text: str) -> list[tuple[str, int, int]]:
    return [(m[0], m.start(), m.end()) for m in re.finditer(r"[^\W_]+", text)]


def _sentences(text: str) -> list[tuple[int, int]]:
    ends = [m.end() for m in re.finditer(r"[.!?]\W*?\s+", text)]
    return list(zip([0, *ends], [*ends, len(text)]))
