"""Checks of the vision transformer: its scores against PyTorch's modules, rollout against all paths, accuracy by counting."""

from dataclasses import replace
from itertools import product

import numpy as np
import torch

from transformer_math.block.encoder_layer import encoder_layer_pre_norm
from transformer_math.block.layer_norm import NormParameters
from transformer_math.checks import torch_layers
from transformer_math.checks.compare import difference
from transformer_math.checks.modalities.patches import convolved, random_picture
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import (
    batch,
    few,
    mask_for_heads,
    size,
    smallest,
    sometimes,
)
from transformer_math.checks.wrong import reject_careless_masks
from transformer_math.modalities.patches import vit_input
from transformer_math.modalities.vit import (
    ViTParameters,
    accuracy,
    attention_rollout,
    vit_logits,
)
from transformer_math.model.encoder import encoder, encoder_pre_norm
from transformer_math.output.probabilities import logits


def random_reader(rng, X, patch_size):
    """A vision transformer built of torch.nn modules, as a function of pictures and mask; the same weights as ours; its heads."""
    *lead, H, W, C = X.shape
    n_heads, classes = few(rng), size(rng)
    d_model, n = n_heads * few(rng, mostly=2), H * W // patch_size**2 + 1
    stack = torch_layers.encoder(
        rng, few(rng), d_model, n_heads, size(rng), norm_first=True
    )
    norm = torch_layers.shaken(torch.nn.LayerNorm(d_model), rng)
    head = torch_layers.shaken(torch.nn.Linear(d_model, classes), rng)
    first = {
        "E": rng.normal(size=(patch_size**2 * C, d_model)),
        "x_class": rng.normal(size=d_model),
        "P": rng.normal(size=(n, d_model)),
    }

    def model(mask=None):
        Z = convolved(
            torch.from_numpy(X), patch_size, *map(torch.from_numpy, first.values())
        )
        masked = torch_layers.torch_mask(mask, *lead, n_heads, n, n)
        Z = stack(Z.reshape(-1, n, d_model), masked)
        return head(norm(Z)[:, 0]).reshape(*lead, classes)

    array = torch_layers.array
    layers = tuple(map(torch_layers.encoder_layer_parameters, stack.layers))
    last = NormParameters(array(norm.weight), array(norm.bias))
    own = ViTParameters(
        **first,
        layers=layers,
        norm=last,
        W_out=array(head.weight).T,
        b_out=array(head.bias),
    )
    return model, own, n_heads, n


@check(
    vit_logits,
    equation="eq-vit-logits",
    symbols={"x_class": "x^class", "return": "logits"},
    oracle="the model built of torch.nn modules, a convolution before them, with the same weights",
    cases=24,
)
def scores_equal_torch(vit_logits, rng):
    X, patch_size = random_picture(rng)
    model, parameters, n_heads, n = random_reader(rng, X, patch_size)
    mask = mask_for_heads(rng, X.shape[:-3], n_heads, n, n)
    given, mask = sometimes(rng, mask, None)
    got = vit_logits(X, patch_size, parameters, n_heads, *given)
    return difference(got, model(mask))


for edge in ("tokens = 1", "n = 1"):
    scores_equal_torch.excuses("there is a class token and at least one patch", edge)
reject_careless_masks(scores_equal_torch, "the encoder")


def last_vectors(X, patch_size, p, n_heads, mask=None):
    """What the last layer gives, normalised."""
    Z = vit_input(X, patch_size, p.E, p.x_class, p.P)
    return encoder_pre_norm(Z, p.layers, p.norm, n_heads, mask)


@scores_equal_torch.rejects(
    "You average all tokens: the class is read off the class token alone."
)
def mean_of_all(X, patch_size, p, n_heads, mask=None):
    Y = last_vectors(X, patch_size, p, n_heads, mask)
    return logits(Y.mean(axis=-2), p.W_out, p.b_out)


