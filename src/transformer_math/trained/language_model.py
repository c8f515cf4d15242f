"""A language model that has read *Moby-Dick*: the Transformer of the ten steps, under the causal mask, with tied weights.

`python -m transformer_math.trained.language_model` trains it from nothing; `language_model()` reads what came out.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int

from transformer_math import trees
from transformer_math.attention.masks import causal_mask
from transformer_math.block.encoder_layer import EncoderLayerParameters
from transformer_math.contract import Size, Text, contract
from transformer_math.corpus import SENTENCE, addresses, moby_dick, split_held_out
from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.gradient.model import transformer_logits_vjp
from transformer_math.model.attention_maps import encoder_attention
from transformer_math.model.transformer import (
    TransformerParameters,
    embed_at_positions,
    initialise,
    transformer_logits,
)
from transformer_math.output.decoding import nucleus, sample
from transformer_math.output.probabilities import log_softmax, probabilities
from transformer_math.quantised import pack, unpack
from transformer_math.tokenization.bpe import BPE
from transformer_math.tokenization.byte_bpe import (
    ALL_BYTES,
    decode_text,
    encode_text,
    train_byte_bpe,
)
from transformer_math.trained.committed import (
    FOLDER,
    float32,
    read_committed,
    write_committed,
)
from transformer_math.training.command import train_from_command_line
from transformer_math.training.loop import Run, Settings
from transformer_math.training.objective import bits_per_byte, shift
from transformer_math.training.schedule import cosine_schedule

NAME = "language_model"
VOCAB_SIZE, CONTEXT = 1024, 128
N_HEADS, D_MODEL, D_FF, N_LAYERS = 4, 96, 384, 4
SETTINGS = Settings(seed=1851, weight_decay=0.05)


@contract
@dataclass(frozen=True)
class LanguageModelParameters:
    """What the model learns: embeddings, which also are the last projection, and its layers."""

    E: Float[np.ndarray, "V d_model"]
    layers: tuple[EncoderLayerParameters, ...]


@dataclass(frozen=True)
class Novel:
    """*Moby-Dick* in tokens: the tokenizer of its training paragraphs, these, the held-out ones and their bytes."""

    bpe: BPE
    training: Int[np.ndarray, " n"]
    held_out: Int[np.ndarray, " m"]
    held_out_bytes: int


@cache
def novel() -> Novel:
    """Train the tokenizer on the training paragraphs alone, and write both parts in its tokens."""
    training, held_out = split_held_out(moby_dick())
    bpe = train_byte_bpe(training, VOCAB_SIZE)
    known, unknown = (np.array(encode_text(text, bpe)) for text in (training, held_out))
    return Novel(bpe, known, unknown, len(held_out.encode()))


@cache
def speeches() -> Int[np.ndarray, " n"]:
    """The addresses on the state of the union, one behind the other, in the novel's tokens."""
    return np.array(encode_text("\n\n".join(addresses().values()), novel().bpe))


