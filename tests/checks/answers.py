"""What people write who solve the exercises: right answers in other words, and mistakes that no wrong version repeats."""

import math
import re
from collections import Counter
from functools import reduce

import numpy as np
from checks import (
    answers_decoding,
    answers_gradient,
    answers_tokenizers,
    answers_training,
    answers_unigram,
    answers_word_piece,
)

from transformer_math.attention import (
    KVCache,
    attention,
    blockwise_attention,
    cached_attention,
    causal_mask,
    causal_padding_mask,
    concat_heads,
    cross_attention,
    multi_head_attention,
    online_softmax,
    project,
    projection_flops,
    score_terms,
    scores,
    sliding_window_mask,
    softmax,
    split_heads,
)
from transformer_math.block import (
    add_norm,
    encoder_layer,
    encoder_layer_pre_norm,
    feed_forward,
    gelu,
    gelu_tanh,
    layer_norm,
    pre_norm,
    relu,
)
from transformer_math.embedding import embed, one_hot, scale_embedding
from transformer_math.model import (
    encoder,
    encoder_layer_flops,
    encoder_layer_parameters,
    logits_flops,
    transformer,
)
from transformer_math.output import logits, probabilities
from transformer_math.position import (
    frequencies,
    position_similarity,
    rope,
    rope_half_split,
    rotate_pairs,
    shift_matrix,
    sinusoidal,
    wavelengths,
)
from transformer_math.tokenization import (
    BPE,
    build_vocabulary,
    decode_text,
    encode_bpe,
    pair_counts,
    printable_code_point,
    train_bpe,
    unknown_share,
    utf8_bytes,
    words,
)
from transformer_math.trained.ablation import gate_heads, gate_slopes
from transformer_math.trained.attention_only import attention_only
from transformer_math.trained.date_translator import exact_match, share_on
from transformer_math.trained.induction_heads import (
    prefix_matching_score,
    previous_token_score,
)
from transformer_math.trained.senses import centroids, distances, silhouette


def transposed(x):
    return np.swapaxes(x, -1, -2)


def heads_one_by_one(x, n_heads):
    d = x.shape[-1] // n_heads
    return np.stack([x[..., h * d : (h + 1) * d] for h in range(n_heads)], axis=-3)


def attention_by_einsum(Q, K, V, mask=None):
    S = np.einsum("...nd,...md->...nm", Q, K) / math.sqrt(Q.shape[-1])
    E = np.exp(S - S.max(axis=-1, keepdims=True)) * (1.0 if mask is None else mask)
    total = E.sum(axis=-1, keepdims=True)
    A = np.divide(E, total, out=np.zeros_like(E), where=total > 0)
    return np.einsum("...nm,...mv->...nv", A, V), A


def sinusoidal_by_slices(n, d_model, base):
    angles = np.outer(np.arange(n), frequencies(d_model, base))
    P = np.empty((n, d_model))
    P[:, 0::2], P[:, 1::2] = np.sin(angles), np.cos(angles)
    return P


def rotated_as_complex(x, angles):
    z = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)
    return np.stack([z.real, z.imag], axis=-1).reshape(x.shape)


def rope_by_rotate_half(x, positions, base=10000.0):
    angles = np.tile(np.outer(positions, frequencies(x.shape[-1], base)), 2)
    first, second = np.split(x, 2, axis=-1)
    return x * np.cos(angles) + np.concatenate([-second, first], axis=-1) * np.sin(
        angles
    )


def pair_counts_in_a_dict(word_counts):
    counts = {}
    for word, count in word_counts.items():
        for i in range(1, len(word)):
            counts[word[i - 1], word[i]] = counts.get((word[i - 1], word[i]), 0) + count
    return counts


def state_from_exponentials(m, l, o, S, V):
    """The step with the old state as one more key, whose score is m."""
    whole = np.concatenate([m[..., None], S], axis=-1)
    top = whole.max(axis=-1)
    E = np.exp(whole - np.where(np.isfinite(top), top, 0)[..., None])
    old, new = E[..., :1], E[..., 1:]
    return top, old[..., 0] * l + new.sum(-1), old * o + new @ V


def cache_by_vstack(q, k, v, cache=None):
    old = (k[..., :0], v[..., :0]) if cache is None else (cache.K, cache.V)
    K, V = (
        np.append(past, new[..., None, :], axis=-2) if cache else new[..., None, :]
        for past, new in zip(old, (k, v))
    )
    O, _ = attention(q[..., None, :], K, V)
    return np.squeeze(O, axis=-2), KVCache(K, V)


def appended(q, k, v, cache, output):
    return output, cached_attention(q, k, v, cache)[1]


