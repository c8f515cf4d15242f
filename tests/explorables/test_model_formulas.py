"""The models' forward passes in JavaScript give Python's numbers, on random weights that were packed as checkpoints are."""

from dataclasses import replace

import numpy as np
from parity import TOLERANCE, assert_parity, compare, copy_modules

from transformer_math import trees
from transformer_math.attention import causal_mask, multi_head_attention
from transformer_math.block import (
    add_norm,
    encoder_layer,
    feed_forward,
    layer_norm,
    relu,
    rotary_attention,
)
from transformer_math.model import (
    decoder,
    decoder_attention,
    decoder_only_attention,
    decoder_only_logits,
    embed_at_positions,
    encoder,
    encoder_attention,
    encoder_decoder_logits,
    initialise,
    initialise_decoder_only,
    initialise_encoder_decoder,
    residual_stream,
)
from transformer_math.output import logits
from transformer_math.quantised import pack, unpack
from transformer_math.trained.attention_only import (
    attention_only_logits,
    attention_only_weights,
    initialise_attention_only,
)

WHOLE = """
import { finished } from "../work.js";

const traceToken = (...given) => finished(tracing(...given));

/** Logits and attention of each token of a text. */
export function readAll(model, ids, off) {
  const memory = freshMemory(model);
  return ids.map((id) => outsideOf(traceToken(model, memory, id, off)));
}

export const traceFirst = (model, id) => traceToken(model, freshMemory(model), id);

/** A source and a target that is given: logits and attention of each of the target's tokens, and the encoder's. */
export function translateAll(model, source, target, off) {
  const encoded = encodeSource(model, source, off);
  const memory = openTranslation(model, encoded);
  return { encoder: encoded.attention, rows: target.map((id) => writeToken(model, memory, id, off)) };
}
"""


def with_whole(text):
    """The module of the models, with functions that read whole texts."""
    return text + WHOLE if "export function* tracing(" in text else text


def through_bytes(parameters):
    """A checkpoint's bytes as JavaScript is to read them, and the parameters that these bytes hold."""
    leaves = trees.leaves(parameters)
    data = pack({path: np.atleast_2d(x) for path, x in leaves.items()})
    numbers = iter(unpack(data).values())
    read = trees.map_leaves(
        lambda x: next(numbers).astype(float).reshape(np.shape(x)), parameters
    )
    return {"call": "unpackFlat", "args": [data]}, read


def noisy(rng, tree):
    """Biases, scales and shifts that are not 0 and 1, so that a forgotten one shows."""
    return trees.map_leaves(lambda x: x + 0.1 * rng.normal(size=np.shape(x)), tree)


def without(attention, heads, n_heads):
    """The attention with the rows of W_O that read these heads set to 0: what they found goes nowhere."""
    W_O = attention.W_O.copy().reshape(n_heads, -1, attention.W_O.shape[1])
    W_O[heads] = 0
    return replace(attention, W_O=W_O.reshape(attention.W_O.shape))


def some_off(rng, kinds, n_heads):
    """Which heads are off, by name, and for each kind and layer as a list."""
    off = {
        (kind, layer): np.flatnonzero(rng.random(n_heads) < 0.3).tolist()
        for kind, n_layers in kinds.items()
        for layer in range(n_layers)
    }
    names = [
        f"{kind}.{layer}.{h}" for (kind, layer), found in off.items() for h in found
    ]
    return names, off


def sizes(rng):
    n_heads, d_k, d_ff, V = (int(x) for x in rng.integers([1, 2, 3, 5], [5, 6, 30, 40]))
    return n_heads, 2 * n_heads * d_k, d_ff, V