@scores_equal_torch.rejects(
    "You average the patches: the class is read off the class token, row 0."
)
def mean_of_the_patches(X, patch_size, p, n_heads, mask=None):
    Y = last_vectors(X, patch_size, p, n_heads, mask)
    return logits(Y[..., 1:, :].mean(axis=-2), p.W_out, p.b_out)


@scores_equal_torch.rejects(
    "You read the last token; the class token is the first, row 0."
)
def last_token(X, patch_size, p, n_heads, mask=None):
    Y = last_vectors(X, patch_size, p, n_heads, mask)
    return logits(Y[..., -1, :], p.W_out, p.b_out)


@scores_equal_torch.rejects(
    "The last normalisation is missing: in pre-norm nothing else normalises what leaves the stack."
)
def without_the_last_norm(X, patch_size, p, n_heads, mask=None):
    class_token = last_unnormed(X, patch_size, p, n_heads, mask)
    return logits(class_token, p.W_out, p.b_out)


def last_unnormed(X, patch_size, p, n_heads, mask=None):
    """The class token as it leaves the last layer, read through the residual path."""
    Z = vit_input(X, patch_size, p.E, p.x_class, p.P)
    for layer in p.layers:
        Z = encoder_layer_pre_norm(Z, layer, n_heads, mask)
    return Z[..., 0, :]


@scores_equal_torch.rejects(
    "Your layers are post-norm: a vision transformer normalises before each sublayer."
)
def post_norm_layers(X, patch_size, p, n_heads, mask=None):
    Z = vit_input(X, patch_size, p.E, p.x_class, p.P)
    Y = encoder(Z, p.layers, n_heads, mask)
    return logits(Y[..., 0, :], p.W_out, p.b_out)


@scores_equal_torch.rejects("The head's bias is missing: add b_out.")
def without_bias(X, patch_size, p, n_heads, mask=None):
    return vit_logits(X, patch_size, replace(p, b_out=0 * p.b_out), n_heads, mask)


@scores_equal_torch.rejects(
    "Your model does not know where patches stand: add the positions P."
)
def without_positions(X, patch_size, p, n_heads, mask=None):
    return vit_logits(X, patch_size, replace(p, P=0 * p.P), n_heads, mask)


@scores_equal_torch.rejects(
    "Your layers run in the wrong order: the first comes first."
)
def last_layer_first(X, patch_size, p, n_heads, mask=None):
    return vit_logits(X, patch_size, replace(p, layers=p.layers[::-1]), n_heads, mask)


def random_attention_weights(rng):
    """Weights of some layers and heads, rows that add up to 1; now and then a head that looks at one token alone."""
    n_layers, n_heads, n = few(rng), few(rng), few(rng)
    A = rng.dirichlet(np.ones(n), size=(*small_lead(rng), n_layers, n_heads, n))
    return np.round(A) if n == 2 and rng.random() < 0.3 else A


def small_lead(rng):
    return () if smallest() else batch(rng)[:1]


def along_all_paths(A):
    """The sum over all ways from a token of the last layer down to one of the input, a step for each layer."""
    n_layers, n_heads, n, _ = A.shape
    found = np.zeros((n, n))
    for way in product(range(n), repeat=n_layers + 1):
        weight = 1.0
        for layer, (below, above) in enumerate(zip(way, way[1:])):
            looked = sum(A[layer, h, above, below] for h in range(n_heads))
            weight *= 0.5 * looked / n_heads + 0.5 * (above == below)
        found[way[-1], way[0]] += weight
    return found


@check(
    attention_rollout,
    equation="eq-rollout",
    oracle="the sum over all paths through the layers, one by one",
)
def rollout_equals_paths(attention_rollout, rng):
    A = random_attention_weights(rng)
    if A.ndim == 4:
        return difference(attention_rollout(A), along_all_paths(A))
    wanted = np.stack([along_all_paths(one) for one in A])
    return difference(attention_rollout(A), wanted)