RIGHT = [
    (online_softmax, state_from_exponentials),
    (online_softmax, lambda m, l, o, S, V: list(online_softmax(m, l, o, S, V))),
    (cached_attention, cache_by_vstack),
    (cached_attention, lambda q, k, v, cache: cached_attention(q, k, v, cache)),
    (
        blockwise_attention,
        lambda Q, K, V, mask=None, block=256: attention(Q, K, V, mask)[0],
    ),
    (
        blockwise_attention,
        lambda Q, K, V, mask=None, block=1: blockwise_attention(Q, K, V, mask, 3),
    ),
    (
        cross_attention,
        lambda Z, Y, W_Q, W_K, W_V, mask=None: attention(
            Z @ W_Q, Y @ W_K, Y @ W_V, mask
        ),
    ),
    (
        cross_attention,
        lambda Z, memory, W_Q, W_K, W_V, mask=None: list(
            attention_by_einsum(Z @ W_Q, memory @ W_K, memory @ W_V, mask)
        ),
    ),
    (projection_flops, lambda n, m, d: 2 * d * d * (2 * n + 2 * m)),
    (projection_flops, lambda n, m, d_model: float(4 * (n + m) * d_model**2)),
    (softmax, lambda x: np.exp(x - np.logaddexp.reduce(x, axis=-1, keepdims=True))),
    (softmax, lambda x: softmax(x).tolist()),
    (
        softmax,
        lambda x: np.apply_along_axis(
            lambda r: np.exp(r - max(r)) / sum(np.exp(r - max(r))), -1, x
        ),
    ),
    (scores, lambda Q, K: np.einsum("...nd,...md->...nm", Q, K) / Q.shape[-1] ** 0.5),
    (
        scores,
        lambda queries, keys: (queries / math.sqrt(keys.shape[-1])) @ transposed(keys),
    ),
    (causal_mask, lambda n: [[j <= i for j in range(n)] for i in range(n)]),
    (causal_mask, lambda n: np.arange(n)[:, None] >= np.arange(n)),
    (
        causal_padding_mask,
        lambda lengths, n: np.stack(
            [[np.tri(n, dtype=bool) & (np.arange(n) < length)] for length in lengths]
        ),
    ),
    (
        causal_padding_mask,
        lambda lengths, n: (
            np.arange(n)
            <= np.minimum(np.arange(n)[:, None], lengths[:, None, None, None] - 1)
        ),
    ),
    (
        sliding_window_mask,
        lambda n, window: [[i - window < j <= i for j in range(n)] for i in range(n)],
    ),
    (
        sliding_window_mask,
        lambda n, window: np.triu(np.tri(n, dtype=bool), 1 - window),
    ),
    (attention, lambda Q, K, V, mask=None: list(attention(Q, K, V, mask))),
    (attention, attention_by_einsum),
    (attention, lambda Q, K, V, mask: attention(Q, K, V, mask)),
    (project, lambda Z, W, b=None: Z @ W if b is None else Z @ W + b),
    (project, lambda Z, W, b: np.einsum("...i,io->...o", Z, W) + b),
    (split_heads, lambda x, n_heads: heads_one_by_one(x, n_heads)),
    (
        split_heads,
        lambda x, n_heads: np.moveaxis(x.reshape(*x.shape[:-1], n_heads, -1), -2, -3),
    ),
    (concat_heads, lambda O: np.concatenate(list(np.moveaxis(O, -3, 0)), axis=-1)),
    (
        concat_heads,
        lambda O: np.moveaxis(O, -3, -2).reshape(*O.shape[:-3], O.shape[-2], -1),
    ),
    (
        score_terms,
        lambda X, P, W_Q, W_K: [
            scores(a @ W_Q, b @ W_K) for a in (X, P) for b in (X, P)
        ],
    ),
    (
        score_terms,
        lambda X, P, W_Q, W_K: (
            np.stack([(a @ W_Q) @ (b @ W_K).T for a in (X, P) for b in (X, P)])
            / W_Q.shape[1] ** 0.5
        ),
    ),
    (
        multi_head_attention,
        lambda Z, source, p, n_heads, mask=None: list(
            multi_head_attention(Z, source, p, n_heads, mask)
        ),
    ),
    (
        multi_head_attention,
        lambda Z, Y, p, H, mask: multi_head_attention(Z, Y, p, H, mask),
    ),
    (
        layer_norm,
        lambda x, gamma, beta, eps: (
            gamma
            * (x - x.mean(-1, keepdims=True))
            / np.sqrt(x.var(-1, keepdims=True) + eps)
            + beta
        ),
    ),
    (
        layer_norm,
        lambda x, gamma, beta, eps=0.00001: layer_norm(x, gamma, beta, eps).tolist(),
    ),
    (
        add_norm,
        lambda x, update, gamma, beta, eps=1e-5: layer_norm(
            update + x, gamma, beta, eps
        ),
    ),
    (
        add_norm,
        lambda x, update, gamma, beta, eps: add_norm(update, x, gamma, beta, eps),
    ),
    (
        pre_norm,
        lambda x, sublayer, gamma, beta, eps=1e-5: (
            sublayer(layer_norm(x, gamma, beta, eps)) + x
        ),
    ),
    (
        pre_norm,
        lambda x, f, gamma, beta, eps: np.add(x, f(layer_norm(x, gamma, beta, eps))),
    ),
    (
        gelu,
        np.vectorize(
            lambda x: x * (1 + math.erf(x / math.sqrt(2))) / 2, otypes=[float]
        ),
    ),
    (gelu, lambda x: gelu(x).tolist()),
    (
        gelu_tanh,
        lambda x: (
            0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * x * (1 + 0.044715 * x**2)))
        ),
    ),
    (
        gelu_tanh,
        lambda x: x / (1 + np.exp(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    ),
    (
        feed_forward,
        lambda x, p, activation=relu: activation(x @ p.W_1 + p.b_1) @ p.W_2 + p.b_2,
    ),
    (
        feed_forward,
        lambda x, p, activation: (
            np.einsum("...f,fd->...d", activation(x @ p.W_1 + p.b_1), p.W_2) + p.b_2
        ),
    ),
    (
        encoder_layer,
        lambda Z, p, n_heads, mask, activation: encoder_layer(
            Z, p, n_heads, mask, activation
        ),
    ),
    (
        encoder_layer,
        lambda Z, p, H, mask=None, activation=relu: encoder_layer(
            Z, p, H, mask, activation
        ).tolist(),
    ),
    (
        encoder_layer_pre_norm,
        lambda Z, p, n_heads, mask, activation: encoder_layer_pre_norm(
            Z, p, n_heads, mask, activation
        ),
    ),
    (
        encoder_layer_pre_norm,
        lambda Z, p, H, mask=None, activation=relu: encoder_layer_pre_norm(
            Z, p, H, mask, activation
        ).tolist(),
    ),
    (
        encoder,
        lambda Z, layers, n_heads, mask=None, activation=relu: reduce(
            lambda Z, p: encoder_layer(Z, p, n_heads, mask, activation), layers, Z
        ),
    ),
    (
        encoder,
        lambda Z, layers, n_heads, mask, activation: encoder(
            Z, tuple(layers), n_heads, mask, activation
        ),
    ),
    (
        transformer,
        lambda ids, p, n_heads, mask=None: probabilities(
            logits(
                encoder(
                    scale_embedding(embed(ids, p.E))
                    + sinusoidal(ids.shape[-1], p.E.shape[1]),
                    p.layers,
                    n_heads,
                    mask,
                ),
                p.W_out,
            )
        ),
    ),
    (
        transformer,
        lambda ids, p, n_heads, mask: transformer(ids, p, n_heads, mask).tolist(),
    ),
    (logits, lambda Z, W_out, b_out=0: Z @ W_out + b_out),
    (logits, lambda Z, W, b: np.einsum("...d,dv->...v", Z, W) + b),
    (probabilities, lambda logits, temperature=1: softmax(logits / temperature)),
    (probabilities, lambda logits, T: softmax(logits / T).tolist()),
    (one_hot, lambda ids, vocab_size: np.eye(vocab_size, dtype=int)[ids]),
    (
        one_hot,
        lambda ids, vocab_size: (ids[..., None] == np.arange(vocab_size)).astype(
            np.float32
        ),
    ),
    (embed, lambda ids, E: np.take(E, ids, axis=0)),
    (embed, lambda ids, E: one_hot(ids, len(E)) @ E),
    (scale_embedding, lambda X: X * X.shape[-1] ** 0.5),
    (scale_embedding, lambda X: (math.sqrt(X.shape[-1]) * X).tolist()),
    (
        frequencies,
        lambda d_model, base=10000: [
            base ** (-2 * i / d_model) for i in range(d_model // 2)
        ],
    ),
    (frequencies, lambda d, base: np.exp(-np.arange(0, d, 2) / d * math.log(base))),
    (
        wavelengths,
        lambda d_model, base=10000.0: (
            2 * math.pi * base ** (np.arange(0, d_model, 2) / d_model)
        ),
    ),
    (wavelengths, lambda d, base: tuple(2 * math.pi / f for f in frequencies(d, base))),
    (
        sinusoidal,
        lambda n, d, base=10000.0: [
            [
                (math.cos if j % 2 else math.sin)(t / base ** (j // 2 * 2 / d))
                for j in range(d)
            ]
            for t in range(n)
        ],
    ),
    (sinusoidal, sinusoidal_by_slices),
    (
        position_similarity,
        lambda offset, d, base=10000.0: [
            sum(math.cos(k * f) for f in frequencies(d, base)) for k in offset
        ],
    ),
    (
        position_similarity,
        lambda k, d, base: np.cos(np.outer(k, frequencies(d, base))).sum(1),
    ),
    (shift_matrix, lambda k, d, base=10000.0: shift_matrix(-k, d, base).T),
    (shift_matrix, lambda k, d, base: shift_matrix(k, d, base).tolist()),
    (rotate_pairs, rotated_as_complex),
    (rotate_pairs, lambda x, angles: rotate_pairs(x, angles + 2 * math.pi)),
    (
        rope,
        lambda x, positions, base=10000.0: rotate_pairs(
            x, np.outer(positions, frequencies(x.shape[-1], base))
        ),
    ),
    (
        rope,
        lambda x, m, base: rotated_as_complex(
            x, np.outer(m, frequencies(x.shape[-1], base))
        ),
    ),
    (rope_half_split, rope_by_rotate_half),
    (rope_half_split, lambda x, m, base: rope_half_split(x, m, base).tolist()),
    (
        encoder_layer_parameters,
        lambda d, f: 4 * (d * d + d) + d * f + f + f * d + d + 2 * 2 * d,
    ),
    (encoder_layer_parameters, lambda d, f: float(encoder_layer_parameters(d, f))),
    (
        encoder_layer_flops,
        lambda n, d, f: 2 * (4 * n * d * d + 2 * n * n * d + 2 * n * d * f),
    ),
    (encoder_layer_flops, lambda n, d, f: np.int64(4 * n * d * (2 * d + n + f))),
    (logits_flops, lambda n, d, V: n * d * V * 2),
    (logits_flops, lambda n, d, V: sum(2 * d for _ in range(n * V))),
    (words, lambda text: tuple(words(text))),
    (
        words,
        lambda text: [
            run for run in re.findall(r"\s+|\w+|[^\w\s]", text) if not run.isspace()
        ],
    ),
    (
        build_vocabulary,
        lambda t, specials=(): dict(reversed(build_vocabulary(t, specials).items())),
    ),
    (
        build_vocabulary,
        lambda t, specials=(): {
            w: i
            for i, w in enumerate(
                sorted(
                    {*t, *specials},
                    key=lambda w: (
                        w not in specials,
                        [*specials].index(w) if w in specials else 0,
                        w,
                    ),
                )
            )
        },
    ),
    (unknown_share, lambda ids, unknown: list(ids).count(unknown) / len(ids)),
    (unknown_share, lambda ids, u: float(np.mean([i == u for i in ids]))),
    (
        printable_code_point,
        lambda byte: (
            byte
            + (256 if byte < 33 else 162 if 126 < byte < 161 else 150 * (byte == 173))
        ),
    ),
    (printable_code_point, lambda byte: np.int64(printable_code_point(byte))),
    (
        decode_text,
        lambda ids, bpe: bytes(b for i in ids for b in bpe.tokens[i]).decode(
            errors="replace"
        ),
    ),
    (
        decode_text,
        lambda ids, bpe: reduce(
            lambda a, b: a + b, (bpe.tokens[i] for i in ids), b""
        ).decode("utf-8", "replace"),
    ),
    (utf8_bytes, lambda code_point: list(chr(code_point).encode())),
    (utf8_bytes, lambda c: bytes(utf8_bytes(c))),
    (pair_counts, pair_counts_in_a_dict),
    (
        pair_counts,
        lambda w: sum(
            (
                Counter({p: c * n for p, n in Counter(zip(k, k[1:])).items()})
                for k, c in w.items()
            ),
            Counter(),
        ),
    ),
    (
        train_bpe,
        lambda w, v, alphabet=None: BPE(
            list(train_bpe(w, v, alphabet).tokens), train_bpe(w, v, alphabet).merges
        ),
    ),
    (train_bpe, lambda w, v, alphabet: train_bpe(w, v, alphabet)),
    (encode_bpe, lambda chunks, bpe: np.array(encode_bpe(chunks, bpe))),
    (
        encode_bpe,
        lambda chunks, bpe: [i for chunk in chunks for i in encode_bpe([chunk], bpe)],
    ),
    (
        exact_match,
        lambda predicted, wanted: np.mean(
            [list(p) == list(w) for p, w in zip(predicted, wanted)]
        ),
    ),
    (exact_match, lambda u, y: 1 - (u != y).any(axis=1).mean()),
    (share_on, lambda A, F: np.where(F, A, 0).sum(axis=1).mean()),
    (share_on, lambda A, F: A[F].sum() / A.shape[0]),
    (
        previous_token_score,
        lambda A: A[..., range(1, A.shape[-1]), range(A.shape[-1] - 1)].mean(-1),
    ),
    (
        previous_token_score,
        lambda A: np.trace(A[..., 1:, :-1], axis1=-2, axis2=-1) / (A.shape[-1] - 1),
    ),
    (
        prefix_matching_score,
        lambda A, ids: np.mean(
            [
                sum(A[..., i, j] for j in range(1, i + 1) if ids[j - 1] == ids[i])
                for i in range(len(ids))
                if ids[i] in ids[:i]
            ],
            axis=0,
        ),
    ),
    (centroids, lambda X, y: [X[y == k].mean(0) for k in sorted(set(y.tolist()))]),
    (
        centroids,
        lambda X, y: [np.average(X, axis=0, weights=y == k) for k in range(max(y) + 1)],
    ),
    (distances, lambda X, C: [[math.dist(x, c) for c in C] for x in X]),
    (distances, lambda X, C: np.linalg.norm(X[:, None] - C[None], axis=-1)),
    (
        gate_heads,
        lambda W, g: np.concatenate([x * w for x, w in zip(g, np.split(W, len(g)))]),
    ),
    (gate_heads, lambda W, g: np.kron(np.diag(g), np.eye(len(W) // len(g))) @ W),
    (
        gate_slopes,
        lambda W, G, H: [np.vdot(w, g) for w, g in zip(np.split(W, H), np.split(G, H))],
    ),
    (gate_slopes, lambda W, G, H: (W * G).sum(axis=1).reshape(H, -1).sum(axis=1)),
    (
        prefix_matching_score,
        lambda A, ids: (
            np.sum(
                A[..., 1:]
                * ((ids[:, None] == ids) & np.tri(len(ids), k=-1, dtype=bool))[:, :-1],
                axis=(-1, -2),
            )
            / sum(t in ids[:i] for i, t in enumerate(ids))
        ),
    ),
    (
        attention_only,
        lambda Z, layers, n_heads, mask=None: reduce(
            lambda z, p: pre_norm(
                z,
                lambda x: multi_head_attention(x, x, p.attention, n_heads, mask)[0],
                p.gamma,
                p.beta,
            ),
            layers,
            Z,
        ),
    ),
    (
        attention_only,
        lambda Z, ps, H, mask=None: attention_only(
            attention_only(Z, ps[:1], H, mask), ps[1:], H, mask
        ),
    ),
    (silhouette, lambda X, y: silhouette(X[::-1], 1 - y[::-1])),
    (
        silhouette,
        lambda X, y: np.mean(
            [
                (b - a) / max(a, b)
                for i, x in enumerate(X)
                for r in [np.linalg.norm(X - x, axis=1)]
                for a in [r[y == y[i]].sum() / ((y == y[i]).sum() - 1)]
                for b in [r[y != y[i]].mean()]
            ]
        ),
    ),
]

# The package's function, what somebody wrote for it, and words that the verdict must hold.
WRONG = [
    (
        train_bpe,
        lambda w, v, alphabet=None: (lambda b: (b.tokens, b.merges))(
            train_bpe(w, v, alphabet)
        ),
        "wanted a BPE",
    ),
    (
        encode_bpe,
        lambda chunks, bpe: [bpe.tokens[i] for i in encode_bpe(chunks, bpe)],
        "Your function returns a list of texts; wanted a list of numbers",
    ),
    (
        pair_counts,
        lambda w: dict(min(pair_counts(w).items(), key=lambda one: one[1]) for _ in w),
        "`min` or `max` has nothing to choose from",
    ),
    (
        cached_attention,
        lambda q, k, v, cache=None: attention(
            q[..., None, :],
            np.concatenate([cache.K, k[..., None, :]], axis=-2),
            np.concatenate([cache.V, v[..., None, :]], axis=-2),
        ),
        "ask `if x is None` first",
    ),
    (
        cross_attention,
        lambda Z, Y, W_Q, W_K, W_V, mask=None: (
            (
                *cross_attention(
                    Z,
                    Y,
                    W_Q,
                    W_K,
                    np.einsum("mo,oe->me", W_V, np.eye(W_V.shape[1])),
                    mask,
                )[:1],
                np.einsum("nd,md->nm", Z @ W_Q, Y @ W_K),
            )
        ),
        "write them as `...` in einsum",
    ),
    (
        online_softmax,
        lambda m, l, o, S, V: online_softmax(m, l, o, S, V)[::-1],
        "it gave",
    ),
    (
        online_softmax,
        lambda m, l, o, S, V: (
            np.maximum(m, S.max(-1)),
            l + np.exp(S).sum(-1),
            o + np.exp(S) @ V,
        ),
        "it gave",
    ),
    (
        online_softmax,
        lambda m, l, o, S, V: online_softmax(m, l, o, S, V)[0],
        "it gave",
    ),
    (
        online_softmax,
        lambda m, l, o, S, V: (
            *online_softmax(m, l, o, S, V)[:2],
            softmax(S) @ V,
        ),
        "it gave",
    ),
    (
        online_softmax,
        lambda m, l, o, S, V: (
            lambda top, l, o: (top, l, o / np.maximum(l, 1)[..., None])
        )(*online_softmax(m, l, o, S, V)),
        "You divide by the sum in every step",
    ),
    (
        cached_attention,
        lambda q, k, v, cache=None: cached_attention(q, k, v, cache)[0],
        "You return only the first of two results",
    ),
    (
        cached_attention,
        lambda q, k, v, cache=None: cached_attention(q, k, v),
        "You forget what came before",
    ),
    (
        cached_attention,
        lambda q, k, v, cache=None: cached_attention(
            q * np.sqrt(q.shape[-1]), k, v, cache
        ),
        "it gave",
    ),
    (
        cached_attention,
        lambda q, k, v, cache=None: appended(q, k, v, cache, v),
        "it gave",
    ),
    (
        cached_attention,
        lambda q, k, v, cache=None: cached_attention(k, q, v, cache),
        "it gave",
    ),
    (
        blockwise_attention,
        lambda Q, K, V, mask=None, block=256: attention(Q, K, V, mask),
        "it gave",
    ),
    (
        blockwise_attention,
        lambda Q, K, V, mask=None, block=256: attention(Q, K, V)[0],
        "You ignore the mask",
    ),
    (
        blockwise_attention,
        lambda Q, K, V, mask=None, block=256: attention(
            Q, K, V, None if mask is None else ~mask
        )[0],
        "upside down",
    ),
    (
        blockwise_attention,
        lambda Q, K, V, mask=None, block=256: attention(
            Q,
            K[..., :block, :],
            V[..., :block, :],
            mask if mask is None else mask[..., :block],
        )[0],
        "it gave",
    ),
    (
        blockwise_attention,
        lambda Q, K, V, mask=None, block=256: (
            softmax(np.where(True if mask is None else mask, scores(Q, K), -1e9)) @ V
        ),
        "a large negative number",
    ),
    (
        cross_attention,
        lambda Z, Y, W_Q, W_K, W_V, mask=None: attention(
            Z @ W_Q, Y @ W_K, Y @ W_V, mask
        )[0],
        "You return only the first of two results",
    ),
    (
        cross_attention,
        lambda Z, Y, W_Q, W_K, W_V, mask=None: attention(Z @ W_Q, Y @ W_K, Y @ W_V),
        "You ignore the mask",
    ),
    (
        cross_attention,
        lambda Z, Y, W_Q, W_K, W_V, mask=None: cross_attention(
            Z * np.sqrt(W_Q.shape[1]), Y, W_Q, W_K, W_V, mask
        ),
        "it gave",
    ),
    (
        cross_attention,
        lambda Z, Y, W_Q, W_K, W_V, mask=None: cross_attention(
            Z, Y[..., :1, :], W_Q, W_K, W_V
        ),
        "it gave",
    ),
    (
        cross_attention,
        lambda Z, Y, W_Q, W_K, W_V, mask=None: cross_attention(
            Z, Y, W_Q, W_K, W_V, None if mask is None else ~mask
        ),
        "upside down",
    ),
    (projection_flops, lambda n, m, d: 8 * n * d * d, "it gave"),
    (projection_flops, lambda n, m, d: 8 * n * m * d, "it gave"),
    (projection_flops, lambda n, m, d: 4 * (n + m) * d, "it gave"),
    (
        projection_flops,
        lambda n, m, d: 2 * (n + m) * d * d,
        "You count a multiply-add as one operation",
    ),
    (
        projection_flops,
        lambda n, m, d: 2 * n * d * d + 4 * m * d * d,
        "You count three projections",
    ),
    (
        softmax,
        lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(-1, keepdims=True),
        "You take the largest score of the whole array",
    ),
    (
        softmax,
        lambda x: np.exp(x - x.max(-1)) / np.exp(x - x.max(-1)).sum(-1),
        "NumPy cannot bring two of your shapes together",
    ),
    (
        softmax,
        lambda x: (
            np.exp(x - x.mean(-1, keepdims=True))
            / np.exp(x - x.mean(-1, keepdims=True)).sum(-1, keepdims=True)
        ),
        "Your result holds NaN, for 0/0, ∞ − ∞",
    ),
    (
        softmax,
        lambda x: softmax(x).astype(np.float32),
        "The formula is right, the precision is not",
    ),
    (
        softmax,
        lambda x: x / x.sum(-1, keepdims=True),
        "You divide the scores by their sum",
    ),
    (softmax, lambda x: 1 / (1 + np.exp(-x)), "it gave"),
    (
        softmax,
        lambda x: transposed(softmax(x)),
        "Your result is the transpose of the one wanted",
    ),
    (softmax, lambda x: softmax(-x), "it raised ValueError: x holds inf"),
    (softmax, lambda x: np.round(softmax(x), 3), "it gave"),
    (softmax, lambda x: softmax(x).tolist()[0], "it gave"),
    (
        scores,
        lambda Q, K: Q @ transposed(K) / math.sqrt(64),
        "In each case your numbers are the ones wanted",
    ),
    (
        scores,
        lambda Q, K: Q @ transposed(K) / np.sqrt(Q.shape[-2] * Q.shape[-1]),
        "In each case your numbers are the ones wanted",
    ),
    (scores, lambda Q, K: -scores(Q, K), "Your numbers have the wrong sign"),
    (
        scores,
        lambda Q, K: scores(Q, K) * 2,
        "Your numbers are the ones wanted, times 2 throughout",
    ),
    (
        scores,
        lambda Q, K: scores(Q.astype(np.float32), K.astype(np.float32)),
        "The formula is right, the precision is not",
    ),
    (scores, lambda Q, K: transposed(scores(Q, K)), "Your scores stand on their side"),
    (scores, lambda Q, K: softmax(scores(Q, K)), "You take the softmax already"),
    (
        scores,
        lambda Q, K: Q @ transposed(K) / (Q.shape[-1] * 0.5),
        "In each case your numbers are the ones wanted",
    ),
    (
        causal_mask,
        lambda n: np.triu(np.ones((n, n)), 1) * -np.inf,
        "Your result holds numbers",
    ),
    (causal_mask, lambda n: np.tri(n).astype(int), "Your ones and zeros are numbers"),
    (
        causal_mask,
        lambda n: np.triu(np.ones((n, n), dtype=bool)),
        "Your mask looks ahead",
    ),
    (
        causal_mask,
        lambda n: ~np.tri(n, dtype=bool),
        "Your mask is upside down, as PyTorch's modules want",
    ),
    (
        causal_mask,
        lambda n: np.where(np.tri(n) == 1, 0, -1000000000.0),
        "Your result holds numbers",
    ),
    (causal_mask, lambda n: np.tri(n + 1, dtype=bool), "it gave"),
    (causal_mask, lambda n: np.ones((n, n), dtype=bool), "it gave"),
    (
        causal_padding_mask,
        lambda lengths, n: (
            np.tri(n, dtype=bool) | (np.arange(n) < lengths[:, None, None, None])
        ),
        "You allow what one of the two masks allows",
    ),
    (
        causal_padding_mask,
        lambda lengths, n: (
            np.tri(n, dtype=bool) & (np.arange(n) <= lengths[:, None, None, None])
        ),
        "it gave",
    ),
    (
        causal_padding_mask,
        lambda lengths, n: (
            np.tri(n, dtype=bool) & (np.arange(n) < lengths[:, None, None])
        ),
        "Your array lacks the axis of the heads",
    ),
    (
        causal_padding_mask,
        lambda lengths, n: np.tri(n) * (np.arange(n) < lengths[:, None, None, None]),
        "Your result holds numbers",
    ),
    (
        causal_padding_mask,
        lambda lengths, n: np.where(causal_padding_mask(lengths, n), 0.0, -1e9),
        "Your result holds numbers",
    ),
    (
        causal_padding_mask,
        lambda lengths, n: ~causal_padding_mask(lengths, n),
        "upside down",
    ),
    (
        sliding_window_mask,
        lambda n, window: (
            np.abs(np.subtract.outer(np.arange(n), np.arange(n))) < window
        ),
        "Your window looks ahead as well",
    ),
    (
        sliding_window_mask,
        lambda n, window: np.tri(n, dtype=bool) & ~np.tri(n, k=-window - 1, dtype=bool),
        "Your window holds one position too many",
    ),
    (
        sliding_window_mask,
        lambda n, window: np.tri(n, dtype=bool),
        "Your window has no far end",
    ),
    (
        sliding_window_mask,
        lambda n, window: sliding_window_mask(n, window).T,
        "Your result is the transpose",
    ),
    (
        sliding_window_mask,
        lambda n, window: sliding_window_mask(n, window) & ~np.eye(n, dtype=bool),
        "Your window does not hold the token itself",
    ),
    (
        sliding_window_mask,
        lambda n, window: sliding_window_mask(n, window).astype(int),
        "Your result holds numbers",
    ),
    (
        attention,
        lambda Q, K, V, mask=None: attention(Q, K, V, mask)[0],
        "You return only the first of two results",
    ),
    (
        attention,
        lambda Q, K, V, mask=None: attention(Q, K, V, mask)[::-1],
        "Your two results have changed places",
    ),
    (
        attention,
        lambda Q, K, V: attention(Q, K, V),
        "Your function takes 3 of 4 arguments",
    ),
    (attention, lambda Q, K, V, mask=None: attention(Q, K, V), "You ignore the mask"),
    (
        attention,
        lambda Q, K, V, mask=None: (lambda A: (A @ V, A))(
            softmax(
                (
                    Q @ transposed(K)
                    if mask is None
                    else np.where(mask, Q @ transposed(K), -1000000000.0)
                )
                / np.sqrt(Q.shape[-1])
            )
        ),
        "You mask with a large negative number such as",
    ),
    (
        attention,
        lambda Q, K, V, mask=None: (lambda A: (A @ V, A))(
            softmax(
                Q @ transposed(K) / np.sqrt(Q.shape[-1])
                + (0 if mask is None else np.where(mask, 0, -10000.0))
            )
        ),
        "You add a negative number such as −1e4 to",
    ),
    (
        attention,
        lambda Q, K, V, mask=None: (attention(Q, K, V, mask)[0], scores(Q, K)),
        "it gave",
    ),
    (
        attention,
        lambda Q, K, V, mask=None: tuple(
            x.astype(np.float32) for x in attention(Q, K, V, mask)
        ),
        "The formula is right, the precision is not",
    ),
    (
        attention,
        lambda Q, K, V, mask=None: (
            attention(Q, K, V, mask)[0],
            attention(Q, K, V, mask)[1] * np.nan,
        ),
        "Your result holds NaN, for 0/0, ∞ − ∞",
    ),
    (
        attention,
        lambda Q, K, V, mask=None: (
            attention(K, Q, V, mask) if Q.shape == K.shape else attention(Q, K, V, mask)
        ),
        "it gave",
    ),
    (project, lambda Z, W, b=0.0: Z @ W - b, "it gave"),
    (
        project,
        lambda Z, W, b=0.0: (Z @ W + b).astype(np.float32),
        "The formula is right, the precision is not",
    ),
    (project, lambda Z, W: Z @ W, "Your function takes 2 of 3 arguments"),
    (
        project,
        lambda Z, W, b=1.0: Z @ W + b,
        "Your function is right where `b` is given",
    ),
    (project, lambda Z, W, b=0.0: relu(Z @ W + b), "it gave"),
    (project, lambda Z, W, b=0.0: W.T @ transposed(Z), "Your result has shape"),
    (
        split_heads,
        lambda x, H: x.reshape(*x.shape[:-1], H, -1),
        "Your result has shape",
    ),
    (
        split_heads,
        lambda x, H: np.array(np.split(x, H, axis=-1)),
        "Your result has shape",
    ),
    (
        split_heads,
        lambda x, H: transposed(heads_one_by_one(x, H)),
        "Your result is the transpose of the one wanted",
    ),
    (split_heads, lambda x, H: heads_one_by_one(x, H)[..., ::-1, :, :], "it gave"),
    (split_heads, lambda x, H: heads_one_by_one(x, 1), "Your result has shape"),
    (concat_heads, lambda O: O[..., 0, :, :], "it gave"),
    (concat_heads, lambda O: np.concatenate(list(O), axis=-1), "Your result has shape"),
    (concat_heads, lambda O: concat_heads(O[..., ::-1, :, :]), "it gave"),
    (concat_heads, lambda O: O.mean(-3), "it gave"),
    (
        concat_heads,
        lambda O: np.concatenate(np.moveaxis(O, -3, 0), axis=-2),
        "Your result has shape",
    ),
    (score_terms, lambda X, P, WQ, WK: score_terms(X, P, WQ, WK).sum(0), "it gave"),
    (score_terms, lambda X, P, WQ, WK: score_terms(X, P, WK, WQ), "it gave"),
    (score_terms, lambda X, P, WQ, WK: score_terms(X, P, WQ, WK)[:2], "it gave"),
    (score_terms, lambda X, P, WQ, WK: score_terms(X, X, WQ, WK), "it gave"),
    (
        score_terms,
        lambda X, P, WQ, WK: score_terms(X, P, WQ, WK) / 2,
        "Your numbers are the ones wanted, times 0",
    ),
    (
        multi_head_attention,
        lambda Z, s, p, H, mask=None: multi_head_attention(Z, s, p, H, mask)[0],
        "You return only the first of two results",
    ),
    (
        multi_head_attention,
        lambda Z, s, p, H, mask=None: multi_head_attention(Z, s, p, H),
        "You ignore the mask",
    ),
    (
        multi_head_attention,
        lambda Z, s, p, H: multi_head_attention(Z, s, p, H),
        "Your function takes 4 of 5 arguments",
    ),
    (
        multi_head_attention,
        lambda Z, s, p, H, mask=None: multi_head_attention(Z, s, p, 1, mask),
        "it gave",
    ),
    (
        multi_head_attention,
        lambda Z, s, p, H, mask=None: multi_head_attention(s, Z, p, H, None),
        "it gave",
    ),
    (
        multi_head_attention,
        lambda Z, s, p, H, mask=None: (lambda o, A: (o - p.b_O, A))(
            *multi_head_attention(Z, s, p, H, mask)
        ),
        "it gave",
    ),
    (
        layer_norm,
        lambda x, g, b, eps=1e-05: (
            g
            * (x - x.mean(-1, keepdims=True))
            / np.linalg.norm(x - x.mean(-1, keepdims=True), axis=-1, keepdims=True)
            + b
        ),
        "You divide by the length of the centred vector,",
    ),
    (
        layer_norm,
        lambda x, g, b, eps=1e-06: layer_norm(x, g, b, eps),
        "Your function is right where `eps` is given",
    ),
    (layer_norm, lambda x, g, b, eps=1e-05: layer_norm(x, g, b), "You ignore `eps`"),
    (
        layer_norm,
        lambda x, g, b, eps=1e-05: (
            g
            * (x - x.mean(-1, keepdims=True))
            / np.sqrt(x.var(-1, keepdims=True) + eps)
        ),
        "You forget β",
    ),
    (
        layer_norm,
        lambda x, g, b, eps=1e-05: (
            g
            * (
                (x - x.mean(-1, keepdims=True))
                / np.sqrt(x.var(-1, keepdims=True) + eps)
                + b
            )
        ),
        "You add β before you multiply by γ",
    ),
    (
        layer_norm,
        lambda x, g, b, eps=1e-05: g * (x - x.mean()) / np.sqrt(x.var() + eps) + b,
        "You take mean and variance of the whole array",
    ),
    (
        layer_norm,
        lambda x, g, b, eps=1e-05: g * (x - x.mean(-1)) / np.sqrt(x.var(-1) + eps) + b,
        "NumPy cannot bring two of your shapes together",
    ),
    (layer_norm, lambda x, g, b, eps=1e-05: layer_norm(x, g, b, eps**2), "it gave"),
    (
        layer_norm,
        lambda x, g, b: layer_norm(x, g, b),
        "Your function takes 3 of 4 arguments",
    ),
    (add_norm, lambda x, u, g, b, eps=1e-05: layer_norm(x - u, g, b, eps), "it gave"),
    (
        add_norm,
        lambda x, u, g, b, eps=1e-05: (
            layer_norm(x, g, b, eps) + layer_norm(u, g, b, eps)
        ),
        "it gave",
    ),
    (
        add_norm,
        lambda x, u, g, b, eps=1e-05: layer_norm(x + u, g, b),
        "You ignore `eps`",
    ),
    (
        add_norm,
        lambda x, u, g, b, eps=1e-05: x + layer_norm(x + u, g, b, eps),
        "You add x once more after normalising",
    ),
    (
        add_norm,
        lambda x, u, g, b, eps=1e-05: layer_norm(x, g, b, eps),
        "You forget the update",
    ),
    (
        pre_norm,
        lambda x, f, g, b, eps=1e-05: x + layer_norm(f(x), g, b, eps),
        "You normalise what comes out of the sublayer",
    ),
    (
        pre_norm,
        lambda x, f, g, b, eps=1e-05: f(layer_norm(x, g, b, eps)),
        "You forget the residual",
    ),
    (
        pre_norm,
        lambda x, f, g, b, eps=1e-05: x + f(x),
        "You forget to normalise what goes into the sublayer",
    ),
    (pre_norm, lambda x, f, g, b, eps=1e-05: x + layer_norm(x, g, b, eps), "it gave"),
    (
        pre_norm,
        lambda x, f, g, b, eps=1e-05: x + f(layer_norm(x, g, b)),
        "You ignore `eps`",
    ),
    (gelu, lambda x: relu(x), "it gave"),
    (gelu, lambda x: gelu(x) - x, "it gave"),
    (
        gelu,
        lambda x: x * (1 + np.vectorize(math.erf, otypes=[float])(x / math.sqrt(2))),
        "Your numbers are the ones wanted, times 2 throughout",
    ),
    (gelu, lambda x: gelu(x) / x, "it gave"),
    (
        gelu,
        lambda x: gelu(x).astype(np.float32),
        "The formula is right, the precision is not",
    ),
    (
        gelu_tanh,
        lambda x: x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**2))),
        "it gave",
    ),
    (
        gelu_tanh,
        lambda x: x / 2 * (1 + np.tanh(2 / math.pi * (x + 0.044715 * x**3))),
        "it gave",
    ),
    (
        gelu_tanh,
        lambda x: x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
        "Your numbers are the ones wanted, times 2 throughout",
    ),
    (
        gelu_tanh,
        lambda x: x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.0447 * x**3))),
        "it gave",
    ),
    (gelu_tanh, lambda x: x / 2 * (1 + math.erf(1)), "it gave"),
    (
        feed_forward,
        lambda x, p, activation=relu: feed_forward(x, p),
        "You always use ReLU",
    ),
    (
        feed_forward,
        lambda x, p, activation=relu: activation(x @ p.W_1) @ p.W_2 + p.b_2,
        "You forget b_1, the bias of the first layer",
    ),
    (
        feed_forward,
        lambda x, p, activation=relu: activation(x @ p.W_1 + p.b_1) @ p.W_2,
        "You forget b_2, the bias of the second layer",
    ),
    (
        feed_forward,
        lambda x, p, activation=relu: activation(x @ p.W_1 + p.b_1),
        "it gave",
    ),
    (
        feed_forward,
        lambda x, p: relu(x @ p.W_1 + p.b_1) @ p.W_2 + p.b_2,
        "Your function takes 2 of 3 arguments",
    ),
    (
        feed_forward,
        lambda x, p, activation=gelu: activation(x @ p.W_1 + p.b_1) @ p.W_2 + p.b_2,
        "Your function is right where `activation` is given",
    ),
    (
        encoder_layer,
        lambda Z, p, H, mask=None, activation=relu: encoder_layer(
            Z, p, H, None, activation
        ),
        "You ignore the mask",
    ),
    (
        encoder_layer,
        lambda Z, p, H, mask=None, activation=relu: encoder_layer(Z, p, H, mask),
        "You always use ReLU",
    ),
    (
        encoder_layer,
        lambda Z, p, H, mask=None, activation=relu: add_norm(
            Z, multi_head_attention(Z, Z, p.attention, H, mask)[0], p.gamma_1, p.beta_1
        ),
        "it gave",
    ),
    (
        encoder_layer,
        lambda Z, p, H, mask=None, activation=relu: encoder_layer(
            Z, p, 1, mask if mask is None or mask.ndim < 3 else None, activation
        ),
        "it gave",
    ),
    (
        encoder_layer,
        lambda Z, p, H, mask=None, activation=gelu: encoder_layer(
            Z, p, H, mask, activation
        ),
        "Your function is right where `activation` is given",
    ),
    (
        encoder_layer_pre_norm,
        lambda Z, p, H, mask=None, activation=relu: encoder_layer_pre_norm(
            Z, p, H, None, activation
        ),
        "You ignore the mask",
    ),
    (
        encoder_layer_pre_norm,
        lambda Z, p, H, mask=None, activation=relu: encoder_layer_pre_norm(
            Z, p, H, mask
        ),
        "You always use ReLU",
    ),
    (
        encoder_layer_pre_norm,
        lambda Z, p, H, mask=None, activation=relu: pre_norm(
            Z,
            lambda x: multi_head_attention(x, x, p.attention, H, mask)[0],
            p.gamma_1,
            p.beta_1,
        ),
        "it gave",
    ),
    (
        encoder_layer_pre_norm,
        lambda Z, p, H, mask=None, activation=relu: pre_norm(
            Z,
            lambda x: multi_head_attention(Z, x, p.attention, H, mask)[0],
            p.gamma_1,
            p.beta_1,
        ),
        "it gave",
    ),
    (
        encoder,
        lambda Z, l, H, mask=None, activation=relu: encoder(Z, l, H, None, activation),
        "You ignore the mask",
    ),
    (
        encoder,
        lambda Z, l, H, mask=None, activation=relu: encoder(Z, l, H, mask),
        "You always use ReLU",
    ),
    (
        encoder,
        lambda Z, l, H, mask=None: encoder(Z, l, H, mask),
        "Your function takes 4 of 5 arguments",
    ),
    (
        encoder,
        lambda Z, l, H, mask=None, activation=relu: encoder_layer(
            Z, l[0], H, mask, activation
        ),
        "it gave",
    ),
    (
        encoder,
        lambda Z, l, H, mask=None, activation=relu: encoder(
            Z, list(l) * 2, H, mask, activation
        ),
        "it gave",
    ),
    (
        encoder,
        lambda Z, l, H, mask=None, activation=relu: (
            Z + encoder(Z, l, H, mask, activation)
        ),
        "it gave",
    ),
    (
        encoder,
        lambda Z, l, H, mask=None, activation=relu: encoder(
            Z, l, H, mask, activation
        ).astype(np.float32),
        "The formula is right, the precision is not",
    ),
    (
        transformer,
        lambda ids, p, H, mask=None: transformer(ids, p, H),
        "You ignore the mask",
    ),
    (
        transformer,
        lambda ids, p, H, mask=None: transformer(ids, p, H, mask)[..., -1, :],
        "it gave",
    ),
    (
        transformer,
        lambda ids, p, H, mask=None: transformer(ids, p, H, mask).argmax(-1),
        "it gave",
    ),
    (
        transformer,
        lambda ids, p, H, mask=None: transformer(ids, p, H, causal_mask(ids.shape[-1])),
        "it gave",
    ),
    (
        transformer,
        lambda ids, p, H, mask=None: transformer(ids[..., ::-1], p, H, mask),
        "it gave",
    ),
    (logits, lambda Z, W, b=0.0: Z @ W, "You forget the bias"),
    (logits, lambda Z, W: Z @ W, "Your function takes 2 of 3 arguments"),
    (logits, lambda Z, W, b=0.0: probabilities(Z @ W + b), "You return probabilities"),
    (logits, lambda Z, W, b=0.0: Z[..., -1, :] @ W + b, "it gave"),
    (
        logits,
        lambda Z, W, b=0.0: (Z @ W + b) / np.sqrt(Z.shape[-1]),
        "In each case your numbers are the ones wanted",
    ),
    (
        probabilities,
        lambda l, temperature=1.0: probabilities(l),
        "You ignore the temperature",
    ),
    (
        probabilities,
        lambda l, temperature=0.7: probabilities(l, temperature),
        "Your function is right where `temperature` is given",
    ),
    (
        probabilities,
        lambda l, temperature=1.0: (
            np.exp(l / temperature) / np.exp(l / temperature).sum()
        ),
        "it gave",
    ),
    (
        probabilities,
        lambda l, temperature=1.0: probabilities(l) ** (1 / temperature),
        "it gave",
    ),
    (
        probabilities,
        lambda l, temperature=1.0: np.log(probabilities(l, temperature)),
        "it gave",
    ),
    (probabilities, lambda l: softmax(l), "Your function takes 1 of 2 arguments"),
    (one_hot, lambda ids, V: np.eye(V)[ids - 1], "it gave"),
    (
        one_hot,
        lambda ids, V: np.eye(V, dtype=bool)[ids],
        "Your result holds True and False",
    ),
    (one_hot, lambda ids, V: np.eye(V + 1)[ids], "it gave"),
    (one_hot, lambda ids, V: 1 - np.eye(V)[ids], "it gave"),
    (one_hot, lambda ids, V: ids, "it gave"),
    (embed, lambda ids, E: E[ids] * np.sqrt(E.shape[1]), "You scale by √d_model here"),
    (embed, lambda ids, E: E[ids.ravel()], "Your result has shape"),
    (embed, lambda ids, E: E[ids].sum(-2), "it gave"),
    (embed, lambda ids, E: one_hot(ids, len(E)), "it gave"),
    (embed, lambda ids, E: E, "it gave"),
    (
        scale_embedding,
        lambda X: X * np.sqrt(X.shape[-2]),
        "You multiply by √n, the number of tokens",
    ),
    (
        scale_embedding,
        lambda X: X * np.sqrt(X.size),
        "In each case your numbers are the ones wanted",
    ),
    (scale_embedding, lambda X: X * 2, "In each case your numbers are the ones wanted"),
    (scale_embedding, lambda X: X, "In each case your numbers are the ones wanted"),
    (
        scale_embedding,
        lambda X: X / np.linalg.norm(X, axis=-1, keepdims=True),
        "it gave",
    ),
    (frequencies, lambda d, base=10000.0: frequencies(d), "You ignore `base`"),
    (
        frequencies,
        lambda d, base=1000.0: frequencies(d, base),
        "Your function is right where `base` is given",
    ),
    (frequencies, lambda d: frequencies(d), "Your function takes 1 of 2 arguments"),
    (
        frequencies,
        lambda d, base=10000.0: np.repeat(frequencies(d, base), 2),
        "it gave",
    ),
    (
        frequencies,
        lambda d, base=10000.0: 2 * np.pi * frequencies(d, base),
        "Your numbers are the ones wanted, times 6",
    ),
    (wavelengths, lambda d, base=10000.0: wavelengths(d), "You ignore `base`"),
    (
        wavelengths,
        lambda d, base=10000.0: np.pi / frequencies(d, base),
        "Your numbers are the ones wanted, times 0",
    ),
    (wavelengths, lambda d, base=10000.0: wavelengths(d, base)[::-1], "it gave"),
    (
        wavelengths,
        lambda d, base=10000.0: frequencies(d, base) / (2 * np.pi),
        "it gave",
    ),
    (wavelengths, lambda d, base=10000.0: wavelengths(d, base)[:-1], "it gave"),
    (sinusoidal, lambda n, d, base=10000.0: sinusoidal(n, d), "You ignore `base`"),
    (
        sinusoidal,
        lambda n, d, base=10000.0: np.sin(
            np.arange(n)[:, None] * np.repeat(frequencies(d, base), 2)
        ),
        "it gave",
    ),
    (
        sinusoidal,
        lambda n, d, base=10000.0: sinusoidal(n, d, base).T,
        "Your result is the transpose of the one wanted",
    ),
    (
        sinusoidal,
        lambda n, d, base=10000.0: sinusoidal(n, d, base) / np.sqrt(d),
        "In each case your numbers are the ones wanted",
    ),
    (
        sinusoidal,
        lambda n, d, base=100.0: sinusoidal(n, d, base),
        "Your function is right where `base` is given",
    ),
    (
        position_similarity,
        lambda o, d, base=10000.0: position_similarity(o, d),
        "You ignore `base`",
    ),
    (
        position_similarity,
        lambda o, d, base=10000.0: 2 * position_similarity(o, d, base),
        "Your numbers are the ones wanted, times 2 throughout",
    ),
    (
        position_similarity,
        lambda o, d, base=10000.0: position_similarity(o, d, base) / np.sqrt(d),
        "it gave",
    ),
    (
        position_similarity,
        lambda o, d, base=10000.0: np.cos(o * frequencies(d, base)[0]),
        "it gave",
    ),
    (
        position_similarity,
        lambda o, d, base=10000.0: np.cos(o[:, None] * frequencies(d, base)),
        "it gave",
    ),
    (shift_matrix, lambda k, d, base=10000.0: shift_matrix(k, d), "You ignore `base`"),
    (
        shift_matrix,
        lambda k, d, base=10000.0: shift_matrix(-k, d, base),
        "Your matrix shifts backwards",
    ),
    (shift_matrix, lambda k, d, base=10000.0: np.eye(d), "it gave"),
    (
        shift_matrix,
        lambda k, d, base=10000.0: np.round(shift_matrix(k, d, base), 2),
        "it gave",
    ),
    (shift_matrix, lambda k, d, base=10000.0: shift_matrix(k + 1, d, base), "it gave"),
    (
        rotate_pairs,
        lambda x, a: rope_half_split(x, np.arange(float(x.shape[-2]))),
        "it gave",
    ),
    (rotate_pairs, lambda x, a: rotate_pairs(x, np.degrees(a)), "it gave"),
    (rotate_pairs, lambda x, a: rotate_pairs(x, a / 2), "it gave"),
    (rotate_pairs, lambda x, a: x, "it gave"),
    (rotate_pairs, lambda x, a: rotate_pairs(x, -a), "You turn clockwise"),
    (
        rotate_pairs,
        lambda x, a: np.concatenate(
            [
                x[..., ::2] * np.cos(a) - x[..., 1::2] * np.sin(a),
                x[..., ::2] * np.sin(a) + x[..., 1::2] * np.cos(a),
            ],
            -1,
        ),
        "it gave",
    ),
    (rope, lambda x, p, base=10000.0: rope(x, p), "You ignore `base`"),
    (rope, lambda x, p, base=10000.0: rope(x, p + 1, base), "it gave"),
    (
        rope,
        lambda x, p, base=10000.0: rope(x, np.arange(float(len(p))), base),
        "it gave",
    ),
    (rope, lambda x, p, base=10000.0: rope(x, p / 2, base), "it gave"),
    (
        rope,
        lambda x, p, base=500.0: rope(x, p, base),
        "Your function is right where `base` is given",
    ),
    (
        rope_half_split,
        lambda x, p, base=10000.0: rope_half_split(x, p),
        "You ignore `base`",
    ),
    (
        rope_half_split,
        lambda x, p, base=10000.0: rope_half_split(x, -p, base),
        "Your second half has the wrong sign",
    ),
    (
        rope_half_split,
        lambda x, p, base=10000.0: rope_half_split(x, p + 1, base),
        "it gave",
    ),
    (rope_half_split, lambda x, p, base=10000.0: x, "it gave"),
    (
        rope_half_split,
        lambda x, p, base=1000.0: rope_half_split(x, p, base),
        "Your function is right where `base` is given",
    ),
    (
        encoder_layer_parameters,
        lambda d, f: encoder_layer_parameters(d, f) - f,
        "it gave",
    ),
    (
        encoder_layer_parameters,
        lambda d, f: encoder_layer_parameters(d, 4 * d),
        "it gave",
    ),
    (encoder_layer_parameters, lambda d, f: 12 * d * d, "it gave"),
    (encoder_layer_parameters, lambda d, f: 4 * d * d + 2 * d * f + 4 * d, "it gave"),
    (encoder_layer_flops, lambda n, d, f: encoder_layer_flops(1, d, f) * n, "it gave"),
    (encoder_layer_flops, lambda n, d, f: encoder_layer_flops(n, d, 4 * d), "it gave"),
    (
        encoder_layer_flops,
        lambda n, d, f: 2 * encoder_layer_flops(n, d, f),
        "Your numbers are the ones wanted, times 2 throughout",
    ),
    (
        encoder_layer_flops,
        lambda n, d, f: encoder_layer_flops(n, d, f) - 4 * n * d * f,
        "it gave",
    ),
    (
        encoder_layer_flops,
        lambda n, d, f: str(encoder_layer_flops(n, d, f)),
        "Your function returns a text",
    ),
    (logits_flops, lambda n, d, V: 2 * n * V, "it gave"),
    (logits_flops, lambda n, d, V: 2 * n * d * V + n * V, "it gave"),
    (
        logits_flops,
        lambda n, d, V: 4 * n * d * V,
        "Your numbers are the ones wanted, times 2 throughout",
    ),
    (logits_flops, lambda n, d, V: 2 * n * n * d * V, "it gave"),
    (logits_flops, lambda n, d, V: 2 * d * V * 2, "it gave"),
    (words, lambda t: list(t), "it gave"),
    (words, lambda t: words(t.upper()), "it gave"),
    (words, lambda t: sorted(words(t)), "it gave"),
    (words, lambda t: list(dict.fromkeys(words(t))), "it gave"),
    (words, lambda t: " ".join(words(t)), "it gave"),
    (words, lambda t: words(t)[:-1], "it gave"),
    (build_vocabulary, lambda t, specials=(): sorted({*specials, *t}), "it gave"),
    (
        build_vocabulary,
        lambda t, specials=(): {w: i for i, w in enumerate([*specials, *sorted(t)])},
        "it gave",
    ),
    (
        build_vocabulary,
        lambda t, specials=(): {w: i for i, w in enumerate(sorted({*specials, *t}))},
        "it gave",
    ),
    (
        build_vocabulary,
        lambda t, specials=(): {
            w: i for i, w in enumerate([*specials, *sorted(set(t), reverse=True)])
        },
        "it gave",
    ),
    (build_vocabulary, lambda t: build_vocabulary(t), "takes 1 of 2 arguments"),
    (unknown_share, lambda ids, u: sum(i == u for i in set(ids)) / len(ids), "it gave"),
    (unknown_share, lambda ids, u: 100 * unknown_share(ids, u), "it gave"),
    (unknown_share, lambda ids, u: round(unknown_share(ids, u)), "it gave"),
    (unknown_share, lambda ids, u: float(u in ids), "it gave"),
    (unknown_share, lambda ids, u: sum(i > u for i in ids) / len(ids), "it gave"),
    (printable_code_point, lambda byte: byte, "it gave"),
    (printable_code_point, lambda byte: chr(printable_code_point(byte)), "it gave"),
    (printable_code_point, lambda byte: byte + 256 * (byte < 33), "it gave"),
    (
        printable_code_point,
        lambda byte: byte if chr(byte).isprintable() else printable_code_point(byte),
        "You leave the space, 32, where it is",
    ),
    (
        printable_code_point,
        lambda byte: byte if chr(byte).isascii() else printable_code_point(byte),
        "it gave",
    ),
    (decode_text, lambda ids, bpe: [bpe.tokens[i] for i in ids], "it gave"),
    (decode_text, lambda ids, bpe: b"".join(bpe.tokens[i] for i in ids), "it gave"),
    (decode_text, lambda ids, bpe: decode_text(ids[::-1], bpe), "it gave"),
    (decode_text, lambda ids, bpe: decode_text(ids, bpe).strip(), "it gave"),
    (decode_text, lambda ids, bpe: decode_text(ids[:-1], bpe), "it gave"),
    (utf8_bytes, lambda c: [c], "it gave"),
    (
        utf8_bytes,
        lambda c: [hex(b) for b in utf8_bytes(c)],
        "Your function returns a list",
    ),
    (utf8_bytes, lambda c: list(chr(c).encode("utf-16-le")), "it gave"),
    (utf8_bytes, lambda c: utf8_bytes(c)[:3], "it gave"),
    (pair_counts, lambda w: Counter(dict.fromkeys(pair_counts(w), 1)), "it gave"),
    (
        pair_counts,
        lambda w: Counter({"".join(k): v for k, v in pair_counts(w).items()}),
        "it gave",
    ),
    (pair_counts, lambda w: list(pair_counts(w)), "it gave"),
    (pair_counts, lambda w: pair_counts({k[::-1]: v for k, v in w.items()}), "it gave"),
    (pair_counts, lambda w: pair_counts(w).most_common(1), "it gave"),
    (train_bpe, lambda w, v, alphabet=None: train_bpe(w, v), "You ignore the alphabet"),
    (train_bpe, lambda w, v: train_bpe(w, v), "Your function takes 2 of 3 arguments"),
    (
        train_bpe,
        lambda w, v, alphabet=None: train_bpe(w, v, alphabet).pairs(),
        "it gave",
    ),
    (
        train_bpe,
        lambda w, v, alphabet=None: BPE(train_bpe(w, v, alphabet).tokens, {}),
        "it gave",
    ),
    (train_bpe, lambda w, v, alphabet=None: train_bpe(w, v + 1, alphabet), "it gave"),
    (
        train_bpe,
        lambda w, v, alphabet=None: train_bpe(
            {k.lower()[::-1]: c for k, c in w.items()}, v, alphabet
        ),
        "it gave",
    ),
    (encode_bpe, lambda c, b: encode_bpe(["".join(c)], b), "it gave"),
    (
        encode_bpe,
        lambda c, b: [b.tokens[i] for i in encode_bpe(c, b)],
        "Your function returns a list",
    ),
    (
        encode_bpe,
        lambda c, b: [encode_bpe([k], b) for k in c],
        "Your function returns a list",
    ),
    (encode_bpe, lambda c, b: sorted(encode_bpe(c, b)), "it gave"),
    (encode_bpe, lambda c, b: encode_bpe(c[:1], b), "it gave"),
    (
        encoder_layer_pre_norm,
        lambda Z, p, n_heads, mask=None: encoder_layer_pre_norm(Z, p, n_heads, mask),
        "takes 4 of 5 arguments",
    ),
    (
        encoder_layer_parameters,
        lambda d, f: encoder_layer_parameters(d, f) - 4 * d,
        "it gave",
    ),
    (utf8_bytes, lambda c: chr(c), "returns a text; wanted a list"),
    (
        exact_match,
        lambda u, y: (u == y).mean(axis=1).mean(),
        "You count right characters",
    ),
    (exact_match, lambda u, y: float((u == y).all()), "it gave"),
    (exact_match, lambda u, y: np.mean(u[:, 0] == y[:, 0]), "it gave"),
    (
        exact_match,
        lambda u, y: (u == y).all(axis=1),
        "Your result holds True and False",
    ),
    (
        exact_match,
        lambda u, y: sum(list(a) == list(b) for a, b in zip(u, y)),
        "You return how many are right",
    ),
    (
        share_on,
        lambda A, F: A[F].mean() if F.any() else 0.0,
        "You divide by the number of marked places",
    ),
    (share_on, lambda A, F: (A * F).sum(axis=1), "it gave"),
    (share_on, lambda A, F: (A * F).max(axis=1).mean(), "it gave"),
    (share_on, lambda A, F: 1 - (A * F).sum() / len(A), "You add what lies outside"),
    (share_on, lambda A, F: (A * F).sum() / A.shape[1], "it gave"),
    (previous_token_score, lambda A: np.diagonal(A, -1, -2, -1).max(-1), "it gave"),
    (
        previous_token_score,
        lambda A: np.diagonal(A, 1, -2, -1).mean(-1),
        "You measure how much each token is looked at",
    ),
    (
        previous_token_score,
        lambda A: np.diagonal(A, -2, -2, -1).sum(-1) / (A.shape[-1] - 1),
        "it gave",
    ),
    (
        prefix_matching_score,
        lambda A, ids: np.mean(
            [
                A[..., i, [j for j in range(i) if ids[j] == ids[i]]].sum(-1)
                for i in range(len(ids))
            ],
            axis=0,
        ),
        "it gave",
    ),
    (
        centroids,
        lambda X, y: np.stack([X[y == k].sum(0) for k in range(y.max() + 1)]),
        "You return sums",
    ),
    (
        centroids,
        lambda X, y: np.stack([X[y == k][0] for k in range(y.max() + 1)]),
        "it gave",
    ),
    (
        centroids,
        lambda X, y: np.stack([X[y == k].mean(0) for k in range(y.max() + 1)])[::-1],
        "it gave",
    ),
    (distances, lambda X, C: X @ C.T, "it gave"),
    (distances, lambda X, C: ((X[:, None] - C) ** 2).sum(-1), "You forget the root"),
    (distances, lambda X, C: np.abs(X[:, None] - C).max(-1), "it gave"),
    (
        silhouette,
        lambda X, y: (
            distances(X, X)[y[:, None] != y].mean()
            - distances(X, X)[y[:, None] == y].mean()
        ),
        "it gave",
    ),
    (gate_heads, lambda W, g: W * g.mean(), "it gave"),
    (
        gate_heads,
        lambda W, g: np.repeat(g > 0, len(W) // len(g))[:, None] * W,
        "it gave",
    ),
    (gate_slopes, lambda W, G, H: (W + G).reshape(H, -1).sum(1), "it gave"),
    (
        gate_slopes,
        lambda W, G, H: G.reshape(H, -1).sum(1),
        "You add up the gradient alone",
    ),
    (
        attention_only,
        lambda Z, layers, n_heads, mask=None: attention_only(
            Z, layers[:1], n_heads, mask
        ),
        "it gave",
    ),
    (previous_token_score, lambda A: np.diagonal(A, 0, -2, -1).mean(-1), "it gave"),
    (previous_token_score, lambda A: A[..., -1, -2], "it gave"),
    (
        prefix_matching_score,
        lambda A, ids: np.diagonal(A, -1, -2, -1).mean(-1),
        "it gave",
    ),
    (prefix_matching_score, lambda A, ids: A.max(-1).mean(-1), "it gave"),
    (
        prefix_matching_score,
        lambda A, ids: prefix_matching_score(np.swapaxes(A, -1, -2), ids),
        "it gave",
    ),
    (
        prefix_matching_score,
        lambda A, ids: 2 * prefix_matching_score(A, ids),
        "times 2 throughout",
    ),
    (centroids, lambda X, y: X[y == 0].mean(0), "it gave"),
    (
        centroids,
        lambda X, y: np.stack([np.median(X[y == k], 0) for k in range(y.max() + 1)]),
        "You take the median",
    ),
    (distances, lambda X, C: distances(C, X), "Your table stands on its side"),
    (distances, lambda X, C: np.sqrt((X[:, None] - C).sum(-1) ** 2), "it gave"),
    (silhouette, lambda X, y: -silhouette(X, y), "You subtract the other way round"),
    (silhouette, lambda X, y: silhouette(X, y) / 2, "times 0.5 throughout"),
    (
        silhouette,
        lambda X, y: silhouette(np.concatenate([X, X**2], axis=1), y),
        "it gave",
    ),
    (silhouette, lambda X, y: float(np.sign(silhouette(X, y))), "it gave"),
    (gate_heads, lambda W, g: W, "You ignore the gates"),
    (
        gate_heads,
        lambda W, g: np.tile(g, len(W) // len(g))[:, None] * W,
        "You gate neighbouring rows in turn",
    ),
    (
        gate_heads,
        lambda W, g: np.repeat(g**2, len(W) // len(g))[:, None] * W,
        "it gave",
    ),
    (gate_slopes, lambda W, G, H: -(W * G).reshape(H, -1).sum(1), "sign"),
    (gate_slopes, lambda W, G, H: (W * G).reshape(H, -1).mean(1), "You take the mean"),
    (gate_slopes, lambda W, G, H: np.abs((W * G).reshape(H, -1).sum(1)), "it gave"),
    (
        attention_only,
        lambda Z, layers, n_heads, mask=None: attention_only(Z, layers, n_heads),
        "mask",
    ),
    (
        attention_only,
        lambda Z, layers, n_heads, mask=None: attention_only(
            Z, layers[::-1], n_heads, mask
        ),
        "it gave",
    ),
    (
        attention_only,
        lambda Z, layers, n_heads, mask=None: (
            attention_only(Z, layers, n_heads, mask) - Z
        ),
        "it gave",
    ),
    (
        attention_only,
        lambda Z, layers, n_heads, mask=None: attention_only(Z, layers, 1, mask),
        "it gave",
    ),
]

RIGHT += answers_decoding.RIGHT
WRONG += answers_decoding.WRONG
RIGHT += answers_training.RIGHT
WRONG += answers_training.WRONG
RIGHT += answers_gradient.RIGHT
RIGHT += answers_word_piece.RIGHT
WRONG += answers_gradient.WRONG

RIGHT += answers_tokenizers.RIGHT
WRONG += answers_tokenizers.WRONG
WRONG += answers_word_piece.WRONG
RIGHT += answers_unigram.RIGHT
WRONG += answers_unigram.WRONG
