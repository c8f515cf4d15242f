"""Steps 4 to 6: which tokens look at which, and what they take from them."""

# Written by `make exports` from what the modules define.
from transformer_math.attention.blockwise import blockwise_attention, online_softmax
from transformer_math.attention.cache import KVCache, cache_bytes, cached_attention
from transformer_math.attention.cost import projection_flops, score_flops, weights_bytes
from transformer_math.attention.cross_attention import cross_attention
from transformer_math.attention.masks import (
    additive_mask,
    apply_mask,
    causal_mask,
    causal_padding_mask,
    padding_mask,
    prefix_mask,
    sliding_window_mask,
)
from transformer_math.attention.multi_head import (
    AttentionParameters,
    concat_heads,
    multi_head_attention,
)
from transformer_math.attention.projections import project, score_terms, split_heads
from transformer_math.attention.scaled_dot_product import (
    attention,
    dot_product_variance,
    scores,
)
from transformer_math.attention.softmax import entropy, softmax, softmax_jacobian

__all__ = [
    "AttentionParameters",
    "KVCache",
    "additive_mask",
    "apply_mask",
    "attention",
    "blockwise_attention",
    "cache_bytes",
    "cached_attention",
    "causal_mask",
    "causal_padding_mask",
    "concat_heads",
    "cross_attention",
    "dot_product_variance",
    "entropy",
    "multi_head_attention",
    "online_softmax",
    "padding_mask",
    "prefix_mask",
    "project",
    "projection_flops",
    "score_flops",
    "score_terms",
    "scores",
    "sliding_window_mask",
    "softmax",
    "softmax_jacobian",
    "split_heads",
    "weights_bytes",
]
