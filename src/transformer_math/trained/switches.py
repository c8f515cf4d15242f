"""Six switches on a small model of letters: what each part of the Transformer does to its training, alone and together.

`make train MODEL=switches` trains all 64 models with each of three seeds, and the whole model and those that lack one
part with two more learning rates; an interrupted run goes on.
"""

from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from transformer_math.attention.masks import causal_mask
from transformer_math.block.encoder_layer import EncoderLayerParameters
from transformer_math.block.layer_norm import NormParameters
from transformer_math.contract import Pullback
from transformer_math.gradient._stack import LayerTwin, through_layers
from transformer_math.gradient._sublayers import post_norm_vjp, two_sublayers_vjp
from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.gradient.feed_forward import feed_forward_vjp
from transformer_math.gradient.layer_norm import SublayerTwin, layer_norm_vjp
from transformer_math.gradient.lookup import embed_at_positions_vjp
from transformer_math.gradient.multi_head import self_attention_vjp
from transformer_math.gradient.probabilities import logits_vjp
from transformer_math.model.transformer import TransformerParameters, initialise
from transformer_math.output.probabilities import probabilities
from transformer_math.trained.committed import float32, read_records, write_records
from transformer_math.trained.one_layer import alphabet, letters
from transformer_math.training.loop import Settings, train
from transformer_math.training.objective import shift
from transformer_math.training.schedule import cosine_schedule
from transformer_math.trees import map_leaves

NAME = "switches"
D_MODEL, N_HEADS, D_FF, CONTEXT = 32, 4, 64, 32
SEEDS, PEAK, OTHER_PEAKS = (1, 2, 3), 0.01, (0.003, 0.03)
BEGINNING, WRITTEN = "call me ishmael. ", 40


@dataclass(frozen=True)
class Switches:
    """Which parts are there: on is how the paper has it, and off is without."""

    mask: bool = True
    scale: bool = True
    residual: bool = True
    norm: bool = True
    warm_up: bool = True
    second_layer: bool = True


PARTS = tuple(field.name for field in fields(Switches))


def residual_vjp(
    x: np.ndarray, sublayer_vjp: SublayerTwin, parameters: NormParameters
) -> tuple[np.ndarray, Pullback]:
    """The residual connection without a normalisation, x + F(x), and its pullback; the norm's parameters take nothing."""
    update, through = sublayer_vjp(x)

    def pullback(dy):
        dx, *rest = through(dy)
        return dy + dx, map_leaves(np.zeros_like, parameters), *rest

    return x + update, pullback


def norm_vjp(
    x: np.ndarray, sublayer_vjp: SublayerTwin, parameters: NormParameters
) -> tuple[np.ndarray, Pullback]:
    """The normalisation without a residual connection, LayerNorm(F(x)), and its pullback."""
    update, through = sublayer_vjp(x)
    y, normalised = layer_norm_vjp(update, parameters)

    def pullback(dy):
        dupdate, dparameters = normalised(dy)
        dx, *rest = through(dupdate)
        return dx, dparameters, *rest

    return y, pullback


def bare_vjp(
    x: np.ndarray, sublayer_vjp: SublayerTwin, parameters: NormParameters
) -> tuple[np.ndarray, Pullback]:
    """The sublayer with nothing around it, F(x), and its pullback; the norm's parameters take nothing."""
    y, through = sublayer_vjp(x)

    def pullback(dy):
        dx, *rest = through(dy)
        return dx, map_leaves(np.zeros_like, parameters), *rest

    return y, pullback


AROUND = {
    (True, True): post_norm_vjp,
    (True, False): residual_vjp,
    (False, True): norm_vjp,
    (False, False): bare_vjp,
}


def unscaled_attention_vjp(
    Z: np.ndarray, parameters: Any, n_heads: int, mask: np.ndarray | None
) -> tuple[np.ndarray, Pullback]:
    """Self-attention by softmax(Q Kᵀ) V: queries √d_k times as long undo the division."""
    longer = np.sqrt(parameters.W_Q.shape[1] / n_heads).astype(Z.dtype)
    stretch = lambda p: replace(p, W_Q=longer * p.W_Q, b_Q=longer * p.b_Q)  # noqa: E731
    output, through = self_attention_vjp(Z, stretch(parameters), n_heads, mask)

    def pullback(dO):
        dZ, dstretched = through(dO)
        return dZ, stretch(dstretched)

    return output, pullback


def layer_twin(parameters: EncoderLayerParameters, switches: Switches) -> LayerTwin:
    """One layer with the switches as they are, and its pullback."""
    p, s = parameters, switches
    around = AROUND[s.residual, s.norm]
    attend = self_attention_vjp if s.scale else unscaled_attention_vjp

    def layer(Z):
        mask = causal_mask(Z.shape[-2]) if s.mask else None
        attended = lambda U: attend(U, p.attention, N_HEADS, mask)  # noqa: E731
        transformed = lambda U: feed_forward_vjp(U, p.feed_forward)  # noqa: E731
        return two_sublayers_vjp(Z, p, around, attended, transformed)

    return layer


