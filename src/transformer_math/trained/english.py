"""A language model of English: it reads *Moby-Dick*, the presidents' addresses and the Bible, with gaps, and learns to copy.

`python -m transformer_math.trained.english` trains it from nothing, or goes on.
"""

import json
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float, Int

from transformer_math.corpus import addresses, chapters, king_james
from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.output.probabilities import log_softmax
from transformer_math.parts import Parts, passages, split_by_chapters, without
from transformer_math.tokenization.byte_bpe import BPE, encode_text, train_byte_bpe
from transformer_math.trained.committed import float32, write_committed
from transformer_math.trained.counting import (
    Mixture,
    choose_mixture,
    mixture_losses,
)
from transformer_math.trained.english_model import (
    EnglishParameters,
    english_logits,
    english_logits_vjp,
    new_parameters,
)
from transformer_math.trained.language_model import watch
from transformer_math.training.command import train_from_command_line
from transformer_math.training.dropout import dropout_mask
from transformer_math.training.loop import Run, Settings
from transformer_math.training.objective import bits_per_byte, shift
from transformer_math.training.parallel import mean_of_parts
from transformer_math.training.schedule import cosine_schedule

NAME = "english"
VOCAB_SIZE, CONTEXT = 4000, 128  # 4,096 tokens would make the file longer than 2 MB
N_HEADS, D_MODEL, D_FF, N_LAYERS = 5, 160, 640, 4
THREADS = 2
SETTINGS = Settings(seed=1851, weight_decay=0.05)
OTHERS = {"addresses": lambda: tuple(addresses().values()), "bible": king_james}


@dataclass(frozen=True)
class Texts:
    """All sources in tokens: the tokenizer of the novel's training chapters, and each part; bytes of what is held out."""

    bpe: BPE
    training: dict[str, np.ndarray]
    validation: Int[np.ndarray, " n"]
    test: Int[np.ndarray, " m"]
    validation_bytes: int
    test_bytes: int


@cache
def novel() -> Parts:
    """The novel, split by whole chapters."""
    return split_by_chapters(chapters())


def read_too() -> dict[str, str]:
    """What it reads besides the novel, without the passages that the novel's held-out chapters quote."""
    held_out = passages(novel().validation + novel().test)
    return {
        name: _joined(tuple(without(text, held_out) for text in source()))
        for name, source in OTHERS.items()
    }


@cache
def texts(vocab_size: int) -> Texts:
    """Train the tokenizer on the novel's training chapters, and write all in its tokens; the held-out parts are the novel's."""
    learnt = _joined(novel().training)
    bpe = train_byte_bpe(learnt, vocab_size)
    training = {"novel": learnt, **read_too()}
    validation, test = _joined(novel().validation), _joined(novel().test)
    return Texts(
        bpe,
        {name: _ids(text, bpe) for name, text in training.items()},
        _ids(validation, bpe),
        _ids(test, bpe),
        len(validation.encode()),
        len(test.encode()),
    )


def _joined(documents: tuple[str, ...]) -> str:
    return "\n\n".join(documents)


def _ids(text: str, bpe: BPE) -> np.ndarray:
    return np.array(encode_text(text, bpe))


@dataclass(frozen=True)
class Batch:
    """Windows, and the masks of dropout: one for what enters, one for each sublayer of each layer."""

    windows: Int[np.ndarray, "batch window"]
    kept: tuple[Bool[np.ndarray, "batch n d_model"], ...]