def language_cases(rng):
    n_heads, d_model, d_ff, V = sizes(rng)
    n_layers, n = (int(x) for x in rng.integers(1, [4, 18]))
    model = noisy(
        rng, initialise_decoder_only(rng, V, d_model, n_heads, d_ff, n_layers)
    )
    tensors, read_back = through_bytes(model)
    names, off = some_off(rng, {"self": n_layers}, n_heads)
    layers = tuple(
        replace(
            p, rotary_attention=without(p.rotary_attention, off["self", l], n_heads)
        )
        for l, p in enumerate(read_back.layers)
    )
    ids, parameters = rng.integers(V, size=n), replace(read_back, layers=layers)
    scores = decoder_only_logits(ids, parameters, n_heads)
    weights = decoder_only_attention(ids, parameters, n_heads)
    wanted = [
        {
            "logits": scores[i],
            "attention": [[A[h, i, : i + 1] for h in range(n_heads)] for A in weights],
        }
        for i in range(n)
    ]
    read = {"call": "readLanguageModel", "args": [tensors, n_heads]}
    yield "readAll", [read, ids, names], wanted
    stream = residual_stream(ids[:1], read_back, n_heads)
    traced = {"call": "traceFirst", "args": [read, int(ids[0])]}
    yield "statesOf", [traced], [z[0] for z in stream]
    yield "residualParts", [read, traced], parts_of(ids[:1], read_back, n_heads)


def parts_of(ids, model, n_heads):
    """What sums to the vector after the last layer: embedding, each head alone and each network, biases of attention."""
    states, inner = residual_stream(ids, model, n_heads), []
    for Z, p in zip(states, model.layers):
        U, attention = layer_norm(Z, p.norm_1), p.rotary_attention
        b, heads = attention.b_O, set(range(n_heads))
        alone = [without(attention, sorted(heads - {h}), n_heads) for h in heads]
        inner += [rotary_attention(U, one, n_heads)[0][0] - b for one in alone]
        attended = rotary_attention(U, attention, n_heads)[0]
        inner.append(feed_forward(layer_norm(Z + attended, p.norm_2), p.feed_forward)[0])  # fmt: skip
    biases = sum(p.rotary_attention.b_O for p in model.layers)
    return [states[0][0], *inner, biases]


def translation_cases(rng):
    n_heads, d_model, d_ff, V = sizes(rng)
    n_layers, n, m = (int(x) for x in rng.integers(1, [4, 9, 12]))
    model = noisy(
        rng, initialise_encoder_decoder(rng, V + 3, V, d_model, n_heads, d_ff, n_layers)
    )
    tensors, whole = through_bytes(model)
    model, kinds = whole, dict.fromkeys(("encoder", "self", "cross"), n_layers)
    names, off = some_off(rng, kinds, n_heads)
    model = replace(
        model,
        encoder=tuple(
            replace(p, attention=without(p.attention, off["encoder", l], n_heads))
            for l, p in enumerate(model.encoder)
        ),
        decoder=tuple(
            replace(
                p,
                self_attention=without(p.self_attention, off["self", l], n_heads),
                cross_attention=without(p.cross_attention, off["cross", l], n_heads),
            )
            for l, p in enumerate(model.decoder)
        ),
    )
    source, target = rng.integers(V + 3, size=m), rng.integers(V, size=n)
    scores = encoder_decoder_logits(source, target, model, n_heads)
    Y = embed_at_positions(source, model.E_source)
    memory = encoder(Y, model.encoder, n_heads)
    Z = embed_at_positions(target, model.E_target)
    own, cross = decoder_attention(Z, memory, model.decoder, n_heads, causal_mask(n))
    heads = range(n_heads)
    rows = [
        {
            "logits": scores[i],
            "attention": [
                {
                    "self": [a[h, i, : i + 1] for h in heads],
                    "cross": [c[h, i] for h in heads],
                }
                for a, c in zip(own, cross)
            ],
        }
        for i in range(n)
    ]
    seen = encoder_attention(Y, model.encoder, n_heads)
    read = {"call": "readEncoderDecoder", "args": [tensors, n_heads]}
    wanted = {"encoder": [list(A) for A in seen], "rows": rows}
    encoded = {"call": "encodeSource", "args": [read, source, names]}
    opened = {"call": "openTranslation", "args": [read, encoded]}
    yield "writeToken", [read, opened, int(target[0]), names], rows[0]
    yield from inside_cases(rng, read, source, target, whole, n_heads)
    yield "translateAll", [read, source, target, names], wanted


