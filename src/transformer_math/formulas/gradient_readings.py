"""How the cases of gradients are read: a random gradient goes in at the value, and what the pullback gives must come out.

`dQ` is what the page prints as an upright d before Q. A pullback printed as f^* is a table: the gradient that goes in, and
what the twin of f makes of it.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transformer_math import gradient as twins
from transformer_math.attention import (
    attention,
    concat_heads,
    project,
    softmax,
    split_heads,
)
from transformer_math.formulas.readings import AXES, reading
from transformer_math.trained.attention_only import attention_only_vjp


def pulled_back(function: Callable, arguments: dict[str, Any]) -> tuple:
    """The value of a twin, a random gradient of its form, and the gradients that the pullback makes of it."""
    value, pullback = function(**arguments)
    shape = np.shape(value)
    rng = np.random.default_rng([9, *shape])
    gradient = rng.normal(size=shape) if shape else 1.5
    return value, gradient, pullback(gradient)


def gradient_reading(
    label: str, function: Callable, goes_in: str, come_out: Sequence[str]
) -> Callable:
    """Register a reading in which the gradient has one name, and the gradients that come out have others.

    The decorated function says what else the formula speaks of, from the arguments and the value.
    """

    def register(more: Callable[[dict[str, Any], Any], dict[str, Any]]) -> Callable:
        @reading(label)
        def read(a, outputs, arguments):
            value, gradient, gradients = pulled_back(function, arguments)
            known = {goes_in: gradient} | more(arguments, value)
            wanted = {name: g for name, g in zip(come_out, gradients) if name}
            yield a | known, wanted

        return more

    return register


def _nothing_else(arguments, value):
    return {}


def _pullback(pairs: Sequence[tuple[Any, Any]]) -> dict[str, Any]:
    return {"table": [list(pair) for pair in pairs]}


for _label, _function, _in, _out in (
    ("eq-scores-vjp", twins.scores_vjp, "dS", ("dQ", "dK")),
    ("eq-residual-vjp", twins.residual_vjp, "dy", ("dx", "du")),
    ("eq-embedding-vjp", twins.embed_vjp, "dX", ("dE[]",)),
    ("eq-embed-at-positions-vjp", twins.embed_at_positions_vjp, "dZ", ("dE[]",)),
    ("eq-embedding-scale-vjp", twins.scale_embedding_vjp, "dX", ("result",)),
):
    gradient_reading(_label, _function, _in, _out)(_nothing_else)

for _label, _function in (
    ("eq-relu-vjp", twins.relu_vjp),
    ("eq-gelu-vjp", twins.gelu_vjp),
    ("eq-gelu-tanh-vjp", twins.gelu_tanh_vjp),
    ("eq-swish-vjp", twins.swish_vjp),
):

    @reading(_label)
    def of_one_number(a, outputs, arguments, function=_function):
        """The formula speaks of a single number."""
        one = {"x": np.reshape(arguments["x"], 1)}
        _, (dy,), ((dx,),) = pulled_back(function, one)
        yield a | {"dy": dy}, {"dx": dx}


AXES |= {
    "eq-mask-vjp": {"S": ["n", "m"], "mask": ["n", "m"], "return": ["n", "m"]},
    "eq-layer-norm-vjp": {"x": ["n", "d_model"], "return": ["n", "d_model"]},
    "eq-rms-norm-vjp": {"x": ["n", "d_model"], "return": ["n", "d_model"]},
    "eq-swiglu-vjp": {"x": ["n", "d_model"], "return": ["n", "d_model"]},
    "eq-rotation-vjp": {"x": ["d_k"], "angles": ["half"], "return": ["d_k"]},
    "eq-temperature-vjp": {"logits": ["n", "V"], "return": ["n", "V"]},
    "eq-log-softmax-vjp": {"x": ["V"], "return": ["V"]},
    "eq-cross-attention-vjp": {
        "Z": ["n", "d_model"],
        "memory": ["m", "d_memory"],
        "return": ["n", "d_v"],
    },
    "eq-add-norm-vjp": {name: ["n", "d_model"] for name in ("x", "update", "return")},
    "eq-pre-norm-vjp": {name: ["n", "d_model"] for name in ("x", "return")},
    "eq-feed-forward-vjp": {"x": ["n", "d_model"], "return": ["n", "d_model"]},
    "eq-projection-vjp": {"Z": ["n", "d_in"], "return": ["n", "d_out"]},
    "eq-logits-vjp": {"Z": ["n", "d_model"], "return": ["n", "V"]},
    "eq-cross-entropy-vjp": {"logits": ["n", "V"], "targets": ["n"], "weights": ["n"]},
}


@gradient_reading("eq-softmax-vjp", twins.softmax_vjp, "da", ("ds[]",))
def weights_of_the_row(arguments, A):
    """A is the value."""
    return {"a": A}


@reading("eq-mask-vjp")
def mask_of_every_score(a, outputs, arguments):
    """One mask may serve several rows."""
    S, mask = arguments["S"], arguments["mask"]
    _, gradient, (dS,) = pulled_back(twins.apply_mask_vjp, {"S": S, "mask": mask})
    yield {"dS": gradient, "M": np.broadcast_to(mask, S.shape)}, {"result": dS}


@gradient_reading("eq-rms-norm-vjp", twins.rms_norm_vjp, "dy", ("dx[]", "dgamma[]"))
@gradient_reading(
    "eq-layer-norm-vjp", twins.layer_norm_vjp, "dy", ("dx[]", "dgamma[]", "dbeta[]")
)
def width_of_the_tokens(arguments, y):
    """d is the size of a token."""
    return {"d": y.shape[1]}


@gradient_reading(
    "eq-logits-vjp", twins.logits_vjp, "dlogits", ("dZ_out", "dW^out", "")
)
def last_tokens(arguments, logits):
    """Z is what leaves the last layer."""
    return {"Z_out": arguments["Z"]}


@gradient_reading("eq-temperature-vjp", twins.probabilities_vjp, "dp", ("dlogits[]",))
@gradient_reading("eq-log-softmax-vjp", twins.log_softmax_vjp, "dl", ("dx[]",))
def probabilities_by_their_letter(arguments, value):
    """p are the probabilities, of the logits or of what was divided by the temperature."""
    return {"p": value if "logits" in arguments else np.exp(value)}


@reading("eq-add-position-vjp")
def every_sequence_of_the_batch(a, outputs, arguments):
    """The formula speaks of a batch: here, of three sequences that are alike."""
    X, P = arguments["X"], arguments["P"]
    batch = {"X": np.stack([X, X, X]), "P": P}
    _, dZ, (dX, dP) = pulled_back(twins.add_position_vjp, batch)
    yield {"dZ": dZ}, {"dX[]": dX, "dP[]": dP}


@gradient_reading("eq-rotation-vjp", twins.rotate_pairs_vjp, "dx'", ("dx[]",))
def angles_of_the_pairs(arguments, value):
    """The angles are known."""
    return {}


for _label, _function, _in, _out in (
    ("eq-rope-vjp", twins.rope_vjp, "dx'_pos", "dx_pos"),
    ("eq-rope-half-split-vjp", twins.rope_half_split_vjp, "dx'", "dx[]"),
):

    @reading(_label)
    def at_one_position(a, outputs, arguments, names=(_function, _in, _out)):
        """The formula speaks of one position and its vector."""
        function, goes_in, comes_out = names
        _, gradient, (dx,) = pulled_back(function, arguments)
        for position, arriving, found in zip(a["positions"], gradient, dx):
            given = {"pos": position, "d_k": len(found), "b": a["b"]}
            yield given | {goes_in: arriving}, {comes_out: found}


@gradient_reading("eq-attention-vjp", twins.attention_vjp, "dO", ("dQ", "dK", "dV"))
def weights_of_attention(arguments, O):
    """A is known from the way there."""
    return {"A": attention(**arguments)[1]}


@reading("eq-projection-vjp")
def projection_to_queries(a, outputs, arguments):
    """The formula speaks of the queries, whose bias is a vector."""
    W = arguments["W"]
    b = np.broadcast_to(arguments["b"], W.shape[1:]).astype(float)
    given = {"Z": arguments["Z"], "W": W, "b": b}
    _, dQ, (dZ, dW, db) = pulled_back(twins.project_vjp, given)
    yield (
        {"Z": given["Z"], "W^Q": W, "b^Q": b, "dQ": dQ},
        {"dZ": dZ, "dW^Q": dW, "db^Q": db},
    )


@reading("eq-multi-head-vjp")
def heads_of_attention(a, outputs, arguments):
    """What comes back from the attention of each head, and what Z and the source get of it."""
    Z, source, p, H = (arguments[k] for k in ("Z", "source", "parameters", "n_heads"))
    _, gradient, (dZ, dY, _) = pulled_back(twins.multi_head_attention_vjp, arguments)
    heads = [
        split_heads(project(x, W, b), H)
        for x, W, b in (
            (Z, p.W_Q, p.b_Q),
            (source, p.W_K, p.b_K),
            (source, p.W_V, p.b_V),
        )
    ]
    dO = gradient @ p.W_O.T
    _, pullback = twins.attention_vjp(*heads)
    dQ, dK, dV = pullback(split_heads(dO, H))
    names = {"dO'": gradient, "dQ[]": dQ, "dK[]": dK, "dV[]": dV}
    yield a | names, {"dO": dO, "dZ": dZ, "dY": dY}


@reading("eq-self-attention-vjp")
def all_heads_side_by_side(a, outputs, arguments):
    """The three gradients of all heads, and the matrices as they are stored."""
    Z, p, H = (arguments[k] for k in ("Z", "parameters", "n_heads"))
    _, gradient, (dZ, _) = pulled_back(twins.self_attention_vjp, arguments)
    heads = [
        split_heads(project(Z, W, b), H)
        for W, b in ((p.W_Q, p.b_Q), (p.W_K, p.b_K), (p.W_V, p.b_V))
    ]
    _, pullback = twins.attention_vjp(*heads)
    dQ, dK, dV = map(concat_heads, pullback(split_heads(gradient @ p.W_O.T, H)))
    given = {"dQ": dQ, "dK": dK, "dV": dV, "W^Q": p.W_Q, "W^K": p.W_K, "W^V": p.W_V}
    yield given, {"dZ": dZ}


@reading("eq-add-norm-vjp")
def back_through_the_norm(a, outputs, arguments):
    """LayerNorm's pullback is known at the gradient that arrives."""
    _, gradient, (dx, du, *_) = pulled_back(twins.add_norm_vjp, arguments)
    given = {"dZ'": gradient, "LayerNorm*": _pullback([(gradient, dx)])}
    yield given, {"dZ": dx, "dO'": du}


