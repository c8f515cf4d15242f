import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.attention import (
    KVCache,
    attention,
    cache_bytes,
    cached_attention,
    causal_mask,
)

rng = np.random.default_rng(8)
Q, K, V = rng.normal(size=(3, 2, 7, 4))


def token(i):
    return Q[:, i], K[:, i], V[:, i]


def test_a_cache_may_begin_with_a_text_that_was_read_at_once():
    whole, _ = attention(Q, K, V, causal_mask(7))
    output, cache = cached_attention(*token(6), KVCache(K[:, :6], V[:, :6]))
    assert np.allclose(output, whole[:, 6], atol=1e-14)
    assert np.array_equal(cache.K, K) and np.array_equal(cache.V, V)


def test_an_old_cache_is_left_alone():
    cache = KVCache(K[:, :2], V[:, :2])
    for _ in range(2):  # two continuations of one text
        cached_attention(*token(2), cache)
    assert cache.K.shape[-2] == cache.V.shape[-2] == 2


def test_single_precision_stays_single():
    single = [x[:, 0].astype(np.float32) for x in (Q, K, V)]
    output, cache = cached_attention(*single)
    assert output.dtype == cache.K.dtype == cache.V.dtype == np.float32


def test_bytes_are_those_of_the_arrays():
    caches = [KVCache(K, V)] * 3  # 3 layers; 2 heads of 4 make a width of 8
    held = sum(cache.K.nbytes + cache.V.nbytes for cache in caches)
    assert held == cache_bytes(7, 8, 3, itemsize=8)


narrow = KVCache(K[..., :3], V)


@refusals(
    ("a key of another size", lambda: cached_attention(Q[:, 0], K[:, 0, :3], V[:, 0]), ("k has shape (2, 3)", "d_k = 4")),
    ("a value of another batch", lambda: cached_attention(Q[:, 0], K[:, 0], V[0, 0]), ("v has shape (4,)", "(2,)")),
    ("a cache of narrower keys", lambda: cached_attention(*token(6), narrow), ("cache.K has shape (2, 7, 3)", "d_k = 4")),
    ("keys without values", lambda: KVCache(K, V[:, :3]), ("V has shape (2, 3, 4)", "m = 7")),
    ("a cache that is none", lambda: cached_attention(*token(6), (K, V)), ("wanted KVCache",)),
    ("no layers", lambda: cache_bytes(7, 8, 0), ("n_layers is 0",)),
)  # fmt: skip
def test_bad_input(call, words):
    assert_refused(call, words)