@dataclass(frozen=True)
class LanguageTask:
    """What the loop has to know: windows of text, cross-entropy, a rate that goes up and comes down."""

    steps: int = 20_000
    every: int = 500
    batch_size: int = 8
    context: int = CONTEXT
    peak: float = 3e-3
    warm_up: int = 500
    d_model: int = D_MODEL
    d_ff: int = D_FF
    n_layers: int = N_LAYERS

    def initial(self, rng: np.random.Generator) -> LanguageModelParameters:
        """Random parameters, in single precision."""
        sizes = VOCAB_SIZE, self.d_model, N_HEADS, self.d_ff, self.n_layers
        drawn = float32(initialise(rng, *sizes))
        return LanguageModelParameters(drawn.E, drawn.layers)

    def batch(self, rng: np.random.Generator, step: int) -> Int[np.ndarray, "batch n"]:
        """Windows from random places: at first nine of ten from the addresses, in the end nine of ten from the novel."""
        share = 0.9 - 0.8 * step / self.steps
        of_addresses = rng.random(self.batch_size) < share
        texts = [speeches() if other else novel().training for other in of_addresses]
        return np.stack([_window(rng, text, self.context + 1) for text in texts])

    def loss_and_gradient(
        self, parameters: LanguageModelParameters, batch: Int[np.ndarray, "batch n"]
    ) -> tuple[float, LanguageModelParameters]:
        """Cross-entropy of each next token; the embeddings learn from both their uses."""
        given, wanted = shift(batch)
        mask = causal_mask(given.shape[1])
        scored, to_parameters = transformer_logits_vjp(
            given, as_transformer(parameters), N_HEADS, mask
        )
        loss, to_logits = cross_entropy_vjp(scored, wanted)
        (found,) = to_parameters(*to_logits(1.0))
        return loss, LanguageModelParameters(found.E + found.W_out.T, found.layers)

    def learning_rate(self, step: int) -> float:
        """Up to the peak, then down to nothing along half a cosine wave."""
        return cosine_schedule(step, self.peak, self.warm_up, self.steps)

    def evaluate(self, parameters: LanguageModelParameters) -> dict[str, float]:
        """The cross-entropy of the held-out paragraphs, in nats a token."""
        return {"held_out": float(held_out_losses(parameters).mean())}


def as_transformer(parameters: LanguageModelParameters) -> TransformerParameters:
    """The model of the ten steps with tied weights: the last projection is the embedding matrix, transposed."""
    return TransformerParameters(parameters.E, parameters.layers, parameters.E.T)


@contract
def language_logits(
    ids: Int[np.ndarray, "... n"], parameters: LanguageModelParameters
) -> Float[np.ndarray, "... n V"]:
    """The scores of the next token behind each token; no token sees those that follow it."""
    mask = causal_mask(ids.shape[-1])
    return transformer_logits(ids, as_transformer(parameters), N_HEADS, mask)


@contract
def next_token_losses(
    ids: Int[np.ndarray, " n"],
    parameters: LanguageModelParameters,
    context: Size = CONTEXT,
) -> Float[np.ndarray, " n-1"]:
    """The loss of every token but the first, in nats, in windows that overlap by half.

    So each token is predicted from at least half a window before it, but for those of the first window.
    """
    half = context // 2
    starts = np.arange(0, max(len(ids) - 1 - half, 1), half)
    losses = np.empty(len(ids) - 1, parameters.E.dtype)
    for start in starts:
        given, wanted = shift(ids[start : start + context + 1])
        log_p = log_softmax(language_logits(given, parameters))
        found = -np.take_along_axis(log_p, wanted[:, None], axis=-1)[:, 0]
        new = 0 if start == 0 else half
        losses[start + new : start + len(found)] = found[new:]
    return losses


def held_out_losses(parameters: LanguageModelParameters) -> Float[np.ndarray, " n"]:
    """The losses of the held-out paragraphs' tokens."""
    return next_token_losses(novel().held_out, parameters)


def held_out_bits_per_byte(parameters: LanguageModelParameters) -> float:
    """The held-out paragraphs' cross-entropy in bits for each byte of their text."""
    losses = held_out_losses(parameters).astype(float)
    return bits_per_byte(losses.mean(), len(novel().held_out), novel().held_out_bytes)


def write_on(
    text: Text,
    parameters: LanguageModelParameters,
    bpe: BPE,
    length: Size,
    rng: np.random.Generator,
    temperature: float = 0.8,
    mass: float = 0.95,
) -> str:
    """The text, continued token by token: each is drawn from the nucleus of the model's distribution."""

    def next_logits(ids):
        return language_logits(ids[-CONTEXT:], parameters)[-1].astype(float)

    ids = sample(
        next_logits,
        np.array(encode_text(text, bpe)),
        length,
        rng,
        lambda logits: nucleus(probabilities(logits, temperature), mass),
    )
    return decode_text(ids.tolist(), bpe)


