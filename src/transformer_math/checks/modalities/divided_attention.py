"""Checks of attention in space and time, against loops over tokens and PyTorch's own attention."""

from dataclasses import replace
from itertools import product

import numpy as np
import torch

from transformer_math.attention.multi_head import multi_head_attention
from transformer_math.attention.scaled_dot_product import attention
from transformer_math.block.feed_forward import feed_forward
from transformer_math.block.layer_norm import layer_norm
from transformer_math.checks.compare import difference
from transformer_math.checks.gradients import as_tensors
from transformer_math.checks.model.cost import torch_flops
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import few, size, small_batch
from transformer_math.checks.torch_gradients import attention_weights
from transformer_math.modalities.divided_attention import (
    DividedLayerParameters,
    divided_layer,
    space_attention,
    space_mask,
    step_flops,
    step_pairs,
    time_attention,
    time_mask,
    two_steps,
)

GROUPS = {"frames": "F", "places": "N", "group": "g"}


def sees(frames, places, same):
    """A mask by a loop over all pairs of tokens: the class token, and patches as pairs of frame and place."""
    tokens = [None, *product(range(frames), range(places))]
    return np.array(
        [[not (i and j) or i[same] == j[same] for j in tokens] for i in tokens]
    )


@check(
    space_mask,
    equation="eq-space-mask",
    symbols={"frames": "F", "places": "N"},
    oracle="a loop over all pairs of tokens",
)
def space_mask_equals_loops(space_mask, rng):
    frames, places = size(rng), size(rng)
    return difference(space_mask(frames, places), sees(frames, places, 0))


@check(
    time_mask,
    equation="eq-time-mask",
    symbols={"frames": "F", "places": "N"},
    oracle="a loop over all pairs of tokens",
)
def time_mask_equals_loops(time_mask, rng):
    frames, places = size(rng), size(rng)
    return difference(time_mask(frames, places), sees(frames, places, 1))


@space_mask_equals_loops.rejects(
    "Your patches see their own place in all frames: that is the mask of time."
)
def mask_of_time(frames, places):
    return time_mask(frames, places)


@time_mask_equals_loops.rejects(
    "Your patches see their own frame: that is the mask of space."
)
def mask_of_space(frames, places):
    return space_mask(frames, places)


@space_mask_equals_loops.rejects(
    "You exchange the numbers of frames and of places: the tokens come frame by frame, each frame with all its places."
)
def space_sizes_exchanged(frames, places):
    return space_mask(places, frames)


@time_mask_equals_loops.rejects(
    "You exchange the numbers of frames and of places: the tokens come frame by frame, each frame with all its places."
)
def time_sizes_exchanged(frames, places):
    return time_mask(places, frames)


def reject_wrong_masks(made, mask):
    """What both masks can get wrong."""

    def class_unseen(frames, places):
        M = mask(frames, places).copy()
        M[1:, 0] = False
        return M

    def class_blind(frames, places):
        M = mask(frames, places).copy()
        M[0, 1:] = False
        return M

    def upside_down(frames, places):
        return ~mask(frames, places)

    def class_forgotten(frames, places):
        return mask(frames, places)[1:, 1:]

    made.rejects("No patch sees the class token in your mask; every patch does.")(
        class_unseen
    )
    made.rejects("Your class token sees nothing but itself; it sees all tokens.")(
        class_blind
    )
    made.rejects("Your mask is upside down: True means that attention is allowed.")(
        upside_down
    )
    made.rejects(
        "You forget the class token: the mask has a row and a column more than there are patches."
    )(class_forgotten)


reject_wrong_masks(space_mask_equals_loops, space_mask)
reject_wrong_masks(time_mask_equals_loops, time_mask)


def vectors(rng):
    """Queries, keys and values of a class token and the patches of a few frames."""
    frames, places, d_k, d_v = few(rng), few(rng), size(rng), size(rng)
    lead, n = small_batch(rng), 1 + frames * places
    Q, K, V = (rng.normal(size=(*lead, n, d)) for d in (d_k, d_k, d_v))
    return Q, K, V, frames


