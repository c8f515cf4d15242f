"""How the cases of some formulas are read, one entry for each that does not speak of the function's own arguments alone."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from transformer_math.attention.masks import causal_mask
from transformer_math.attention.multi_head import multi_head_attention
from transformer_math.attention.projections import project
from transformer_math.attention.softmax import softmax
from transformer_math.block.decoder_layer import decoder_layer, decoder_layer_pre_norm
from transformer_math.block.layer_norm import layer_norm
from transformer_math.checks.recording import Call
from transformer_math.formulas.cases import Case, arguments_of
from transformer_math.formulas.symbols import parameters_as_symbols
from transformer_math.model.decoder import decoder
from transformer_math.position.rope import rope
from transformer_math.tokenization.likelihood import PairCounts
from transformer_math.tokenization.printable import printable_code_point
from transformer_math.tokenization.utf8 import utf8_bytes
from transformer_math.tokenization.word_piece import WordPiece
from transformer_math.trained.kneser_ney import kneser_ney, kneser_ney_discount
from transformer_math.training.adam import adam_step
from transformer_math.training.clipping import clip_by_norm, global_norm
from transformer_math.training.objective import cross_entropy
from transformer_math.trees import leaves

Reading = Callable[[dict[str, Any], tuple[Any, ...], dict[str, Any]], Iterator[Case]]

READINGS: dict[str, Reading] = {}
READINGS_OF_CHECKS: dict[str, Callable[[list[Call]], Iterator[Case]]] = {}

# Formulas in words: what they say is no computation with numbers.
WORDS = {
    "eq-words": "it tells a pattern of characters",
    "eq-vocabulary": "it names a table, and computes nothing",
    "eq-bpe-train": "it tells a step of an algorithm",
    "eq-bpe-encode": "it tells a step of an algorithm",
    "eq-merge-pieces": "it tells a step of an algorithm",
    "eq-sentencepiece-lossless": "it speaks of texts, not of numbers",
    "eq-word-piece-train": "it tells a step of an algorithm",
    "eq-lossless": "it speaks of texts, not of numbers",
    "eq-pair-count": "it counts in a text",
    "eq-letters": "it speaks of the letters of words",
    "eq-word-vectors": "it names a decomposition that an algorithm finds",
}

# Axes that a formula speaks of, where they are not those of the signature.
AXES: dict[str, dict[str, list[str]]] = {
    "eq-mask": {"S": ["n", "m"], "mask": ["n", "m"], "return": ["n", "m"]},
    "eq-add-norm": {name: ["n", "d_model"] for name in ("x", "update", "return")},
    "eq-top-k": {"p": ["V"], "return": ["V"]},
    "eq-nucleus": {"p": ["V"], "return": ["V"]},
    "eq-rms-norm": {"x": ["d_model"], "return": ["d_model"]},
    "eq-swiglu": {"x": ["d_model"], "return": ["d_model"]},
    "eq-logits": {"Z": ["n", "d_model"], "return": ["n", "V"]},
    "eq-temperature": {"logits": ["n", "V"], "return": ["n", "V"]},
    "eq-one-hot": {"ids": [], "return": ["V"]},
    "eq-position-similarity": {"offset": [], "return": []},
}


def plainly(a, outputs, arguments):
    """The function's arguments are the formula's symbols, its first output the formula's value."""
    yield a, {"result": outputs[0]}


def reading(label: str) -> Callable[[Reading], Reading]:
    """Register how the calls that check an equation become cases of its formula."""

    def register(read: Reading) -> Reading:
        READINGS[label] = read
        return read

    return register


def check_reading(label: str) -> Callable:
    """Register how all calls of a check together become cases, where one call is not enough."""

    def register(read: Callable[[list[Call]], Iterator[Case]]) -> Callable:
        READINGS_OF_CHECKS[label] = read
        return read

    return register


@reading("eq-attention")
def output_and_weights(a, outputs, arguments):
    """The function returns both."""
    yield a, {"O": outputs[0], "A": outputs[1]}


