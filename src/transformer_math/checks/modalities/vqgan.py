"""Checks of what draws with codes, against PyTorch's convolution, pooling and losses, and plain Python."""

import math

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import (
    batch,
    few,
    or_edge,
    size,
    small_batch,
    smallest,
    sometimes,
)
from transformer_math.modalities.vqgan import (
    adaptive_weight,
    convolve,
    discriminator_loss,
    energies,
    generator_loss,
    perceptual_loss,
)


def grid_and_kernel(rng):
    """A grid, seldom square, a kernel and a bias."""
    lead, h, w, c, d = small_batch(rng), size(rng), few(rng), few(rng), few(rng)
    X, K = rng.normal(size=(*lead, h, w, c)), rng.normal(size=(3, 3, c, d))
    return X, K, rng.normal(size=d)


def convolved(X, K, b):
    """PyTorch's convolution, which wants channels first and the kernel's last."""
    grids = X.reshape(-1, *X.shape[-3:]).permute(0, 3, 1, 2)
    kernel = K.permute(3, 2, 0, 1).contiguous()
    found = torch.nn.functional.conv2d(grids, kernel, b, padding=1)
    return found.permute(0, 2, 3, 1).reshape(*X.shape[:-1], K.shape[-1])


@check(
    convolve,
    equation="eq-convolve",
    symbols={"return": "Y"},
    oracle="torch.nn.functional.conv2d",
)
def convolution_equals_torch(convolve, rng):
    X, K, b = grid_and_kernel(rng)
    return difference(convolve(X, K, b), convolved(*map(torch.from_numpy, (X, K, b))))


def as_torch(X, K, b):
    return convolved(*map(torch.from_numpy, (X, K, b))).numpy()


@convolution_equals_torch.rejects(
    "You turn the kernel around, as mathematicians do; in networks K[0, 0] meets the neighbour above on the left."
)
def turned_kernel(X, K, b):
    return as_torch(X, K[::-1, ::-1].copy(), b)


@convolution_equals_torch.rejects(
    "Rows and columns of the kernel are exchanged: the first index goes down, the second to the right."
)
def kernel_transposed(X, K, b):
    return as_torch(X, K.swapaxes(0, 1).copy(), b)


@convolution_equals_torch.rejects(
    "Your grid is a ring: what leaves on the right comes in on the left. Beyond the border there are zeros."
)
def around_the_ring(X, K, b):
    return b + sum(
        np.roll(X, (1 - u, 1 - v), axis=(-3, -2)) @ K[u, v] for u, v in np.ndindex(3, 3)
    )


@convolution_equals_torch.rejects(
    "You repeat the cells of the border beyond it; wanted are zeros."
)
def border_repeated(X, K, b):
    lead = [(0, 0)] * (X.ndim - 3)
    wide = np.pad(X, [*lead, (1, 1), (1, 1), (0, 0)], mode="edge")
    return as_torch(wide, K, b)[..., 1:-1, 1:-1, :]


@convolution_equals_torch.rejects("The bias is missing.")
def without_bias(X, K, b):
    return as_torch(X, K, 0 * b)


@convolution_equals_torch.rejects(
    "You add the bias nine times, once for each neighbour: it is added once."
)
def nine_biases(X, K, b):
    return as_torch(X, K, 9 * b)


@convolution_equals_torch.rejects(
    "Every cell sees itself alone in your version: eight neighbours are missing."
)
def cell_alone(X, K, b):
    return X @ K[1, 1] + b


def answers(rng):
    """The answers of filters on a picture, and the side of a square that divides it; sometimes all of them 0."""
    P = few(rng)
    shape = few(rng) * P, few(rng) * P, few(rng)
    Y = rng.normal(size=(*small_batch(rng), *shape))
    return Y * or_edge(rng, 0.0, 1.0), P


def pooled(Y, patch_size, eps=1e-4):
    """PyTorch's mean over squares."""
    pictures = Y.reshape(-1, *Y.shape[-3:]).permute(0, 3, 1, 2)
    means = torch.nn.functional.avg_pool2d(pictures.square(), patch_size)
    return (eps + means).sqrt().flatten(2).mT.reshape(*Y.shape[:-3], -1, Y.shape[-1])


def sometimes_eps(rng):
    return sometimes(rng, float(rng.choice([1e-3, 0.1, 2.0])), 1e-4)


@check(
    energies,
    equation="eq-energies",
    symbols={"patch_size": "p", "eps": "varepsilon", "return": "E"},
    oracle="torch.nn.functional.avg_pool2d",
)
def energies_equal_pooling(energies, rng):
    Y, P = answers(rng)
    given, eps = sometimes_eps(rng)
    return difference(energies(Y, P, *given), pooled(torch.from_numpy(Y), P, eps))


