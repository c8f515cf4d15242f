"""Checks of the training of WordPiece: every merge is tried on the whole corpus, and the best one is made."""

import math
from collections import Counter

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import smallest, sometimes
from transformer_math.tokenization.likelihood import (
    merge_count,
    merge_gain,
    merge_score,
)
from transformer_math.tokenization.word_piece import WordPiece
from transformer_math.tokenization.word_piece_training import (
    BERT_SPECIALS,
    train_word_piece,
)


def random_words(rng):
    """A few words over a small alphabet with their counts."""
    if smallest():
        return {"ab": 1}
    letters = list("aAbc#")[: rng.integers(1, 6)]
    words = ["".join(rng.choice(letters, size=rng.integers(1, 8))) for _ in range(7)]
    counts = {word: int(rng.integers(1, 6)) for word in words if word[:2] != "##"}
    return counts or {"a": 1}


def gain_by_trying(rows, pair):
    """The log-likelihood after the merge, less that before."""
    return _log_likelihood(_try(rows, pair)) - _log_likelihood(rows)


def count_by_trying(rows, pair):
    """How many tokens the merge saves."""
    return _tokens(rows).total() - _tokens(_try(rows, pair)).total()


def score_by_trying(rows, pair):
    """The share of the pair, divided by the shares of its two tokens."""
    n = _tokens(rows)
    a, b = (n[token] / n.total() for token in pair)
    return count_by_trying(rows, pair) / n.total() / (a * b)


BY_TRYING = {
    merge_gain: gain_by_trying,
    merge_count: count_by_trying,
    merge_score: score_by_trying,
}


def _tokens(rows):
    n: Counter = Counter()
    for tokens, count in rows:
        for token in tokens:
            n[token] += count
    return n


def _log_likelihood(rows):
    n = _tokens(rows)
    return math.fsum(c * math.log(c / n.total()) for c in n.values())


def _joined(pair):
    return pair[0] + pair[1][2:]


def _try(rows, pair):
    out = []
    for tokens, count in rows:
        new: list = []
        for token in tokens:
            if new and isinstance(new[-1], str) and (new[-1], token) == pair:
                new[-1] = pair  # a pair, so that it meets no third token
            else:
                new.append(token)
        out.append((new, count))
    return out


def train_by_trying(word_counts, vocab_size, specials, worth, largest=False):
    """WordPiece as slowly as it is defined; `worth` of rows of tokens and a pair says what a merge is worth."""
    rows = [
        (["##" * (i > 0) + letter for i, letter in enumerate(word)], count)
        for word, count in word_counts.items()
    ]
    tokens = [*specials, *sorted({token for row, _ in rows for token in row})]
    while len(tokens) < vocab_size:
        pairs = {pair for row, _ in rows for pair in zip(row, row[1:])}
        if not pairs:
            break
        values = {pair: worth(rows, pair) for pair in pairs}
        best = max(values.values())
        tied = [p for p in pairs if values[p] >= best - 1e-9 * abs(best)]
        choose = max if largest else min
        pair = choose(tied, key=lambda pair: [tokens.index(token) for token in pair])
        rows = [
            ([_joined(t) if isinstance(t, tuple) else t for t in row], count)
            for row, count in _try(rows, pair)
        ]
        tokens.append(_joined(pair))
    return WordPiece({token: number for number, token in enumerate(tokens)})


@check(
    train_word_piece,
    equation="eq-word-piece-train",
    oracle="trying every merge on the whole corpus",
)
def word_piece_training_equals_trying(train_word_piece, rng):
    corpus = random_words(rng)
    own = ["[UNK]"] if smallest() else ["<s>", "[UNK]"]
    given, specials = sometimes(rng, own, BERT_SPECIALS)
    given, specials = ((own,), own) if smallest() else (given, specials)
    value = [merge_gain, merge_count, merge_score][rng.integers(3)]
    alphabet = {"##" * (i > 0) + c for word in corpus for i, c in enumerate(word)}
    vocab_size = len(specials) + len(alphabet) + int(rng.integers(9))
    settings = {"specials": specials} if given else {}
    settings |= {} if value is merge_gain and rng.integers(2) else {"value": value}
    found = train_word_piece(corpus, vocab_size, **settings)
    wanted = train_by_trying(corpus, vocab_size, specials, BY_TRYING[value])
    return difference(
        [list(found.vocabulary.items()), list(found)[1:]],
        [list(wanted.vocabulary.items()), list(wanted)[1:]],
    )


