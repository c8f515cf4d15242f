"""Training WordPiece: merge the pair that is worth most to the corpus, and keep the pieces, not the merges.

Google never published its trainer. The rule here is the paper's, the merge that raises the likelihood of the training
text most; what the paper leaves open (marks, ties, the end) is this book's convention.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from inspect import unwrap

import numpy as np

from transformer_math.contract import Size, Text, contract, requires
from transformer_math.errors import require
from transformer_math.tokenization._ids import is_whole
from transformer_math.tokenization._words import require_countable
from transformer_math.tokenization.likelihood import PairCounts, merge_gain
from transformer_math.tokenization.merge_index import (
    BOUNDED,
    BoundedIndex,
    MergeIndex,
    Value,
)
from transformer_math.tokenization.word_piece import WordPiece

BERT_SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")  # as BERT orders them
PREFIX = "##"


@contract
def marked_characters(word: Text) -> list[str]:
    """The characters of a word, each marked by ## except the first: what training starts from.

    >>> marked_characters("low")
    ['l', '##o', '##w']
    """
    return [PREFIX * (place > 0) + character for place, character in enumerate(word)]


@contract
def join_pieces(a: Text, b: Text) -> str:
    """The piece that two neighbours make: the mark of the second one goes.

    >>> join_pieces("##o", "##w")
    '##ow'
    """
    return a + b.removeprefix(PREFIX)


@contract
def merge_places(tokens: Sequence) -> list[tuple]:
    """The pairs of neighbours that a merge would change: “aaa” holds (a, a) once, since merging takes two of its three.

    >>> merge_places("aaab")
    [('a', 'a'), ('a', 'b')]
    """
    places, taken = [], False
    for a, b in zip(tokens, tokens[1:]):
        taken = a == b and not taken  # a pair of equals, which takes the next one's a
        if taken or a != b:
            places.append((a, b))
    return places


@contract
@requires(
    lambda words: any(len(word) > 1 for word in words),
    "no word holds a pair; wanted one of two tokens at least. Fix: {{('l', '##o'): 3}}, or marked_characters(word) for each.",
)
def merge_counts(words: Mapping[Sequence, int]) -> tuple[list[tuple], PairCounts]:
    """Count, in a corpus of words that are rows of tokens, the places of each pair and the tokens that they are made of.

    >>> pairs, counts = merge_counts({("l", "##o"): 3, ("l", "##o", "##w"): 2})
    >>> pairs, counts.m, counts.n_a, counts.n_b, counts.N
    ([('l', '##o'), ('##o', '##w')], array([5., 2.]), array([5., 5.]), array([5., 2.]), 12)
    """
    n: Counter = Counter()
    m: Counter = Counter()
    for word, count in words.items():
        for token in word:
            n[token] += count
        for pair in merge_places(word):
            m[pair] += count
    places, first, second = np.array([[m[a, b], n[a], n[b]] for a, b in m]).T
    same = np.array([a == b for a, b in m])
    return list(m), PairCounts(places, first, second, same, n.total())


@contract
@requires(
    lambda specials: "" not in specials,
    "the special tokens are {specials!r:.60}; wanted none of them empty. Fix: leave the empty one out.",
)
@requires(
    lambda vocab_size, specials: vocab_size > len(specials),
    "vocab_size is {vocab_size}, which the special tokens {specials} fill. Fix: ask for more.",
)
@requires(
    lambda specials: "[UNK]" in specials and len(set(specials)) == len(specials),
    "the special tokens are {specials}; wanted [UNK] among them, and each once. Fix: dict.fromkeys(['[UNK]', ...]).",
)
def train_word_piece(
    word_counts: Mapping[str, int],
    vocab_size: Size,
    specials: Sequence[str] = BERT_SPECIALS,
    value: Value = merge_gain,
) -> WordPiece:
    r"""Merge pairs until the vocabulary has `vocab_size` pieces, or no pair is left; `value` says what a merge is worth.

        (a, b) = argmax_{a', b' ∈ V} value(a', b')

    Ids: the special tokens, the characters by code point (marked ones as they are spelled), the pieces as they are made.
    Values within 1e-9 of the largest, in proportion to it, tie; a tie goes to the pair with the smallest ids.
    Raises ValueError for an empty corpus, for a vocabulary smaller than the alphabet, and for words that spell `##` in
    front or a special token, which `bert_words` never makes.
    Book: eq-word-piece-train. Source: Schuster and Nakajima (2012), doi:10.1109/ICASSP.2012.6289079.

    >>> list(train_word_piece({"low": 3, "lower": 2}, 8, specials=["[UNK]"]).vocabulary)
    ['[UNK]', '##e', '##o', '##r', '##w', 'l', '##ow', 'low']
    """
    words = {word: _known(word, count, specials) for word, count in word_counts.items()}
    alphabet = sorted({piece for pieces in words.values() for piece in pieces})
    pieces = [*specials, *alphabet]
    _enough(word_counts, vocab_size, pieces)
    ids = {piece: number for number, piece in enumerate(pieces)}
    rows = [[ids[piece] for piece in pieces] for pieces in words.values()]
    quick = unwrap(value) in BOUNDED
    index = (BoundedIndex if quick else MergeIndex)(rows, list(word_counts.values()))
    while len(pieces) < vocab_size and (pair := index.best(value)) is not None:
        index.merge(pair, len(pieces))
        pieces.append(join_pieces(*(pieces[token] for token in pair)))
    return WordPiece({piece: number for number, piece in enumerate(pieces)})


def _known(word, count, specials: Sequence[str]) -> list[str]:
    require(
        isinstance(word, str) and is_whole(count) and count >= 1,
        f"the corpus holds {word!r}: {count!r}; wanted words with their counts, whole numbers of at least 1. "
        "Fix: Counter(bert_words(text)).",
    )
    forged = [special for special in specials if special in word]
    require(
        forged == [] and not word.startswith(PREFIX),
        f"the corpus holds {word!r}, in which {forged[0] if forged else PREFIX} could not be told from "
        "a sign of the tokenizer's own. Fix: bert_words(text) cuts it apart.",
    )
    return marked_characters(word) if word else []


def _enough(word_counts: Mapping, vocab_size: int, pieces: Sequence[str]) -> None:
    require(
        any(word != "" for word in word_counts),
        "the corpus holds no word; wanted at least one. Fix: pass counts such as {'low': 3}.",
    )
    require_countable(word_counts)
    require(
        vocab_size >= len(pieces),
        f"vocab_size is {vocab_size}, but the special tokens and the alphabet alone are {len(pieces)}. "
        "Fix: ask for at least that many.",
    )
