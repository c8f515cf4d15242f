"""Right answers and mistakes for the decoder, the whole Transformer, decoding, and what came later."""

from functools import reduce

import numpy as np

from transformer_math.attention import causal_mask, multi_head_attention
from transformer_math.block import (
    decoder_layer,
    decoder_layer_pre_norm,
    feed_forward,
    layer_norm,
    relu,
    rms_norm,
    swiglu,
    swish,
)
from transformer_math.checks.wrong import ignoring
from transformer_math.model import (
    decoder,
    embed_at_positions,
    encoder,
    encoder_decoder,
    encoder_decoder_logits,
)
from transformer_math.output import greedy, logits, nucleus, probabilities, top_k


def sublayers(Z, Y, p, H, mask, memory_mask, activation):
    """The three sublayers of a decoder layer, each a function of its tokens."""
    return (
        lambda x: multi_head_attention(x, x, p.self_attention, H, mask)[0],
        lambda x: multi_head_attention(x, Y, p.cross_attention, H, memory_mask)[0],
        lambda x: feed_forward(x, p.feed_forward, activation),
    )


def layer_by_loop(Z, Y, p, H, mask=None, memory_mask=None, activation=relu):
    norms = (p.gamma_1, p.beta_1), (p.gamma_2, p.beta_2), (p.gamma_3, p.beta_3)
    for f, norm in zip(sublayers(Z, Y, p, H, mask, memory_mask, activation), norms):
        Z = layer_norm(Z + f(Z), *norm)
    return Z


def pre_norm_by_loop(Z, Y, p, H, mask=None, memory_mask=None, activation=relu):
    norms = (p.gamma_1, p.beta_1), (p.gamma_2, p.beta_2), (p.gamma_3, p.beta_3)
    for f, norm in zip(sublayers(Z, Y, p, H, mask, memory_mask, activation), norms):
        Z = Z + f(layer_norm(Z, *norm))
    return Z


def first_sublayer_only(Z, Y, p, H, mask=None, memory_mask=None, activation=relu):
    f, *_ = sublayers(Z, Y, p, H, mask, memory_mask, activation)
    return layer_norm(Z + f(Z), p.gamma_1, p.beta_1)


def by_hand(s, t, p, H, source_mask=None, target_mask=None):
    mask = causal_mask(t.shape[-1]) if target_mask is None else target_mask
    Y = encoder(embed_at_positions(s, p.E_source), p.encoder, H, source_mask)
    Z = embed_at_positions(t, p.E_target)
    Z = decoder(Z, Y, p.decoder, H, mask, source_mask)
    return probabilities(logits(Z, p.W_out))


def top_k_by_sorting(p, k):
    flat = p.reshape(-1, p.shape[-1])
    out = np.zeros_like(flat)
    for row, kept in zip(flat, out):
        best = sorted(range(len(row)), key=lambda v: (-row[v], v))[:k]
        kept[best] = row[best] / row[best].sum()
    return out.reshape(p.shape)


def nothing_is_left(p, mass):
    order = np.argsort(-p, axis=-1, kind="stable")
    kept = np.take_along_axis(p, order, axis=-1).cumsum(axis=-1) <= mass
    kept = np.where(np.take_along_axis(kept, order.argsort(axis=-1), axis=-1), p, 0)
    return kept / np.maximum(kept.sum(axis=-1, keepdims=True), 1e-12)


def nucleus_by_loop(p, mass):
    flat = p.reshape(-1, p.shape[-1])
    out = np.zeros_like(flat)
    for row, kept in zip(flat, out):
        total, best = 0.0, []
        for v in sorted(range(len(row)), key=lambda v: (-row[v], v)):
            if total >= mass:
                break
            best.append(v)
            total += row[v]
        kept[best] = row[best] / row[best].sum()
    return out.reshape(p.shape)


def greedy_by_recursion(next_logits, start, length, end=None):
    if length == 0:
        return start
    token = int(np.argmax(next_logits(start)))
    longer = np.array([*start, token])
    if token == end:
        return longer
    return greedy_by_recursion(next_logits, longer, length - 1, end)


def last_of_equals(next_logits, start, length, end=None):
    ids = start
    for _ in range(length):
        x = next_logits(ids)
        ids = np.append(ids, len(x) - 1 - np.argmax(x[::-1]))
        if ids[-1] == end:
            break
    return ids


def same_logits_throughout(next_logits, start, length, end=None):
    return greedy(lambda ids: next_logits(start), start, length, end)


