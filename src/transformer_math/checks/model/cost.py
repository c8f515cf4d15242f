"""Checks of what the model costs, against PyTorch's own counters."""

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size
from transformer_math.model.cost import (
    encoder_layer_flops,
    encoder_layer_parameters,
    logits_flops,
)


def torch_flops(module, *inputs):
    """What PyTorch counts while the module runs; its fused attention for CPUs is one that it cannot count."""
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        module(*inputs)
    return counter.get_total_flops()


def random_layer(rng):
    n_heads = size(rng)
    d_model, d_ff = n_heads * size(rng), size(rng)
    layer = torch.nn.TransformerEncoderLayer(
        d_model, n_heads, d_ff, dropout=0.0, batch_first=True
    )
    return layer, d_model, d_ff


@check(
    encoder_layer_parameters,
    equation="eq-parameters",
    oracle="the parameters of torch.nn.TransformerEncoderLayer",
)
def parameters_equal_torch(encoder_layer_parameters, rng):
    layer, d_model, d_ff = random_layer(rng)
    return difference(
        encoder_layer_parameters(d_model, d_ff),
        sum(p.numel() for p in layer.parameters()),
    )


@parameters_equal_torch.rejects(
    "You count the matrices and forget biases and normalisations."
)
def matrices_only(d_model, d_ff):
    return 4 * d_model**2 + 2 * d_model * d_ff


@parameters_equal_torch.rejects(
    "You count three attention matrices: W_O is the fourth."
)
def without_w_o(d_model, d_ff):
    return encoder_layer_parameters(d_model, d_ff) - d_model**2 - d_model


@parameters_equal_torch.rejects(
    "You count one layer normalisation; there are two, each with γ and β."
)
def one_norm(d_model, d_ff):
    return encoder_layer_parameters(d_model, d_ff) - 2 * d_model


@check(
    encoder_layer_flops,
    equation="eq-flops",
    oracle="torch.utils.flop_counter on torch.nn.TransformerEncoderLayer",
    cases=30,
)
def layer_flops_equal_torch(encoder_layer_flops, rng):
    layer, d_model, d_ff = random_layer(rng)
    n = size(rng)
    return difference(
        encoder_layer_flops(n, d_model, d_ff),
        torch_flops(layer, torch.zeros(1, n, d_model)),
    )


@layer_flops_equal_torch.rejects(
    "You count a multiply-add as one operation; it is a multiplication and an addition."
)
def multiply_add_as_one(n, d_model, d_ff):
    return encoder_layer_flops(n, d_model, d_ff) // 2


@layer_flops_equal_torch.rejects(
    "Only the n² term is there: the projections cost 8 n d², which is more until n passes 2d."
)
def quadratic_term_only(n, d_model, d_ff):
    return 4 * n**2 * d_model


@layer_flops_equal_torch.rejects("You forget scores and weighted sums: 4 n² d.")
def without_scores(n, d_model, d_ff):
    return encoder_layer_flops(n, d_model, d_ff) - 4 * n**2 * d_model


@layer_flops_equal_torch.rejects(
    "You count three projections; the one after the heads is the fourth."
)
def three_projections(n, d_model, d_ff):
    return encoder_layer_flops(n, d_model, d_ff) - 2 * n * d_model**2


@check(
    logits_flops,
    equation="eq-logits-flops",
    oracle="torch.utils.flop_counter on torch.nn.Linear",
    cases=20,
)
def logits_flops_equal_torch(logits_flops, rng):
    n, d_model, vocab_size = size(rng), size(rng), size(rng)
    counted = torch_flops(
        torch.nn.Linear(d_model, vocab_size, bias=False), torch.zeros(n, d_model)
    )
    return difference(logits_flops(n, d_model, vocab_size), counted)


@logits_flops_equal_torch.rejects(
    "You count a multiply-add as one operation; it is two."
)
def halved(n, d_model, vocab_size):
    return n * d_model * vocab_size


@logits_flops_equal_torch.rejects(
    "You count the last position only; the matrix product covers all n."
)
def last_position_only(n, d_model, vocab_size):
    return 2 * d_model * vocab_size


@layer_flops_equal_torch.rejects(
    "You forget the feed-forward network: two products of n × d and d × d_ff, together 4 n d d_ff."
)
def without_network(n, d_model, d_ff):
    return 8 * n * d_model**2 + 4 * n**2 * d_model


@layer_flops_equal_torch.rejects(
    "Your feed-forward network has one matrix; it has two, one up to d_ff and one back."
)
def one_matrix_of_the_network(n, d_model, d_ff):
    return encoder_layer_flops(n, d_model, d_ff) - 2 * n * d_model * d_ff


@layer_flops_equal_torch.rejects(
    "You count scores or weighted sums, and forget the other of the two: together 4 n² d."
)
def half_of_attention(n, d_model, d_ff):
    return encoder_layer_flops(n, d_model, d_ff) - 2 * n**2 * d_model


@layer_flops_equal_torch.rejects(
    "You take 4 d for the width of the network; it is given, d_ff."
)
def width_of_four(n, d_model, d_ff):
    return encoder_layer_flops(n, d_model, 4 * d_model)


@layer_flops_equal_torch.rejects(
    "You count the entries of the matrices; each takes two operations for each of the n tokens, and n² scores are left out."
)
def entries_of_matrices(n, d_model, d_ff):
    return 4 * d_model**2 + 2 * d_model * d_ff


@logits_flops_equal_torch.rejects(
    "You have n²: one product of n × d and d × V takes 2 n d V."
)
def quadratic(n, d_model, vocab_size):
    return n * logits_flops(n, d_model, vocab_size)


@logits_flops_equal_torch.rejects("You forget d: each logit is a sum of d products.")
def one_product_for_each_logit(n, d_model, vocab_size):
    return 2 * n * vocab_size
