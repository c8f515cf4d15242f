"""Training WordPiece: merge the pair that is worth most to the corpus, and keep the pieces, not the merges.

Google never published its trainer. The rule here is the paper's, the merge that raises the likelihood of the training
text most; what the paper leaves open (marks, ties, the end) is this book's convention.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from transformer_math.contract import Size, Text, contract, requires
from transformer_math.errors import require
from transformer_math.tokenization._ids import is_whole
from transformer_math.tokenization.likelihood import PairCounts, merge_gain
from transformer_math.tokenization.pair_index import Pair, merge_pair
from transformer_math.tokenization.word_piece import WordPiece

BERT_SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")  # as BERT orders them
PREFIX = "##"
Value = Callable[[PairCounts], np.ndarray]

_merge = merge_pair.__wrapped__  # without its contract, since it runs for every merge


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
    return list(_places(tokens))


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
        for pair in _places(word):
            m[pair] += count
    columns = np.array([[m[a, b], n[a], n[b]] for a, b in m]).T
    same = np.array([a == b for a, b in m])
    return list(m), PairCounts(*columns, same, n.total())


@contract
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

        (a, b) = argmax value(a, b),   V <- V + {ab},   every neighbouring a, b <- ab

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
    index = MergeIndex(rows, list(word_counts.values()))
    while len(pieces) < vocab_size and (pair := index.best(value)) is not None:
        index.merge(pair, len(pieces))
        pieces.append(join_pieces(*(pieces[token] for token in pair)))
    return WordPiece({piece: number for number, piece in enumerate(pieces)})


class MergeIndex:
    """Words as rows of ids with their counts: how often each token and each pair stands in them, and where.

    A pair has a slot in the arrays, so that the values of all pairs are computed at once.
    """

    def __init__(self, words: list[list[int]], counts: Sequence[int]) -> None:
        self.words = words
        self._counts = list(counts)
        self._tokens: Counter[int] = Counter()
        self._slots: dict[Pair, int] = {}
        self._pairs = np.empty((1, 2), int)  # room for one, doubled when it is full
        self._m = np.zeros(1)
        self._where: defaultdict[Pair, set[int]] = defaultdict(set)
        changes: Counter[Pair] = Counter()
        for number in range(len(words)):
            self._add(number, changes)
        self._apply(changes)

    def pairs(self) -> list[Pair]:
        """The pairs that stand somewhere, in the order in which they were met."""
        return [tuple(pair) for pair in self._pairs[self._used()].tolist()]

    def counts(self) -> PairCounts:
        """The counts of these pairs."""
        used = self._used()
        n = np.bincount([*self._tokens], [*self._tokens.values()])
        a, b = self._pairs[used].T
        return PairCounts(self._m[used], n[a], n[b], a == b, int(n.sum()))

    def best(self, value: Value) -> Pair | None:
        """The pair of the largest value; of several, the one with the smallest ids; None when no pair is left."""
        used = self._used()
        if len(used) == 0:
            return None
        values = value(self.counts())
        best = values.max()
        tied = used[values >= best - 1e-9 * abs(best)]
        return min(tuple(pair) for pair in self._pairs[tied].tolist())

    def merge(self, pair: Pair, token: int) -> None:
        """Replace the pair by `token` in every word that holds it, and bring the counts up to date."""
        changes: Counter[Pair] = Counter()
        for number in self._where.pop(pair):
            word, count = self.words[number], self._counts[number]
            for old in word:
                self._tokens[old] -= count
            for old in _places(word):
                changes[old] -= count
            self.words[number] = _merge(word, pair, token)
            self._add(number, changes)
        self._apply(changes)

    def _add(self, number: int, changes: Counter[Pair]) -> None:
        word, count = self.words[number], self._counts[number]
        for token in word:
            self._tokens[token] += count
        for pair in _places(word):
            changes[pair] += count
            self._where[pair].add(number)

    def _apply(self, changes: Mapping[Pair, int]) -> None:
        for pair, change in changes.items():
            slot = self._slots.setdefault(pair, len(self._slots))
            if slot == len(self._m):
                self._m = np.append(self._m, np.zeros(slot))
                self._pairs = np.append(self._pairs, np.empty((slot, 2), int), axis=0)
            self._pairs[slot] = pair
            self._m[slot] += change

    def _used(self) -> np.ndarray:
        return np.flatnonzero(self._m)


def _places(tokens: Sequence) -> Iterator[tuple]:
    taken = None  # the place of a token that the pair of twins before it takes
    for place, (a, b) in enumerate(zip(tokens, tokens[1:])):
        if a == b and place == taken:
            continue
        if a == b:
            taken = place + 1
        yield a, b


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
    require(
        vocab_size >= len(pieces),
        f"vocab_size is {vocab_size}, but the special tokens and the alphabet alone are {len(pieces)}. "
        "Fix: ask for at least that many.",
    )
