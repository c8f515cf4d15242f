"""What a training step costs: three forward passes."""

from transformer_math.contract import Size, contract
from transformer_math.model.cost import encoder_layer_flops, logits_flops


@contract
def training_flops(
    n: Size, d_model: Size, d_ff: Size, n_layers: Size, vocab_size: Size
) -> int:
    r"""The floating-point operations of matrix products in one training step on one sequence of n tokens.

        FLOPs = 3 (N (8 n d_model² + 4 n² d_model + 4 n d_model d_ff) + 2 n d_model V)

    Forward each product is computed once; backward there are two of the same size, one for the gradient of each factor.
    Book: eq-training-flops. Source: Kaplan et al. (2020), section 2.1, arXiv:2001.08361.

    >>> training_flops(128, 96, 384, 4, 1024)
    490733568
    """
    forward = n_layers * encoder_layer_flops(n, d_model, d_ff)
    return 3 * (forward + logits_flops(n, d_model, vocab_size))
