"""What attention costs: floating-point operations and bytes, against the numbers of queries and keys."""

from transformer_math.contract import Size, contract


@contract
def projection_flops(n: Size, m: Size, d_model: Size) -> int:
    r"""The floating-point operations of the four projections of a multi-head attention with H d_k = H d_v = d_model.

        FLOPs = 4 n d_model² + 4 m d_model²

    For n queries and m keys; in self-attention m = n, and they are 8 n d^2. A multiply-add counts as two.
    Book: eq-projection-flops.

    >>> projection_flops(1024, 1024, 512)
    2147483648
    """
    return 4 * n * d_model**2 + 4 * m * d_model**2


@contract
def score_flops(n: Size, m: Size, d_model: Size) -> int:
    r"""The floating-point operations of all heads' products Q K^T and A V.

        FLOPs = 2 n m d_model + 2 n m d_model

    In self-attention m = n, and they are 4 n^2 d. The number of heads does not matter. Book: eq-score-flops.

    >>> score_flops(1024, 1024, 512)
    2147483648
    """
    return 4 * n * m * d_model


@contract
def weights_bytes(n: Size, m: Size, n_heads: Size, itemsize: Size = 4) -> int:
    r"""The memory that the weights of all heads take where they are held whole.

        bytes = c H n m

    c is the size of one number in bytes, 4 in single precision. Book: eq-weights-bytes.

    >>> weights_bytes(1024, 1024, n_heads=8)
    33554432
    """
    return itemsize * n_heads * n * m