word_piece_training_equals_trying.excuses(
    "[UNK] and the alphabet are there first", "vocab_size = 1"
)


@word_piece_training_equals_trying.rejects(
    "You merge the most frequent pair, as BPE does: `value` says what a merge is worth."
)
def most_frequent_pair(word_counts, vocab_size, specials=BERT_SPECIALS, value=None):
    return train_word_piece(word_counts, vocab_size, specials, merge_count)


@word_piece_training_equals_trying.rejects(
    "You go by the score P(ab) / (P(a) P(b)): `value` says what a merge is worth, the gain in likelihood where nothing else is given."
)
def largest_score(word_counts, vocab_size, specials=BERT_SPECIALS, value=None):
    return train_word_piece(word_counts, vocab_size, specials, merge_score)


@word_piece_training_equals_trying.rejects(
    "You count each distinct word once: its count in the corpus must weigh in."
)
def each_word_once(word_counts, vocab_size, specials=BERT_SPECIALS, value=merge_gain):
    return train_word_piece(dict.fromkeys(word_counts, 1), vocab_size, specials, value)


@word_piece_training_equals_trying.rejects(
    "Ties go to the pair with the largest ids in your version; wanted the smallest."
)
def ties_to_the_largest(
    word_counts, vocab_size, specials=BERT_SPECIALS, value=merge_gain
):
    worth = BY_TRYING[value]
    return train_by_trying(word_counts, vocab_size, specials, worth, largest=True)


@word_piece_training_equals_trying.rejects(
    "You write the words in lower case: they are taken as they are, and “A” is another character than “a”."
)
def in_lower_case(word_counts, vocab_size, specials=BERT_SPECIALS, value=merge_gain):
    lower: Counter = Counter()
    for word, count in word_counts.items():
        lower[word.lower()] += count
    return train_word_piece(lower, vocab_size, specials, value)


@word_piece_training_equals_trying.rejects("You merge the pair that is worth least.")
def worth_least(word_counts, vocab_size, specials=BERT_SPECIALS, value=merge_gain):
    return train_word_piece(
        word_counts, vocab_size, specials, lambda pairs: -value(pairs)
    )


@word_piece_training_equals_trying.rejects(
    "You stop after one merge: go on until the vocabulary has `vocab_size` pieces, or no pair is left."
)
def a_single_merge(word_counts, vocab_size, specials=BERT_SPECIALS, value=merge_gain):
    alphabet = {"##" * (i > 0) + c for word in word_counts for i, c in enumerate(word)}
    most = len(specials) + len(alphabet) + 1
    return train_word_piece(word_counts, min(vocab_size, most), specials, value)


@word_piece_training_equals_trying.rejects(
    "You make `vocab_size` merges; the vocabulary has that many pieces, the special tokens and the alphabet included."
)
def merges_for_pieces(
    word_counts, vocab_size, specials=BERT_SPECIALS, value=merge_gain
):
    return train_word_piece(word_counts, 2 * vocab_size, specials, value)


@word_piece_training_equals_trying.rejects(
    "The special tokens come first, in the order in which they are given."
)
def specials_at_the_end(
    word_counts, vocab_size, specials=BERT_SPECIALS, value=merge_gain
):
    found = train_word_piece(word_counts, vocab_size, specials, value).vocabulary
    ordered = [*[piece for piece in found if piece not in specials], *specials]
    return WordPiece({piece: number for number, piece in enumerate(ordered)})


@word_piece_training_equals_trying.rejects(
    "You mark no piece: inside a word a piece stands with ## in front, and is another one than at its beginning."
)
def no_marks(word_counts, vocab_size, specials=BERT_SPECIALS, value=merge_gain):
    found = train_word_piece(word_counts, vocab_size, specials, value).vocabulary
    bare = dict.fromkeys(piece.removeprefix("##") for piece in found)
    return WordPiece({piece: number for number, piece in enumerate(bare)})


@word_piece_training_equals_trying.rejects(
    "You count “aaa” as two places for (a, a): a merge changes one, and its gain is reckoned from that."
)
def overlapping_places(
    word_counts, vocab_size, specials=BERT_SPECIALS, value=merge_gain
):
    def worth(rows, pair):
        if value is not merge_count:
            return BY_TRYING[value](rows, pair)
        return sum(count * list(zip(t, t[1:])).count(pair) for t, count in rows)

    return train_by_trying(word_counts, vocab_size, specials, worth)
