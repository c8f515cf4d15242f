"""Checks of word2vec: the pairs of a window, the softmax over the vocabulary, the loss of a text, the mean around a place."""

import math

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, longest, size
from transformer_math.embedding.word2vec import (
    cbow_context,
    skip_gram,
    skip_gram_objective,
    window_pairs,
)


def pairs_of(ids, reached):
    """Every pair of places, looked at one by one, that `reached` takes by its distance."""
    found = [
        (int(u), int(v))
        for i, u in enumerate(ids)
        for j, v in enumerate(ids)
        if reached(j - i) and u >= 0 and v >= 0
    ]
    return np.array(found, dtype=int).reshape(-1, 2)


@check(
    window_pairs,
    equation="eq-window-pairs",
    oracle="every pair of places of the text, looked at one by one",
)
def pairs_equal_enumeration(window_pairs, rng):
    ids = rng.integers(-1, size(rng), size=size(rng))
    window = size(rng)
    wanted = pairs_of(ids, lambda k: 0 < abs(k) <= window)
    return difference(window_pairs(ids, window), wanted)


@pairs_equal_enumeration.rejects(
    "Your window holds the centre itself: a word is not its own neighbour, leave out the distance 0."
)
def with_the_centre(ids, window):
    return pairs_of(ids, lambda k: abs(k) <= window)


@pairs_equal_enumeration.rejects(
    "Your window is one place too narrow: a neighbour may stand as many places away as `window` says."
)
def one_too_narrow(ids, window):
    return pairs_of(ids, lambda k: 0 < abs(k) < window)


@pairs_equal_enumeration.rejects(
    "You look to the right only: neighbours stand on both sides."
)
def right_only(ids, window):
    return pairs_of(ids, lambda k: 0 < k <= window)


@pairs_equal_enumeration.rejects(
    "Your pairs are the wrong way round: the centre comes first, its neighbour second."
)
def the_wrong_way_round(ids, window):
    return pairs_of(ids, lambda k: 0 < abs(k) <= window)[:, ::-1]


@pairs_equal_enumeration.rejects(
    "You close the gap where an unknown word stands: −1 makes no pair, but it takes up its place."
)
def gaps_closed(ids, window):
    return pairs_of([t for t in ids if t >= 0], lambda k: 0 < abs(k) <= window)


def two_tables(rng):
    vocab_size, d = size(rng), size(rng)
    return rng.normal(size=(vocab_size, d)), rng.normal(size=(vocab_size, d))


@check(
    skip_gram,
    equation="eq-skip-gram",
    oracle="torch.softmax of all dot products",
    axes={"centres": "n", "return": "n V"},
    symbols={"centres": "t", "E": "E", "U": "U", "return": "p"},
)
def skip_gram_equals_torch(skip_gram, rng):
    E, U = two_tables(rng)
    if longest():
        E, U = 100 * E, 100 * U
    centres = rng.integers(len(E), size=(*batch(rng), size(rng)))
    scores = torch.from_numpy(E)[centres] @ torch.from_numpy(U).T
    return difference(skip_gram(centres, E, U), torch.softmax(scores, dim=-1))


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@skip_gram_equals_torch.rejects(
    "Your exp overflows for large dot products: take the largest one of the row away first."
)
def without_the_maximum(centres, E, U):
    powers = np.exp(E[centres] @ U.T)
    return powers / powers.sum(axis=-1, keepdims=True)


@skip_gram_equals_torch.rejects(
    "You exchange the two tables: the centre's vector is a row of E, the neighbours' vectors are the rows of U."
)
def tables_exchanged(centres, E, U):
    return softmax(U[centres] @ E.T)


@skip_gram_equals_torch.rejects(
    "You use one table for both: a neighbour has a vector of its own, in U."
)
def one_table(centres, E, U):
    return softmax(E[centres] @ E.T)


@skip_gram_equals_torch.rejects(
    "You do not divide by the sum over the vocabulary: these are no probabilities."
)
def not_normalised(centres, E, U):
    return np.exp(E[centres] @ U.T)


@skip_gram_equals_torch.rejects(
    "You divide by the root of d: attention scales its scores, word2vec does not."
)
def scaled_as_attention(centres, E, U):
    return softmax(E[centres] @ U.T / math.sqrt(E.shape[1]))


@skip_gram_equals_torch.rejects(
    "You normalise over the centres: softmax runs over the vocabulary, the last axis."
)
def over_the_centres(centres, E, U):
    return softmax(E[centres] @ U.T, axis=-2 if np.ndim(centres) else -1)


