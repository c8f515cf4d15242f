"""A language model that has read *Moby-Dick*, the presidents' addresses and the Bible: decoder only, and taught to copy.

`python -m transformer_math.trained.language_model` trains it from nothing, or goes on; `language_model()` reads what came
out.
"""

import json
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float, Int

from transformer_math import trees
from transformer_math.block.layer_norm import layer_norm
from transformer_math.contract import Size, Text, Whole, contract, requires
from transformer_math.corpus import SENTENCE
from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.model.attention_maps import decoder_only_attention
from transformer_math.model.decoder_only import (
    DecoderOnlyParameters,
    decoder_only_logits,
    initialise_decoder_only,
    residual_stream,
)
from transformer_math.output.decoding import nucleus, sample
from transformer_math.output.probabilities import log_softmax, probabilities
from transformer_math.quantised import pack, unpack
from transformer_math.tokenization.bpe import BPE
from transformer_math.tokenization.byte_bpe import ALL_BYTES, decode_text, encode_text
from transformer_math.tokenization.tokenizers import ByteBPETokenizer
from transformer_math.trained.committed import (
    FOLDER,
    float32,
    read_committed,
    write_committed,
)
from transformer_math.trained.dropping import dropping_logits_vjp
from transformer_math.trained.language_texts import OTHERS, joined, novel, texts
from transformer_math.trained.provenance import provenance
from transformer_math.training.command import train_from_command_line
from transformer_math.training.dropout import dropout_mask
from transformer_math.training.loop import Run, Settings
from transformer_math.training.objective import shift
from transformer_math.training.parallel import mean_of_parts
from transformer_math.training.schedule import cosine_schedule

NAME = "language_model"
VOCAB_SIZE, CONTEXT = 4000, 128  # 4,096 tokens would make the file longer than 2 MB
N_HEADS, D_MODEL, D_FF, N_LAYERS = 5, 160, 640, 4
THREADS = 2
AT_ONCE = 8  # windows whose losses are computed together
Shares = tuple[tuple[float, float], ...]
COPYING: Shares = ((0.5, 0.03), (0.6, 0.2), (0.75, 0.5), (1.0, 0.03))  # until, share
SETTINGS = Settings(seed=1851, weight_decay=0.05)


@dataclass(frozen=True)
class Batch:
    """Windows, and the masks of dropout: one for what enters, one for each sublayer of each layer."""

    windows: Int[np.ndarray, "batch window"]
    kept: tuple[Bool[np.ndarray, "batch n d_model"], ...]