@reading("eq-pre-norm-vjp")
def back_through_sublayer_and_norm(a, outputs, arguments):
    """The pullbacks of sublayer and norm are known at the gradients that arrive there."""
    x, sublayer = arguments["x"], arguments["sublayer_vjp"]
    rest = [arguments[name] for name in ("gamma", "beta", "eps")]
    _, gradient, (dx, *_) = pulled_back(twins.pre_norm_vjp, arguments)
    normed, norm = twins.layer_norm_vjp(x, *rest)
    dnormed = sublayer(normed)[1](gradient)[0]
    tables = {
        "Sublayer*": _pullback([(gradient, dnormed)]),
        "LayerNorm*": _pullback([(dnormed, norm(dnormed)[0])]),
    }
    yield {"dZ'": gradient} | tables, {"dZ": dx}


@reading("eq-feed-forward-vjp")
def network_of_some_tokens(a, outputs, arguments):
    """X holds the tokens; the activation is ReLU."""
    _, gradient, (dX, dp) = pulled_back(twins.feed_forward_vjp, arguments)
    yield (
        a | {"X": arguments["x"], "dY": gradient},
        {"dX": dX, "dW_1": dp.W_1, "db_1": dp.b_1, "dW_2": dp.W_2, "db_2": dp.b_2},
    )


