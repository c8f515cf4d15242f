"""Checks of what a training step costs, against a count of what PyTorch does."""

from functools import cache

import torch
from torch.utils.flop_counter import FlopCounterMode

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size
from transformer_math.model.cost import encoder_layer_flops, logits_flops
from transformer_math.training.cost import training_flops


@cache
def counted(n, d, d_ff, n_layers, V):
    """What PyTorch multiplies in a forward and a backward pass, layer by layer, as its own counter says."""
    width = {"dtype": torch.float64, "requires_grad": True}
    E, W_out = torch.ones(V, d, **width), torch.ones(d, V, **width)
    Z = E[torch.zeros(n, dtype=torch.long)]
    with FlopCounterMode(display=False) as counter:
        for _ in range(n_layers):
            W = [torch.ones(d, d, **width) for _ in range(4)]
            W_1, W_2 = torch.ones(d, d_ff, **width), torch.ones(d_ff, d, **width)
            Q, K, V_ = (Z @ w for w in W[:3])
            Z = Z + torch.softmax(Q @ K.T, dim=-1) @ V_ @ W[3]
            Z = Z + torch.relu(Z @ W_1) @ W_2
        (Z @ W_out).sum().backward()
    return counter.get_total_flops()


@check(
    training_flops,
    equation="eq-training-flops",
    oracle="PyTorch’s count of the products in a forward and a backward pass",
    cases=20,
)
def training_flops_are_counted(training_flops, rng):
    sizes = [size(rng, mostly=2) for _ in range(5)]
    return difference(training_flops(*sizes), counted(*sizes))


@training_flops_are_counted.rejects(
    "You count the forward pass alone: backward there are two products for each of its own."
)
def forward_alone(n, d_model, d_ff, n_layers, vocab_size):
    return training_flops(n, d_model, d_ff, n_layers, vocab_size) // 3


@training_flops_are_counted.rejects(
    "You count the backward pass as one forward pass: each product has two factors, and both get a gradient."
)
def backward_as_forward(n, d_model, d_ff, n_layers, vocab_size):
    return training_flops(n, d_model, d_ff, n_layers, vocab_size) // 3 * 2


@training_flops_are_counted.rejects("You count a single layer: there are N of them.")
def one_layer(n, d_model, d_ff, n_layers, vocab_size):
    return training_flops(n, d_model, d_ff, 1, vocab_size)


@training_flops_are_counted.rejects(
    "You forget the projection to the vocabulary, 2 n d V."
)
def without_logits(n, d_model, d_ff, n_layers, vocab_size):
    return 3 * n_layers * encoder_layer_flops(n, d_model, d_ff)


@training_flops_are_counted.rejects(
    "You multiply the projection to the vocabulary by the layers: it comes once."
)
def logits_in_every_layer(n, d_model, d_ff, n_layers, vocab_size):
    layer = encoder_layer_flops(n, d_model, d_ff) + logits_flops(n, d_model, vocab_size)
    return 3 * n_layers * layer


@training_flops_are_counted.rejects(
    "Six times the parameters for each token leaves out the scores and the weighted sums, 4 n² d in each layer forward."
)
def six_times_parameters(n, d_model, d_ff, n_layers, vocab_size):
    matrices = n_layers * (4 * d_model**2 + 2 * d_model * d_ff) + d_model * vocab_size
    return 6 * n * matrices


@training_flops_are_counted.rejects(
    "You count scores or weighted sums, and forget the other of the two: together 4 n² d in each layer forward."
)
def half_of_attention(n, d_model, d_ff, n_layers, vocab_size):
    whole = training_flops(n, d_model, d_ff, n_layers, vocab_size)
    return whole - 3 * n_layers * 2 * n**2 * d_model


@training_flops_are_counted.rejects(
    "You count three matrices of d × d in each layer; the one after the heads is the fourth."
)
def three_projections(n, d_model, d_ff, n_layers, vocab_size):
    whole = training_flops(n, d_model, d_ff, n_layers, vocab_size)
    return whole - 3 * n_layers * 2 * n * d_model**2


@training_flops_are_counted.rejects(
    "You count a multiply-add as one operation; it is a multiplication and an addition."
)
def multiply_add_as_one(n, d_model, d_ff, n_layers, vocab_size):
    return training_flops(n, d_model, d_ff, n_layers, vocab_size) // 2


@training_flops_are_counted.rejects(
    "Your feed-forward network has one matrix; it has two, one up to d_ff and one back."
)
def one_matrix_of_the_network(n, d_model, d_ff, n_layers, vocab_size):
    whole = training_flops(n, d_model, d_ff, n_layers, vocab_size)
    return whole - 3 * n_layers * 2 * n * d_model * d_ff


@training_flops_are_counted.rejects(
    "You count the lookup as a product; it copies rows, and multiplies nothing."
)
def lookup_as_a_product(n, d_model, d_ff, n_layers, vocab_size):
    whole = training_flops(n, d_model, d_ff, n_layers, vocab_size)
    return whole + 3 * 2 * n * d_model * vocab_size
