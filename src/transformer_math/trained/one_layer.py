"""One layer of attention over letters, small enough to be trained while a page is built: what positions do to it."""

from dataclasses import dataclass, field
from functools import cache

import numpy as np
from jaxtyping import Float, Int

from transformer_math.attention.masks import causal_mask
from transformer_math.attention.multi_head import concat_heads
from transformer_math.attention.projections import split_heads
from transformer_math.corpus import moby_dick, split_held_out
from transformer_math.gradient.alibi import alibi_attention_vjp
from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.gradient.learned import add_learned_position_vjp
from transformer_math.gradient.lookup import embed_vjp
from transformer_math.gradient.projections import project_vjp
from transformer_math.position.alibi import Slopes
from transformer_math.training.adam import adam_start, adam_step
from transformer_math.training.objective import shift
from transformer_math.training.schedule import cosine_schedule

D_MODEL, N_HEADS, LENGTH = 32, 4, 32
HEADS = ("W_Q", "W_K", "W_V")
Parameters = dict[str, Float[np.ndarray, "..."]]


@dataclass(frozen=True)
class Positions:
    """What the layer is told about places: a table of rows to add, whether it is learned, and slopes of biases."""

    table: Float[np.ndarray, "L d_model"]
    learned: bool = False
    slopes: Slopes = field(default_factory=lambda: np.zeros(N_HEADS))


@cache
def small_texts() -> tuple[str, str]:
    """The novel's training and held-out part in small letters."""
    training, held_out = split_held_out(moby_dick())
    return training.lower(), held_out.lower()


@cache
def alphabet() -> str:
    """The space, the letters of the training part, and three marks."""
    found = sorted(set(small_texts()[0]))
    return " " + "".join(c for c in found if c.isalpha() or c in ".,;")


@cache
def letters(held_out: bool = False) -> Int[np.ndarray, " n"]:
    """A stretch of the novel as ids of its small letters; what is rare in it is the space."""
    ids = {c: i for i, c in enumerate(alphabet())}
    return np.array([ids.get(c, 0) for c in small_texts()[held_out][:400_000]])


def initial(rng: np.random.Generator, positions: Positions) -> Parameters:
    """Random matrices, in single precision, and the table as it is given."""
    V, d = int(letters().max()) + 1, D_MODEL
    shapes = {
        "E": (V, d),
        **dict.fromkeys(HEADS, (d, d)),
        "W_O": (d, d),
        "W_out": (d, V),
    }
    drawn = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    scaled = {name: x if name == "E" else x / np.sqrt(d) for name, x in drawn.items()}
    return {
        k: x.astype(np.float32) for k, x in {**scaled, "P": positions.table}.items()
    }


def loss_and_gradient(
    parameters: Parameters, ids: Int[np.ndarray, "batch n"], positions: Positions
) -> tuple[float, Parameters]:
    """The cross-entropy of each next letter, and its gradient; a table that is not learned takes none."""
    p, (given, wanted) = parameters, shift(ids)
    X, to_E = embed_vjp(given, p["E"])
    Z, to_places = add_learned_position_vjp(X, p["P"])
    projected = [project_vjp(Z, p[name]) for name in HEADS]
    Q, K, V = (split_heads(x, N_HEADS) for x, _ in projected)
    slopes = positions.slopes.astype(p["P"].dtype)
    O, to_heads = alibi_attention_vjp(Q, K, V, slopes, causal_mask(given.shape[1]))
    mixed, to_O = project_vjp(concat_heads(O), p["W_O"])
    logits, to_out = project_vjp(Z + mixed, p["W_out"])
    loss, to_logits = cross_entropy_vjp(logits, wanted)
    dZ, dW_out, _ = to_out(*to_logits(1.0))
    dO, dW_O, _ = to_O(dZ)
    gradients = {"W_O": dW_O, "W_out": dW_out}
    dheads = to_heads(split_heads(dO, N_HEADS))
    for name, (_, pullback), dhead in zip(HEADS, projected, dheads):
        back, gradients[name], _ = pullback(concat_heads(dhead))
        dZ = dZ + back
    dX, dP = to_places(dZ)
    (gradients["E"],) = to_E(dX)
    gradients["P"] = dP if positions.learned else np.zeros_like(dP)
    return loss, {name: gradients[name] for name in p}


def train_one_layer(
    positions: Positions, seed: int, steps: int = 250, shuffled: bool = False
) -> Parameters:
    """Train on windows of 33 letters of the novel, 32 at once, by Adam; `shuffled`, the letters come in any order."""
    rng, text = np.random.default_rng(seed), letters()
    text = rng.permutation(text) if shuffled else text
    parameters = initial(rng, positions)
    state = adam_start(parameters)
    for step in range(1, steps + 1):
        starts = rng.integers(len(text) - LENGTH, size=(32, 1))
        batch = text[starts + np.arange(LENGTH + 1)]
        _, gradients = loss_and_gradient(parameters, batch, positions)
        rate = cosine_schedule(step, peak=0.01, warm_up=20, steps=steps)
        parameters, state = adam_step(parameters, gradients, state, rate)
    return parameters


def held_out_loss(
    parameters: Parameters,
    positions: Positions,
    length: int,
    letters_read: int = 10_000,
) -> float:
    """The mean loss, in nats a letter, of held-out text that is read in windows of that length."""
    text, many = letters(held_out=True), letters_read // length
    windows = text[: many * (length + 1)].reshape(many, length + 1)
    groups = np.array_split(windows, max(1, many // 8))  # few at once need little room
    losses = [loss_and_gradient(parameters, x, positions)[0] * len(x) for x in groups]
    return sum(losses) / many
