"""Checks of FastText: n-grams by a regular expression, hashes by machine arithmetic, sums and losses one by one."""

import math
import re

import numpy as np

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, or_edge, size, sometimes
from transformer_math.embedding.fasttext import (
    character_ngrams,
    expected_negatives,
    expected_sampling_loss,
    fnv_1a,
    sum_of_ngrams,
)

LETTERS = list("aBé鯨")


def some_word(rng):
    return "".join(rng.choice(LETTERS, size=1000 if longest() else size(rng)))


@check(
    character_ngrams,
    equation="eq-ngrams",
    oracle="a regular expression that looks ahead at every place",
)
def ngrams_equal_lookahead(character_ngrams, rng):
    word = some_word(rng)
    given, first = sometimes(rng, size(rng), 3)
    last = 6
    if given:
        more, last = sometimes(rng, first + int(rng.integers(3)), max(6, first))
        if not more and first > 6:
            more, last = (first,), first
        given += more
    marked = f"<{word}>"
    runs = [
        run
        for n in range(first, last + 1)
        for run in re.findall(f"(?=(.{{{n}}}))", marked)
        if run != marked
    ]
    return difference(character_ngrams(word, *given), [*runs, marked])


def runs_of(s, shortest, longest, whole=True):
    sizes = range(shortest, min(longest, len(s) - whole) + 1)
    return [s[i : i + n] for n in sizes for i in range(len(s) - n + 1)]


@ngrams_equal_lookahead.rejects(
    "The boundary marks are missing: “<re” begins a word, “re>” ends one, and both differ from the “re” inside."
)
def without_marks(word, shortest=3, longest=6):
    return [*runs_of(word, shortest, longest, False), f"<{word}>"]


@ngrams_equal_lookahead.rejects(
    "You forget the whole word: it is among its own n-grams, between its marks."
)
def without_the_word(word, shortest=3, longest=6):
    return runs_of(f"<{word}>", shortest, longest)


@ngrams_equal_lookahead.rejects(
    "Your longest runs are missing: `longest` characters are still allowed."
)
def one_too_short(word, shortest=3, longest=6):
    return [*runs_of(f"<{word}>", shortest, longest - 1), f"<{word}>"]


@ngrams_equal_lookahead.rejects(
    "Your list misses the last run of each size: len(s) − n + 1 places begin one."
)
def last_run_missing(word, shortest=3, longest=6):
    s = f"<{word}>"
    sizes = range(shortest, min(longest, len(s) - 1) + 1)
    return [s[i : i + n] for n in sizes for i in range(len(s) - n)] + [s]


@ngrams_equal_lookahead.rejects(
    "Your runs go beyond the end of the word: a run has n characters, all of them inside its marks."
)
def across_the_boundary(word, shortest=3, longest=6):
    s = f"<{word}>"
    sizes = range(shortest, longest + 1)
    return [(s + s)[i : i + n] for n in sizes for i in range(len(s))] + [s]


@ngrams_equal_lookahead.rejects(
    "You cut bytes: a character of another script has several, and a run of them may begin in the middle of one."
)
def runs_of_bytes(word, shortest=3, longest=6):
    s = f"<{word}>".encode().decode("latin-1")
    return [*runs_of(s, shortest, longest), s]


PUBLISHED = {"": 0x811C9DC5, "a": 0xE40C292C, "foobar": 0xBF9CF968}


@check(
    fnv_1a,
    equation="eq-fnv-1a",
    oracle="32-bit machine arithmetic, and values that the hash's authors published",
)
def fnv_equals_machine_arithmetic(fnv_1a, rng):
    text = or_edge(rng, str(rng.choice(list(PUBLISHED))), some_word(rng))
    h = np.array([0x811C9DC5], np.uint32)
    for byte in np.frombuffer(text.encode(), np.uint8):
        h ^= byte
        h *= np.uint32(0x01000193)
    return difference(fnv_1a(text), PUBLISHED.get(text, int(h[0])))


def hashed(text, step, start=2166136261):
    h = start
    for x in text.encode():
        h = step(h, x) % 2**32
    return h


