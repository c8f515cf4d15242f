"""What the tests of all ideas ask of `attention/cache`."""

import numpy as np

from transformer_math.attention import KVCache, attention, cached_attention


def cache_by_vstack(q, k, v, cache=None):
    old = (k[..., :0], v[..., :0]) if cache is None else (cache.K, cache.V)
    K, V = (
        np.append(past, new[..., None, :], axis=-2) if cache else new[..., None, :]
        for past, new in zip(old, (k, v))
    )
    O, _ = attention(q[..., None, :], K, V)
    return np.squeeze(O, axis=-2), KVCache(K, V)


def appended(q, k, v, cache, output):
    return output, cached_attention(q, k, v, cache)[1]


ACCEPTED = {
    cached_attention: {"cache": {"None"}},
}

NO_TWIN = {
    cached_attention: "a step of an algorithm for attention, which has a twin",
}

RIGHT = [
    (cached_attention, cache_by_vstack),
    (cached_attention, lambda q, k, v, cache: cached_attention(q, k, v, cache)),
]

WRONG = [
    (
        cached_attention,
        lambda q, k, v, cache=None: attention(
            q[..., None, :],
            np.concatenate([cache.K, k[..., None, :]], axis=-2),
            np.concatenate([cache.V, v[..., None, :]], axis=-2),
        ),
        "ask `if x is None` first",
    ),
    (
        cached_attention,
        lambda q, k, v, cache=None: cached_attention(q, k, v, cache)[0],
        "You return only the first of two results",
    ),
    (
        cached_attention,
        lambda q, k, v, cache=None: cached_attention(q, k, v),
        "You forget what came before",
    ),
    (
        cached_attention,
        lambda q, k, v, cache=None: cached_attention(
            q * np.sqrt(q.shape[-1]), k, v, cache
        ),
        "it gave",
    ),
    (
        cached_attention,
        lambda q, k, v, cache=None: appended(q, k, v, cache, v),
        "it gave",
    ),
    (
        cached_attention,
        lambda q, k, v, cache=None: cached_attention(k, q, v, cache),
        "it gave",
    ),
]

EQUIVALENT = {
    "cached_attention": {
        "O[..., 0, :] → O[..., -1, :]": "One query has one row, the first and the last.",
    },
}