@dataclass(frozen=True)
class LanguageTask:
    """What the loop has to know: windows of text with gaps, some that repeat themselves, a rate that goes up and comes down."""

    steps: int = 20_000
    every: int = 1000
    batch_size: int = 16
    context: int = CONTEXT
    peak: float = 4e-3
    warm_up: int = 500
    d_model: int = D_MODEL
    d_ff: int = D_FF
    n_layers: int = N_LAYERS
    dropout: float = 0.1
    copying: Shares = COPYING
    threads: int = THREADS
    vocab_size: int = VOCAB_SIZE

    def initial(self, rng: np.random.Generator) -> DecoderOnlyParameters:
        """Random parameters, in single precision."""
        sizes = self.vocab_size, self.d_model, N_HEADS, self.d_ff, self.n_layers
        return float32(initialise_decoder_only(rng, *sizes))

    def batch(self, rng: np.random.Generator, step: int) -> Batch:
        """Windows from random places: at first one of twenty is from the novel, in the end twelve.

        Some say random tokens twice instead, see `copies`. With them come the masks of dropout.
        """
        share = 0.95 - 0.55 * step / self.steps
        copies = self.copies(step)
        windows = [self._window(rng, share, copies) for _ in range(self.batch_size)]
        shape = self.batch_size, self.context, self.d_model
        kept = tuple(
            dropout_mask(rng.random(shape, dtype=np.float32), self.dropout)
            for _ in range(1 + 2 * self.n_layers)
        )
        return Batch(np.stack(windows), kept)

    def copies(self, step: int) -> float:
        """The share of windows that say random tokens twice: few, but many in the third quarter of the training."""
        done = step / self.steps
        return next(share for until, share in self.copying if done <= until)

    def _window(
        self, rng: np.random.Generator, share: float, copies: float
    ) -> np.ndarray:
        length = self.context + 1
        if rng.random() < copies:
            said = rng.integers(self.vocab_size, size=rng.integers(8, length // 2 + 1))
            return np.resize(said, length)
        text = self.text(rng, share)
        start = rng.integers(len(text) - length + 1)
        return text[start : start + length]

    def text(self, rng: np.random.Generator, share: float) -> np.ndarray:
        """The novel, or of the others each as often as it is long."""
        training = texts(self.vocab_size).training
        if rng.random() >= share:
            return training["novel"]
        others = [training[name] for name in OTHERS]
        lengths = np.array([len(text) for text in others])
        return others[rng.choice(len(others), p=lengths / lengths.sum())]

    def loss_and_gradient(
        self, parameters: DecoderOnlyParameters, batch: Batch
    ) -> tuple[float, DecoderOnlyParameters]:
        """Cross-entropy of each next token, the windows shared out among the threads."""
        return mean_of_parts(
            partial(_loss_and_gradient, p=self.dropout), parameters, self._shared(batch)
        )

    def _shared(self, batch: Batch) -> list[Batch]:
        number = np.gcd(self.threads, self.batch_size)
        pieces = [np.split(x, number) for x in (batch.windows, *batch.kept)]
        return [Batch(windows, tuple(kept)) for windows, *kept in zip(*pieces)]

    def learning_rate(self, step: int) -> float:
        """Up to the peak, then down to nothing along half a cosine wave."""
        return cosine_schedule(step, self.peak, self.warm_up, self.steps)

    def evaluate(self, parameters: DecoderOnlyParameters) -> dict[str, float]:
        """The loss of the validation chapters, and of what is said a first and a second time, in nats a token."""
        held_out = texts(self.vocab_size).validation
        first, second = copying_losses(parameters, self.vocab_size, self.context)
        losses = next_token_losses(held_out, parameters, self.context)
        return {"held_out": float(losses.mean()), "first": first, "second": second}


def _loss_and_gradient(
    parameters: DecoderOnlyParameters, batch: Batch, p: float
) -> tuple[float, DecoderOnlyParameters]:
    given, wanted = shift(batch.windows)
    scored, to_parameters = dropping_logits_vjp(
        given, parameters, N_HEADS, batch.kept, p
    )
    loss, to_logits = cross_entropy_vjp(scored, wanted)
    return loss, *to_parameters(*to_logits(1.0))


@contract
def language_logits(
    ids: Int[np.ndarray, "... n"], parameters: DecoderOnlyParameters
) -> Float[np.ndarray, "... n V"]:
    """The scores of the next token after each token; no token sees those that follow it."""
    return decoder_only_logits(ids, parameters, N_HEADS)


@contract
@requires(
    lambda context: context > 1,
    "context is {context}; wanted at least 2, since windows overlap by half. Fix: context = 2.",
)
def next_token_losses(
    ids: Int[np.ndarray, " n"],
    parameters: DecoderOnlyParameters,
    context: Size = CONTEXT,
) -> Float[np.ndarray, " n-1"]:
    """The loss of every token but the first, in nats, in windows that overlap by half.

    So each token is predicted from at least half a window before it, but for those of the first window. Raises ValueError
    where a window is too short to be halved.
    """
    half = context // 2
    losses = np.empty(len(ids) - 1, parameters.E.dtype)
    losses[:context] = window_losses(ids[: context + 1], parameters)
    starts = np.arange(half, len(ids) - 1 - half, half)
    whole = starts[starts + context < len(ids), None]
    if whole.size:
        windows = ids[whole + np.arange(context + 1)]
        places = whole + np.arange(half, context)
        losses[places] = window_losses(windows, parameters, half)
    for start in starts[len(whole) :]:
        losses[start + half :] = window_losses(ids[start:], parameters, half)
    return losses


@contract
@requires(
    lambda windows, first: 0 <= first < windows.shape[-1] - 1,
    lambda windows, first: (
        f"first is {first}, of {windows.shape[-1]} tokens in a window; wanted 0 or more, and two tokens after it. "
        "Fix: longer windows, or first = 0."
    ),
)
def window_losses(
    windows: Int[np.ndarray, "... n"],
    parameters: DecoderOnlyParameters,
    first: Whole = 0,
) -> Float[np.ndarray, "... m"]:
    """The loss of every token but the first in each window, in nats; or only of those with more than `first` before them.

    Raises ValueError where no loss is left.
    """
    rows = windows.reshape(-1, windows.shape[-1])
    parts = []
    for number in range(0, len(rows), AT_ONCE):
        given, wanted = shift(rows[number : number + AT_ONCE])
        states = residual_stream(given, parameters, N_HEADS)[-1][:, first:]
        log_p = log_softmax(layer_norm(states, parameters.norm) @ parameters.E.T)
        parts.append(-np.take_along_axis(log_p, wanted[:, first:, None], axis=-1))
    return np.concatenate(parts).reshape(*windows.shape[:-1], -1)


def copying_losses(
    parameters: DecoderOnlyParameters,
    vocab_size: int = VOCAB_SIZE,
    context: int = CONTEXT,
    number: int = 16,
) -> tuple[float, float]:
    """The mean loss of random tokens said a first time, and a second time, in windows that no training sees."""
    rng = np.random.default_rng(7)
    said = rng.integers(vocab_size, size=(number, context // 2))
    ids = np.concatenate([said, said], axis=1)
    given, wanted = shift(ids)
    log_p = log_softmax(language_logits(given, parameters))
    own = -np.take_along_axis(log_p, wanted[..., None], axis=-1)[..., 0]
    first = context // 2 - 1
    return float(own[:, :first].mean()), float(own[:, first + 1 :].mean())


def write_on(
    text: Text,
    parameters: DecoderOnlyParameters,
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
    text: Text, parameters: DecoderOnlyParameters, bpe: BPE
) -> tuple[list[str], Float[np.ndarray, "n_layers n_heads n n"]]:
    """The tokens of a text, and where each of them looks in every head of every layer."""
    ids = encode_text(text, bpe)
    weights = decoder_only_attention(np.array(ids), parameters, N_HEADS)
    return [decode_text([i], bpe) for i in ids], np.stack(weights)


@cache
def language_model() -> DecoderOnlyParameters:
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


@cache
def novel_tokens(part: str) -> Int[np.ndarray, " n"]:
    """The novel's chapters of one part, "training", "validation" or "test", in the model's tokens."""
    text = joined(getattr(novel(), part))
    return np.array(ByteBPETokenizer(tokenizer()).encode(text))


def configuration() -> dict[str, int]:
    """The sizes and settings with which the committed checkpoint was trained."""
    return json.loads(_committed()[1]["config"])


def _committed() -> tuple[DecoderOnlyParameters, dict[str, str]]:
    like = LanguageTask().initial(np.random.default_rng(0))
    return read_committed(NAME, like)


def watch(run: Run, folder: Path) -> None:
    """Keep the parameters at some steps, close together at first: the history is made of them."""
    if run.step in SNAPSHOTS:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"snapshot_{run.step:05d}.npz"
        trees.save(path, run.parameters)


def finish(run: Run, folder: Path) -> None:
    """Write the checkpoint that stands in git, with the tokenizer and the one test figure, and the history."""
    config = {
        "n_heads": N_HEADS,
        "d_model": D_MODEL,
        "d_ff": D_FF,
        "n_layers": N_LAYERS,
        "vocab_size": VOCAB_SIZE,
        "context": CONTEXT,
        "steps": run.step,
        "batch_size": LanguageTask.batch_size,
        "dropout": LanguageTask.dropout,
        "copying": LanguageTask.copying,
        "seed": SETTINGS.seed,
    }
    merges = [[a, b, merged] for (a, b), merged in texts(VOCAB_SIZE).bpe.merges.items()]
    made = provenance(NAME)
    words = {"config": config, "merges": merges, "made": made}
    told = {name: json.dumps(part) for name, part in words.items()}
    write_committed(NAME, run.parameters, told, run.history)
    (FOLDER / f"{NAME}_history.bin").write_bytes(pack(scenes(run, folder)))


def scenes(run: Run, folder: Path) -> dict[str, str | np.ndarray]:
    """For each snapshot its attention to SENTENCE, rows of all heads of all layers below one another, and a text that it wrote."""
    bpe, contents, told = texts(VOCAB_SIZE).bpe, {}, []
    start = LanguageTask().initial(np.random.default_rng([SETTINGS.seed, 0]))
    for step in (0, *(step for step in SNAPSHOTS if step <= run.step)):
        path = folder / f"snapshot_{step:05d}.npz"
        parameters = trees.load(path, start) if step else start
        tokens, weights = attention_of(SENTENCE, parameters, bpe)
        contents[f"attention_{step}"] = weights.reshape(-1, len(tokens))
        written = write_on(OPENING, parameters, bpe, 60, np.random.default_rng(step))
        told.append({"step": step, "text": written})
    head = {"tokens": tokens, "n_layers": N_LAYERS, "n_heads": N_HEADS}
    words = {"head": head, "snapshots": told, "samples": samples(run.parameters, bpe)}
    return {**{name: json.dumps(part) for name, part in words.items()}, **contents}


def samples(parameters: DecoderOnlyParameters, bpe: BPE) -> list[str]:
    """Texts that the model writes with the seeds 1, 2, 3 and so on: none is left out."""
    return [
        write_on(
            OPENINGS[seed % len(OPENINGS)],
            parameters,
            bpe,
            60,
            np.random.default_rng(seed),
        )
        for seed in range(1, SAMPLES + 1)
    ]


def language_model_scenes() -> dict[str, str | np.ndarray]:
    """What `scenes` made while the committed model was trained."""
    return unpack((FOLDER / f"{NAME}_history.bin").read_bytes())


SNAPSHOTS = (
    *(50, 100, 200, 300, 500, 700, 1000, 1500, 2000, 3000),
    *(4000, 6000, 8000, 10_000, 12_500, 15_000, 17_500, 20_000),
)
OPENING = "The whale"
SAMPLES, OPENINGS = (
    20,
    ("The white whale", "It was", "Upon the deck", '"What', "In the sea"),
)

if __name__ == "__main__":
    train_from_command_line(NAME, LanguageTask(), SETTINGS, finish, watch)
