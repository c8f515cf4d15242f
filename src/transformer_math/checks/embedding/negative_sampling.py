"""Checks of negative sampling: the noise, which words are kept, the loss, and the table that its minimum factorises."""

import math

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import few, longest, size, sometimes
from transformer_math.embedding.negative_sampling import (
    keep_probability,
    negative_sampling_loss,
    noise_distribution,
    shifted_pmi,
)


def random_counts(rng, at_least=0):
    counts = rng.integers(at_least, 40, size=size(rng)).astype(float)
    counts[rng.random(len(counts)) < 0.2] = at_least  # of many words some never come
    counts[rng.integers(len(counts))] += 1
    return counts * rng.choice([1, 50])


@check(
    noise_distribution,
    equation="eq-noise",
    oracle="the definition, number by number",
    symbols={"counts": "c", "power": "alpha", "return": "q"},
)
def noise_equals_definition(noise_distribution, rng):
    counts = random_counts(rng)
    given, power = sometimes(rng, float(rng.choice([0.0, 0.5, 1.0, 1.5])), 0.75)
    weights = [count**power for count in counts.tolist()]
    wanted = [weight / math.fsum(weights) for weight in weights]
    return difference(noise_distribution(counts, *given), wanted)


@noise_equals_definition.rejects(
    "The power is missing: these are the shares of the text itself. Take each count to the power first."
)
def without_power(counts, power=0.75):
    return counts / counts.sum()


@noise_equals_definition.rejects(
    "You take shares first and forget to divide again: powers of shares do not sum to 1."
)
def not_renormalised(counts, power=0.75):
    return (counts / counts.sum()) ** power


@noise_equals_definition.rejects(
    "You do not divide by the sum: these are weights, not probabilities."
)
def weights_alone(counts, power=0.75):
    return counts**power


@noise_equals_definition.rejects(
    "Your power is turned over: 3/4, not 4/3. It is to make rare words less rare."
)
def power_turned_over(counts, power=0.75):
    weights = counts ** (1 / power if power else 9.0)
    return weights / weights.sum()


@noise_equals_definition.rejects(
    "You leave out words that never come: with the power 0 all words are drawn alike, these too."
)
def only_words_that_come(counts, power=0.75):
    weights = np.where(counts > 0, counts**power, 0.0)
    return weights / weights.sum()


@check(
    keep_probability,
    equation="eq-keep",
    oracle="the definition, number by number",
    symbols={"counts": "c", "threshold": "tau", "return": "kappa"},
)
def kept_equals_definition(keep_probability, rng):
    counts = random_counts(rng)
    given, threshold = sometimes(rng, float(rng.choice([0.01, 0.1, 1.0, 1.5])), 1e-5)
    total = math.fsum(counts.tolist())
    wanted = [
        min(1.0, math.sqrt(threshold * total / c)) if c else 1.0
        for c in counts.tolist()
    ]
    return difference(keep_probability(counts, *given), wanted)


@kept_equals_definition.rejects(
    "That is the probability of being thrown out: one minus it is the probability of staying."
)
def thrown_out(counts, threshold=1e-5):
    return 1 - keep_probability(counts, threshold)


@kept_equals_definition.rejects(
    "Your fraction is turned over: the more frequent a word, the more seldom it stays."
)
def turned_over(counts, threshold=1e-5):
    return np.sqrt(np.minimum(1, counts / counts.sum() / threshold))


@kept_equals_definition.rejects("The root is missing.")
def without_root(counts, threshold=1e-5):
    return keep_probability(counts, threshold) ** 2


@kept_equals_definition.rejects(
    "You take counts where shares of the text are wanted: divide by the number of words."
)
def counts_for_shares(counts, threshold=1e-5):
    return np.sqrt(np.minimum(1, threshold / np.maximum(counts, 1e-9)))


@kept_equals_definition.rejects(
    "Some of your probabilities are above 1: a rare word stays for certain.",
)
def above_one(counts, threshold=1e-5):
    shares = np.maximum(counts / counts.sum(), threshold / 4)
    return np.sqrt(threshold / shares)