def rolled(A, residual=0.5, heads=np.mean, upward=True):
    """Rollout with other shares, another way to join the heads, or in the other direction: the material of wrong versions."""
    n_layers, n = A.shape[-4], A.shape[-1]
    R = np.broadcast_to(np.eye(n), (*A.shape[:-4], n, n)).copy()
    for l in range(n_layers):
        joined = heads(A[..., l, :, :, :], axis=-3)
        step = residual * np.eye(n) + (1 - residual) * joined
        R = step @ R if upward else R @ step
    return R


@rollout_equals_paths.rejects(
    "You leave the residual out: half of each vector comes from the token itself."
)
def without_residual(A):
    return rolled(A, residual=0.0)


@rollout_equals_paths.rejects(
    "You multiply the layers in the wrong order: the matrix of a later layer stands on the left."
)
def layers_turned_round(A):
    return rolled(A, upward=False)


@rollout_equals_paths.rejects(
    "You take the largest weight of the heads; Abnar and Zuidema average them."
)
def largest_head(A):
    return rolled(A, heads=np.max)


@rollout_equals_paths.rejects(
    "You add the identity and do not divide by 2: rows must go on adding up to 1."
)
def not_renormalised(A):
    return rolled(A) * 2 ** A.shape[-4]


@rollout_equals_paths.rejects(
    "You show the attention of the last layer alone; rollout follows it down through all layers."
)
def last_layer_alone(A):
    return rolled(A[..., -1:, :, :, :])


@rollout_equals_paths.rejects(
    "You average the layers; a token of layer 2 looks at what layer 1 mixed, so their matrices are multiplied."
)
def mean_of_layers(A):
    n = A.shape[-1]
    return 0.5 * np.eye(n) + 0.5 * A.mean(axis=(-4, -3))


@rollout_equals_paths.rejects(
    "Your matrix stands on its side: row i is the token that looked, column j the one of the input."
)
def on_its_side(A):
    return np.swapaxes(rolled(A), -1, -2)


@check(
    accuracy,
    equation="eq-accuracy",
    symbols={"labels": "y"},
    oracle="Python's max over the classes, picture by picture",
)
def accuracy_equals_counting(accuracy, rng):
    n, classes = size(rng), size(rng)
    scores = rng.normal(size=(n, classes))
    if rng.random() < 0.5:
        scores = np.round(scores)  # now several are as high
    labels = rng.integers(classes, size=n)
    best = [
        max(range(classes), key=lambda k, row=row: row[k]) for row in scores.tolist()
    ]
    right = sum(int(found == wanted) for found, wanted in zip(best, labels))
    return difference(accuracy(scores, labels), right / n)


@accuracy_equals_counting.rejects(
    "You count the mistakes: accuracy is the share that is right."
)
def mistakes(logits, labels):
    return 1 - accuracy(logits, labels)


@accuracy_equals_counting.rejects(
    "You give the number of pictures that are right: divide it by how many there are."
)
def number_right(logits, labels):
    return accuracy(logits, labels) * len(labels)


@accuracy_equals_counting.rejects(
    "You take the lowest score: the class is the one with the highest."
)
def lowest(logits, labels):
    return accuracy(-logits, labels)


@accuracy_equals_counting.rejects(
    "Where several scores are as high, the first class counts; you take the last."
)
def last_of_several(logits, labels):
    return accuracy(logits[:, ::-1], logits.shape[1] - 1 - labels)


@accuracy_equals_counting.rejects(
    "You average the probability of the right class; accuracy asks whether it is the largest."
)
def mean_probability(logits, labels):
    p = np.exp(logits - logits.max(axis=-1, keepdims=True))
    p /= p.sum(axis=-1, keepdims=True)
    return float(p[np.arange(len(labels)), labels].mean())


@accuracy_equals_counting.rejects(
    "You count a picture as right where its class shares the highest score with others: a reader names one class, the first of them."
)
def any_of_several(logits, labels):
    own = np.take_along_axis(logits, labels[:, None], axis=-1)[:, 0]
    return float((own == logits.max(axis=-1)).mean())
