"""Checks of what attention costs, against PyTorch's counter of operations and the bytes of its tensors."""

import torch

from transformer_math.attention.cost import (
    projection_flops,
    score_flops,
    weights_bytes,
)
from transformer_math.checks.compare import difference
from transformer_math.checks.model.cost import torch_flops
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size, sometimes

DTYPES = {1: torch.int8, 2: torch.float16, 4: torch.float32, 8: torch.float64}


def random_dtype(rng):
    """The size of a number in bytes, given in most cases, and its type."""
    given, itemsize = sometimes(rng, int(rng.choice(list(DTYPES))), 4)
    return given, DTYPES[itemsize]


@check(
    projection_flops,
    equation="eq-projection-flops",
    oracle="torch.utils.flop_counter on four torch.nn.Linear",
    cases=20,
)
def projection_flops_equal_torch(projection_flops, rng):
    n, m, d_model = size(rng), size(rng), size(rng)
    counted = [
        torch_flops(torch.nn.Linear(d_model, d_model), torch.zeros(rows, d_model))
        for rows in (n, m, m, n)  # queries, keys, values, output
    ]
    return difference(projection_flops(n, m, d_model), sum(counted))


@projection_flops_equal_torch.rejects(
    "You count three projections; the output is projected too."
)
def three_projections(n, m, d_model):
    return 2 * n * d_model**2 + 4 * m * d_model**2


@projection_flops_equal_torch.rejects(
    "You count a multiply-add as one operation; it is a multiplication and an addition."
)
def multiply_adds(n, m, d_model):
    return projection_flops(n, m, d_model) // 2


@projection_flops_equal_torch.rejects(
    "Keys and values are projected from the m tokens of the other sequence."
)
def all_from_the_queries_side(n, m, d_model):
    return 8 * n * d_model**2


@check(
    score_flops,
    equation="eq-score-flops",
    oracle="torch.utils.flop_counter on scaled_dot_product_attention of several heads",
    cases=20,
)
def score_flops_equal_torch(score_flops, rng):
    n, m, n_heads, d_k = size(rng), size(rng), size(rng), size(rng)
    q, k = (torch.zeros(1, n_heads, rows, d_k) for rows in (n, m))
    fused = torch.nn.functional.scaled_dot_product_attention
    return difference(score_flops(n, m, n_heads * d_k), torch_flops(fused, q, k, k))


@score_flops_equal_torch.rejects("You count the scores, and forget the weighted sums.")
def scores_alone(n, m, d_model):
    return 2 * n * m * d_model


@score_flops_equal_torch.rejects(
    "Scores are n × m: each query meets each key of the other sequence."
)
def square(n, m, d_model):
    return 4 * n * n * d_model


@score_flops_equal_torch.rejects(
    "Each score is a dot product of d_k numbers: the width d belongs to the count."
)
def one_operation_for_each_score(n, m, d_model):
    return 4 * n * m


@check(
    weights_bytes,
    equation="eq-weights-bytes",
    oracle="the bytes of a torch tensor of that shape",
    cases=20,
)
def weights_bytes_equal_torch(weights_bytes, rng):
    n, m, n_heads = size(rng), size(rng), size(rng)
    given, dtype = random_dtype(rng)
    weights = torch.empty(n_heads, n, m, dtype=dtype)
    return difference(weights_bytes(n, m, n_heads, *given), weights.nbytes)


@weights_bytes_equal_torch.rejects("Every head has weights of its own.")
def one_head(n, m, n_heads, itemsize=4):
    return itemsize * n * m


@weights_bytes_equal_torch.rejects(
    "A number takes several bytes: 4 in single precision."
)
def numbers_for_bytes(n, m, n_heads, itemsize=4):
    return n_heads * n * m


@weights_bytes_equal_torch.rejects("A query's weights are m, one for each key.")
def square_weights(n, m, n_heads, itemsize=4):
    return itemsize * n_heads * n * n


@projection_flops_equal_torch.rejects(
    "You project three of the four from the n tokens: queries and output are made of Z, keys and values of the other m tokens."
)
def three_of_the_queries_side(n, m, d_model):
    return 2 * (3 * n + m) * d_model**2


@projection_flops_equal_torch.rejects(
    "You project three of the four from the m tokens: the output is made of what the n queries found."
)
def three_of_the_other_side(n, m, d_model):
    return 2 * (n + 3 * m) * d_model**2


@projection_flops_equal_torch.rejects(
    "You project all four from the m tokens: queries and output belong to the n tokens."
)
def all_from_the_other_side(n, m, d_model):
    return 8 * m * d_model**2


@projection_flops_equal_torch.rejects(
    "You count scores and weighted sums as well, 4 n m d: wanted the four projections alone."
)
def attention_too(n, m, d_model):
    return 4 * (n + m) * d_model**2 + 4 * n * m * d_model


@projection_flops_equal_torch.rejects(
    "You multiply n by m: in no projection do the two sequences meet. Each reads the tokens of one."
)
def product_of_the_lengths(n, m, d_model):
    return 8 * n * m * d_model**2


@projection_flops_equal_torch.rejects(
    "You have d once: each of the d numbers of a token is a sum of d products, so d²."
)
def width_once(n, m, d_model):
    return 4 * (n + m) * d_model
