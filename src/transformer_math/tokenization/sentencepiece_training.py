"""How a SentencePiece model is learnt from raw text: an alphabet that covers it, then BPE or Unigram inside words that ▁ marks."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from transformer_math.contract import Positive, Size, Text, contract, requires
from transformer_math.tokenization._words import require_entries
from transformer_math.tokenization.best_cut_pruning import train_unigram_by_best_cuts
from transformer_math.tokenization.bpe import train_bpe
from transformer_math.tokenization.normalisation import normalise
from transformer_math.tokenization.sentencepiece import mark_spaces
from transformer_math.tokenization.sentencepiece_model import (
    BYTE,
    BYTE_PIECES,
    INSIDE,
    LITERAL_MARK,
    NORMAL,
    SPACE_MARK,
    SPECIAL_PIECES,
    SentencePiece,
)
from transformer_math.tokenization.utf8 import _writable

MARKED_WORD = re.compile(f"{SPACE_MARK}[^{SPACE_MARK}]*")
MARKED_CHUNK = re.compile(
    f"{SPACE_MARK}?(?:[^\\W\\d_]+|\\d+|[^\\w{SPACE_MARK}]+|_+)|{SPACE_MARK}"
)
NOT_LEARNT = SPECIAL_PIECES | dict.fromkeys(BYTE_PIECES, BYTE)
_at_most_all = requires(
    lambda coverage: coverage <= 1,
    "coverage is {coverage}; wanted a share, at most 1. Fix: coverage=1.0 keeps every character.",
)


@contract
@_writable
@requires(
    lambda inside: inside in INSIDE,
    "inside is {inside!r}; wanted bpe or unigram. Fix: inside='bpe'.",
)
@_at_most_all
def train_sentencepiece(
    text: Text,
    vocab_size: Size,
    inside: str = "bpe",
    rules: str | bytes = "identity",
    coverage: Positive = 0.9995,
) -> SentencePiece:
    """Learn pieces from a raw text, line by line: special ones, 256 bytes, then what the algorithm inside finds.

    The most frequent characters become pieces until they make up `coverage` of the text; the others are left to the bytes.
    Training cuts before each ▁ and where letters, digits and other signs meet (Unigram: letters and other signs);
    encoding does not. `vocab_size` counts every piece; it is not reached where no pair is left.
    Raises ValueError where the special pieces, bytes and characters alone are more than `vocab_size`.
    Source: Kudo and Richardson (2018), arXiv:1808.06226.

    >>> train_sentencepiece("hi hi", vocab_size=264).pieces[259:]
    ('hi', '▁hi', 'h', 'i', '▁')
    """
    plain = normalise(text, rules).replace(SPACE_MARK, LITERAL_MARK)
    lines = [mark_spaces(line) for line in plain.split("\n") if line]
    alphabet = covering_alphabet("".join(lines), coverage)
    require_entries(vocab_size, len(NOT_LEARNT), alphabet)
    learn = {"bpe": learn_merges, "unigram": learn_probabilities}[inside]
    learnt = learn(lines, vocab_size - len(NOT_LEARNT), alphabet)
    return SentencePiece(
        pieces=(*NOT_LEARNT, *learnt),
        scores=(*[0.0] * len(NOT_LEARNT), *learnt.values()),
        kinds=(*NOT_LEARNT.values(), *[NORMAL] * len(learnt)),
        inside=inside,
        rules=rules,
    )


@contract
@_at_most_all
@requires(
    lambda marked: len(marked) > 0,
    "the text holds no line with a character. Fix: pass some text.",
)
def covering_alphabet(marked: str, coverage: Positive) -> list[str]:
    """The most frequent characters that make up this share of a marked text, ties by code point; ▁ is always among them.

    >>> covering_alphabet("▁aaab▁aac", 0.75)
    ['a', '▁']
    """
    counts = Counter(marked)
    del counts[LITERAL_MARK]
    wanted, seen, kept = coverage * counts.total(), 0, []
    for character in sorted(counts, key=lambda c: (-counts[c], c)):
        if seen < wanted or character == SPACE_MARK:
            kept.append(character)
        seen += counts[character]
    return kept


@contract
@requires(
    lambda alphabet: any(alphabet),
    "the alphabet has no character; wanted at least one. Fix: covering_alphabet(marked, 1.0).",
)
def words_within(
    lines: Sequence[str], pattern: re.Pattern, alphabet: Sequence[str]
) -> Counter[str]:
    """What a pattern finds in marked lines, with its counts, cut at every character that the alphabet lacks.

    >>> words_within(["▁hi▁hé"], MARKED_WORD, ["▁", "h", "i"])
    Counter({'▁hi': 1, '▁h': 1})
    """
    inside = re.compile(f"[{re.escape(''.join(alphabet))}]+")
    words = (word for line in lines for word in pattern.findall(line))
    return Counter(part for word in words for part in inside.findall(word))


@contract
def learn_merges(
    lines: Sequence[str], size: Size, alphabet: Sequence[str]
) -> dict[str, float]:
    """The pieces that BPE makes, in its order, then the characters; each is worth less than the one before.

    >>> learn_merges(["▁hi"], 5, ["▁", "h", "i"])
    {'▁h': -0.0, '▁hi': -1.0, '▁': -2.0, 'h': -3.0, 'i': -4.0}
    """
    bpe = train_bpe(words_within(lines, MARKED_CHUNK, alphabet), size, alphabet)
    ordered = [*bpe.tokens[len(alphabet) :], *alphabet]
    return {piece: -float(place) for place, piece in enumerate(ordered)}


@contract
def learn_probabilities(
    lines: Sequence[str], size: Size, alphabet: Sequence[str]
) -> dict[str, float]:
    """The pieces that Unigram keeps, the most probable first, with the logarithms of their probabilities.

    >>> sorted(learn_probabilities(["▁hi▁hi"], 4, ["▁", "h", "i"]))
    ['h', 'i', '▁']
    """
    words, others = words_within(lines, MARKED_WORD, alphabet), len(NOT_LEARNT)
    pieces, scores = train_unigram_by_best_cuts(words, size, others=others)
    return dict(zip(pieces, scores.astype(np.float32).tolist()))
