"""Checks of the loss, and of the numbers that are made of it."""

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import (
    batch,
    longest,
    or_edge,
    size,
    smallest,
    sometimes,
)
from transformer_math.output.probabilities import log_softmax
from transformer_math.training.objective import (
    bits_per_byte,
    cross_entropy,
    perplexity,
    shift,
)


@check(
    cross_entropy,
    equation="eq-cross-entropy",
    oracle="torch.nn.functional.cross_entropy of each position, averaged with the weights",
    cases=60,
)
def cross_entropy_equals_torch(cross_entropy, rng):
    shape, V = (*batch(rng), size(rng)), size(rng, mostly=2)
    logits = rng.normal(size=(*shape, V)) * 10 ** rng.uniform(-1, 1)
    targets = rng.integers(V, size=shape)
    given, weights = sometimes(rng, rng.uniform(0.1, 2, size=shape), np.ones(shape))
    if given and rng.random() < 0.5:  # padding
        weights[..., 1:] *= rng.random(weights[..., 1:].shape) < 0.7
    more, smoothing = sometimes(rng, float(rng.uniform(0.05, 0.5)), 0.0)
    losses = torch.nn.functional.cross_entropy(
        torch.from_numpy(logits.reshape(-1, V)),
        torch.from_numpy(targets.reshape(-1)),
        reduction="none",
        label_smoothing=smoothing,
    ).numpy()
    wanted = losses @ weights.ravel() / weights.sum()
    settings = {"smoothing": more[0]} if more else {}
    return difference(cross_entropy(logits, targets, *given, **settings), wanted)


def positions(logits, targets, smoothing, share=None):
    log_p = log_softmax(logits)
    of_target = np.take_along_axis(log_p, targets[..., None], axis=-1)[..., 0]
    others = log_p.mean(axis=-1) if share is None else share(log_p, of_target)
    return -(1 - smoothing) * of_target - smoothing * others


cross_entropy_equals_torch.excuses(
    "a single position is a row of one: its target is no array", "no leading axes"
)
cross_entropy_equals_torch.excuses(
    "weights are no probabilities: what counts is their ratio", "1 in weights"
)


@cross_entropy_equals_torch.rejects(
    "You return the sum over the positions: it grows with the length of the text. Divide by the sum of the weights."
)
def summed(logits, targets, weights=None, smoothing=0.0):
    losses = positions(logits, targets, smoothing)
    return float((losses * (1.0 if weights is None else weights)).sum())


@cross_entropy_equals_torch.rejects(
    "You divide by the number of positions, padding included: divide by the sum of the weights."
)
def padding_counted(logits, targets, weights=None, smoothing=0.0):
    losses = positions(logits, targets, smoothing)
    return float((losses * (1.0 if weights is None else weights)).mean())


@cross_entropy_equals_torch.rejects(
    "You ignore the weights: positions of weight 0, such as padding, do not count."
)
def weights_ignored(logits, targets, weights=None, smoothing=0.0):
    return float(positions(logits, targets, smoothing).mean())


def of_logarithms(log, name):
    """Cross-entropy whose log-probabilities are made by `log` of the logits."""

    def wrong(logits, targets, weights=None, smoothing=0.0):
        log_p, V = log(logits), logits.shape[-1]
        wanted = (1 - smoothing) * np.eye(V)[targets] + smoothing / V
        losses = -(wanted * log_p).sum(axis=-1)
        return float(np.average(losses, weights=weights))

    wrong.__name__ = name
    return wrong


SMALL = {"10⁻⁸": 1e-8, "10⁻⁹": 1e-9, "10⁻¹⁰": 1e-10, "10⁻¹²": 1e-12}
for written, little in SMALL.items():
    cross_entropy_equals_torch.rejects(
        f"You add {written} to the probabilities before the logarithm, which changes the loss: log-softmax needs none."
    )(
        of_logarithms(
            lambda x, little=little: np.log(np.exp(log_softmax(x)) + little),
            f"with_{written}_added",
        )
    )
    cross_entropy_equals_torch.rejects(
        f"You raise small probabilities to {written} before the logarithm, which hides large losses: log-softmax needs none."
    )(
        of_logarithms(
            lambda x, little=little: np.log(np.maximum(np.exp(log_softmax(x)), little)),
            f"at_least_{written}",
        )
    )