RIGHT = [
    (decoder_layer, layer_by_loop),
    (
        decoder_layer,
        lambda Z, Y, p, H, mask=None, memory_mask=None, activation=relu: layer_by_loop(
            Z, Y, p, H, mask, memory_mask, activation
        ).tolist(),
    ),
    (decoder_layer_pre_norm, pre_norm_by_loop),
    (
        decoder_layer_pre_norm,
        lambda Z, Y, p, H, mask=None, memory_mask=None, f=relu: pre_norm_by_loop(
            Z, Y, p, H, mask, memory_mask, f
        ).tolist(),
    ),
    (
        decoder,
        lambda Z, Y, layers, H, mask=None, memory_mask=None, f=relu: reduce(
            lambda Z, p: decoder_layer(Z, Y, p, H, mask, memory_mask, f), layers, Z
        ),
    ),
    (
        decoder,
        lambda Z, Y, layers, H, mask=None, memory_mask=None, f=relu: decoder(
            Z, Y, tuple(layers), H, mask, memory_mask, f
        ).tolist(),
    ),
    (encoder_decoder, by_hand),
    (
        encoder_decoder,
        lambda s, t, p, H, source_mask=None, target_mask=None: probabilities(
            encoder_decoder_logits(s, t, p, H, source_mask, target_mask)
        ).tolist(),
    ),
    (
        rms_norm,
        lambda x, gamma, eps=1e-5: (
            gamma * x / np.sqrt(np.mean(np.square(x), -1)[..., None] + eps)
        ),
    ),
    (
        rms_norm,
        lambda x, gamma, eps=1e-5: (
            x * ((x * x).sum(-1, keepdims=True) / x.shape[-1] + eps) ** -0.5 * gamma
        ),
    ),
    (swish, lambda x: x * (1 + np.tanh(x / 2)) / 2),
    (swish, lambda x: x / (1 + np.exp(-np.clip(x, -700, None)))),
    (swiglu, lambda x, p: (swish(x @ p.W_g) * (x @ p.W_1)) @ p.W_2),
    (swiglu, lambda x, p: np.matmul(x @ p.W_1 * swish(x @ p.W_g), p.W_2).tolist()),
    (top_k, top_k_by_sorting),
    (top_k, lambda p, k: top_k(p, k).tolist()),
    (nucleus, nucleus_by_loop),
    (nucleus, lambda p, mass: nucleus(p, mass).tolist()),
    (greedy, greedy_by_recursion),
    (
        greedy,
        lambda f, start, length, end=None: greedy(f, start, length, end).tolist(),
    ),
]

