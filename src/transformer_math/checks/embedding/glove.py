"""Checks of GloVe: counts that fall with the distance, shares, weights, and the loss, pair by pair."""

import math
from fractions import Fraction

import numpy as np

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, size, sometimes
from transformer_math.checks.wrong import ignoring
from transformer_math.embedding.glove import (
    context_probabilities,
    cooccurrences,
    glove_loss,
    glove_weights,
)


@check(
    cooccurrences,
    equation="eq-cooccurrences",
    oracle="every pair of places of the text, looked at one by one, in fractions",
)
def cooccurrences_equal_enumeration(cooccurrences, rng):
    vocab_size, window = size(rng), size(rng)
    n = 1000 if longest() else size(rng)
    ids = rng.integers(-1, vocab_size, size=n)
    wanted = {}
    for i, u in enumerate(ids.tolist()):
        for j, v in enumerate(ids[: i + window + 1].tolist()):
            if 0 < abs(i - j) <= window and u >= 0 and v >= 0:
                wanted[u, v] = wanted.get((u, v), 0) + Fraction(1, abs(i - j))
    cells = np.ndindex(vocab_size, vocab_size)
    table = np.reshape([float(wanted.get(cell, 0)) for cell in cells], (vocab_size, -1))
    return difference(cooccurrences(ids, vocab_size, window), table)


def counted(ids, vocab_size, distances, weight):
    """Counts over signed distances, each pair with a weight of its distance."""
    X = np.zeros((vocab_size, vocab_size))
    for k in distances:
        for i, u in enumerate(ids):
            j = i + k
            if 0 <= j < len(ids) and u >= 0 and ids[j] >= 0:
                X[u, ids[j]] += weight(abs(k))
    return X


def both_sides(window):
    return [k for k in range(-window, window + 1) if k]


@cooccurrences_equal_enumeration.rejects(
    "You forget the distance: a neighbour k places away counts 1/k, not 1."
)
def distance_forgotten(ids, vocab_size, window):
    return counted(ids, vocab_size, both_sides(window), lambda k: 1)


@cooccurrences_equal_enumeration.rejects(
    "Your window has one side: whoever has a neighbour on the right is its neighbour on the left, so add the transpose."
)
def one_sided(ids, vocab_size, window):
    return counted(ids, vocab_size, range(1, window + 1), lambda k: 1 / k)


@cooccurrences_equal_enumeration.rejects(
    "You share each pair out between its two directions: each of them counts 1/k in full."
)
def halved(ids, vocab_size, window):
    return counted(ids, vocab_size, both_sides(window), lambda k: 0.5 / k)


@cooccurrences_equal_enumeration.rejects(
    "Your window is one place too narrow: |i − j| may be as large as the window."
)
def one_place_short(ids, vocab_size, window):
    return counted(ids, vocab_size, both_sides(window - 1), lambda k: 1 / k)


@cooccurrences_equal_enumeration.rejects(
    "Your weights fall in a straight line, as word2vec's do on average; GloVe's are 1/k."
)
def weights_of_word2vec(ids, vocab_size, window):
    return counted(
        ids, vocab_size, both_sides(window), lambda k: (window + 1 - k) / window
    )


@cooccurrences_equal_enumeration.rejects(
    "You take unknown words out before you count, so their neighbours move together. Here a −1 takes up its place."
)
def unknown_taken_out(ids, vocab_size, window):
    return counted(ids[ids >= 0], vocab_size, both_sides(window), lambda k: 1 / k)


@cooccurrences_equal_enumeration.rejects(
    "You take −1 for the last word: it stands for a word outside the vocabulary, which is not counted."
)
def unknown_as_the_last(ids, vocab_size, window):
    return counted(ids % vocab_size, vocab_size, both_sides(window), lambda k: 1 / k)


def some_counts(rng):
    """Counts as they come out of a text: many zeros, fractions, small and large ones; in the smallest case a single one."""
    X = 10 ** rng.uniform(-1, 3, size=(size(rng), size(rng)))
    return np.where(rng.random(X.shape) < 0.3, 0, X)