def switched_logits_vjp(
    ids: Int[np.ndarray, "... n"],
    parameters: TransformerParameters,
    switches: Switches,
) -> tuple[Float[np.ndarray, "... n V"], Pullback]:
    """The logits of the whole model with the switches as they are, and their pullback to everything that it learns."""
    p = parameters
    Z, embedding = embed_at_positions_vjp(ids, p.E)
    layers = [layer_twin(layer, switches) for layer in p.layers]
    Z, through = through_layers(Z, layers)
    logits, projection = logits_vjp(Z, p.W_out)

    def pullback(dlogits):
        dZ, dW_out, _ = projection(dlogits)
        dZ, dlayers = through(dZ)
        (dE,) = embedding(dZ)
        return (TransformerParameters(dE, tuple(own for (own,) in dlayers), dW_out),)

    return logits, pullback


@dataclass(frozen=True)
class LetterTask:
    """To say the next letter of Moby-Dick, with the switches as they are."""

    switches: Switches = Switches()
    steps: int = 400
    every: int = 50
    peak: float = PEAK
    batch_size: int = 32

    def initial(self, rng: np.random.Generator) -> TransformerParameters:
        """Random parameters, in single precision; one layer begins as the first of two."""
        vocab_size = len(alphabet())
        drawn = initialise(rng, vocab_size, D_MODEL, N_HEADS, D_FF, 2)
        layers = drawn.layers[: 1 + self.switches.second_layer]
        return float32(replace(drawn, layers=layers))

    def batch(self, rng: np.random.Generator, step: int) -> Int[np.ndarray, "b n"]:
        """Windows from random places of the training part."""
        text = letters()
        starts = rng.integers(len(text) - CONTEXT, size=self.batch_size)
        return text[starts[:, None] + np.arange(CONTEXT + 1)]

    def loss_and_gradient(
        self, parameters: TransformerParameters, batch: np.ndarray
    ) -> tuple[float, TransformerParameters]:
        """Cross-entropy of each next letter."""
        given, wanted = shift(batch)
        scored, to_parameters = switched_logits_vjp(given, parameters, self.switches)
        loss, to_logits = cross_entropy_vjp(scored, wanted)
        return loss, *to_parameters(*to_logits(1.0))

    def learning_rate(self, step: int) -> float:
        """Up in a tenth of the steps or at once, then down along half a cosine wave."""
        warm_up = self.steps // 10 if self.switches.warm_up else 1
        return cosine_schedule(step, self.peak, warm_up, self.steps)

    def evaluate(self, parameters: TransformerParameters) -> dict[str, float]:
        """Held-out loss in nats a letter: of all places, and of the last one, after which there is nothing to see."""
        given, wanted = shift(held_out())
        scored, _ = switched_logits_vjp(given, parameters, self.switches)
        mean, _ = cross_entropy_vjp(scored, wanted)
        last, _ = cross_entropy_vjp(scored[:, -1], wanted[:, -1])
        return {"held_out": mean, "last": last}


@cache
def held_out(windows: int = 1000) -> Int[np.ndarray, "windows n"]:
    """Windows of held-out letters, each a third of its length after the one before."""
    starts = np.arange(windows) * (CONTEXT // 3)
    return letters(held_out=True)[starts[:, None] + np.arange(CONTEXT + 1)]


def written(
    parameters: TransformerParameters, switches: Switches, rng: np.random.Generator
) -> str:
    """What the model writes, letter by letter drawn from its distributions, after the beginning of the novel."""
    text = [alphabet().index(letter) for letter in BEGINNING]
    for _ in range(WRITTEN):
        seen = np.array(text[-CONTEXT:])
        scored, _ = switched_logits_vjp(seen, parameters, switches)
        text.append(
            int(rng.choice(len(alphabet()), p=probabilities(scored[-1].astype(float))))
        )
    return "".join(alphabet()[letter] for letter in text[len(BEGINNING) :])


def all_switches() -> list[Switches]:
    """All 64 ways, the whole model first."""
    return [Switches(*on) for on in product((True, False), repeat=len(PARTS))]


def lacking_one() -> list[Switches]:
    """The whole model, and the six that lack one part."""
    return [s for s in all_switches() if sum(astuple(s)) >= len(PARTS) - 1]


def one_run(folder: Path, switches: Switches, peak: float, seed: int) -> dict[str, Any]:
    """One training, and what it came to."""
    name = "".join("01"[on] for on in astuple(switches))
    task = LetterTask(switches, peak=peak)
    run = train(task, folder / f"{name}_{peak:g}_{seed}", Settings(seed=seed))
    wanted = ("step", "loss", "held_out", "last")
    return {
        "on": name,
        "peak": peak,
        "seed": seed,
        "seconds": run.history[-1]["seconds"],
        "history": [
            {key: round(record[key], 4) for key in wanted} for record in run.history
        ],
        "written": written(run.parameters, switches, np.random.default_rng(seed)),
    }


def records(folder: Path = Path(".cache/training") / NAME) -> Iterator[dict[str, Any]]:
    """Every way with every seed; then the other rates."""
    for switches, seed in product(all_switches(), SEEDS):
        yield one_run(folder, switches, PEAK, seed)
    for switches, peak, seed in product(lacking_one(), OTHER_PEAKS, SEEDS):
        yield one_run(folder, switches, peak, seed)


@cache
def switch_runs() -> list[dict[str, Any]]:
    """A record for each training, as they stand in git."""
    return read_records("switches.json")


if __name__ == "__main__":
    write_records("switches.json", records())