@fnv_equals_machine_arithmetic.rejects(
    "You multiply first and then take the exclusive or: that is FNV-1. FNV-1a does it the other way round."
)
def product_first(text):
    return hashed(text, lambda h, x: (h * 16777619 % 2**32) ^ x)


@fnv_equals_machine_arithmetic.rejects(
    "You read bytes as signed numbers: from 128 on they become negative and fill the upper bits. FastText's own program does so."
)
def signed_bytes(text):
    return hashed(text, lambda h, x: (h ^ (x - 256 * (x > 127)) % 2**32) * 16777619)


@fnv_equals_machine_arithmetic.rejects("You add the byte; wanted the exclusive or.")
def added_byte(text):
    return hashed(text, lambda h, x: (h + x) * 16777619)


@fnv_equals_machine_arithmetic.rejects(
    "You hash code points: wanted the bytes of UTF-8, of which other scripts have several a character."
)
def code_points(text):
    h = 2166136261
    for c in text:
        h = (h ^ ord(c)) * 16777619 % 2**32
    return h


@fnv_equals_machine_arithmetic.rejects(
    "You begin with 0: the first value is 2166136261."
)
def from_zero(text):
    return hashed(text, lambda h, x: (h ^ x) * 16777619, start=0)


@fnv_equals_machine_arithmetic.rejects(
    "Your number is not kept below 2³²: take the remainder after every product, or at the end."
)
def unbounded(text):
    h = 2166136261
    for x in text.encode():
        h = (h ^ x) * 16777619
    return h


def some_sums(rng):
    """Words of one n-gram or several, which may share rows, and a table."""
    pieces = [size(rng) for _ in range(size(rng))]
    Z = rng.normal(size=(size(rng), size(rng)))
    owners = np.repeat(np.arange(len(pieces)), pieces)
    return rng.integers(len(Z), size=len(owners)), owners, Z


@check(
    sum_of_ngrams,
    equation="eq-ngram-sum",
    oracle="one n-gram after the other",
    symbols={"rows": "r", "owners": "o"},
)
def sums_equal_loop(sum_of_ngrams, rng):
    rows, owners, Z = some_sums(rng)
    wanted = [[0.0] * Z.shape[1] for _ in range(owners[-1] + 1)]
    for row, owner in zip(rows.tolist(), owners.tolist()):
        wanted[owner] = [a + b for a, b in zip(wanted[owner], Z[row].tolist())]
    return difference(sum_of_ngrams(rows, owners, Z), wanted)


@sums_equal_loop.rejects(
    "You take the mean: FastText's formula adds the n-grams up. (Its program divides by their number.)"
)
def mean_of_ngrams(rows, owners, Z):
    return sum_of_ngrams(rows, owners, Z) / np.bincount(owners)[:, None]


@sums_equal_loop.rejects(
    "Of the n-grams of a word only the last arrives: `W[owners] += …` forgets the others. Use np.add.at or np.add.reduceat."
)
def only_the_last(rows, owners, Z):
    W = np.zeros((owners[-1] + 1, Z.shape[1]))
    W[owners] += Z[rows]
    return W


@sums_equal_loop.rejects(
    "You count an n-gram that a word has twice only once: it is a bag, not a set."
)
def each_once(rows, owners, Z):
    pairs = np.unique(np.stack([owners, rows]), axis=1)
    return sum_of_ngrams(pairs[1], pairs[0], Z)


def pair_counts(rng):
    X = np.where(rng.random((size(rng), size(rng))) < 0.4, 0, rng.exponential(3))
    X.flat[0] += 1.5
    return X * rng.uniform(0.5, 2, size=X.shape)


@check(
    expected_negatives,
    equation="eq-expected-negatives",
    oracle="the definition, number by number",
)
def negatives_equal_definition(expected_negatives, rng):
    X, k = pair_counts(rng), or_edge(rng, 0.0, float(rng.uniform(0.5, 20)))
    shares = [math.fsum(column) ** 0.75 for column in X.T.tolist()]
    wanted = [
        [k * math.fsum(row) * share / math.fsum(shares) for share in shares]
        for row in X.tolist()
    ]
    return difference(expected_negatives(X, k), wanted)