for axis in (0, -2):
    cross_entropy_equals_torch.rejects(
        f"Your softmax runs down the columns, axis={axis}: it runs over the vocabulary, the last axis, axis=-1."
    )(
        of_logarithms(
            lambda x, axis=axis: x - np.logaddexp.reduce(x, axis=axis, keepdims=True),
            f"softmax_over_axis_{axis}".replace("-", "−"),
        )
    )


@cross_entropy_equals_torch.rejects(
    "Your loss is in bits: it is the natural logarithm that is averaged, in nats."
)
def in_bits(logits, targets, weights=None, smoothing=0.0):
    return cross_entropy(logits, targets, weights, smoothing) / np.log(2)


@cross_entropy_equals_torch.rejects(
    "You take the logits for log-probabilities: take the log-softmax first."
)
def without_softmax(logits, targets, weights=None, smoothing=0.0):
    of_target = np.take_along_axis(logits, targets[..., None], axis=-1)[..., 0]
    losses = -(1 - smoothing) * of_target - smoothing * logits.mean(axis=-1)
    return float(np.average(losses, weights=weights))


@cross_entropy_equals_torch.rejects(
    "You take softmax twice: cross_entropy is given logits, not probabilities. Take the log-softmax once."
)
def softmax_twice(logits, targets, weights=None, smoothing=0.0):
    return cross_entropy(np.exp(log_softmax(logits)), targets, weights, smoothing)


@cross_entropy_equals_torch.rejects(
    "Your loss has the wrong sign: a log-probability is negative, the loss is its opposite."
)
def negative(logits, targets, weights=None, smoothing=0.0):
    return -cross_entropy(logits, targets, weights, smoothing)


@cross_entropy_equals_torch.rejects(
    "You average the probabilities and take the logarithm of the mean: take the logarithm of each, then the mean."
)
def log_of_the_mean(logits, targets, weights=None, smoothing=0.0):
    p = np.exp(-positions(logits, targets, smoothing))
    return float(-np.log(np.average(p, weights=weights)))


@cross_entropy_equals_torch.rejects(
    "You ignore the smoothing: the target keeps 1 − α, and all tokens share α."
)
def not_smoothed(logits, targets, weights=None, smoothing=0.0):
    return cross_entropy(logits, targets, weights)


@cross_entropy_equals_torch.rejects(
    "You share α among the other tokens alone: each token gets α / V, the target too."
)
def smoothed_over_the_others(logits, targets, weights=None, smoothing=0.0):
    def others(log_p, of_target):
        return (log_p.sum(axis=-1) - of_target) / (log_p.shape[-1] - 1)

    losses = positions(logits, targets, smoothing, others)
    return float(np.average(losses, weights=weights))


@cross_entropy_equals_torch.rejects(
    "The target keeps its whole 1 in your version, and α comes on top: the shares must sum to 1."
)
def smoothing_on_top(logits, targets, weights=None, smoothing=0.0):
    losses = positions(logits, targets, 0.0)
    losses = losses - smoothing * log_softmax(logits).mean(axis=-1)
    return float(np.average(losses, weights=weights))


@check(
    shift,
    equation="eq-shift",
    symbols={"return": ("x", "y")},
    oracle="a loop over the pairs of neighbours",
)
def shift_pairs_neighbours(shift, rng):
    lead, n = batch(rng), size(rng, at_least=2)
    ids = rng.integers(1000, size=(*lead, n))
    rows = ids.reshape(-1, n).tolist()
    shape = (*lead, n - 1)
    inputs = [[a for a, _ in zip(row, row[1:])] for row in rows]
    targets = [[b for _, b in zip(row, row[1:])] for row in rows]
    wanted = [np.array(part).reshape(shape) for part in (inputs, targets)]
    return difference(shift(ids), wanted)


