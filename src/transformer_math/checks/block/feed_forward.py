"""Checks of the activations and the feed-forward network."""

import math

import numpy as np
import torch

from transformer_math.attention.projections import project
from transformer_math.block.feed_forward import feed_forward, gelu, gelu_tanh, relu
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size, sometimes, tokens
from transformer_math.checks.torch_layers import array, feed_forward_parameters, shaken
from transformer_math.checks.wrong import reject_deafness_to_activation


def random_numbers(rng):
    return tokens(rng, size(rng), size(rng))


@check(relu, equation="eq-relu", oracle="torch.relu")
def relu_equals_torch(relu, rng):
    x = random_numbers(rng)
    return difference(relu(x), torch.relu(torch.from_numpy(x)))


@relu_equals_torch.rejects(
    "You take the absolute value: negative numbers become 0, they are not mirrored."
)
def mirrored(x):
    return np.abs(x)


@relu_equals_torch.rejects(
    "You keep the negative numbers: the larger of x and 0 is wanted."
)
def smaller_kept(x):
    return np.minimum(x, 0)


@relu_equals_torch.rejects(
    "A little of the negative numbers leaks through in your version: that is a leaky ReLU."
)
def leaky_relu(x):
    return np.where(x > 0, x, 0.01 * x)


@check(gelu, equation="eq-gelu", oracle="torch.nn.functional.gelu")
def gelu_equals_torch(gelu, rng):
    x = random_numbers(rng)
    return difference(gelu(x), torch.nn.functional.gelu(torch.from_numpy(x)))


@gelu_equals_torch.rejects(
    "That is the tanh approximation; wanted the exact formula with erf."
)
def approximated_by_tanh(x):
    return gelu_tanh(x)


@gelu_equals_torch.rejects("That is x σ(1.702 x), a rougher approximation; wanted erf.")
def approximated_by_logistic(x):
    return x / (1 + np.exp(-1.702 * x))


@gelu_equals_torch.rejects(
    "That is ReLU: it cuts negative numbers off at 0. GELU multiplies x by the probability Φ(x)."
)
def hard_relu(x):
    return relu(x)


@gelu_equals_torch.rejects(
    "You give the probability Φ(x) alone: GELU is x times Φ(x), so multiply by x."
)
def probability_alone(x):
    return torch.special.ndtr(torch.from_numpy(x)).numpy()


@gelu_equals_torch.rejects(
    "You take the probability of the other tail, Φ(−x): large numbers go to 0, and they should stay. Wanted Φ(x)."
)
def other_tail(x):
    return -gelu(-x)


@gelu_equals_torch.rejects(
    "You forget the 1: erf runs from −1 to 1, and a probability from 0 to 1, (1 + erf(x/√2)) / 2."
)
def one_forgotten(x):
    return gelu(x) - x / 2


@gelu_equals_torch.rejects(
    "erf takes x / √2: without the root, the bell curve is too narrow."
)
def root_forgotten(x):
    return gelu(x * math.sqrt(2)) / math.sqrt(2)


@check(
    gelu_tanh,
    equation="eq-gelu-tanh",
    oracle="torch.nn.functional.gelu with approximate='tanh'",
)
def gelu_tanh_equals_torch(gelu_tanh, rng):
    x = random_numbers(rng)
    return difference(
        gelu_tanh(x), torch.nn.functional.gelu(torch.from_numpy(x), approximate="tanh")
    )


@gelu_tanh_equals_torch.rejects(
    "That is the exact GELU; wanted its approximation by tanh."
)
def exact_gelu(x):
    return gelu(x)


@gelu_tanh_equals_torch.rejects("Your constant is ten times too large: 0.044715.")
def constant_too_large(x):
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.44715 * x**3)))


@check(
    feed_forward,
    equation="eq-feed-forward",
    oracle="torch.nn.Sequential(Linear, ReLU or Tanh, Linear)",
)
def feed_forward_equals_torch(feed_forward, rng):
    d_model, d_ff = size(rng), size(rng)
    first, second = torch.nn.Linear(d_model, d_ff), torch.nn.Linear(d_ff, d_model)
    given, activation = sometimes(rng, np.tanh, relu)
    between = torch.nn.Tanh() if activation is np.tanh else torch.nn.ReLU()
    module = shaken(torch.nn.Sequential(first, between, second), rng)
    x = tokens(rng, d_model)
    return difference(
        feed_forward(x, feed_forward_parameters(first, second), *given),
        array(module(torch.from_numpy(x))),
    )


reject_deafness_to_activation(feed_forward_equals_torch)


@feed_forward_equals_torch.rejects(
    "There is no activation between your layers: two linear maps in a row are one."
)
def linear(x, p, activation=relu):
    return project(project(x, p.W_1, p.b_1), p.W_2, p.b_2)


@feed_forward_equals_torch.rejects(
    "You apply the activation to the result too; it belongs between the layers only."
)
def activated_twice(x, p, activation=relu):
    return activation(feed_forward(x, p, activation))


@feed_forward_equals_torch.rejects(
    "You add b_1 after the activation; it goes in before."
)
def bias_after_activation(x, p, activation=relu):
    return project(activation(x @ p.W_1) + p.b_1, p.W_2, p.b_2)


@feed_forward_equals_torch.rejects("You forget b_1, the bias of the first layer.")
def without_first_bias(x, p, activation=relu):
    return project(activation(x @ p.W_1), p.W_2, p.b_2)


@feed_forward_equals_torch.rejects("You forget b_2, the bias of the second layer.")
def without_second_bias(x, p, activation=relu):
    return activation(x @ p.W_1 + p.b_1) @ p.W_2


@feed_forward_equals_torch.rejects(
    "You add the input to the result; the residual is a step of its own, after this one."
)
def with_residual(x, p, activation=relu):
    return x + feed_forward(x, p, activation)