def random_cases(rng):
    """Vectors that guess, the words that were there, the invented ones, and the vectors of words. Once the scores are so large that e^x is beyond floats."""
    m, d, vocab_size, k = size(rng), size(rng), size(rng), few(rng)
    scale = 1e4 if longest() else rng.choice([1.0, 30.0])
    return (
        rng.normal(size=(m, d)) * scale,
        rng.integers(vocab_size, size=m),
        rng.integers(vocab_size, size=(m, k)),
        rng.normal(size=(vocab_size, d)),
    )


def torch_loss(H, targets, negatives, U):
    """Binary cross-entropy with logits: 1 for the real word, 0 for each invented one."""
    words = torch.from_numpy(np.concatenate([targets[:, None], negatives], axis=1))
    scores = (H[:, None] * U[words]).sum(-1)
    labels = torch.zeros_like(scores)
    labels[:, 0] = 1
    losses = torch.nn.functional.binary_cross_entropy_with_logits(
        scores, labels, reduction="none"
    )
    return losses.sum(-1).mean()


@check(
    negative_sampling_loss,
    equation="eq-negative-sampling",
    oracle="torch.nn.functional.binary_cross_entropy_with_logits",
    symbols={"targets": "t", "negatives": "s", "U": "U", "return": "mathcal:L"},
)
def loss_equals_torch(negative_sampling_loss, rng):
    H, targets, negatives, U = random_cases(rng)
    wanted = torch_loss(torch.from_numpy(H), targets, negatives, torch.from_numpy(U))
    return difference(negative_sampling_loss(H, targets, negatives, U), float(wanted))


loss_equals_torch.visits("e^x beyond floats", lambda H, U: np.abs(H @ U.T).max() > 710)


def losses_of(H, targets, negatives, U):
    real = np.vecdot(H, U[targets])
    invented = np.vecdot(H[:, None], U[negatives])
    return np.logaddexp(0, -real), np.logaddexp(0, invented)


@loss_equals_torch.rejects(
    "Your invented words have the wrong sign: σ(−x), so that their scores fall."
)
def invented_with_the_wrong_sign(H, targets, negatives, U):
    real, _ = losses_of(H, targets, negatives, U)
    invented = losses_of(H, targets, negatives, -U)[1]
    return float((real + invented.sum(-1)).mean())


@loss_equals_torch.rejects(
    "You average over the invented words: the loss is the sum over all k of them."
)
def mean_of_the_invented(H, targets, negatives, U):
    real, invented = losses_of(H, targets, negatives, U)
    return float((real + invented.mean(-1)).mean())


@loss_equals_torch.rejects(
    "You leave the invented words out: then the loss falls to 0 as soon as all scores are large."
)
def without_invented(H, targets, negatives, U):
    return float(losses_of(H, targets, negatives, U)[0].mean())


@loss_equals_torch.rejects(
    "You add the losses of all cases up: the loss is their mean."
)
def sum_over_cases(H, targets, negatives, U):
    return len(H) * negative_sampling_loss(H, targets, negatives, U)


@loss_equals_torch.rejects(
    "Your sign is turned: that is the log-likelihood, which is to grow. A loss is its negative."
)
def likelihood(H, targets, negatives, U):
    return -negative_sampling_loss(H, targets, negatives, U)


@loss_equals_torch.rejects(
    "ln σ(x) became −∞ or was cut off: for large negative x take −ln(1 + e^(−x)), as `np.logaddexp(0, -x)` does."
)
def cut_off(H, targets, negatives, U):
    real, invented = losses_of(H, targets, negatives, U)
    most = -math.log(1e-9)
    return float((np.minimum(real, most) + np.minimum(invented, most).sum(-1)).mean())


@loss_equals_torch.rejects(
    "Your loss is infinite or NaN where e^x is beyond floats, so that σ(x) is 0: −ln σ(x) = ln(1 + e^(−x)) is `np.logaddexp(0, -x)`."
)
def by_a_rounded_probability(H, targets, negatives, U):
    real, invented = np.vecdot(H, U[targets]), np.vecdot(H[:, None], U[negatives])
    with np.errstate(all="ignore"):
        p, q = 1 / (1 + np.exp(-real)), 1 / (1 + np.exp(invented))
        return float(-(np.log(p) + np.log(q).sum(axis=-1)).mean())