@dataclass(frozen=True)
class EnglishTask:
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
    copying: float = 0.03
    threads: int = THREADS
    vocab_size: int = VOCAB_SIZE

    def initial(self, rng: np.random.Generator) -> EnglishParameters:
        """Random parameters, in single precision."""
        sizes = self.vocab_size, self.d_model, N_HEADS, self.d_ff, self.n_layers
        return float32(new_parameters(rng, *sizes))

    def batch(self, rng: np.random.Generator, step: int) -> Batch:
        """Windows from random places: at first one of twenty is from the novel, in the end twelve.

        A share of them, `copying`, says random tokens twice instead. With them come the masks of dropout.
        """
        share = 0.95 - 0.55 * step / self.steps
        windows = np.stack([self._window(rng, share) for _ in range(self.batch_size)])
        shape = self.batch_size, self.context, self.d_model
        kept = tuple(
            dropout_mask(rng.random(shape, dtype=np.float32), self.dropout)
            for _ in range(1 + 2 * self.n_layers)
        )
        return Batch(windows, kept)

    def _window(self, rng: np.random.Generator, share: float) -> np.ndarray:
        length = self.context + 1
        if rng.random() < self.copying:
            said = rng.integers(self.vocab_size, size=rng.integers(8, length // 2 + 1))
            return np.resize(said, length)
        text = self._text(rng, share)
        start = rng.integers(len(text) - length + 1)
        return text[start : start + length]

    def _text(self, rng: np.random.Generator, share: float) -> np.ndarray:
        """The novel, or of the others each as often as it is long."""
        training = texts(self.vocab_size).training
        if rng.random() >= share:
            return training["novel"]
        others = [training[name] for name in OTHERS]
        lengths = np.array([len(text) for text in others])
        return others[rng.choice(len(others), p=lengths / lengths.sum())]

    def loss_and_gradient(
        self, parameters: EnglishParameters, batch: Batch
    ) -> tuple[float, EnglishParameters]:
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

    def evaluate(self, parameters: EnglishParameters) -> dict[str, float]:
        """Bits for each byte of the validation chapters, and the loss of what is said a first and a second time."""
        first, second = copying_losses(parameters, self.vocab_size, self.context)
        bits = validation_bits(parameters, self.vocab_size, self.context)
        return {"validation": bits, "first": first, "second": second}


def _loss_and_gradient(
    parameters: EnglishParameters, batch: Batch, p: float
) -> tuple[float, EnglishParameters]:
    given, wanted = shift(batch.windows)
    scored, to_parameters = english_logits_vjp(
        given, parameters, N_HEADS, batch.kept, p
    )
    loss, to_logits = cross_entropy_vjp(scored, wanted)
    return loss, *to_parameters(*to_logits(1.0))


def losses(
    ids: Int[np.ndarray, " n"], parameters: EnglishParameters, context: int = CONTEXT
) -> Float[np.ndarray, " n-1"]:
    """The loss of every token but the first, in nats, in windows that overlap by half, as `next_token_losses` says."""
    half = context // 2
    found = np.empty(len(ids) - 1)
    for start in np.arange(0, max(len(ids) - 1 - half, 1), half):
        given, wanted = shift(ids[start : start + context + 1])
        log_p = log_softmax(english_logits(given, parameters, N_HEADS))
        own = -np.take_along_axis(log_p, wanted[:, None], axis=-1)[:, 0]
        new = 0 if start == 0 else half
        found[start + new : start + len(own)] = own[new:]
    return found


def validation_bits(
    parameters: EnglishParameters,
    vocab_size: int = VOCAB_SIZE,
    context: int = CONTEXT,
) -> float:
    """Bits for each byte of the novel's validation chapters: settings are chosen by it."""
    text = texts(vocab_size)
    nats = float(losses(text.validation, parameters, context).mean())
    return bits_per_byte(nats, len(text.validation), text.validation_bytes)


def bits_of_the_test(parameters: EnglishParameters) -> float:
    """Bits for each byte of the novel's test chapters: computed once for each release, and for nothing else."""
    text = texts(VOCAB_SIZE)
    nats = float(losses(text.test, parameters).mean())
    return bits_per_byte(nats, len(text.test), text.test_bytes)


def rival(vocab_size: int = VOCAB_SIZE) -> tuple[Mixture, float]:
    """The best that counting makes of the same texts, chosen on validation, and its bits for each byte there."""
    text = texts(vocab_size)
    mixture = choose_mixture(text.training, text.validation, vocab_size)
    nats = mixture_losses(mixture, text.training, text.validation, vocab_size)[1:]
    bits = bits_per_byte(
        float(nats.mean()), len(text.validation), text.validation_bytes
    )
    return mixture, bits


def bits_of_the_rival_on_the_test(mixture: Mixture) -> float:
    """What a mixture that was chosen on validation needs for each byte of the test chapters."""
    text = texts(VOCAB_SIZE)
    nats = mixture_losses(mixture, text.training, text.test, VOCAB_SIZE)[1:]
    return bits_per_byte(float(nats.mean()), len(text.test), text.test_bytes)


def copying_losses(
    parameters: EnglishParameters,
    vocab_size: int = VOCAB_SIZE,
    context: int = CONTEXT,
    number: int = 16,
) -> tuple[float, float]:
    """The mean loss of random tokens said a first time, and a second time, in windows that no training sees."""
    rng = np.random.default_rng(7)
    said = rng.integers(vocab_size, size=(number, context // 2))
    ids = np.concatenate([said, said], axis=1)
    given, wanted = shift(ids)
    log_p = log_softmax(english_logits(given, parameters, N_HEADS))
    own = -np.take_along_axis(log_p, wanted[..., None], axis=-1)[..., 0]
    first = context // 2 - 1
    return float(own[:, :first].mean()), float(own[:, first + 1 :].mean())


def finish(run: Run, folder: Path) -> None:
    """Write the checkpoint that stands in git, with the tokenizer and the one test figure, and the history."""
    mixture, _ = rival()
    config = {
        "n_heads": N_HEADS,
        "d_model": D_MODEL,
        "d_ff": D_FF,
        "n_layers": N_LAYERS,
        "vocab_size": VOCAB_SIZE,
        "context": CONTEXT,
        "steps": run.step,
        "batch_size": EnglishTask.batch_size,
        "dropout": EnglishTask.dropout,
        "copying": EnglishTask.copying,
        "seed": SETTINGS.seed,
        "test": bits_of_the_test(run.parameters),
        "counting": bits_of_the_rival_on_the_test(mixture),
    }
    merges = [[a, b, merged] for (a, b), merged in texts(VOCAB_SIZE).bpe.merges.items()]
    told = {"config": json.dumps(config), "merges": json.dumps(merges)}
    write_committed(NAME, run.parameters, told, run.history)


if __name__ == "__main__":
    train_from_command_line(NAME, EnglishTask(), SETTINGS, finish, watch)
