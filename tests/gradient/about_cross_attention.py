"""What the tests of all ideas ask of `gradient/cross_attention`."""

from answer_helpers import changing

from transformer_math.gradient import cross_attention_vjp

WRONG = [
    (
        cross_attention_vjp,
        changing(cross_attention_vjp, lambda dZ, dY, *dW: (dZ, 0 * dY, *dW)),
        "with respect to memory is missing",
    ),
]
