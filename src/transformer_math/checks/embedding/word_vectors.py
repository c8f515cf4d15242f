"""Checks of word vectors: counts, PPMI, their main directions, and vectors from letters."""

import math

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, size
from transformer_math.embedding.word_vectors import (
    count_neighbours,
    letters_vector,
    ppmi,
    word_vectors,
)


@check(
    count_neighbours,
    equation="eq-neighbours",
    oracle="every pair of places of the text, looked at one by one",
)
def counts_equal_enumeration(count_neighbours, rng):
    vocab_size, n, window = size(rng), size(rng), size(rng)
    n_contexts = int(rng.integers(1, vocab_size + 1))
    ids = rng.integers(-1, vocab_size, size=n)
    wanted = np.zeros((vocab_size, n_contexts))
    for i, u in enumerate(ids.tolist()):
        for j, v in enumerate(ids.tolist()):
            if i != j and abs(i - j) <= window and u >= 0 and 0 <= v < n_contexts:
                wanted[u, v] += 1
    return difference(count_neighbours(ids, vocab_size, n_contexts, window), wanted)


def pairs(ids, vocab_size, n_contexts, distances, kept):
    C = np.zeros((vocab_size, n_contexts))
    places = [(i, i + k) for k in distances for i in range(len(ids))]
    for i, j in places:
        if 0 <= j < len(ids) and ids[j] < n_contexts and kept(ids[i], ids[j]):
            C[ids[i], ids[j]] += 1
    return C


def both_known(u, v):
    return u >= 0 and v >= 0


@counts_equal_enumeration.rejects(
    "You look to the right only: neighbours stand on both sides."
)
def to_the_right(ids, vocab_size, n_contexts, window):
    return pairs(ids, vocab_size, n_contexts, range(1, window + 1), both_known)


@counts_equal_enumeration.rejects(
    "You count every word as its own neighbour: leave out the distance 0."
)
def with_itself(ids, vocab_size, n_contexts, window):
    return pairs(ids, vocab_size, n_contexts, range(-window, window + 1), both_known)


@counts_equal_enumeration.rejects(
    "Your window is one place too narrow: |i − j| may be as large as the window."
)
def too_narrow(ids, vocab_size, n_contexts, window):
    distances = [k for k in range(1 - window, window) if k != 0]
    return pairs(ids, vocab_size, n_contexts, distances, both_known)


@counts_equal_enumeration.rejects(
    "You take −1 for the last word: it stands for a word outside the vocabulary, which is not counted."
)
def unknown_is_the_last(ids, vocab_size, n_contexts, window):
    distances = [k for k in range(-window, window + 1) if k != 0]
    return pairs(ids, vocab_size, n_contexts, distances, lambda u, v: True)


def random_counts(rng):
    C = rng.poisson(1.5, size=(size(rng), size(rng))).astype(float)
    C[rng.random(C.shape) < 0.2] = 0
    return C


@check(ppmi, equation="eq-ppmi", oracle="the definition, number by number")
def ppmi_equals_definition(ppmi, rng):
    C, smoothing = random_counts(rng), float(rng.choice([0.0, 0.5, 0.75, 1.0]))
    C *= rng.choice([1.0, 0.001])  # counts may be weighted
    rows = [math.fsum(row) for row in C.tolist()]
    powers = [math.fsum(column) ** smoothing for column in C.T.tolist()]
    wanted = [
        max(0.0, math.log(count * math.fsum(powers) / (rows[u] * powers[v])))
        if count
        else 0.0
        for u, row in enumerate(C.tolist())
        for v, count in enumerate(row)
    ]
    mine = ppmi(C) if smoothing == 0.75 else ppmi(C, smoothing)
    return difference(np.ravel(mine), wanted)


def ratios(C, smoothing):
    powers = C.sum(axis=0) ** smoothing
    expected = C.sum(axis=1, keepdims=True) * powers / (powers.sum() or 1.0)
    return np.divide(C, expected, out=np.zeros_like(C), where=C > 0)


@ppmi_equals_definition.rejects(
    "You keep negative values: what comes together less often than by chance is 0 here."
)
def negative_too(C, smoothing=0.75):
    found = ratios(C, smoothing)
    return np.log(np.where(found > 0, found, 1))


@ppmi_equals_definition.rejects(
    "You do not smooth: take the neighbours' counts to the power a, then divide by their sum."
)
def unsmoothed(C, smoothing=0.75):
    return np.log(np.maximum(ratios(C, 1.0), 1))


