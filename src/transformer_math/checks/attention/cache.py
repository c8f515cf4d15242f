"""Checks of the key–value cache: token by token, against PyTorch on the whole sequence at once."""

import numpy as np
import torch

from transformer_math.attention.cache import KVCache, cache_bytes, cached_attention
from transformer_math.attention.scaled_dot_product import attention
from transformer_math.checks.attention.cost import random_dtype
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, longest, size


@check(
    cached_attention,
    equation="eq-kv-cache",
    oracle="torch.nn.functional.scaled_dot_product_attention with is_causal, on the whole sequence at once",
)
def cache_equals_recomputation(cached_attention, rng):
    lead, n, d_k, d_v = batch(rng), size(rng, at_least=2), size(rng), size(rng)
    Q, K = rng.normal(size=(2, *lead, n, d_k))
    V = rng.normal(size=(*lead, n, d_v))
    if longest():
        Q, K = 100 * Q, 100 * K
    begun = int(rng.integers(n))  # so many tokens are in a cache that nobody made here
    given = (KVCache(K[..., :begun, :], V[..., :begun, :]),) if begun else ()
    outputs = []
    for i in range(begun, n):
        token = (x[..., i, :] for x in (Q, K, V))
        output, cache = cached_attention(*token, *given)
        outputs.append(output)
        given = (cache,)
    fused = torch.nn.functional.scaled_dot_product_attention
    wanted = fused(*map(torch.from_numpy, (Q, K, V)), is_causal=True)[..., begun:, :]
    got = np.stack(outputs, axis=-2), cache.K, cache.V
    return difference(got, (wanted, K, V))


def joined(old, new):
    return np.concatenate([old, new[..., None, :]], axis=-2)


def over(q, K, V):
    """The output of one query over keys and values: the material of wrong versions."""
    return attention(q[..., None, :], K, V)[0][..., 0, :]


@cache_equals_recomputation.rejects(
    "The new token does not see itself: append its key and value first, then attend."
)
def blind_to_itself(q, k, v, cache=None):
    if cache is None:
        return np.zeros_like(v), KVCache(k[..., None, :], v[..., None, :])
    K, V = joined(cache.K, k), joined(cache.V, v)
    return over(q, cache.K, cache.V), KVCache(K, V)


@cache_equals_recomputation.rejects(
    "You forget what came before: the new key and value are appended to the cache, they do not replace it."
)
def cache_replaced(q, k, v, cache=None):
    return v, KVCache(k[..., None, :], v[..., None, :])


@cache_equals_recomputation.rejects(
    "You attend to the new token, but do not remember it: return the longer cache."
)
def cache_not_extended(q, k, v, cache=None):
    output, longer = cached_attention(q, k, v, cache)
    return output, cache or longer


@cache_equals_recomputation.rejects(
    "Your new key stands before the old ones: rows are tokens in their order, so it is appended at the end."
)
def prepended(q, k, v, cache=None):
    output, longer = cached_attention(q, k, v, cache)
    K, V = (np.roll(x, 1, axis=-2) for x in (longer.K, longer.V))
    return output, KVCache(K, V)


@cache_equals_recomputation.rejects(
    "You remember queries in place of keys: nobody asks for an old query again."
)
def queries_remembered(q, k, v, cache=None):
    return cached_attention(q, q, v, cache)


@check(
    cache_bytes,
    equation="eq-cache-bytes",
    oracle="the bytes of torch tensors of keys and values, layer by layer",
    cases=20,
)
def cache_bytes_equal_torch(cache_bytes, rng):
    n, d_model, n_layers = size(rng), size(rng), size(rng)
    given, dtype = random_dtype(rng)
    keys_and_values = [torch.empty(2, n, d_model, dtype=dtype) for _ in range(n_layers)]
    return difference(
        cache_bytes(n, d_model, n_layers, *given),
        sum(tensor.nbytes for tensor in keys_and_values),
    )


@cache_bytes_equal_torch.rejects("You count the keys; the values are kept as well.")
def keys_alone(n, d_model, n_layers, itemsize=4):
    return itemsize * n_layers * n * d_model


@cache_bytes_equal_torch.rejects("Every layer has a cache of its own.")
def one_layer(n, d_model, n_layers, itemsize=4):
    return 2 * itemsize * n * d_model


@cache_bytes_equal_torch.rejects("A number takes several bytes: 4 in single precision.")
def numbers_in_place_of_bytes(n, d_model, n_layers, itemsize=4):
    return 2 * n_layers * n * d_model


@cache_bytes_equal_torch.rejects(
    "The cache grows with n, not with n²: one row for each token."
)
def quadratic(n, d_model, n_layers, itemsize=4):
    return 2 * itemsize * n_layers * n * n * d_model


@cache_equals_recomputation.rejects(
    "Your exp overflows for large scores: take the largest score away first."
)
def without_the_maximum(q, k, v, cache=None):
    K, V = (k[..., None, :], v[..., None, :]) if cache is None else (joined(cache.K, k), joined(cache.V, v))  # fmt: skip
    powers = np.exp((K @ q[..., None])[..., 0] / q.shape[-1] ** 0.5)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return (weights[..., None, :] @ V)[..., 0, :], KVCache(K, V)


@cache_equals_recomputation.rejects("The scores are not divided by √d_k.")
def without_scale(q, k, v, cache=None):
    return cached_attention(q * q.shape[-1] ** 0.5, k, v, cache)


@cache_equals_recomputation.rejects(
    "You divide the scores by the root of the number of keys; wanted that of d_k, the width of a key."
)
def scaled_by_the_length(q, k, v, cache=None):
    n = 1 if cache is None else cache.K.shape[-2] + 1
    return cached_attention(q * (q.shape[-1] / n) ** 0.5, k, v, cache)


@cache_equals_recomputation.rejects(
    "You return a cache of the newest key and value alone: the longer one holds the old ones too."
)
def only_the_newest_remembered(q, k, v, cache=None):
    newest = KVCache(k[..., None, :], v[..., None, :])
    return cached_attention(q, k, v, cache)[0], newest


@cache_equals_recomputation.rejects(
    "Your output still has an axis for the one query: take it off, O[..., 0, :]."
)
def axis_of_the_query_left(q, k, v, cache=None):
    O, longer = cached_attention(q, k, v, cache)
    return O[..., None, :], longer