def attention_of(
    text: Text, parameters: LanguageModelParameters, bpe: BPE
) -> tuple[list[str], Float[np.ndarray, "n_layers n_heads n n"]]:
    """The tokens of a text, and where each of them looks in every head of every layer."""
    ids = encode_text(text, bpe)
    Z = embed_at_positions(np.array(ids), parameters.E)
    mask = causal_mask(len(ids))
    weights = encoder_attention(Z, parameters.layers, N_HEADS, mask)
    return [decode_text([i], bpe) for i in ids], np.stack(weights)


@cache
def language_model() -> LanguageModelParameters:
    """The trained parameters, as the committed checkpoint has them."""
    return _committed()[0]


@cache
def tokenizer() -> BPE:
    """The tokenizer that belongs to the model, from the same file."""
    merges = json.loads(_committed()[1]["merges"])
    tokens = list(ALL_BYTES)
    for first, second, merged in merges:
        if merged == len(tokens):
            tokens.append(tokens[first] + tokens[second])
    return BPE(tuple(tokens), {(a, b): merged for a, b, merged in merges})


def configuration() -> dict[str, int]:
    """The sizes and settings with which the committed checkpoint was trained."""
    return json.loads(_committed()[1]["config"])


def _committed() -> tuple[LanguageModelParameters, dict[str, str]]:
    like = LanguageTask().initial(np.random.default_rng(0))
    return read_committed(NAME, like)


def _window(rng: np.random.Generator, text: np.ndarray, length: int) -> np.ndarray:
    start = rng.integers(len(text) - length + 1)
    return text[start : start + length]


def watch(run: Run, folder: Path) -> None:
    """Keep the parameters at some steps, close together at first: the history is made of them."""
    if run.step in SNAPSHOTS:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"snapshot_{run.step:05d}.npz"
        trees.save(path, run.parameters)


def finish(run: Run, folder: Path) -> None:
    """Write the checkpoint that stands in git, and the history with what the model saw and wrote on its way."""
    config = {
        "n_heads": N_HEADS,
        "d_model": D_MODEL,
        "d_ff": D_FF,
        "n_layers": N_LAYERS,
        "vocab_size": VOCAB_SIZE,
        "context": CONTEXT,
        "steps": run.step,
        "batch_size": LanguageTask.batch_size,
        "seed": SETTINGS.seed,
    }
    merges = [[a, b, merged] for (a, b), merged in novel().bpe.merges.items()]
    texts = {"config": json.dumps(config), "merges": json.dumps(merges)}
    write_committed(NAME, run.parameters, texts, run.history)
    (FOLDER / f"{NAME}_history.bin").write_bytes(pack(scenes(run, folder)))


def scenes(run: Run, folder: Path) -> dict[str, str | np.ndarray]:
    """For each snapshot its attention to SENTENCE, rows of all heads of all layers below one another, and a text that it wrote."""
    bpe, contents, told = novel().bpe, {}, []
    start = LanguageTask().initial(np.random.default_rng([SETTINGS.seed, 0]))
    for step in (0, *(step for step in SNAPSHOTS if step <= run.step)):
        path = folder / f"snapshot_{step:05d}.npz"
        parameters = trees.load(path, start) if step else start
        tokens, weights = attention_of(SENTENCE, parameters, bpe)
        contents[f"attention_{step}"] = weights.reshape(-1, len(tokens))
        written = write_on(OPENING, parameters, bpe, 60, np.random.default_rng(step))
        told.append({"step": step, "text": written})
    head = {"tokens": tokens, "n_layers": N_LAYERS, "n_heads": N_HEADS}
    texts = {"head": json.dumps(head), "snapshots": json.dumps(told)}
    return {**texts, **contents}


def language_model_scenes() -> dict[str, str | np.ndarray]:
    """What `scenes` made while the committed model was trained."""
    return unpack((FOLDER / f"{NAME}_history.bin").read_bytes())


SNAPSHOTS = (
    *(50, 100, 200, 300, 500, 700, 1000, 1500, 2000, 3000),
    *(4000, 6000, 8000, 10_000, 12_500, 15_000, 17_500, 20_000),
)
OPENING = "The whale"

if __name__ == "__main__":
    train_from_command_line(NAME, LanguageTask(), SETTINGS, finish, watch)
