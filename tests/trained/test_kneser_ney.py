"""The n-gram model is a distribution in every context, and what a slow enumeration of the definition gives."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.trained.kneser_ney import (
    fit_ngrams,
    kneser_ney,
    ngram_probabilities,
)


def by_definition(ids, order, V, context, token):
    """Kneser-Ney of one token after one context, from counters, as a textbook has it."""
    padded = [V] * (order - 1) + list(ids)
    grams = {
        k: Counter(
            tuple(padded[i - k + 1 : i + 1]) for i in range(order - 1, len(padded))
        )
        for k in range(1, order + 1)
    }
    below = 1 / V
    for k in range(1, order + 1):
        if k == order:
            counts = grams[k]
        else:
            before = defaultdict(set)
            for gram in grams[k + 1]:
                before[gram[1:]].add(gram[0])
            counts = {gram: len(found) for gram, found in before.items()}
        once, twice = (list(counts.values()).count(n) for n in (1, 2))
        D = once / (once + 2 * twice) if once + twice else 0.0
        h = tuple(([V] * order + list(context))[len(context) + order - k + 1 :])
        behind = {gram[-1]: c for gram, c in counts.items() if gram[:-1] == h}
        if behind:
            total, kinds = sum(behind.values()), len(behind)
            below = (max(behind.get(token, 0) - D, 0) + D * kinds * below) / total
    return below


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_it_follows_the_definition_and_sums_to_one(seed, order):
    rng = np.random.default_rng([seed, order])
    V, n = int(rng.integers(2, 6)), int(rng.integers(3, 40))
    ids = rng.integers(V, size=n)
    model = fit_ngrams(ids, V, order)
    context = rng.integers(V, size=int(rng.integers(0, 6)))
    found = [
        ngram_probabilities(model, np.append(context, token))[-1] for token in range(V)
    ]
    wanted = [by_definition(ids, order, V, context, token) for token in range(V)]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert sum(found) == pytest.approx(1)


def test_francisco_follows_san_alone():
    """A frequent token that stands after one other token alone is not expected elsewhere."""
    SAN, FRANCISCO, GLASS, A, B, C = range(6)
    ids = [SAN, FRANCISCO] * 9 + [A, GLASS, B, GLASS, C, GLASS]
    model = fit_ngrams(np.array(ids), 7, order=2)
    unseen = 6
    francisco, glass = (
        ngram_probabilities(model, np.array([unseen, token]))[-1]
        for token in (FRANCISCO, GLASS)
    )
    assert ids.count(FRANCISCO) > 2 * ids.count(GLASS)
    assert francisco < glass


def test_n_grams_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="7 tokens out of 1024 do not fit"):
        fit_ngrams(np.array([1, 2]), 1024, order=7)


def of(counts=2, total=3, kinds=2, discount=0.5, shorter=0.2):
    """One token after one context, as `kneser_ney` wants it."""
    whole = (np.array([number]) for number in (counts, total, kinds))
    return kneser_ney(*whole, discount, np.array([shorter]))


@refusals(
    ("a count above its total", lambda: of(counts=5), ("counts", "5", "3")),
    ("a negative count", lambda: of(counts=-1), ("counts", "-1")),
    ("more kinds than tokens", lambda: of(kinds=9), ("kinds", "9", "3")),
    ("negative kinds", lambda: of(kinds=-1), ("kinds", "-1")),
    ("a negative discount", lambda: of(discount=-1.5), ("discount is -1.5",)),
    ("a discount above 1", lambda: of(discount=5.0), ("discount is 5.0",)),
    ("no probability", lambda: of(shorter=-2.0), ("shorter", "-2.0")),
)
def test_what_no_text_has_is_refused(call, words):
    assert_refused(call, words)