@negatives_equal_definition.rejects(
    "The noise is not smoothed: take the power 3/4 of the counts, then their shares."
)
def unsmoothed_noise(X, k):
    return k * X.sum(axis=1, keepdims=True) * X.sum(axis=0) / X.sum()


@negatives_equal_definition.rejects(
    "You draw the same number for each word: k for each of its pairs, so frequent words have more."
)
def same_for_all(X, k):
    noise = X.sum(axis=0) ** 0.75
    return np.tile(k * noise / noise.sum(), (len(X), 1))


@negatives_equal_definition.rejects(
    "You cut k off to a whole number in your version: a mean number of draws need not be whole, and every fraction counts."
)
def whole_draws(X, k):
    return expected_negatives(X, int(k))


@negatives_equal_definition.rejects(
    "You smooth the words' counts; the power belongs to the neighbours', from which is drawn."
)
def smoothed_words(X, k):
    noise = X.sum(axis=1, keepdims=True) ** 0.75
    return k * noise * X.sum(axis=0) / noise.sum()


def counts_and_vectors(rng):
    X = pair_counts(rng)
    d, scale = size(rng), 200.0 if longest() else 1.0
    N = rng.exponential(size=X.shape)
    return X, N, *(scale * rng.normal(size=(n, d)) for n in X.shape)


@check(
    expected_sampling_loss,
    equation="eq-expected-sampling",
    oracle="every pair by itself, by log1p",
    symbols={"W": "W", "W_context": "W'"},
)
def sampling_loss_equals_sum(expected_sampling_loss, rng):
    X, N, W, C = counts_and_vectors(rng)

    def softplus(x):
        return max(x, 0.0) + math.log1p(math.exp(-abs(x)))

    terms = [
        X[i, j] * softplus(-math.fsum(W[i] * C[j]))
        + N[i, j] * softplus(math.fsum(W[i] * C[j]))
        for i, j in np.ndindex(X.shape)
    ]
    return difference(expected_sampling_loss(X, N, W, C), math.fsum(terms))


sampling_loss_equals_sum.visits(
    "e^x beyond floats", lambda W, W_context: np.abs(W @ W_context.T).max() > 710
)


def sampling_variant(join):
    def loss(X, N, W, W_context):
        S = W @ W_context.T
        return float(join(X, N, np.logaddexp(0, -S), np.logaddexp(0, S)).sum())

    return loss


for name, message, join in (
    (
        "same_sign",
        "Negative examples have the other sign: ln σ(−w·w′).",
        lambda X, N, a, b: (X + N) * a,
    ),
    (
        "no_negatives",
        "The negative examples are missing: without them every dot product would grow for ever.",
        lambda X, N, a, b: X * a,
    ),
    (
        "exchanged",
        "You have the two signs the wrong way round: pairs that were counted want a large dot product.",
        lambda X, N, a, b: X * b + N * a,
    ),
    (
        "log_two",
        "Your loss is in bits; wanted the natural logarithm.",
        lambda X, N, a, b: (X * a + N * b) / np.log(2),
    ),
    (
        "negative_loss",
        "Your sign is wrong: the loss is minus the sum of logarithms.",
        lambda X, N, a, b: -X * a - N * b,
    ),
):
    version = sampling_variant(join)
    version.__name__ = name
    sampling_loss_equals_sum.rejects(message)(version)


@sampling_loss_equals_sum.rejects(
    "Your logarithm overflows: where a dot product is large, σ is rounded to 0 or 1. Use np.logaddexp(0, −S)."
)
def rounded_to_zero(X, N, W, W_context):
    S = W @ W_context.T
    with np.errstate(all="ignore"):
        return float(
            -(
                X * np.log(1 / (1 + np.exp(-S))) + N * np.log(1 - 1 / (1 + np.exp(-S)))
            ).sum()
        )