@reading("eq-projection")
def three_projections(a, outputs, arguments):
    """One function, three lines: each has a matrix and a bias of its own."""
    W, b = a["W^Q"], np.broadcast_to(a["b"], a["W^Q"].shape[1:])
    wanted, values = {"Q": outputs[0]}, {"Z": a["Z"], "W^Q": W, "b^Q": b}
    for name, factor in (("K", 2.0), ("V", -3.0)):
        values |= {f"W^{name}": W + factor, f"b^{name}": b * factor}
        wanted[name] = project(a["Z"], W + factor, b * factor)
    yield values, wanted


@reading("eq-softmax-jacobian")
def weights_by_scores(a, outputs, arguments):
    """The slopes of the weights, not of the scores."""
    yield a, {"∂a/∂s[]": outputs[0]}


@reading("eq-utf8")
def borders_too(a, outputs, arguments):
    """The random characters, and the first ones that need a byte more."""
    yield a, {"result": outputs[0]}
    for border in (0x80, 0x800, 0x10000):
        yield {"c": border}, {"result": utf8_bytes(border)}


@reading("eq-unknown-share")
def with_the_length(a, outputs, arguments):
    """n is the number of the ids."""
    yield {**a, "n": len(a["t"])}, {"result": outputs[0]}


@check_reading("eq-printable")
def every_byte(calls):
    """All of them are few."""
    for byte in range(256):
        yield {"x": byte}, {"result": printable_code_point(byte)}