@loss_equals_torch.rejects(
    "You use softmax over the real word and its invented ones: here each of them is a yes or no of its own."
)
def softmax_over_the_sample(H, targets, negatives, U):
    words = np.concatenate([targets[:, None], negatives], axis=1)
    scores = np.vecdot(H[:, None], U[words])
    return float((np.logaddexp.reduce(scores, axis=-1) - scores[:, 0]).mean())


def minimum_of_the_expected_loss(real, invented):
    """Where −real ln σ(x) − invented ln σ(−x) is smallest, by bisection of its slope as autograd gives it."""
    low, high = torch.full_like(real, -60.0), torch.full_like(real, 60.0)
    for _ in range(80):
        x = ((low + high) / 2).requires_grad_()
        log_sigmoid = torch.nn.functional.logsigmoid
        loss = -(real * log_sigmoid(x) + invented * log_sigmoid(-x)).sum()
        (slope,) = torch.autograd.grad(loss, x)
        x = x.detach()
        low, high = torch.where(slope < 0, x, low), torch.where(slope < 0, high, x)
    return (low + high) / 2


@check(
    shifted_pmi,
    equation="eq-shifted-pmi",
    oracle="the smallest expected loss of each pair, found by bisection of torch.autograd’s slope",
    symbols={"smoothing": "alpha", "C": "C", "return": "M"},
)
def shift_equals_minimum(shifted_pmi, rng):
    C = rng.integers(1, 30, size=(size(rng), size(rng))).astype(float)
    C[1:, 1:][rng.random(C[1:, 1:].shape) < 0.2] = 0
    k = size(rng)
    given, power = sometimes(rng, float(rng.choice([0.0, 0.5, 1.0])), 0.75)
    columns = torch.from_numpy(C).sum(0) ** power
    rows = torch.from_numpy(C).sum(1, keepdim=True)
    found = minimum_of_the_expected_loss(
        torch.from_numpy(C), k * rows * columns / columns.sum()
    )
    wanted = np.where(C > 0, found, -np.inf)  # with no end to the descent
    return difference(shifted_pmi(C, k, *given), wanted)


shift_equals_minimum.visits(
    "a pair that was never counted", lambda C: bool((C == 0).any())
)


def pmi(C, smoothing):
    q = noise_distribution(C.sum(axis=0), smoothing)
    with np.errstate(divide="ignore"):
        return np.log(C / (q * C.sum(axis=1, keepdims=True)))


@shift_equals_minimum.rejects("The shift is missing: subtract ln k.")
def unshifted(C, k, smoothing=0.75):
    return pmi(C, smoothing)


@shift_equals_minimum.rejects(
    "You add ln k: more invented words press every score down."
)
def shifted_up(C, k, smoothing=0.75):
    return pmi(C, smoothing) + np.log(k)


@shift_equals_minimum.rejects("You subtract k itself; wanted its logarithm.")
def shifted_by_k(C, k, smoothing=0.75):
    return pmi(C, smoothing) - k


@shift_equals_minimum.rejects(
    "You compare with the shares of the text: the invented words are drawn with the power, so it stands here too."
)
def without_smoothing(C, k, smoothing=0.75):
    return pmi(C, 1.0) - np.log(k)


@shift_equals_minimum.rejects(
    "You cut negative values off: that is PPMI. The scores of skip-gram go below 0."
)
def cut_at_zero(C, k, smoothing=0.75):
    return np.maximum(0, pmi(C, smoothing) - np.log(k))


@shift_equals_minimum.rejects(
    "A pair that was never counted gets 0, as if it came as often as chance has it: the logarithm of 0 is −∞."
)
def never_counted_as_zero(C, k, smoothing=0.75):
    M = shifted_pmi(C, k, smoothing)
    return np.where(np.isinf(M), 0, M)


@shift_equals_minimum.rejects(
    "You raise a count of 0 to a small number: the score of a pair that was never counted falls without end, to −∞."
)
def never_counted_as_little(C, k, smoothing=0.75):
    q = noise_distribution(C.sum(axis=0), smoothing)
    return np.log(np.maximum(C, 1e-12) / (k * q * C.sum(axis=1, keepdims=True)))
