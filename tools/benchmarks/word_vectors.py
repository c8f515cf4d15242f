"""Word vectors by negative sampling, beside gensim with one worker: the same sentences, windows, dimensions and numbers of pairs.

Both go as often through the pairs as makes their analogies come out; what is compared is the time for a million words.
"""

from collections.abc import Sequence

import numpy as np
from gensim.models import Word2Vec

from benchmarks.table import Row, interleaved
from transformer_math.embedding import (
    analogy_accuracy,
    frequent_words,
    noise_distribution,
    number_analogies,
    number_sentences,
    planted_analogies,
    planted_sentences,
    window_contexts,
    window_pairs,
)
from transformer_math.training import train_word2vec

PEER = "gensim, one worker"
SENTENCES, WINDOW, D, EPOCHS, BATCH = 4000, 5, 32, 8, 2048


def rows() -> list[Row]:
    """Seconds for a million words, by skip-gram and by CBOW; and the analogies that come out, as a sign of the same work."""
    sentences = planted_sentences(np.random.default_rng(1), SENTENCES)
    known = frequent_words([word for s in sentences for word in s], 1)
    ids = number_sentences(sentences, known, gap=WINDOW)
    noise = noise_distribution(np.bincount(ids[ids >= 0]))
    centres, neighbours = window_pairs(ids, WINDOW).T
    contexts = window_contexts(ids, WINDOW)
    places = (ids >= 0) & (contexts >= 0).any(axis=1)
    data = {
        "skip-gram": (centres[:, None], neighbours),
        "CBOW": (contexts[places], ids[places]),
    }
    millions = EPOCHS * sum(map(len, sentences)) / 1e6

    def ours(way):
        given, wanted = data[way]
        steps = EPOCHS * len(wanted) // BATCH
        return train_word2vec(
            given, wanted, noise, np.random.default_rng(0), D, 5, steps, BATCH, 0.04
        )

    def theirs(way):
        return Word2Vec(
            sentences, vector_size=D, window=WINDOW, shrink_windows=False, min_count=1,
            negative=5, sample=0, epochs=EPOCHS, workers=1, seed=1, sg=int(way == "skip-gram"),
        )  # fmt: skip

    asked = [four for family in planted_analogies().values() for four in family]
    questions, found = number_analogies(asked, known), []
    for way in data:
        pair = interleaved([lambda w=way: ours(w), lambda w=way: theirs(w)], 3)
        speed = [seconds / millions for seconds in pair]
        found.append(_row(f"{way}, a million words", speed, "s", ratio_at_most=1 / 0.3))
        vectors = np.array([theirs(way).wv[word] for word in known], float)
        both = ours(way).E.astype(float), vectors
        right = [100 * analogy_accuracy(W, questions) for W in both]
        found.append(_row(f"{way}, analogies found", right, "%"))
    return found


def _row(
    what: str, pair: Sequence[float], unit: str, ratio_at_most: float | None = None
) -> Row:
    return Row(what, pair[0], unit, pair[1], PEER, ratio_at_most=ratio_at_most)
