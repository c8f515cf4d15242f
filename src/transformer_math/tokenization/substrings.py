"""All frequent substrings of a corpus, found by growing them letter by letter: the first candidates for pieces."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from transformer_math.contract import Size, contract
from transformer_math.tokenization._words import require_words

ABSENT = -1


class Substrings(NamedTuple):
    """The distinct substrings of a corpus by number, and where they stand in its words, which are laid end to end.

    `texts`, `counts` and `first`, the place where it stands first, have an entry for each substring, shorter ones first.
    `words` holds, for each character, the number of its word, and `at[l - 1]` the number of the substring of `l`
    characters that starts there, or -1 where there is none.
    """

    texts: tuple[str, ...]
    counts: np.ndarray
    first: np.ndarray
    words: np.ndarray
    at: np.ndarray


@contract
def frequent_substrings(
    word_counts: Mapping[str, int], longest: Size = 16, least: Size = 2
) -> Substrings:
    """Find every character, and every substring of 2 to `longest` characters that occurs `least` times, inside words.

    A substring is as rare as its beginning, or rarer: so only frequent ones grow, by one character at a time. Each is
    known by the number of its beginning and the number of its last character, and counted by that pair.

    >>> found = frequent_substrings({"low": 3, "lower": 2}, least=5)
    >>> dict(zip(found.texts, found.counts.tolist()))["low"]
    5
    """
    require_words(word_counts)
    text, words, counts, ends = _end_to_end(word_counts)
    symbols, first = np.unique(list(text), return_inverse=True)
    place, number = np.arange(len(text)), first
    at, totals = [first], [np.bincount(first, counts)]
    starts, known = [_first_places(first, place)], len(symbols)
    for length in range(2, longest + 1):
        inside = place + length <= ends[place]
        place, number = place[inside], number[inside]
        pairs = number * len(symbols) + first[place + length - 1]
        _, group = np.unique(pairs, return_inverse=True)
        total = np.bincount(group, counts[place])
        kept = total >= least
        place, group = place[kept[group]], group[kept[group]]
        if len(place) == 0:
            break
        number = (np.cumsum(kept) - 1)[group] + known
        known += int(kept.sum())
        at.append(np.full(len(text), ABSENT))
        at[-1][place] = number
        totals.append(total[kept])
        starts.append(_first_places(number, place))
    texts = (text[i : i + l] for l, own in enumerate(starts, 1) for i in own)
    numbers = np.concatenate(totals).astype(int)
    return Substrings(
        tuple(texts), numbers, np.concatenate(starts), words, np.array(at)
    )


def _end_to_end(word_counts: Mapping[str, int]) -> tuple:
    """The words as one text; for each character the number of its word, that word's count, and where the word ends."""
    lengths = np.array([len(word) for word in word_counts])
    words = np.repeat(np.arange(len(lengths)), lengths)
    counts = np.array(list(word_counts.values()), dtype=float)[words]
    return "".join(word_counts), words, counts, np.cumsum(lengths)[words]


def _first_places(numbers: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Where each number stands first, the numbers in ascending order."""
    return places[np.unique(numbers, return_index=True)[1]]
