"""What the model costs: parameters to store, floating-point operations to do."""

from transformer_math.contract import Size, contract


@contract
def encoder_layer_parameters(d_model: Size, d_ff: Size) -> int:
    r"""The number of parameters in one encoder layer with biases.

        4 d² + 4 d [attention] + 4 d [two LayerNorms] + 2 d d_ff + d_ff + d [feed-forward]
        (d = d_model)

    The number of heads does not matter as long as d = H d_k. Book: eq-parameters.

    >>> encoder_layer_parameters(512, 2048)
    3152384
    """
    attention = 4 * d_model**2 + 4 * d_model
    feed_forward = 2 * d_model * d_ff + d_ff + d_model
    return attention + feed_forward + 4 * d_model


@contract
def encoder_layer_flops(n: Size, d_model: Size, d_ff: Size) -> int:
    r"""The floating-point operations of the matrix products in one encoder layer; a multiply-add counts as two.

        FLOPs = 6 n d_model² [Q, K, V] + 4 n² d_model [QKᵀ, AV]
        + 2 n d_model² [W^O] + 4 n d_model d_ff [feed-forward]

    Book: eq-flops.

    >>> encoder_layer_flops(1, 512, 2048)
    6293504
    """
    projections = 8 * n * d_model**2
    scores_and_sum = 4 * n**2 * d_model
    return projections + scores_and_sum + 4 * n * d_model * d_ff


@contract
def logits_flops(n: Size, d_model: Size, vocab_size: Size) -> int:
    r"""The floating-point operations of the projection to the vocabulary.

        FLOPs = 2 n d_model V

    Book: eq-logits-flops.

    >>> logits_flops(1, 512, 50257)
    51463168
    """
    return 2 * n * d_model * vocab_size