@check(
    context_probabilities,
    equation="eq-context-probabilities",
    oracle="row by row, in fractions",
)
def context_probabilities_equal_fractions(context_probabilities, rng):
    X = some_counts(rng)
    rows = [[Fraction(x) for x in row] for row in X.tolist()]
    wanted = [[float(x / (sum(row) or 1)) for x in row] for row in rows]
    return difference(context_probabilities(X), wanted)


def divided(X, totals):
    return np.divide(X, totals, out=np.zeros_like(X), where=totals > 0)


@context_probabilities_equal_fractions.rejects(
    "You divide by the sums of the columns: P(k | i) adds up to 1 over k, along the row of i."
)
def by_columns(X):
    return divided(X, X.sum(axis=0))


@context_probabilities_equal_fractions.rejects(
    "You divide by the sum of all counts: that is how likely the pair is, not how likely k is beside i."
)
def of_all_pairs(X):
    return divided(X, X.sum())


@context_probabilities_equal_fractions.rejects(
    "You divide by 0 where a word has no neighbour: its row stays 0."
)
def divided_by_zero(X):
    with np.errstate(invalid="ignore"):
        return X / X.sum(axis=1, keepdims=True)


@context_probabilities_equal_fractions.rejects(
    "You add 1 to every count: what was never seen has probability 0 here."
)
def one_added(X):
    return (X + 1) / (X + 1).sum(axis=1, keepdims=True)


def settings_of_weights(rng):
    """x_max and α, each left out in some cases: what to pass on, and both values."""
    x_max, alpha = (
        float(rng.choice([0.5, 3.0, 20.0])),
        float(rng.choice([0.3, 0.5, 1.0, 1.5])),
    )
    given, x_max = sometimes(rng, x_max, 100.0)
    if not given:
        return (), x_max, 0.75
    last, alpha = sometimes(rng, alpha, 0.75)
    return given + last, x_max, alpha


def weight(x, x_max, alpha):
    return 1.0 if x >= x_max else math.exp(alpha * math.log(x / x_max)) if x else 0.0


@check(
    glove_weights,
    equation="eq-glove-weights",
    oracle="the definition, number by number",
    symbols={"X": "x"},
    axes={"X": "", "return": ""},
)
def glove_weights_equal_definition(glove_weights, rng):
    given, x_max, alpha = settings_of_weights(rng)
    X = some_counts(rng)
    X[rng.random(X.shape) < 0.2] = x_max  # the edge itself
    wanted = [[weight(x, x_max, alpha) for x in row] for row in X.tolist()]
    return difference(glove_weights(X, *given), wanted)


@glove_weights_equal_definition.rejects(
    "The cap is missing: from x_max on, the weight is 1, however often the pair occurs."
)
def without_cap(X, x_max=100.0, alpha=0.75):
    return (X / x_max) ** alpha


@glove_weights_equal_definition.rejects(
    "The power is missing: below x_max the weight is (x/x_max)^α."
)
def without_power(X, x_max=100.0, alpha=0.75):
    return np.minimum(X / x_max, 1)


@glove_weights_equal_definition.rejects(
    "You take the power of x alone: x/x_max as a whole is raised to α."
)
def power_of_the_count(X, x_max=100.0, alpha=0.75):
    return np.where(x_max > X, X**alpha / x_max, 1)


@glove_weights_equal_definition.rejects(
    "You leave frequent pairs out: from x_max on, the weight is 1, not 0."
)
def frequent_left_out(X, x_max=100.0, alpha=0.75):
    return np.where(x_max > X, (X / x_max) ** alpha, 0)


@glove_weights_equal_definition.rejects(
    "You give rare pairs the largest weight: the fraction is x/x_max, which grows with x."
)
def upside_down(X, x_max=100.0, alpha=0.75):
    return np.where(x_max > X, (1 - X / x_max) ** alpha, 1)