def masked(Q, K, V, frames, same):
    """PyTorch's attention among all tokens, under the mask that a loop has made."""
    mask = sees(frames, (Q.shape[-2] - 1) // frames, same)
    return torch.nn.functional.scaled_dot_product_attention(
        *map(torch.from_numpy, (Q, K, V)), attn_mask=torch.from_numpy(mask)
    )


@check(
    space_attention,
    equation="eq-space-attention",
    oracle="torch’s attention among all tokens, under a mask made by loops",
)
def space_equals_masked_attention(space_attention, rng):
    arguments = vectors(rng)
    return difference(space_attention(*arguments), masked(*arguments, same=0))


@check(
    time_attention,
    equation="eq-time-attention",
    oracle="torch’s attention among all tokens, under a mask made by loops",
)
def time_equals_masked_attention(time_attention, rng):
    arguments = vectors(rng)
    return difference(time_attention(*arguments), masked(*arguments, same=1))


space_equals_masked_attention.excuses("a class token and at least one patch", "n = 1")
time_equals_masked_attention.excuses("a class token and at least one patch", "n = 1")


@space_equals_masked_attention.rejects(
    "Your patches attend along time: wanted the patches of their own frame."
)
def along_time(Q, K, V, frames):
    return time_attention(Q, K, V, frames)


@time_equals_masked_attention.rejects(
    "Your patches attend within their frame: wanted the patches at their own place in all frames."
)
def within_the_frame(Q, K, V, frames):
    return space_attention(Q, K, V, frames)


def places_of(Q, frames):
    return (Q.shape[-2] - 1) // frames


def reject_wrong_groups(made, mask, function):
    """What both ways to attend in groups can get wrong."""

    def joint(Q, K, V, frames):
        return attention(Q, K, V)[0]

    def masked_afterwards(Q, K, V, frames):
        _, A = attention(Q, K, V)
        return (A * mask(frames, places_of(Q, frames))) @ V

    def class_left_out(Q, K, V, frames):
        M = mask(frames, places_of(Q, frames)).copy()
        M[1:, 0] = False
        return attention(Q, K, V, M)[0]

    def class_alone(Q, K, V, frames):
        O = function(Q, K, V, frames).copy()
        O[..., 0, :] = V[..., 0, :]
        return O

    def exchanged(Q, K, V, frames):
        return function(Q, K, V, places_of(Q, frames))

    def over_the_batch(Q, K, V, frames):
        M = mask(frames, places_of(Q, frames))
        if Q.ndim < 3:
            return attention(Q, K, V, M)[0]
        q, k, v = (x.reshape(-1, x.shape[-1]) for x in (Q, K, V))
        together = np.tile(M, (len(q) // len(M),) * 2)
        return attention(q, k, v, together)[0].reshape(V.shape)

    made.rejects("All tokens attend to all in your version: that is joint attention.")(
        joint
    )
    made.rejects(
        "You mask after the softmax: the weights that are left no longer add up to 1. Mask the scores, or cut the keys."
    )(masked_afterwards)
    made.rejects(
        "Your patches do not see the class token: its key and value belong to every group."
    )(class_left_out)
    made.rejects(
        "Your class token keeps its own value: its query looks at all tokens."
    )(class_alone)
    made.rejects(
        "You exchange the numbers of frames and of places: the tokens come frame by frame, each frame with all its places."
    )(exchanged)
    made.rejects(
        "Your groups reach over the batch: tokens of one film attend to those of another. Keep the leading axes apart."
    )(over_the_batch)


reject_wrong_groups(space_equals_masked_attention, space_mask, space_attention)
reject_wrong_groups(time_equals_masked_attention, time_mask, time_attention)


@check(
    two_steps,
    equation="eq-two-steps",
    symbols={"first": "M", "then": "M'", "return": "R"},
    oracle="a walk along all pairs, token by token",
)
def two_steps_equal_walks(two_steps, rng):
    n = size(rng)
    first, then = (rng.random((n, n)) < 0.4 for _ in range(2))
    wanted = [
        [any(then[i, k] and first[k, j] for k in range(n)) for j in range(n)]
        for i in range(n)
    ]
    return difference(two_steps(first, then), wanted)


@two_steps_equal_walks.rejects(
    "You take the steps in the wrong order: what a token reads in the second step was gathered in the first."
)
def steps_exchanged(first, then):
    return first @ then


@two_steps_equal_walks.rejects(
    "You ask for what both masks allow: something may come through a token in between."
)
def both_at_once(first, then):
    return first & then


@two_steps_equal_walks.rejects(
    "You ask for what one of the masks allows: something may come through a token in between."
)
def either(first, then):
    return first | then


@two_steps_equal_walks.rejects(
    "You count the ways: wanted whether there is one, True or False."
)
def ways_counted(first, then):
    return then.astype(int) @ first.astype(int)


def new_layer(rng, d_model, d_ff):
    from transformer_math.checks.block.layer_norm import random_parameters
    from transformer_math.checks.gradient.feed_forward import random_network
    from transformer_math.checks.gradient.multi_head import random_attention

    return DividedLayerParameters(
        *(random_attention(rng, d_model, d_model, d_model) for _ in range(2)),
        random_network(rng, d_model, d_ff),
        *(random_parameters(rng, d_model) for _ in range(3)),
    )


def layer_and_tokens(rng):
    """Tokens of a few frames, a layer's parameters, the number of heads and of frames."""
    frames, places, n_heads = few(rng), few(rng), few(rng)
    d_model = n_heads * few(rng, mostly=2)
    Z = rng.normal(size=(*small_batch(rng), 1 + frames * places, d_model))
    return Z, new_layer(rng, d_model, few(rng)), n_heads, frames


def torch_layer(Z, p, n_heads, frames):
    """PyTorch's multi-head attention under masks made by loops, normalisations and linear maps: first time, then space."""
    functional = torch.nn.functional
    d = Z.shape[-1]

    def normed(x, norm):
        return functional.layer_norm(x, (d,), norm.gamma, norm.beta)

    def attended(x, parameters, same):
        mask = ~torch.from_numpy(sees(frames, (Z.shape[-2] - 1) // frames, same))
        module = torch.nn.MultiheadAttention(d, n_heads, batch_first=True).double()
        flat = x.reshape(-1, *x.shape[-2:])
        found, _ = torch.func.functional_call(
            module, attention_weights(parameters), (flat, flat, flat), {"attn_mask": mask}
        )  # fmt: skip
        return found.reshape(x.shape)

    Z = Z + attended(normed(Z, p.norm_1), p.time, 1)
    Z = Z + attended(normed(Z, p.norm_2), p.space, 0)
    f = p.feed_forward
    hidden = torch.relu(functional.linear(normed(Z, p.norm_3), f.W_1.T, f.b_1))
    return Z + functional.linear(hidden, f.W_2.T, f.b_2)


@check(
    divided_layer,
    equation="eq-divided-layer",
    oracle="torch.nn.MultiheadAttention twice, under masks made by loops",
    cases=20,
)
def divided_layer_equals_torch(divided_layer, rng):
    Z, parameters, n_heads, frames = layer_and_tokens(rng)
    tensors = as_tensors({"Z": Z, "p": parameters})
    wanted = torch_layer(tensors["Z"], tensors["p"], n_heads, frames)
    return difference(divided_layer(Z, parameters, n_heads, frames), wanted)


divided_layer_equals_torch.excuses("a class token and at least one patch", "n = 1")


def steps(Z, p, n_heads, frames, order=("time", "space"), around=1, from_start=False):
    """The layer with its attentions in another order, without their residuals, or both reading the layer's input."""
    places = (Z.shape[-2] - 1) // frames
    parts = {
        "time": (p.time, p.norm_1, time_mask(frames, places)),
        "space": (p.space, p.norm_2, space_mask(frames, places)),
    }
    start = Z
    for name in order:
        parameters, norm, mask = parts[name]
        U = layer_norm(start if from_start else Z, norm)
        Z = around * Z + multi_head_attention(U, U, parameters, n_heads, mask)[0]
    return Z + feed_forward(layer_norm(Z, p.norm_3), p.feed_forward)


@divided_layer_equals_torch.rejects(
    "You attend in space first: TimeSformer attends along time, and then in space."
)
def space_first(Z, p, n_heads, frames):
    return steps(Z, p, n_heads, frames, ("space", "time"))


@divided_layer_equals_torch.rejects(
    "Both your attentions read the layer’s input: space reads what time has made of it."
)
def side_by_side(Z, p, n_heads, frames):
    return steps(Z, p, n_heads, frames, from_start=True)


@divided_layer_equals_torch.rejects(
    "There is no residual around your attentions: what went in is added to what comes out, each time."
)
def without_residuals(Z, p, n_heads, frames):
    return steps(Z, p, n_heads, frames, around=0)


@divided_layer_equals_torch.rejects(
    "Your space attention uses the projections of time: each attention has its own."
)
def projections_shared(Z, p, n_heads, frames):
    return divided_layer(Z, replace(p, space=p.time), n_heads, frames)


@divided_layer_equals_torch.rejects(
    "Your layer attends in space alone: time comes first."
)
def space_alone(Z, p, n_heads, frames):
    return steps(Z, p, n_heads, frames, ("space",))


@divided_layer_equals_torch.rejects(
    "Your two attentions share a normalisation: each has a scale and a shift of its own."
)
def norms_shared(Z, p, n_heads, frames):
    return divided_layer(Z, replace(p, norm_2=p.norm_1), n_heads, frames)


@divided_layer_equals_torch.rejects("You exchange the numbers of frames and of places.")
def frames_for_places(Z, p, n_heads, frames):
    return divided_layer(Z, p, n_heads, (Z.shape[-2] - 1) // frames)


STEPS = ("joint", "space", "time")


def step(rng, size):
    """Frames and places, one of the three ways to look, and how many patches are in a group."""
    frames, places, way = size(rng), size(rng), rng.choice(STEPS)
    group = {"joint": frames * places, "space": places, "time": frames}[way]
    return frames, places, way, group


@check(
    step_pairs,
    equation="eq-step-pairs",
    symbols=GROUPS,
    oracle="counting what a mask made by a loop allows",
)
def step_pairs_are_counted(step_pairs, rng):
    frames, places, way, group = step(rng, size)
    allowed = {
        "joint": np.ones((1 + frames * places,) * 2),
        "space": sees(frames, places, 0),
        "time": sees(frames, places, 1),
    }[way]
    return difference(step_pairs(frames, places, group), int(allowed.sum()))


@step_pairs_are_counted.rejects(
    "You leave out the key of the class token: every patch looks at it."
)
def class_key_missing(frames, places, group):
    return step_pairs(frames, places, group) - frames * places


@step_pairs_are_counted.rejects(
    "You leave out the query of the class token: it looks at all tokens."
)
def class_query_missing(frames, places, group):
    return frames * places * (group + 1)


@step_pairs_are_counted.rejects(
    "You leave the class token out: it is a query and a key like the others."
)
def class_missing(frames, places, group):
    return frames * places * group


@step_pairs_are_counted.rejects(
    "You count the keys of a single query: wanted the pairs of all queries."
)
def of_one_query(frames, places, group):
    return group + 1


@step_pairs_are_counted.rejects(
    "You count the pairs of a single group: wanted those of all groups."
)
def one_group(frames, places, group):
    return group * (group + 1) + frames * places + 1


@step_pairs_are_counted.rejects(
    "You count each pair once for both its directions: i looks at j, and j at i, and each at itself."
)
def unordered(frames, places, group):
    n = frames * places + 1
    return (step_pairs(frames, places, group) - n) // 2


@step_pairs_are_counted.rejects(
    "You count the pairs of all tokens: a patch looks at those of its own group alone."
)
def of_all(frames, places, group):
    return (frames * places + 1) ** 2


def product_flops(groups, d_model):
    """What PyTorch counts for the two products of each group of queries and keys."""
    return sum(
        torch_flops(torch.matmul, torch.zeros(n, d_model), torch.zeros(d_model, m))
        + torch_flops(torch.matmul, torch.zeros(n, m), torch.zeros(m, d_model))
        for n, m in groups
    )


@check(
    step_flops,
    equation="eq-step-flops",
    symbols=GROUPS,
    oracle="torch.utils.flop_counter on the products of every group",
    cases=12,
)
def step_flops_equal_torch(step_flops, rng):
    frames, places, _, group = step(rng, few)
    d_model, n = size(rng), 1 + frames * places
    linear = torch.nn.Linear(d_model, d_model)
    projected = 4 * torch_flops(linear, torch.zeros(n, d_model))
    groups = [(group, group + 1)] * ((n - 1) // group)
    looked = product_flops([*groups, (1, n)], d_model)  # the class token looks at all
    return difference(step_flops(frames, places, group, d_model), projected + looked)


@step_flops_equal_torch.rejects("You leave out the class token.")
def flops_without_class(frames, places, group, d_model):
    n = frames * places
    return 8 * n * d_model**2 + 4 * n * group * d_model


@step_flops_equal_torch.rejects(
    "You count the pairs alone: queries, keys, values and output are projected too."
)
def pairs_alone(frames, places, group, d_model):
    return 4 * step_pairs(frames, places, group) * d_model


@step_flops_equal_torch.rejects(
    "You count a multiply-add as one operation; it is a multiplication and an addition."
)
def multiply_adds(frames, places, group, d_model):
    return step_flops(frames, places, group, d_model) // 2


@step_flops_equal_torch.rejects(
    "You count the pairs of all tokens: a patch looks at those of its own group alone."
)
def all_pairs(frames, places, group, d_model):
    return step_flops(frames, places, frames * places, d_model)


@step_flops_equal_torch.rejects(
    "You count eight projections: a step is one attention, and has four of them."
)
def eight_projections(frames, places, group, d_model):
    n = frames * places + 1
    return step_flops(frames, places, group, d_model) + 8 * n * d_model**2


@step_flops_equal_torch.rejects(
    "You count the scores alone: the weights are multiplied by the values too."
)
def scores_alone(frames, places, group, d_model):
    pairs = step_pairs(frames, places, group)
    return step_flops(frames, places, group, d_model) - 2 * pairs * d_model