@reading("eq-swiglu-vjp")
def gates_and_content(a, outputs, arguments):
    """The pullback of swish is known at the gradient that arrives at the gates."""
    X, p = arguments["x"], arguments["parameters"]
    _, dY, (dX, dp) = pulled_back(twins.swiglu_vjp, arguments)
    use, (_, back) = Tables(), twins.swish_vjp(X @ p.W_g)
    use("swish", _first((0, back)), dY @ p.W_2.T * (X @ p.W_1))
    wanted = {"dX": dX, "dW_g": dp.W_g, "dW_1": dp.W_1, "dW_2": dp.W_2}
    yield a | {"X": X, "dY": dY} | use.known, wanted


@reading("eq-cross-attention-vjp")
def gradients_of_one_head(a, outputs, arguments):
    """What comes back from attention is known."""
    twin = twins.cross_attention_vjp
    _, dO, (dZ, dY, dW_Q, dW_K, dW_V) = pulled_back(twin, arguments)
    Z, Y, W_Q, W_K, W_V = list(arguments.values())[:5]
    _, pullback = twins.attention_vjp(Z @ W_Q, Y @ W_K, Y @ W_V)
    heard = dict(zip(("dQ", "dK", "dV"), pullback(dO)))
    wanted = {"dZ": dZ, "dY": dY, "dW^Q": dW_Q, "dW^K": dW_K, "dW^V": dW_V}
    yield a | heard, wanted