def vectors_for(X, rng):
    n, m = X.shape
    d = size(rng)
    return (
        rng.normal(size=(n, d)),
        rng.normal(size=(m, d)),
        *map(rng.normal, (0, 0), (1, 1), X.shape),
    )


@check(
    glove_loss,
    equation="eq-glove-loss",
    oracle="the pairs that met, one by one",
    symbols={"W": "W", "W_context": "W'", "b_context": "b'"},
)
def glove_loss_equals_sum_over_pairs(glove_loss, rng):
    given, x_max, alpha = settings_of_weights(rng)
    X = some_counts(rng)
    W, W_context, b, b_context = vectors_for(X, rng)
    terms = []
    for i, j in zip(*np.nonzero(X)):
        dot = math.fsum(W[i] * W_context[j])
        error = dot + b[i] + b_context[j] - math.log(X[i, j])
        terms.append(weight(X[i, j], x_max, alpha) * error**2)
    got = glove_loss(X, W, W_context, b, b_context, *given)
    return difference(got, math.fsum(terms))


def loss_by(errors=None, weights=glove_weights, join=lambda f, e: (f * e**2).sum()):
    """A loss with another error, other weights, or another way to join them."""

    def loss(X, W, W_context, b, b_context, x_max=100.0, alpha=0.75):
        logarithms = np.log(np.where(X > 0, X, 1))
        own = errors or (lambda W, C, b, c, X, ln: W @ C.T + b[:, None] + c - ln)
        e = own(W, W_context, b, b_context, X, logarithms)
        return float(join(weights(X, x_max, alpha), e))

    return loss


WRONG = {
    "You take ln(1 + X): pairs that never met are left out by their weight of 0, so the logarithm needs no 1.": loss_by(
        lambda W, C, b, c, X, ln: W @ C.T + b[:, None] + c - np.log1p(X)
    ),
    "The biases are missing: b_i and b'_j stand for how frequent the two words are.": loss_by(
        lambda W, C, b, c, X, ln: W @ C.T - ln
    ),
    "The bias of the neighbour, b'_j, is missing.": loss_by(
        lambda W, C, b, c, X, ln: W @ C.T + b[:, None] - ln
    ),
    "You fit the counts themselves; wanted their logarithms.": loss_by(
        lambda W, C, b, c, X, ln: W @ C.T + b[:, None] + c - X
    ),
    "You take log₂; wanted the natural logarithm.": loss_by(
        lambda W, C, b, c, X, ln: W @ C.T + b[:, None] + c - ln / np.log(2)
    ),
    "Your weights have no cap: from x_max on, a pair weighs 1.": loss_by(
        weights=without_cap
    ),
    "Every pair weighs 1 in your loss: multiply each square by f(X).": loss_by(
        weights=lambda X, x_max, alpha: np.where(X > 0, 1.0, 0.0)
    ),
    "Pairs that never met weigh something in your loss: where X is 0, so is the weight.": loss_by(
        weights=lambda X, x_max, alpha: np.where(
            X > 0, glove_weights(X, x_max, alpha), 0.1
        )
    ),
    "You do not square the error.": loss_by(join=lambda f, e: (f * np.abs(e)).sum()),
    "You square the weight too: it multiplies the square.": loss_by(
        join=lambda f, e: ((f * e) ** 2).sum()
    ),
    "Your loss is half the one wanted: GloVe's formula has no factor 1/2, although its program does.": loss_by(
        join=lambda f, e: 0.5 * (f * e**2).sum()
    ),
    "You take the mean over all pairs; wanted the sum.": loss_by(
        join=lambda f, e: (f * e**2).mean()
    ),
}
for name, message in (
    ("x_max", "You ignore x_max: it says from which count on a pair weighs 1."),
    ("alpha", "You ignore α: the weights are a power."),
):
    for weighted in (glove_weights_equal_definition, glove_loss_equals_sum_over_pairs):
        weighted.rejects(message)(ignoring(weighted.target, name))
for number, (message, version) in enumerate(WRONG.items()):
    version.__name__ = f"wrong_loss_{number}"
    glove_loss_equals_sum_over_pairs.rejects(message)(version)