WRONG = [
    (
        decoder_layer,
        ignoring(layer_by_loop, "mask"),
        "You ignore the mask",
    ),
    (
        decoder_layer,
        ignoring(layer_by_loop, "memory_mask"),
        "You ignore the memory_mask",
    ),
    (
        decoder_layer,
        ignoring(layer_by_loop, "activation"),
        "You always use ReLU",
    ),
    (decoder_layer, first_sublayer_only, "it gave"),
    (
        decoder_layer,
        lambda Z, Y, p, H: layer_by_loop(Z, Y, p, H),
        "Your function takes 4 of 7 arguments",
    ),
    (
        decoder_layer,
        lambda Z, Y, p, H, mask=None, memory_mask=None, f=relu: layer_by_loop(
            Z, layer_norm(Y, p.gamma_2, p.beta_2), p, H, mask, memory_mask, f
        ),
        "it gave",
    ),
    (decoder_layer_pre_norm, layer_by_loop, "You normalise after each sum"),
    (
        decoder_layer_pre_norm,
        ignoring(pre_norm_by_loop, "mask"),
        "You ignore the mask",
    ),
    (
        decoder_layer_pre_norm,
        ignoring(pre_norm_by_loop, "memory_mask"),
        "You ignore the memory_mask",
    ),
    (
        decoder_layer_pre_norm,
        lambda Z, Y, p, H, mask=None, memory_mask=None, f=relu: (
            pre_norm_by_loop(Z, Y, p, H, mask, memory_mask, f) - Z
        ),
        "it gave",
    ),
    (
        decoder_layer_pre_norm,
        lambda Z, Y, p, H, mask=None: pre_norm_by_loop(Z, Y, p, H, mask),
        "Your function takes 5 of 7 arguments",
    ),
    (
        decoder,
        ignoring(decoder, "mask"),
        "You ignore the mask",
    ),
    (
        decoder,
        ignoring(decoder, "memory_mask"),
        "You ignore the memory_mask",
    ),
    (
        decoder,
        lambda Z, Y, layers, H, mask=None, memory_mask=None, f=relu: decoder_layer(
            Z, Y, layers[0], H, mask, memory_mask, f
        ),
        "it gave",
    ),
    (
        decoder,
        lambda Z, Y, layers, H, mask=None, memory_mask=None, f=relu: decoder(
            Z, Y, layers, H, mask, memory_mask, f
        ).astype(np.float32),
        "The formula is right, the precision is not",
    ),
    (
        decoder,
        lambda Z, Y, layers, H, mask=None, memory_mask=None, f=relu: (
            Z + decoder(Z, Y, layers, H, mask, memory_mask, f)
        ),
        "it gave",
    ),
    (
        encoder_decoder,
        lambda s, t, p, H, source_mask=None, target_mask=None: encoder_decoder_logits(
            s, t, p, H, source_mask, target_mask
        ),
        "You return logits",
    ),
    (
        encoder_decoder,
        lambda s, t, p, H, source_mask=None, target_mask=None: encoder_decoder(
            s, t, p, H, source_mask
        ),
        "You ignore the target_mask",
    ),
    (
        encoder_decoder,
        lambda s, t, p, H, source_mask=None, target_mask=None: encoder_decoder(
            s, t, p, H, None, target_mask
        ),
        "You ignore the source_mask",
    ),
    (
        encoder_decoder,
        lambda s, t, p, H, source_mask=None, target_mask=None: encoder_decoder(
            s, t, p, H, source_mask, target_mask
        )[..., -1:, :],
        "it gave",
    ),
    (
        encoder_decoder,
        lambda s, t, p, H, source_mask=None, target_mask=None: encoder_decoder(
            s[..., ::-1], t, p, H, source_mask, target_mask
        ),
        "it gave",
    ),
    (
        rms_norm,
        lambda x, gamma, eps=1e-5: gamma * x / np.linalg.norm(x, axis=-1)[..., None],
        "You divide by the length",
    ),
    (
        rms_norm,
        lambda x, gamma, eps=1e-5: gamma * x / x.std(axis=-1, keepdims=True),
        "it gave",
    ),
    (
        rms_norm,
        lambda x, gamma: gamma * x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5),
        "Your function takes 2 of 3 arguments",
    ),
    (
        rms_norm,
        lambda x, gamma, eps=1e-5: gamma * x / np.sqrt((x**2).mean() + eps),
        "it gave",
    ),
    (
        rms_norm,
        lambda x, gamma, eps=1e-6: rms_norm(x, gamma, eps),
        "Your function is right where `eps` is given",
    ),
    (swish, lambda x: 1 / (1 + np.exp(-np.clip(x, -700, None))), "logistic function"),
    (swish, lambda x: relu(x), "it gave"),
    (swish, lambda x: 2 * swish(x), "times 2 throughout"),
    (swish, lambda x: x * np.tanh(x), "it gave"),
    (swish, lambda x: x * (1 + np.tanh(x)) / 2, "tanh(x/2) is wanted"),
    (swiglu, lambda x, p: swish(x @ p.W_g) @ p.W_2, "There is no gate"),
    (swiglu, lambda x, p: ((x @ p.W_g) * (x @ p.W_1)) @ p.W_2, "no activation"),
    (swiglu, lambda x, p: swish((x @ p.W_g) * (x @ p.W_1)) @ p.W_2, "it gave"),
    (swiglu, lambda x, p: relu(x @ p.W_g) * (x @ p.W_1) @ p.W_2, "it gave"),
    (
        swiglu,
        lambda x, p: (
            1 / (1 + np.exp(-np.clip(x @ p.W_g, -700, None))) * (x @ p.W_1) @ p.W_2
        ),
        "that is GLU",
    ),
    (top_k, lambda p, k: np.sort(top_k(p, k), axis=-1), "it gave"),
    (top_k, lambda p, k: np.where(top_k(p, k) > 0, p, 0), "does not sum to 1"),
    (top_k, lambda p, k: top_k(p, k + 1), "it gave"),
    (top_k, lambda p, k: top_k(p, k) > 0, "True and False"),
    (top_k, lambda p, k: p, "it gave"),
    (nucleus, lambda p, mass: nucleus(p, min(1.0, mass + 0.01)), "one token too many"),
    (nucleus, lambda p, mass: np.where(nucleus(p, mass) > 0, p, 0), "sum to 1"),
    (nucleus, nothing_is_left, "where that is the first one nothing is left"),
    (nucleus, lambda p, mass: p, "it gave"),
    (nucleus, lambda p, mass: np.where(p > mass, p, 0), "it gave"),
    (nucleus, lambda p, mass: top_k(p, 1), "it gave"),
    (greedy, last_of_equals, "it gave"),
    (greedy, same_logits_throughout, "it gave"),
    (
        greedy,
        lambda f, start, length, end=None: greedy(f, start, length, end)[len(start) :],
        "You return what was added",
    ),
    (
        greedy,
        lambda f, start, length, end=None: greedy(f, start, length),
        "You write on after the end token",
    ),
    (
        greedy,
        lambda f, start, length: greedy(f, start, length),
        "Your function takes 3 of 4 arguments",
    ),
]