def _layer_norms(p: Any, *inputs: np.ndarray) -> list[Callable]:
    """The pullbacks of a layer's normalisations, to the tokens alone."""
    return [
        _first(
            twins.layer_norm_vjp(x, getattr(p, f"gamma_{i}"), getattr(p, f"beta_{i}"))
        )
        for i, x in enumerate(inputs, 1)
    ]


def _first(twin: tuple, place: int = 0) -> Callable:
    return lambda gradient: twin[1](gradient)[place]


class Tables:
    """Pullbacks that are written down as they are used: `tables("FFN", pullback, gradient)` goes into the table of FFN."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}

    def __call__(self, name: str, pullback: Callable, gradient: Any) -> Any:
        """What the pullback makes of the gradient, written down under the name."""
        result = pullback(gradient)
        table = self.known.setdefault(f"{name}*", {"table": []})
        table["table"].append([gradient, result])
        return result


@reading("eq-encoder-layer-vjp")
def parts_of_the_layer(a, outputs, arguments):
    """The pullbacks of the layer's parts, each at the gradient that arrives there."""
    Z, p, H = (arguments[k] for k in ("Z", "parameters", "n_heads"))
    _, gradient, (dZ, _) = pulled_back(twins.encoder_layer_vjp, arguments)
    O, attend = twins.self_attention_vjp(Z, p.attention, H)
    Z_1, _ = twins.add_norm_vjp(Z, O, p.gamma_1, p.beta_1)
    F, think = twins.feed_forward_vjp(Z_1, p.feed_forward)
    norm_1, norm_2 = _layer_norms(p, Z + O, Z_1 + F)
    use = Tables()
    D_2 = use("LayerNorm_2", norm_2, gradient)
    dZ_1 = D_2 + use("FFN", _first((0, think)), D_2)
    D_1 = use("LayerNorm_1", norm_1, dZ_1)
    use("MultiHead", _first((0, attend)), D_1)
    yield {"dZ_out": gradient} | use.known, {"dZ": dZ}