shift_pairs_neighbours.excuses("one token has no next one, and is refused", "n = 1")


@shift_pairs_neighbours.rejects(
    "Your targets are the inputs: the model would learn to repeat what it reads. The target is the next token."
)
def not_shifted(ids):
    return ids[..., :-1], ids[..., :-1]


@shift_pairs_neighbours.rejects(
    "You have inputs and targets the wrong way round: the target is the token that comes after."
)
def the_other_way(ids):
    return ids[..., 1:], ids[..., :-1]


@shift_pairs_neighbours.rejects(
    "Your last target is the first token: np.roll goes round the end. The last token has no next one, so drop it."
)
def rolled(ids):
    return ids, np.roll(ids, -1, axis=-1)


@shift_pairs_neighbours.rejects(
    "You shift along the first axis, from one sequence to the next: tokens follow each other along the last one."
)
def along_the_batch(ids):
    if ids.ndim == 1:
        return ids[:-1], ids[1:]
    return ids[:-1], ids[1:]


@check(
    perplexity,
    equation="eq-perplexity",
    symbols={"loss": "mathcal:L"},
    oracle="the root of the product of inverse probabilities",
)
def perplexity_is_a_mean_number_of_choices(perplexity, rng):
    p = rng.uniform(or_edge(rng, 1.0, 0.01), 1, size=size(rng))
    p = p * 1e-300 if longest() else p
    wanted = np.prod((1 / p) ** (1 / len(p)))
    return difference(perplexity(float(-np.log(p).mean())), wanted)


@perplexity_is_a_mean_number_of_choices.rejects(
    "You take a power of 2: that fits a loss in bits, and this one is in nats."
)
def of_bits(loss):
    return 2.0**loss


@perplexity_is_a_mean_number_of_choices.rejects(
    "That is the mean probability, in a sense; the perplexity is its inverse."
)
def inverse(loss):
    return float(np.exp(-loss))


@perplexity_is_a_mean_number_of_choices.rejects(
    "You bound the loss before you take e to its power: a model that is surely wrong has a perplexity without a bound."
)
def of_a_bounded_loss(loss):
    return float(np.exp(min(loss, 20.0)))


@check(
    bits_per_byte,
    equation="eq-bits-per-byte",
    symbols={"loss": "mathcal:L"},
    oracle="the bits of all tokens, one by one, over the bytes",
)
def bits_are_counted(bits_per_byte, rng):
    p = rng.uniform(or_edge(rng, 1.0, 0.01), 1, size=size(rng))
    n_bytes = len(p) + size(rng) - smallest()
    wanted = sum(-np.log2(p)) / n_bytes
    return difference(
        bits_per_byte(float(-np.log(p).mean()), len(p), n_bytes), float(wanted)
    )


@bits_are_counted.rejects("Your result is in nats: divide by ln 2.")
def nats_per_byte(loss, n_tokens, n_bytes):
    return loss * n_tokens / n_bytes


@bits_are_counted.rejects(
    "That is bits per token, which depends on the tokenizer: multiply by the tokens and divide by the bytes."
)
def bits_per_token(loss, n_tokens, n_bytes):
    return loss / np.log(2)


@bits_are_counted.rejects(
    "You have bytes and tokens the wrong way round: all bits, loss times tokens, are shared by the bytes."
)
def turned_round(loss, n_tokens, n_bytes):
    return loss * n_bytes / (n_tokens * np.log(2))


@cross_entropy_equals_torch.rejects(
    "You average over the vocabulary as well; wanted the sum over it, and the mean over the positions."
)
def mean_over_the_vocabulary(logits, targets, weights=None, smoothing=0.0):
    return cross_entropy(logits, targets, weights, smoothing) / logits.shape[-1]