def inside_cases(rng, read, source, target, model, n_heads):
    """A decoder layer from inside, its heads all on: with and without the mask, without one attention or both."""
    Y = embed_at_positions(source, model.E_source)
    memory = encoder(Y, model.encoder, n_heads)
    encoded = {"call": "encodeSource", "args": [read, source, []]}
    masked, own, cross = (bool(x) for x in rng.random(3) < 0.6)
    without = [name for name, on in (("self", own), ("cross", cross)) if not on]
    Z, layers = embed_at_positions(target, model.E_target), []
    for p in model.decoder:
        layers.append(layer_inside(Z, memory, p, n_heads, masked, own, cross))
        Z = np.stack([row["after"][-1] for row in layers[-1]])
    yield "traceTarget", [read, encoded, target, masked, without], layers
    yield "logitsOf", [read, Z[-1]], logits(Z[-1:], model.W_out)[0]
    if masked and own and cross:
        wanted = decoder(
            embed_at_positions(target, model.E_target),
            memory,
            model.decoder,
            n_heads,
            causal_mask(len(target)),
        )
        np.testing.assert_allclose(Z, wanted, atol=1e-12)


def layer_inside(Z, memory, p, n_heads, masked, own, cross):
    """Each row's inside, as JavaScript gives it; row i of masked weights ends with its own token."""
    n = len(Z)
    mask = causal_mask(n) if masked else None
    read, A = multi_head_attention(Z, Z, p.self_attention, n_heads, mask)
    first = add_norm(Z, read * own, p.norm_1)
    found, C = multi_head_attention(first, memory, p.cross_attention, n_heads)
    second = add_norm(first, found * cross, p.norm_2)
    hidden = relu(second @ p.feed_forward.W_1 + p.feed_forward.b_1)
    fed = feed_forward(second, p.feed_forward)
    third = add_norm(second, fed, p.norm_3)
    return [
        {
            "z": Z[i],
            "self": [a[i, : i + 1 if masked else n] for a in A],
            "cross": [c[i] for c in C],
            "hidden": hidden[i],
            "added": [read[i] * own, found[i] * cross, fed[i]],
            "after": [first[i], second[i], third[i]],
        }
        for i in range(n)
    ]


def encoder_cases(rng):
    n_heads, d_model, d_ff, V = sizes(rng)
    n_layers, n = (int(x) for x in rng.integers(1, [4, 12]))
    model = noisy(rng, initialise(rng, V, d_model, n_heads, d_ff, n_layers))
    tensors, model = through_bytes(model)
    ids = rng.integers(V, size=n)
    states = [embed_at_positions(ids, model.E)]
    for layer in model.layers:
        states.append(encoder_layer(states[-1], layer, n_heads))
    read = {"call": "readEncoder", "args": [tensors, n_heads]}
    yield "encoderStates", [read, ids], states