def in_squares(Y, P):
    *lead, H, W, k = Y.shape
    return (
        Y.reshape(*lead, H // P, P, W // P, P, k)
        .swapaxes(-4, -3)
        .reshape(*lead, -1, P * P, k)
    )


@energies_equal_pooling.rejects(
    "You average first and square then: answers of both signs cancel, and a fine stripe looks like nothing."
)
def averaged_first(Y, patch_size, eps=1e-4):
    return np.sqrt(eps + np.square(in_squares(Y, patch_size).mean(axis=-2)))


@energies_equal_pooling.rejects(
    "You take the mean of absolute values; wanted is the root of the mean square."
)
def mean_of_sizes(Y, patch_size, eps=1e-4):
    return np.abs(in_squares(Y, patch_size)).mean(axis=-2) + np.sqrt(eps)


@energies_equal_pooling.rejects(
    "You add up the squares: divide by p², or a large square looks stronger than a small one."
)
def not_averaged(Y, patch_size, eps=1e-4):
    return np.sqrt(eps + np.square(in_squares(Y, patch_size)).sum(axis=-2))


@energies_equal_pooling.rejects(
    "ε stands outside the root: then the slope at 0 is infinite. It belongs under the root."
)
def eps_outside(Y, patch_size, eps=1e-4):
    return eps + np.sqrt(np.square(in_squares(Y, patch_size)).mean(axis=-2))


@energies_equal_pooling.rejects("The root is missing.")
def without_root(Y, patch_size, eps=1e-4):
    return eps + np.square(in_squares(Y, patch_size)).mean(axis=-2)


@energies_equal_pooling.rejects(
    "You run the filters together: each has a number of its own for every square."
)
def filters_mixed(Y, patch_size, eps=1e-4):
    squares = np.square(in_squares(Y, patch_size)).mean(axis=-2)
    return np.sqrt(eps + 0 * squares + squares.mean(axis=-1, keepdims=True))


def two_features(rng):
    """Features of two pictures; sometimes they are the same."""
    shape = *batch(rng), size(rng), size(rng)
    E = rng.normal(size=shape)
    return E, E + or_edge(rng, 0.0, 1.0) * rng.normal(size=shape)


@check(
    perceptual_loss,
    equation="eq-perceptual-loss",
    symbols={"E_hat": "E'", "return": "mathcal:L^per"},
    oracle="torch.nn.functional.mse_loss",
)
def perceptual_equals_torch(perceptual_loss, rng):
    E, E_hat = two_features(rng)
    wanted = torch.nn.functional.mse_loss(*map(torch.from_numpy, (E, E_hat)))
    return difference(perceptual_loss(E, E_hat), float(wanted))


@perceptual_equals_torch.rejects("You add up; wanted is the mean.")
def added_up(E, E_hat):
    return float(np.square(E - E_hat).sum())


@perceptual_equals_torch.rejects("You take absolute differences; wanted are squares.")
def absolute(E, E_hat):
    return float(np.abs(E - E_hat).mean())


@perceptual_equals_torch.rejects(
    "You compare the mean features of the whole pictures: an edge may then stand anywhere."
)
def means_compared(E, E_hat):
    return float(np.square(E.mean(axis=-2) - E_hat.mean(axis=-2)).mean())


def two_scores(rng):
    """Scores of real and of drawn patches, of different numbers; some on the very border, and sometimes all on their side."""
    far = or_edge(rng, 5.0, 0.0)
    S = rng.normal(size=(*batch(rng), size(rng))) + far
    S_hat = rng.normal(size=(*batch(rng), size(rng))) - far
    if rng.random() < 0.3 and not smallest():
        S.flat[0], S_hat.flat[0] = 1.0, -1.0
    return S, S_hat


@check(
    discriminator_loss,
    equation="eq-discriminator-loss",
    symbols={"S_hat": "S'", "return": "mathcal:L^dis"},
    oracle="torch.nn.functional.hinge_embedding_loss",
)
def hinge_equals_torch(discriminator_loss, rng):
    S, S_hat = two_scores(rng)
    hinge = torch.nn.functional.hinge_embedding_loss
    both = (torch.from_numpy(x) for x in (S, -S_hat))
    wanted = sum(hinge(x, -torch.ones_like(x), margin=1.0) for x in both) / 2
    return difference(discriminator_loss(S, S_hat), float(wanted))


hinge_equals_torch.visits("all scores on their side", lambda S: S.min() >= 1)


@hinge_equals_torch.rejects(
    "Real and drawn are exchanged: your discriminator learns to praise what is drawn."
)
def sides_exchanged(S, S_hat):
    return discriminator_loss(S_hat, S)


@hinge_equals_torch.rejects(
    "max(0, …) is missing: your loss falls without end as the scores grow, and the discriminator never comes to rest."
)
def without_max(S, S_hat):
    return float(((1 - S).mean() + (1 + S_hat).mean()) / 2)


@hinge_equals_torch.rejects(
    "You squash the scores before the hinge: a logistic curve never goes below 0, so that no drawn patch could come to −1."
)
def squashed(S, S_hat):
    return discriminator_loss(1 / (1 + np.exp(-S)), 1 / (1 + np.exp(-S_hat)))


@hinge_equals_torch.rejects(
    "You average over all scores together: real and drawn count the same, however many there are of each."
)
def all_together(S, S_hat):
    real, drawn = np.maximum(0, 1 - S), np.maximum(0, 1 + S_hat)
    return float((real.sum() + drawn.sum()) / (S.size + S_hat.size))


@hinge_equals_torch.rejects("The half is missing: wanted is the mean of the two sides.")
def without_half(S, S_hat):
    return 2 * discriminator_loss(S, S_hat)


@hinge_equals_torch.rejects(
    "That is the logistic loss, which rewards certainty without end; wanted is the hinge, which is 0 beyond 1 and −1."
)
def logistic(S, S_hat):
    return float((np.logaddexp(0, -S).mean() + np.logaddexp(0, S_hat).mean()) / 2)


@hinge_equals_torch.rejects(
    "Your margin is 0: a score only has to be on its side. It must be there by at least 1."
)
def without_margin(S, S_hat):
    return float((np.maximum(0, -S).mean() + np.maximum(0, S_hat).mean()) / 2)


@check(
    generator_loss,
    equation="eq-generator-loss",
    symbols={"S_hat": "S'", "return": "mathcal:L^gan"},
    oracle="Python's math.fsum",
)
def generator_equals_sum(generator_loss, rng):
    S_hat = rng.normal(size=(*batch(rng), size(rng)))
    wanted = -math.fsum(S_hat.ravel()) / S_hat.size
    return difference(generator_loss(S_hat), wanted)


@generator_equals_sum.rejects(
    "The sign is that of the discriminator: your autoencoder would learn to be found out."
)
def on_the_other_side(S_hat):
    return float(S_hat.mean())


@generator_equals_sum.rejects(
    "You use the discriminator's hinge: it stops pushing where a patch is taken for real by 1, and has the wrong sign."
)
def with_hinge(S_hat):
    return float(np.maximum(0, 1 + S_hat).mean())


@generator_equals_sum.rejects("You add up; wanted is the mean.")
def summed(S_hat):
    return -float(S_hat.sum())


@generator_equals_sum.rejects(
    "You squash the scores first: where the discriminator is certain, hardly any gradient is left."
)
def squashed_first(S_hat):
    return -float((1 / (1 + np.exp(-S_hat))).mean())


@check(
    adaptive_weight,
    equation="eq-adaptive-weight",
    symbols={"g_rec": "G^rec", "g_gan": "G^gan", "delta": "delta", "return": "lambda"},
    oracle="torch.linalg.vector_norm",
)
def weight_equals_norms(adaptive_weight, rng):
    shape = size(rng), size(rng)
    g_rec = rng.normal(size=shape)
    g_gan = rng.normal(size=shape) * or_edge(rng, 0.0, 1.0)
    given, delta = sometimes(rng, float(rng.choice([1e-4, 0.1, 2.0])), 1e-6)
    rec, gan = (torch.linalg.vector_norm(torch.from_numpy(g)) for g in (g_rec, g_gan))
    return difference(adaptive_weight(g_rec, g_gan, *given), float(rec / (gan + delta)))


weight_equals_norms.visits(
    "a discriminator that says nothing", lambda g_gan: not g_gan.any()
)


@weight_equals_norms.rejects(
    "Your weight is upside down: a discriminator that shouts would be made louder."
)
def upside_down(g_rec, g_gan, delta=1e-6):
    return float(np.linalg.norm(g_gan) / (np.linalg.norm(g_rec) + delta))


@weight_equals_norms.rejects(
    "You divide entry by entry: wanted is one number, the quotient of two lengths."
)
def entry_by_entry(g_rec, g_gan, delta=1e-6):
    return float((np.abs(g_rec) / (np.abs(g_gan) + delta)).mean())


@weight_equals_norms.rejects("You divide squared lengths: the root is missing.")
def squared_lengths(g_rec, g_gan, delta=1e-6):
    return float(np.square(g_rec).sum() / (np.square(g_gan).sum() + delta))


@weight_equals_norms.rejects(
    "You use the spectral norm, the largest singular value; wanted is the root of the sum of all squares."
)
def spectral(g_rec, g_gan, delta=1e-6):
    return float(np.linalg.norm(g_rec, 2) / (np.linalg.norm(g_gan, 2) + delta))
