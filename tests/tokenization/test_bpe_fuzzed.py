"""Merges and encodings beside Hugging Face's on corpora made at random: Unicode, runs of one letter, a single word."""

import json
import unicodedata

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from transformer_math.checks.tokenization.bpe import train_by_recounting
from transformer_math.tokenization import (
    ALL_BYTES,
    chunk_counts,
    encode_bpe,
    pretokenize,
    printable,
    train_bpe,
    train_byte_bpe,
)

IN_THEIR_ORDER = sorted(ALL_BYTES, key=printable)  # ids decide ties


def unicode_text(rng):
    codes = rng.integers(0x20, rng.choice([0x250, 0x3000, 0x20000]), size=60)
    known = [chr(c) for c in codes if unicodedata.category(chr(c)) not in ("Cs", "Cn")]
    return "".join(rng.choice([*known, *"  ab"], size=rng.integers(1, 120)))


def runs(rng):
    """Words such as aaaa and abababab, in which a pair overlaps with itself."""
    words = [rng.choice(["a", "ab", "aab"]) * int(rng.integers(1, 9)) for _ in range(5)]
    return " ".join(rng.choice(words, size=rng.integers(1, 12)))


def one_word(rng):
    return "".join(rng.choice(list("abc"), size=rng.integers(1, 40)))


def few_letters(rng):
    """Many words over few letters: ties everywhere."""
    words = [
        "".join(rng.choice(list("abcd"), size=rng.integers(1, 7))) for _ in range(60)
    ]
    return " ".join(rng.choice(words, size=150))


def huggingface(text, vocab_size):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator([text], trainer)
    return tokenizer


@pytest.mark.parametrize("corpus", [unicode_text, runs, one_word, few_letters])
def test_merges_and_ids_are_those_of_huggingface(corpus):
    rng = np.random.default_rng(5)
    learnt = 0
    for _ in range(150):
        text, other = corpus(rng), corpus(rng)
        vocab_size = 256 + int(rng.integers(60))
        counts = {c.encode(): n for c, n in chunk_counts(text).items()}
        ours = train_bpe(counts, vocab_size, IN_THEIR_ORDER)
        theirs = huggingface(text, vocab_size)
        merges = json.loads(theirs.to_str())["model"]["merges"]
        assert [[printable(a), printable(b)] for a, b in ours.pairs()] == merges
        for one in (text, other):
            chunks = [chunk.encode() for chunk in pretokenize(one)]
            assert encode_bpe(chunks, ours) == theirs.encode(one).ids
        learnt += len(merges)
    assert learnt > 1000


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a", []),
        ("aa", ["aa"]),
        ("aaa", ["aa", "aaa"]),
        ("aaaa", ["aa", "aaaa"]),
        ("aaaaaaa", ["aa", "aaaa", "aaa", "aaaaaaa"]),
    ],
)
def test_a_run_of_one_letter_ends_as_one_token(text, pairs):
    assert [(a + b).decode() for a, b in train_byte_bpe(text, 300).pairs()] == pairs


def test_tokens_that_are_there_from_the_start_may_be_reached_by_several_merges():
    """The counts of a pair then grow more than once; the trainer that recounts is right by definition."""
    rng = np.random.default_rng(8)
    for _ in range(60):
        words = [
            "".join(rng.choice(list("abc"), size=rng.integers(2, 9))) for _ in range(8)
        ]
        counts = {word: int(rng.integers(1, 4)) for word in words}
        alphabet = ["a", "b", "c", "ab", "bc", "abc", "cab", "aa", "aaa", "bca"]
        slow = train_by_recounting(
            counts, 24, alphabet, lambda found, p, _: (found[p], -p[0], -p[1])
        )
        ours = train_bpe(counts, 24, alphabet)
        assert list(ours.merges.items()) == list(slow.merges.items())