def objective_of(ids, E, U, pairs, share):
    log_p = torch.log_softmax(torch.from_numpy(E @ U.T), dim=-1).numpy()
    return -math.fsum(log_p[u, v] for u, v in pairs.tolist()) / share


@check(
    skip_gram_objective,
    equation="eq-skip-gram-objective",
    oracle="torch.log_softmax, pair by pair",
    symbols={"E": "E", "U": "U", "return": "mathcal:L"},
)
def objective_equals_torch(skip_gram_objective, rng):
    E, U = two_tables(rng)
    ids, window = rng.integers(len(E), size=size(rng)), size(rng)
    pairs = pairs_of(ids, lambda k: 0 < abs(k) <= window)
    wanted = objective_of(ids, E, U, pairs, len(ids))
    return difference(skip_gram_objective(ids, E, U, window), wanted)


@objective_equals_torch.rejects(
    "You average over pairs: the loss is a sum over each window, and an average over the places of the text."
)
def mean_over_pairs(ids, E, U, window):
    pairs = pairs_of(ids, lambda k: 0 < abs(k) <= window)
    return objective_of(ids, E, U, pairs, max(len(pairs), 1))


@objective_equals_torch.rejects(
    "You let each word guess itself: the window leaves out its own centre."
)
def guesses_itself(ids, E, U, window):
    pairs = pairs_of(ids, lambda k: abs(k) <= window)
    return objective_of(ids, E, U, pairs, len(ids))


@objective_equals_torch.rejects(
    "Your window is one place too narrow: |i − j| may be as large as the window."
)
def narrow_window(ids, E, U, window):
    pairs = pairs_of(ids, lambda k: 0 < abs(k) < window)
    return objective_of(ids, E, U, pairs, len(ids))


@objective_equals_torch.rejects(
    "Your sign is turned: that is the log-likelihood, which is to grow. A loss is its negative."
)
def likelihood_for_loss(ids, E, U, window):
    return -skip_gram_objective(ids, E, U, window)


@objective_equals_torch.rejects(
    "You exchange the two tables: the centre's vector is a row of E, the neighbour's a row of U."
)
def objective_with_tables_exchanged(ids, E, U, window):
    return skip_gram_objective(ids, U, E, window) if len(E) > 1 else 1.0


def random_contexts(rng, vocab_size, *shape):
    """Words around places, some of them missing, in each row at least one there."""
    contexts = rng.integers(vocab_size, size=shape)
    missing = rng.random(shape) < 0.3
    missing[..., 0] = False
    return rng.permuted(np.where(missing, -1, contexts), axis=-1)


@check(
    cbow_context,
    equation="eq-cbow",
    oracle="torch.nn.functional.embedding_bag, in the mode “mean”",
    axes={"contexts": "n c", "return": "n d"},
    symbols={"contexts": "A", "E": "E", "return": "H"},
)
def context_equals_torch(cbow_context, rng):
    E = rng.normal(size=(size(rng), size(rng)))
    contexts = random_contexts(rng, len(E), *batch(rng), size(rng))
    bags = [row[row >= 0] for row in contexts.reshape(-1, contexts.shape[-1])]
    offsets = np.cumsum([0, *map(len, bags[:-1])])
    wanted = torch.nn.functional.embedding_bag(
        torch.from_numpy(np.concatenate(bags)),
        torch.from_numpy(E),
        torch.from_numpy(offsets),
        mode="mean",
    )
    shape = (*contexts.shape[:-1], E.shape[1])
    return difference(cbow_context(contexts, E), wanted.reshape(shape))


context_equals_torch.visits(
    "no word at some places", lambda contexts: contexts.min() < 0
)


@context_equals_torch.rejects(
    "You add the vectors: CBOW takes their mean, so that places with few neighbours count like the others."
)
def sum_for_mean(contexts, E):
    return np.sum(E[contexts], axis=-2, where=(contexts >= 0)[..., None])


@context_equals_torch.rejects(
    "You divide by the width of the window: where the text begins or ends there are fewer words. Divide by how many there are."
)
def divided_by_the_width(contexts, E):
    return sum_for_mean(contexts, E) / contexts.shape[-1]


@context_equals_torch.rejects(
    "You take −1 for the last word: it stands for no word, and does not count."
)
def last_word_for_none(contexts, E):
    return E[contexts].mean(axis=-2)


@context_equals_torch.rejects(
    "You scale the mean to length 1: its length matters in the dot products."
)
def of_length_one(contexts, E):
    H = cbow_context(contexts, E)
    return H / np.linalg.norm(H, axis=-1, keepdims=True)
