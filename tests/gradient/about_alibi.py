"""What the tests of all ideas ask of `gradient/alibi`."""

from answer_helpers import changing

from transformer_math.gradient import alibi_attention_vjp

WRONG = [
    (
        alibi_attention_vjp,
        changing(alibi_attention_vjp, lambda dQ, dK, dV: (dQ, dK, 2 * dV)),
        "wrong is that of `V`",
    ),
    (
        alibi_attention_vjp,
        changing(alibi_attention_vjp, lambda dQ, dK, dV: (-dQ, dK, dV)),
        "wrong is that of `Q`",
    ),
]
