"""Steps 4 to 6: which tokens look at which, and what they take from them."""

from transformer_math.attention.multi_head import (
    AttentionParameters,
    concat_heads,
    multi_head_attention,
)
from transformer_math.attention.projections import project, score_terms, split_heads
from transformer_math.attention.scaled_dot_product import (
    apply_mask,
    attention,
    causal_mask,
    dot_product_variance,
    padding_mask,
    scores,
)
from transformer_math.attention.softmax import (
    entropy,
    softmax,
    softmax_in_place,
    softmax_jacobian,
)

__all__ = [
    "AttentionParameters",
    "apply_mask",
    "attention",
    "causal_mask",
    "concat_heads",
    "dot_product_variance",
    "entropy",
    "multi_head_attention",
    "padding_mask",
    "project",
    "score_terms",
    "scores",
    "softmax",
    "softmax_in_place",
    "softmax_jacobian",
    "split_heads",
]
