"""The key-value cache: what a model that writes need not compute again."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from transformer_math.attention.scaled_dot_product import attention
from transformer_math.contract import Size, contract


@contract
@dataclass(frozen=True)
class KVCache:
    """The keys and values of the tokens so far, one row each.

    Raises ValueError for keys and values of different numbers of tokens.
    """

    K: Float[np.ndarray, "... m d_k"]
    V: Float[np.ndarray, "... m d_v"]


@contract
def cached_attention(
    q: Float[np.ndarray, "... d_k"],
    k: Float[np.ndarray, "... d_k"],
    v: Float[np.ndarray, "... d_v"],
    cache: KVCache | None = None,
) -> tuple[Float[np.ndarray, "... d_v"], KVCache]:
    r"""Let one new token attend to those before it and to itself, and remember its key and value.

        K' = [K; k], V' = [V; v]
        o = softmax((q K'ᵀ)/√d_k) V'

    Token by token this gives the rows of `attention` under a causal mask; no mask is needed, since there is no future
    yet. Returns the output and the cache for the next token. Book: eq-kv-cache.
    Source: Shazeer (2019), section 2.4, arXiv:1911.02150.

    >>> output, cache = cached_attention(np.ones(1), np.ones(1), np.array([4.0]))
    >>> output, cache = cached_attention(np.zeros(1), np.ones(1), np.array([8.0]), cache)
    >>> output, cache.V.ravel()
    (array([6.]), array([4., 8.]))
    """
    K, V = k[..., None, :], v[..., None, :]
    if cache is not None:
        K = np.concatenate([cache.K, K], axis=-2)
        V = np.concatenate([cache.V, V], axis=-2)
    O, _ = attention(q[..., None, :], K, V)
    return O[..., 0, :], KVCache(K, V)


@contract
def cache_bytes(n: Size, d_model: Size, n_layers: Size, itemsize: Size = 4) -> int:
    r"""The memory of the keys and values of n tokens in all layers.

        bytes = 2 c N n d_model

    c is the size of one number in bytes, 4 in single precision. Book: eq-cache-bytes.

    >>> cache_bytes(1024, 512, n_layers=6)
    25165824
    """
    return 2 * itemsize * n_layers * n * d_model