@check(
    cross_entropy,
    equation="eq-cross-entropy",
    oracle="torch.nn.functional.cross_entropy",
    cases=6,
)
def cross_entropy_knows_no_zero(cross_entropy, rng):
    """Logits so large that their exponentials overflow."""
    n, V = size(rng), size(rng, at_least=2)
    logits, targets = rng.normal(size=(n, V)) + 2000, rng.integers(V, size=n)
    weights, smoothing = rng.uniform(0.1, 2, size=n), float(rng.uniform(0, 0.5))
    losses = torch.nn.functional.cross_entropy(
        *map(torch.from_numpy, (logits, targets)),
        reduction="none",
        label_smoothing=smoothing,
    )
    wanted = losses.numpy() @ weights / weights.sum()
    return difference(cross_entropy(logits, targets, weights, smoothing), wanted)


@cross_entropy_knows_no_zero.rejects(
    "Your exponentials overflow where logits are large: take the log-softmax, not the logarithm of softmax."
)
def logarithm_of_naive_softmax(logits, targets, weights=None, smoothing=0.0):
    p = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    y = np.full(p.shape, smoothing / p.shape[-1])
    rows = np.arange(len(targets.ravel()))
    y.reshape(len(rows), -1)[rows, targets.ravel()] += 1 - smoothing
    losses = -(y * np.log(p)).sum(axis=-1)
    return float(np.average(losses, weights=weights))


@shift_pairs_neighbours.rejects(
    "Your inputs still hold the last token, which has no answer: inputs and targets are equally long."
)
def last_input_kept(ids):
    return ids, ids[..., 1:]


@shift_pairs_neighbours.rejects(
    "You fill up the last target; the last token has no next one, so it is dropped from the inputs."
)
def filled_up(ids):
    return ids, np.concatenate([ids[..., 1:], 0 * ids[..., :1]], axis=-1)


@shift_pairs_neighbours.rejects(
    "Your target is the token after the next one: one step, not two."
)
def two_steps(ids):
    return ids[..., :-2], ids[..., 2:]


@bits_are_counted.rejects(
    "You take the logarithm of the loss, which is a logarithm already: divide by ln 2."
)
def logarithm_of_the_loss(loss, n_tokens, n_bytes):
    return float(np.log2(loss)) * n_tokens / n_bytes


@bits_are_counted.rejects("You multiply by ln 2; one nat is 1 / ln 2 bits, so divide.")
def multiplied_by_ln_2(loss, n_tokens, n_bytes):
    return loss * float(np.log(2)) * n_tokens / n_bytes


@bits_are_counted.rejects(
    "You take the perplexity itself; wanted its binary logarithm."
)
def perplexity_itself(loss, n_tokens, n_bytes):
    return float(np.exp(loss)) * n_tokens / n_bytes


@bits_are_counted.rejects(
    "You divide by 8: that would be bits for each bit of the text. Wanted bits for each byte."
)
def bits_per_bit(loss, n_tokens, n_bytes):
    return bits_per_byte(loss, n_tokens, n_bytes) / 8


@cross_entropy_equals_torch.rejects(
    "You return the losses of the positions; wanted one number, their weighted mean."
)
def one_for_each_position(logits, targets, weights=None, smoothing=0.0):
    return positions(logits, targets, smoothing)


@cross_entropy_equals_torch.rejects(
    "You take the plain mean of the pieces' losses: a piece with more weight counts more. Multiply each by its sum of weights, add, and divide by the whole."
)
def mean_of_two_pieces(logits, targets, weights=None, smoothing=0.0):
    w = np.ones(targets.shape) if weights is None else weights
    losses, half = positions(logits, targets, smoothing), targets.shape[-1] // 2
    pieces = [np.s_[..., :half], np.s_[..., half:]]
    means = [
        float(np.average(losses[piece], weights=w[piece]))
        for piece in pieces
        if w[piece].sum() > 0
    ]
    return sum(means) / len(means)


@shift_pairs_neighbours.rejects(
    "Inputs and targets are the same in your version, and as long as before: drop the last input and the first target."
)
def nothing_dropped(ids):
    return ids, ids