def attention_only_cases(rng):
    n_heads, d_model, _, V = sizes(rng)
    n_layers, n = (int(x) for x in rng.integers(1, [4, 18]))
    model = noisy(rng, initialise_attention_only(rng, V, d_model, n_heads, n_layers))
    tensors, model = through_bytes(model)
    names, off = some_off(rng, {"self": n_layers}, n_heads)
    layers = tuple(
        replace(p, attention=without(p.attention, off["self", l], n_heads))
        for l, p in enumerate(model.layers)
    )
    ids, parameters = rng.integers(V, size=n), replace(model, layers=layers)
    scores = attention_only_logits(ids, parameters, n_heads, causal_mask(n))
    weights = attention_only_weights(ids, parameters, n_heads, causal_mask(n))
    wanted = [
        {
            "logits": scores[i],
            "attention": [[A[h, i, : i + 1] for h in range(n_heads)] for A in weights],
        }
        for i in range(n)
    ]
    read = {"call": "readAttentionOnly", "args": [tensors, n_heads]}
    yield "readAllByAttention", [read, ids, names], wanted


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(11)
    kinds = (language_cases, translation_cases, encoder_cases, attention_only_cases)
    cases = [case for _ in range(20) for make in kinds for case in make(rng)]
    assert_parity(
        tmp_path,
        "model/formulas.js",
        cases,
        at_least=20_000,
        change=with_whole,
        inside=["againstRows", "freshMemory", "nextOf", "outsideOf", "tracing"],
    )


def test_the_comparison_can_fail(tmp_path):
    """A head that is off must not count; a residual must."""
    rng = np.random.default_rng(12)
    cases = [case for _ in range(4) for case in translation_cases(rng)]
    for right, wrong in (
        ("attended.fill(0, h * d, (h + 1) * d)", "attended"),
        ("value + update[i]", "update[i]"),
        ("p.norm_3", "p.norm_2"),
    ):
        folder = tmp_path / str(len(right))
        folder.mkdir()
        broken = copy_modules(
            folder, lambda text, a=right, b=wrong: with_whole(text.replace(a, b))
        )
        report = compare(broken, "model/formulas.js", cases)
        assert report["worst"]["translateAll"] > 1e-3, right


CHANGES = """
/** What is told of the last of several texts, each of which was read for so many pieces before the next one came. */
export function readWithChanges(model, texts) {
  const reading = reader(model);
  for (const { ids, off, pieces } of texts) {
    reading.aim(ids, off);
    for (let i = 0; i < pieces; i += 1) reading.advance();
  }
  while (reading.advance());
  return reading.rows;
}

export { readLanguageModel };
"""


def test_a_text_that_changes_while_it_is_read_is_read_as_from_the_beginning(tmp_path):
    """Also in the midst of a token, and where other heads are off: what was read of it must not stay in the memory."""
    rng, cases = np.random.default_rng(13), []
    for _ in range(60):
        n_heads, d_model, d_ff, V = sizes(rng)
        n_layers = int(rng.integers(1, 4))
        start = initialise_decoder_only(rng, V, d_model, n_heads, d_ff, n_layers)
        tensors, model = through_bytes(noisy(rng, start))
        ids, texts = rng.integers(V, size=8), []
        for _ in range(5):
            begins = ids[
                : rng.integers(1, 9)
            ]  # as the text before, often with all of it
            ids = np.r_[begins, rng.integers(V, size=rng.integers(4))]
            off = [f"self.{rng.integers(n_layers)}.0"] * int(rng.integers(2))
            pieces = int(rng.integers(3 * (n_layers + 1)))
            texts.append({"ids": ids.tolist(), "off": off, "pieces": pieces})
        texts[-1]["off"] = []
        scores = decoder_only_logits(ids, model, n_heads)
        weights = decoder_only_attention(ids, model, n_heads)
        heads = range(n_heads)
        wanted = [
            {"logits": scores[i], "attention": [[A[h, i, : i + 1] for h in heads] for A in weights]}
            for i in range(len(ids))
        ]  # fmt: skip
        read = {"call": "readLanguageModel", "args": [tensors, n_heads]}
        cases.append(("readWithChanges", [read, texts], wanted))
    here = "export function reader("
    change = lambda text: text + CHANGES if here in text else text  # noqa: E731
    report = compare(copy_modules(tmp_path, change), "model/reader.js", cases)
    assert report["compared"]["readWithChanges"] > 10_000
    assert report["worst"]["readWithChanges"] < TOLERANCE