@reading("eq-encoder-layer-pre-norm-vjp")
def parts_of_the_pre_norm_layer(a, outputs, arguments):
    """The pullbacks of the layer's parts, each at the gradient that arrives there."""
    Z, p, H = (arguments[k] for k in ("Z", "parameters", "n_heads"))
    _, gradient, (dZ, _) = pulled_back(twins.encoder_layer_pre_norm_vjp, arguments)
    U, norm_1 = twins.layer_norm_vjp(Z, p.gamma_1, p.beta_1)
    O, attend = twins.self_attention_vjp(U, p.attention, H)
    U_2, norm_2 = twins.layer_norm_vjp(Z + O, p.gamma_2, p.beta_2)
    _, think = twins.feed_forward_vjp(U_2, p.feed_forward)
    use = Tables()
    thought = use("FFN", _first((0, think)), gradient)
    dZ_1 = gradient + use("LayerNorm_2", _first((0, norm_2)), thought)
    attended = use("MultiHead", _first((0, attend)), dZ_1)
    use("LayerNorm_1", _first((0, norm_1)), attended)
    yield {"dZ_out": gradient} | use.known, {"dZ": dZ}


@reading("eq-decoder-layer-vjp")
def parts_of_the_decoder_layer(a, outputs, arguments):
    """The pullbacks of the layer's parts, each at the gradient that arrives there."""
    Z, Y, p, H = (arguments[k] for k in ("Z", "memory", "parameters", "n_heads"))
    _, gradient, (dZ, dY, _) = pulled_back(twins.decoder_layer_vjp, arguments)
    O, attend = twins.self_attention_vjp(Z, p.self_attention, H)
    Z_1, _ = twins.add_norm_vjp(Z, O, p.gamma_1, p.beta_1)
    C, look_up = twins.multi_head_attention_vjp(Z_1, Y, p.cross_attention, H)
    Z_2, _ = twins.add_norm_vjp(Z_1, C, p.gamma_2, p.beta_2)
    F, think = twins.feed_forward_vjp(Z_2, p.feed_forward)
    norm_1, norm_2, norm_3 = _layer_norms(p, Z + O, Z_1 + C, Z_2 + F)
    use = Tables()
    D_3 = use("LayerNorm_3", norm_3, gradient)
    D_2 = use("LayerNorm_2", norm_2, D_3 + use("FFN", _first((0, think)), D_3))
    asked = use("MultiHead_Z", _first((0, look_up)), D_2)
    use("MultiHead_Y", _first((0, look_up), 1), D_2)
    D_1 = use("LayerNorm_1", norm_1, D_2 + asked)
    use("MaskedMultiHead", _first((0, attend)), D_1)
    yield {"dZ_out": gradient} | use.known, {"dZ": dZ, "dY": dY}


@reading("eq-decoder-layer-pre-norm-vjp")
def parts_of_the_pre_norm_decoder_layer(a, outputs, arguments):
    """The pullbacks of the layer's parts, each at the gradient that arrives there."""
    Z, Y, p, H = (arguments[k] for k in ("Z", "memory", "parameters", "n_heads"))
    twin = twins.decoder_layer_pre_norm_vjp
    _, gradient, (dZ, dY, _) = pulled_back(twin, arguments)
    U, norm_1 = twins.layer_norm_vjp(Z, p.gamma_1, p.beta_1)
    O, attend = twins.self_attention_vjp(U, p.self_attention, H)
    U_2, norm_2 = twins.layer_norm_vjp(Z + O, p.gamma_2, p.beta_2)
    C, look_up = twins.multi_head_attention_vjp(U_2, Y, p.cross_attention, H)
    U_3, norm_3 = twins.layer_norm_vjp(Z + O + C, p.gamma_3, p.beta_3)
    _, think = twins.feed_forward_vjp(U_3, p.feed_forward)
    use = Tables()
    thought = use("FFN", _first((0, think)), gradient)
    dZ_2 = gradient + use("LayerNorm_3", _first((0, norm_3)), thought)
    asked = use("MultiHead_Z", _first((0, look_up)), dZ_2)
    use("MultiHead_Y", _first((0, look_up), 1), dZ_2)
    dZ_1 = dZ_2 + use("LayerNorm_2", _first((0, norm_2)), asked)
    attended = use("MaskedMultiHead", _first((0, attend)), dZ_1)
    use("LayerNorm_1", _first((0, norm_1)), attended)
    yield {"dZ_out": gradient} | use.known, {"dZ": dZ, "dY": dY}