@ppmi_equals_definition.rejects("You take log₂; wanted the natural logarithm.")
def in_bits(C, smoothing=0.75):
    return np.log2(np.maximum(ratios(C, smoothing), 1))


@ppmi_equals_definition.rejects(
    "You smooth the words instead of their neighbours: the power belongs to the columns."
)
def rows_smoothed(C, smoothing=0.75):
    return np.log(np.maximum(ratios(C.T, smoothing).T, 1))


@check(
    word_vectors,
    equation="eq-word-vectors",
    oracle="torch.linalg.eigh of I Iᵀ",
)
def vectors_equal_eigenvectors(word_vectors, rng):
    I = np.abs(rng.normal(size=(size(rng), size(rng))))
    d = int(rng.integers(1, min(I.shape) + 1))
    squares, columns = torch.linalg.eigh(torch.from_numpy(I @ I.T))
    wanted = columns.flip(-1)[:, :d] * squares.flip(-1)[:d] ** 0.25
    for column in wanted.T:
        column *= torch.sign(max(column, key=abs))
    return difference(word_vectors(I, d), wanted)


@vectors_equal_eigenvectors.rejects(
    "You leave out the singular values: each direction is scaled by the root of its own."
)
def unscaled(I, d):
    W = word_vectors(I, d)
    return W / np.linalg.norm(W, axis=0)


@vectors_equal_eigenvectors.rejects(
    "You multiply by the singular values themselves; wanted their square roots."
)
def without_root(I, d):
    W = word_vectors(I, d)
    return W * np.linalg.norm(W, axis=0)


@vectors_equal_eigenvectors.rejects(
    "Some of your columns point the other way: the entry of largest size in each is to be positive."
)
def other_way(I, d):
    return -word_vectors(I, d)


@vectors_equal_eigenvectors.rejects(
    "You keep the smallest singular values; wanted the largest, which come first."
)
def smallest(I, d):
    U, S, _ = np.linalg.svd(I, full_matrices=False)
    W = U[:, -d:] * np.sqrt(S[-d:])
    return W * np.sign(W[np.abs(W).argmax(axis=0), np.arange(d)])


@vectors_equal_eigenvectors.rejects(
    "You take the neighbours' vectors: a row for each row of I stands in U, not in N."
)
def neighbours_vectors(I, d):
    return word_vectors(I.T, d)


LETTERS = list("abé")


def random_word(rng):
    length = 1000 if longest() else size(rng)
    return "".join(rng.choice(LETTERS, size=length))


@check(
    letters_vector,
    equation="eq-letters",
    oracle="shared runs of three letters, counted by hand",
)
def letters_equal_enumeration(letters_vector, rng):
    word, known = random_word(rng), [random_word(rng) for _ in range(size(rng))]
    W = rng.normal(size=(len(known), size(rng)))
    total = [0.0] * W.shape[1]
    for other, row in zip(known, W.tolist()):
        ours, theirs = (
            {f"<{w}>"[i:][:3] for i in range(len(w))} for w in (word, other)
        )
        total = [t + len(ours & theirs) * x for t, x in zip(total, row)]
    length = math.hypot(*total)
    wanted = [x / length if length else 0.0 for x in total]
    return difference(letters_vector(word, known, W), wanted)


def weighted(word, words, W, runs):
    z = np.array([len(runs(word) & runs(other)) for other in words]) @ W
    return z / (np.linalg.norm(z) or 1.0)


@letters_equal_enumeration.rejects(
    "You leave out the boundary marks: “at” ends “cat”, but begins “atom”."
)
def without_boundaries(word, words, W):
    return weighted(word, words, W, lambda w: {w[i : i + 3] for i in range(len(w) - 2)})


@letters_equal_enumeration.rejects("You take pairs of letters; wanted runs of three.")
def pairs_of_letters(word, words, W):
    marked = "<{}>".format
    return weighted(
        word, words, W, lambda w: {marked(w)[i : i + 2] for i in range(len(w) + 1)}
    )


@letters_equal_enumeration.rejects(
    "Your vector is not of length 1: divide the sum by its length."
)
def not_of_length_one(word, words, W):
    runs = [{f"<{w}>"[i : i + 3] for i in range(len(w))} for w in (word, *words)]
    return np.array([len(runs[0] & other) for other in runs[1:]]) @ W
