"""What the model costs: parameters to store, floating-point operations to do."""

from transformer_math.errors import require


def encoder_layer_parameters(d_model: int, d_ff: int) -> int:
    r"""The number of parameters in one encoder layer with biases.

        4 d^2 + 4 d  (attention)  +  2 d d_ff + d_ff + d  (feed-forward)  +  4 d  (two layer normalisations)

    The number of heads does not matter as long as d = H d_k. Book: eq-parameters.

    >>> encoder_layer_parameters(512, 2048)
    3152384
    """
    _require_positive(d_model=d_model, d_ff=d_ff)
    return (
        4 * d_model**2 + 4 * d_model + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model
    )


def encoder_layer_flops(n: int, d_model: int, d_ff: int) -> int:
    r"""The floating-point operations of the matrix products in one encoder layer; a multiply-add counts as two.

        8 n d^2  (four projections)  +  4 n^2 d  (scores, weighted sum)  +  4 n d d_ff  (feed-forward)

    Book: eq-flops.

    >>> encoder_layer_flops(1, 512, 2048)
    6293504
    """
    _require_positive(n=n, d_model=d_model, d_ff=d_ff)
    return 8 * n * d_model**2 + 4 * n**2 * d_model + 4 * n * d_model * d_ff


def logits_flops(n: int, d_model: int, vocab_size: int) -> int:
    r"""The floating-point operations of the projection to the vocabulary.

        2 n d V

    Book: eq-logits-flops.

    >>> logits_flops(1, 512, 50257)
    51463168
    """
    _require_positive(n=n, d_model=d_model, vocab_size=vocab_size)
    return 2 * n * d_model * vocab_size


def _require_positive(**sizes: int) -> None:
    for name, size in sizes.items():
        require(
            size >= 1,
            f"{name} is {size}; wanted a positive number. Fix: pass the size of a model.",
        )