def _forward(Z: Any, layers: Sequence, twin: Callable) -> tuple[Any, list[Callable]]:
    """What leaves the last layer, and the pullback of each."""
    pullbacks = []
    for p in layers:
        Z, pullback = twin(Z, p)
        pullbacks.append(pullback)
    return Z, pullbacks


def _downwards(gradient: Any, pullbacks: Sequence, *names: str) -> dict[str, Any]:
    """The tables of a stack's layers, the last one first; one name for each input of a layer, its tokens' first."""
    use = Tables()
    for number, pullback in reversed(list(enumerate(pullbacks, 1))):
        gradient, *_ = [
            use(name.format(number), _first((0, pullback), place), gradient)
            for place, name in enumerate(names)
        ]
    return use.known


@reading("eq-encoder-vjp")
def layers_from_the_last(a, outputs, arguments):
    """The pullback of every layer, at the gradient that the one above sends down."""
    Z, layers, H = (arguments[k] for k in ("Z", "layers", "n_heads"))
    _, gradient, (dZ, _) = pulled_back(twins.encoder_vjp, arguments)
    _, pullbacks = _forward(Z, layers, lambda Z, p: twins.encoder_layer_vjp(Z, p, H))
    tables, N = _downwards(gradient, pullbacks, "EncoderLayer_{}"), len(layers)
    yield {f"dZ^({N})": gradient, "N": N} | tables, {"dZ": dZ}


@reading("eq-encoder-pre-norm-vjp")
def norm_and_layers_from_the_last(a, outputs, arguments):
    """The pullback of the last normalisation, and of the layers below it."""
    Z, layers, H = (arguments[k] for k in ("Z", "layers", "n_heads"))
    _, gradient, (dZ, *_) = pulled_back(twins.encoder_pre_norm_vjp, arguments)
    twin = twins.encoder_layer_pre_norm_vjp
    Z, pullbacks = _forward(Z, layers, lambda Z, p: twin(Z, p, H))
    tables, arriving = _last_norm(Z, arguments, gradient)
    tables |= _downwards(arriving, pullbacks, "PreNormEncoderLayer_{}")
    yield {"dZ_out": gradient, "N": len(layers)} | tables, {"dZ": dZ}


def _last_norm(Z: Any, arguments: dict[str, Any], gradient: Any) -> tuple[dict, Any]:
    """The table of the normalisation at the end of a stack, and what it sends down."""
    _, norm = twins.layer_norm_vjp(Z, arguments["gamma"], arguments["beta"])
    dZ, *_ = norm(gradient)
    return {"LayerNorm*": _pullback([(gradient, dZ)])}, dZ


@reading("eq-decoder-vjp")
def decoder_layers_from_the_last(a, outputs, arguments):
    """The pullback of every layer, to its tokens and to the memory."""
    Z, Y, layers, H = (arguments[k] for k in ("Z", "memory", "layers", "n_heads"))
    _, gradient, (dZ, dY, _) = pulled_back(twins.decoder_vjp, arguments)
    _, pullbacks = _forward(Z, layers, lambda Z, p: twins.decoder_layer_vjp(Z, Y, p, H))
    names = ("DecoderLayer_{},Z", "DecoderLayer_{},Y")
    tables, N = _downwards(gradient, pullbacks, *names), len(layers)
    yield {f"dZ^({N})": gradient, "N": N} | tables, {"dZ": dZ, "dY": dY}


@reading("eq-decoder-pre-norm-vjp")
def norm_and_decoder_layers_from_the_last(a, outputs, arguments):
    """The pullback of the last normalisation, and of the layers below it, to their tokens and to the memory."""
    Z, Y, layers, H = (arguments[k] for k in ("Z", "memory", "layers", "n_heads"))
    _, gradient, (dZ, dY, *_) = pulled_back(twins.decoder_pre_norm_vjp, arguments)
    twin = twins.decoder_layer_pre_norm_vjp
    Z, pullbacks = _forward(Z, layers, lambda Z, p: twin(Z, Y, p, H))
    tables, arriving = _last_norm(Z, arguments, gradient)
    names = ("PreNormDecoderLayer_{},Z", "PreNormDecoderLayer_{},Y")
    tables |= _downwards(arriving, pullbacks, *names)
    yield {"dZ_out": gradient, "N": len(layers)} | tables, {"dZ": dZ, "dY": dY}


