"""What the tests of all ideas ask of `embedding/word2vec`; `tests/abouts.py` explains the names."""

import numpy as np
from example_values import normal

from transformer_math.embedding import (
    cbow_context,
    skip_gram,
    skip_gram_objective,
    window_contexts,
    window_pairs,
)

ids = np.array([0, 2, 1, 2])

EXAMPLES = {
    window_contexts: {"ids": ids, "window": 2},
    window_pairs: {"ids": ids, "window": 2},
    cbow_context: {"contexts": np.array([[0, 2], [1, 2]]), "E": normal(3, 4)},
}

ACCEPTED = {
    window_contexts: {"ids": {"longer"}},
    window_pairs: {"ids": {"longer"}},
    skip_gram: {"centres": {"longer", "no axis"}},
    skip_gram_objective: {"ids": {"longer"}},
    cbow_context: {"contexts": {"longer"}, "E": {"longer"}},
}

NO_TWIN = {
    skip_gram: "a projection and a softmax of rows, which have theirs: embed_vjp, project_vjp, softmax_vjp",
    skip_gram_objective: "a lookup, a projection and a cross-entropy, which have theirs",
}


def by_places(ids, window):
    found = []
    for i, u in enumerate(ids):
        for j in range(max(0, i - window), min(len(ids), i + window + 1)):
            if i != j and u >= 0 and ids[j] >= 0:
                found.append((u, ids[j]))
    return np.array(found, dtype=int).reshape(-1, 2)


def mean_of_words(contexts, E):
    flat = contexts.reshape(-1, contexts.shape[-1])
    rows = [E[row[row >= 0]].mean(axis=0) for row in flat]
    return np.array(rows).reshape(*contexts.shape[:-1], E.shape[1])


RIGHT = [
    (window_pairs, by_places),
    (window_pairs, lambda ids, window: by_places(ids, window).tolist()),
    (cbow_context, mean_of_words),
    (
        cbow_context,
        lambda contexts, E: (
            (E[contexts] * (contexts >= 0)[..., None]).sum(-2)
            / (contexts >= 0).sum(-1, keepdims=True)
        ),
    ),
]


def pairs(ids, offsets):
    found = [
        (u, ids[i + k])
        for i, u in enumerate(ids)
        for k in offsets
        if 0 <= i + k < len(ids) and u >= 0 and ids[i + k] >= 0
    ]
    return np.array(found, dtype=int).reshape(-1, 2)


WRONG = [
    (
        window_pairs,
        lambda ids, w: pairs(ids, range(-w, w + 1)),
        "Your window holds the centre itself",
    ),
    (
        window_pairs,
        lambda ids, w: pairs(ids, [k for k in range(-w, w) if k]),
        "it gave",
    ),
    (
        window_pairs,
        lambda ids, w: pairs(ids, range(1, w + 1)),
        "You look to the right only",
    ),
    (
        window_pairs,
        lambda ids, w: by_places(ids, w)[:, ::-1],
        "Your pairs are the wrong way round",
    ),
    (window_pairs, lambda ids, w: by_places(ids[ids >= 0], w), "You close the gap"),
    (
        cbow_context,
        lambda contexts, E: E[contexts].mean(axis=-2),
        "You take −1 for the last word",
    ),
    (
        cbow_context,
        lambda contexts, E: (E[contexts] * (contexts >= 0)[..., None]).sum(-2),
        "You add the vectors",
    ),
    (
        cbow_context,
        lambda contexts, E: (E[contexts] * (contexts >= 0)[..., None]).mean(-2),
        "You divide by the width of the window",
    ),
    (cbow_context, lambda contexts, E: mean_of_words(contexts, E) * 2, "times 2"),
    (cbow_context, lambda contexts, E: np.median(E[contexts], axis=-2), "it gave"),
]