@reading("eq-split-heads")
def columns_of_q(a, outputs, arguments):
    """The columns are those of Q; d_k is what each head gets."""
    H = a["H"]
    yield (
        {"Q": a["x"], "H": H, "d_k": a["x"].shape[1] // H},
        {"Q[]": outputs[0]},
    )


@reading("eq-concat-heads")
def heads_by_name(a, outputs, arguments):
    """O_h is the output of head h."""
    H, n, d_v = a["O"].shape
    yield {"O[]": a["O"], "H": H, "n": n, "d_v": d_v}, {"O": outputs[0]}


@reading("eq-score-terms")
def sum_of_terms(a, outputs, arguments):
    """The function returns the four terms, the formula their sum."""
    yield a, {"S[]": outputs[0].sum(axis=0)}


@reading("eq-rope")
def one_position(a, outputs, arguments):
    """The formula speaks of one position and its vector."""
    for position, x, turned in zip(a["positions"], a["x"], outputs[0]):
        given = {"pos": position, "x_pos": x, "d_k": a["d_k"], "b": a["b"]}
        yield given, {"x'_pos": turned}


@reading("eq-mask")
def mask_of_every_score(a, outputs, arguments):
    """One mask may serve several rows."""
    yield a | {"M": np.broadcast_to(a["M"], a["S"].shape)}, {"result": outputs[0]}


@reading("eq-score-variance")
def deviation(a, outputs, arguments):
    """σ is the root of the variance."""
    yield {"d_k": a["d_k"], "sigma": a["variance"] ** 0.5}, {"result": outputs[0]}


@reading("eq-add-norm")
def tokens_and_update(a, outputs, arguments):
    """x is the token's vector in Z."""
    yield a | {"Z": a["x"]}, {"result": outputs[0]}


@reading("eq-pre-norm")
def value_of_the_sublayer(a, outputs, arguments):
    """f is known where it was called."""
    x = arguments["x"]
    normed = layer_norm(x, *(arguments[name] for name in ("gamma", "beta", "eps")))
    table = [[normed, arguments["sublayer"](normed)]]
    yield a | {"Z": x, "f": {"table": table}}, {"result": outputs[0]}


@reading("eq-masked-multi-head")
def under_the_causal_mask(a, outputs, arguments):
    """The formula has the mask in it."""
    n = len(a["Z"])
    output, _ = multi_head_attention(**arguments | {"mask": causal_mask(n)})
    yield a, {"result": output}


@reading("eq-decoder-layer")
def layer_under_the_causal_mask(a, outputs, arguments):
    """The formula has the causal mask in it, and no other."""
    masked = arguments | {"mask": causal_mask(len(a["Z"]))}
    yield a, {"result": decoder_layer(**masked)}


@reading("eq-decoder-layer-pre-norm")
def pre_norm_layer_under_the_causal_mask(a, outputs, arguments):
    """The same; the last line names the output."""
    masked = arguments | {"mask": causal_mask(len(a["Z"]))}
    yield a, {"Z_out": decoder_layer_pre_norm(**masked)}


@reading("eq-decoder")
def stack_under_the_causal_mask(a, outputs, arguments):
    """The same for all layers; what enters the first is Z⁽⁰⁾."""
    masked = arguments | {"mask": causal_mask(len(a["Z"]))}
    yield a | {"Z^(0)": a["Z"]}, {"result": decoder(**masked)}


@reading("eq-encoder-decoder")
def probabilities_of_the_target(a, outputs, arguments):
    """The last line names the probabilities."""
    yield a, {"p": outputs[0]}


@reading("eq-encoder-layer-pre-norm")
def output_of_the_layer(a, outputs, arguments):
    """The first line names the normalised input, the last one the output."""
    yield a, {"Z_out": outputs[0]}


@reading("eq-encoder")
def first_tokens(a, outputs, arguments):
    """What enters the first layer is Z⁽⁰⁾."""
    yield a | {"Z^(0)": a["Z"]}, {"result": outputs[0]}


@reading("eq-transformer")
def probabilities_of_tokens(a, outputs, arguments):
    """The first line names what enters the first layer, the second one the probabilities."""
    yield a, {"p": outputs[0]}


@reading("eq-logits")
def last_tokens(a, outputs, arguments):
    """Z is what leaves the last layer."""
    yield a | {"Z_out": a["Z"]}, {"result": outputs[0]}


@reading("eq-greedy")
def every_step(a, outputs, arguments):
    """One case for each token that was added."""
    ids = outputs[0]
    for n in range(len(arguments["start"]), len(ids)):
        given = {"logits": arguments["next_logits"](ids[:n])}
        yield given, {"t_next": float(ids[n])}


@reading("eq-sequence-score")
def every_sequence(a, outputs, arguments):
    """One case for each sequence that was found: the distributions along its way, its tokens, its score."""
    first = len(arguments["start"])
    for ids, score in outputs[0]:
        rows = [arguments["next_logits"](ids[:n]) for n in range(first, len(ids))]
        given = {"p": softmax(np.array(rows)), "t": ids[first:], "n": len(rows)}
        yield given | {"alpha": arguments["power"]}, {"s": score}


@reading("eq-position-similarity")
def at_some_place(a, outputs, arguments):
    """The place does not matter: here it is 5."""
    yield a | {"pos": 5}, {"result": outputs[0]}


@reading("eq-shift-matrix")
def shift_from_some_place(a, outputs, arguments):
    """The place does not matter: here it is 5."""
    yield a | {"pos": 5}, {"M[]": outputs[0]}


@reading("eq-rope-half-split")
def one_position_halves(a, outputs, arguments):
    """The formula speaks of one position and its vector."""
    for position, x, turned in zip(a["positions"], a["x"], outputs[0]):
        given = {"pos": position, "x": x, "d_k": a["d_k"], "b": a["b"]}
        yield given, {"x'[]": turned}


@check_reading("eq-rope-relative")
def query_and_key(calls):
    """Two calls belong together: the query at position i, the key at position j."""
    for pair in zip(calls[::2], calls[1::2]):
        of_query, of_key = (arguments_of(rope, call) for call in pair)
        q, k = of_query["x"], of_key["x"]
        i, j = of_query["positions"][0], of_key["positions"][0]
        given = {"q": q[0], "k": k[0], "i": i, "j": j, "b": of_query["base"]}
        turned = float(pair[0].output[0] @ pair[1].output[0])
        yield given | {"d_k": q.shape[1]}, {"result": turned}


@check_reading("eq-past-alone")
def every_causal_output(calls):
    """The formula speaks of the attention under a causal mask, and has none."""
    for call in calls:
        Q, K, V, _ = call.arguments
        *lead, n, d_k = Q.shape
        for place in islice(np.ndindex(*lead), 4):
            q, k, v = (x[place] for x in (Q, K, V))
            given = {"Q": q, "K": k, "V": v, "n": n, "d_k": d_k}
            yield given, {"O[]": call.output[0][place]}


@reading("eq-cross-attention")
def output_of_cross_attention(a, outputs, arguments):
    """The function returns the weights as well."""
    yield a, {"O": outputs[0]}


@check_reading("eq-online-softmax")
def one_query_at_a_time(calls):
    """The formula speaks of one query, which has seen a key or sees one now."""
    for call in calls:
        m, l, o, S, V = call.arguments
        for *place, i in islice(np.ndindex(m.shape), 4):
            row = (*place, i)
            wanted = [output[row] for output in call.output]
            if wanted[0] > -np.inf:
                own = {"m": m[row], "ell": l[row], "o": o[row]}
                given = own | {"s": S[row], "V": V[tuple(place)]}
                yield given, dict(zip(("m'", "ell'", "o'"), wanted))


@check_reading("eq-kv-cache")
def token_behind_a_cache(calls):
    """K and V are those of the tokens before, which the first one lacks; q, k and v are rows, of at least two columns."""
    for call in calls:
        if len(call.arguments) < 4 or 1 in [x.shape[-1] for x in call.arguments[:3]]:
            continue
        q, k, v, cache = call.arguments
        output, longer = call.output
        for place in islice(np.ndindex(q.shape[:-1]), 2):
            rows = {"q": q[place][None], "k": k[place][None], "v": v[place][None]}
            given = rows | {"d_k": q.shape[-1]}
            given |= {"K": cache.K[place], "V": cache.V[place]}
            wanted = {
                "o": output[place][None],
                "K'": longer.K[place],
                "V'": longer.V[place],
            }
            yield given, wanted


@reading("eq-exact-match")
def rows_of_tokens(a, outputs, arguments):
    """U are the predicted tokens, Y the wanted ones."""
    yield (
        {"U": a["predicted"], "Y": a["wanted"], "N": a["N"], "n": a["n"]},
        {"result": outputs[0]},
    )


@reading("eq-attention-only")
def layers_of_attention(a, outputs, arguments):
    """Each layer brings its own normalisation and its own heads."""
    H, own = arguments["n_heads"], {"Z^(0)": a["Z"], "N": len(arguments["layers"])}
    for number, p in enumerate(arguments["layers"], 1):
        norm = {"gamma": p.gamma, "beta": p.beta}
        heads = parameters_as_symbols(p.attention, H)
        own |= {
            f"LayerNorm_{number}": {"parameters": norm},
            f"MultiHead_{number}": {"parameters": heads},
        }
    yield own | {"H": H}, {"result": outputs[0]}


@reading("eq-prefix-matching")
def weights_and_tokens(a, outputs, arguments):
    """t are the tokens."""
    yield a, {"result": outputs[0]}


@reading("eq-centroids")
def mean_of_each_class(a, outputs, arguments):
    """y are the labels."""
    yield (
        {"X": a["X"], "y": a["labels"], "K": int(a["labels"].max()) + 1},
        {"c[]": outputs[0]},
    )


@reading("eq-silhouette")
def vectors_of_two_classes(a, outputs, arguments):
    """y are the labels."""
    yield {"X": a["X"], "y": a["labels"], "n": len(a["X"])}, {"result": outputs[0]}


@reading("eq-gated-heads")
def sum_of_gated_heads(a, outputs, arguments):
    """O_h is what head h found: the function changes the matrix that it meets."""
    gates, W_O = arguments["gates"], arguments["W_O"]
    H, (rows, d_model) = len(gates), W_O.shape
    O = np.random.default_rng(rows).normal(size=(H, 3, rows // H))
    b = np.linspace(-1, 1, d_model)
    given = {"O[]": O, "xi": gates, "W^O": W_O.reshape(H, -1, d_model), "b^O": b}
    side_by_side = np.swapaxes(O, 0, 1).reshape(3, rows)
    yield given, {"O'": side_by_side @ outputs[0] + b}


@reading("eq-gate-slopes")
def matrix_of_each_head(a, outputs, arguments):
    """G is the gradient of W^O, in each head's rows."""
    H = arguments["n_heads"]
    W, G = (
        arguments[name].reshape(H, -1, arguments["W_O"].shape[1])
        for name in ("W_O", "gradient")
    )
    yield {"W^O": W, "G": G}, {"∂L/∂xi[]": outputs[0]}


@check_reading("eq-cross-entropy")
def rows_of_all_sequences(calls):
    """Positions of all sequences are rows of one matrix; without weights all count alike."""
    for call in calls:
        a = arguments_of(cross_entropy, call)
        logits = a["logits"].reshape(-1, a["logits"].shape[-1])
        weights = np.ones(len(logits)) if a["weights"] is None else a["weights"].ravel()
        given = {"logits": logits, "t": a["targets"].ravel(), "w": weights}
        sizes = {"V": logits.shape[1], "alpha": a["smoothing"]}
        yield given | sizes, {"result": call.output}


@reading("eq-shift")
def inputs_and_targets(a, outputs, arguments):
    """The tokens, and the two parts that are made of them."""
    yield {"t": a["t"], "n": len(a["t"])}, {"x[]": outputs[0], "y[]": outputs[1]}


@reading("eq-perplexity")
@reading("eq-bits-per-byte")
def loss_by_its_letter(a, outputs, arguments):
    """The loss is a calligraphic L."""
    yield a | {"mathcal:L": a["loss"]}, {"result": outputs[0]}


@check_reading("eq-adam")
def numbers_one_by_one(calls):
    """The formula speaks of one parameter: each number of the trees, and what is remembered of it."""
    for call in calls:
        a = arguments_of(adam_step, call)
        after, state = call.output
        old = (a["parameters"], a["gradients"], a["state"].m, a["state"].v)
        columns = [
            np.concatenate([x.ravel() for x in leaves(tree).values()])
            for tree in (*old, after, state.m, state.v)
        ]
        settings = {
            "eta": a["learning_rate"],
            "beta_1": a["beta_1"],
            "beta_2": a["beta_2"],
            "varepsilon": a["eps"],
            "lambda": a["weight_decay"],
            "t": a["state"].step + 1,
        }
        for theta, g, m, v, *wanted in islice(zip(*columns), 4):
            given = settings | {"theta": theta, "g": g, "m": m, "v": v}
            yield given, dict(zip(("theta'", "m'", "v'"), wanted))


@check_reading("eq-global-norm")
def length_of_one_vector(calls):
    """All gradients behind one another are the vector g."""
    for call in calls:
        yield (
            {"g": _flat(arguments_of(global_norm, call)["gradients"])},
            {"result": call.output},
        )


@check_reading("eq-clipping")
def clipped_vector(calls):
    """All gradients behind one another are the vector g."""
    for call in calls:
        a = arguments_of(clip_by_norm, call)
        yield {"g": _flat(a["gradients"]), "c": a["largest"]}, {"g": _flat(call.output)}


@reading("eq-inverse-root-schedule")
@reading("eq-cosine-schedule")
def step_and_warm_up(a, outputs, arguments):
    """t is the step, w the warm-up, T all steps."""
    given = {
        "t": a["step"],
        "w": a["warm_up"],
        "T": a.get("steps"),
        "eta_max": a.get("peak"),
    }
    yield a | {k: v for k, v in given.items() if v is not None}, {"result": outputs[0]}


@check_reading("eq-kneser-ney")
def tokens_one_by_one(calls):
    """The formula speaks of one token behind one context."""
    for call in calls:
        a = arguments_of(kneser_ney, call)
        columns = (a["counts"], a["total"], a["kinds"], a["shorter"], call.output)
        for c, C, N, shorter, wanted in islice(zip(*columns), 4):
            given = {"c": c, "C": C, "N": N, "D": a["discount"], "P'": shorter}
            yield given, {"P": wanted}


@check_reading("eq-kneser-ney-discount")
def seen_once_and_twice(calls):
    """n_1 and n_2 are counts of counts."""
    for call in calls:
        counts = arguments_of(kneser_ney_discount, call)["counts"]
        once, twice = (int((counts == number).sum()) for number in (1, 2))
        yield {"n_1": once, "n_2": twice}, {"D": call.output}


@reading("eq-gain-by-score")
@reading("eq-merge-gain")
def pairs_one_by_one(a, outputs, arguments):
    """The formula speaks of one pair; its two tokens are 0 and 1, or both 0."""
    for given, same, value in _pairs(arguments["pairs"], outputs[0]):
        yield given | {"a": 0, "b": int(not same)}, {"Delta": value}


@reading("eq-merge-score")
def score_of_each_pair(a, outputs, arguments):
    """The formula speaks of one pair; a and b are parts of names."""
    for given, _, value in _pairs(arguments["pairs"], outputs[0]):
        yield given, {"s": value}


def _pairs(pairs: PairCounts, values: np.ndarray) -> Iterator[tuple]:
    columns = (pairs.m, pairs.n_a, pairs.n_b, pairs.same, values)
    for m, n_a, n_b, same, value in islice(zip(*columns), 8):
        yield {"m": m, "n_a": n_a, "n_b": n_b, "N": pairs.N}, same, value


@check_reading("eq-longest-piece")
def every_place_of_a_word(calls):
    """M says which parts of a word are pieces; encoding begins at 0 and goes on where the piece before it ended."""
    for call in calls:
        if len(call.arguments) == 3:
            word, start, word_piece = call.arguments
            yield {"M": _fits(word, word_piece), "i": start}, {"result": call.output}


def _fits(word: str, word_piece: WordPiece) -> np.ndarray:
    """1 where the characters i, ..., j - 1 of a word are a piece, 0 elsewhere."""
    places, known = range(len(word) + 1), word_piece.vocabulary
    mark = word_piece.prefix
    rows = [
        [j > i and mark * (i > 0) + word[i:j] in known for j in places]
        for i in places[:-1]
    ]
    return np.array(rows, dtype=float)


def _flat(tree: Any) -> np.ndarray:
    return np.concatenate([x.ravel() for x in leaves(tree).values()])


@reading("eq-power-law")
def factor_and_exponent(a, outputs, arguments):
    """The function returns both."""
    yield a | {"n": len(a["x"])}, {"A": outputs[0], "beta": outputs[1]}


@reading("eq-zipf")
def counts_by_rank(a, outputs, arguments):
    """c are the counts, s the exponent; a fitted exponent is no value of the formula."""
    if "exponent" in arguments:
        given = {"c": arguments["counts"], "s": arguments["exponent"]}
        yield given | {"V": len(arguments["counts"])}, {"result": outputs[0]}


@reading("eq-rare-share")
def counts_of_tokens(a, outputs, arguments):
    """c are the counts, k is what a token must reach."""
    counts = arguments["counts"]
    given = {"c": counts, "k": arguments["fewest"], "V": len(counts)}
    yield given, {"result": outputs[0]}


@reading("eq-renyi-efficiency")
@reading("eq-bits-per-character")
def counts_of_the_vocabulary(a, outputs, arguments):
    """c are the counts of all tokens."""
    yield (
        a | {"c": arguments["counts"], "V": len(arguments["counts"])},
        {"result": outputs[0]},
    )