@reading("eq-attention-only-vjp")
def heads_and_norms_from_the_last(a, outputs, arguments):
    """The pullbacks of every layer's heads and norm, at the gradients that arrive there."""
    Z, layers, H = (arguments[k] for k in ("Z", "layers", "n_heads"))
    _, gradient, (dZ, _) = pulled_back(attention_only_vjp, arguments)
    parts = []
    for p in layers:
        x, norm = twins.layer_norm_vjp(Z, p.gamma, p.beta)
        found, attend = twins.self_attention_vjp(x, p.attention, H)
        Z = Z + found
        parts.append((norm, attend))
    use, g, N = Tables(), gradient, len(layers)
    for number, (norm, attend) in reversed(list(enumerate(parts, 1))):
        heard = use(f"MultiHead_{number}", _first((0, attend)), g)
        g = g + use(f"LayerNorm_{number}", _first((0, norm)), heard)
    yield {f"dZ^({N})": gradient, "N": N} | use.known, {"dZ": dZ}


@reading("eq-cross-entropy-vjp")
def probabilities_and_targets(a, outputs, arguments):
    """p is the softmax of the logits; where no weights are given, they are 1."""
    targets, weights = arguments["targets"], arguments.get("weights")
    logits, smoothing = arguments["logits"], arguments["smoothing"]
    _, g, (dlogits,) = pulled_back(twins.cross_entropy_vjp, arguments)
    given = {
        "p": softmax(logits),
        "t": targets,
        "w": np.ones(targets.shape) if weights is None else weights,
        "V": logits.shape[-1],
        "varepsilon": smoothing,
        "dL": g,
    }
    yield given, {"dlogits[]": dlogits}


@reading("eq-transformer-vjp")
def stack_between_embeddings_and_logits(a, outputs, arguments):
    """The encoder's pullback at the gradient that the logits send down."""
    ids, p, H = (arguments[k] for k in ("ids", "parameters", "n_heads"))
    _, gradient, (dp,) = pulled_back(twins.transformer_logits_vjp, arguments)
    Z_0, _ = twins.embed_at_positions_vjp(ids, p.E)
    Z, encoder = twins.encoder_vjp(Z_0, p.layers, H)
    use = Tables()
    use("Encoder", _first((0, encoder)), gradient @ p.W_out.T)
    given = a | {"Z_out": Z, "dlogits": gradient, "t": ids} | use.known
    yield given, {"dE[]": dp.E, "dW^out": dp.W_out}


@reading("eq-encoder-decoder-vjp")
def both_stacks(a, outputs, arguments):
    """The pullbacks of both stacks, at the gradients that arrive there."""
    source, target = arguments["source_ids"], arguments["target_ids"]
    p, H = arguments["parameters"], arguments["n_heads"]
    twin = twins.encoder_decoder_logits_vjp
    _, gradient, (dp,) = pulled_back(twin, arguments)
    causal = np.tri(target.shape[-1], dtype=bool)
    Y_0, _ = twins.embed_at_positions_vjp(source, p.E_source)
    Y, encoder = twins.encoder_vjp(Y_0, p.encoder, H)
    Z_0, _ = twins.embed_at_positions_vjp(target, p.E_target)
    _, decoder = twins.decoder_vjp(Z_0, Y, p.decoder, H, causal)
    use, d = Tables(), gradient @ p.W_out.T
    use("Decoder_Z", _first((0, decoder)), d)
    use("Encoder", _first((0, encoder)), use("Decoder_Y", _first((0, decoder), 1), d))
    given = {
        "dlogits": gradient, "W^out": p.W_out, "d_model": p.W_out.shape[0],
        "s": source, "t": target,
    }  # fmt: skip
    yield given | use.known, {"dE^target[]": dp.E_target, "dE^source[]": dp.E_source}
