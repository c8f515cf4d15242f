"""A Transformer that reads dates as people write them and writes them as ISO 8601 does, character by character.

`python -m transformer_math.trained.date_translator` trains it from nothing; `date_translator()` reads what came out.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

import numpy as np
from jaxtyping import Bool, Float, Int

from transformer_math.attention.masks import causal_mask, padding_mask
from transformer_math.contract import ATTENTION_WEIGHTS, contract
from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.gradient.encoder_decoder import encoder_decoder_logits_vjp
from transformer_math.model.attention_maps import decoder_attention
from transformer_math.model.decoder import decoder
from transformer_math.model.encoder import encoder
from transformer_math.model.encoder_decoder import (
    EncoderDecoderParameters,
    initialise_encoder_decoder,
)
from transformer_math.model.transformer import embed_at_positions
from transformer_math.output.probabilities import logits
from transformer_math.trained.committed import (
    float32,
    read_committed,
    write_committed,
)
from transformer_math.trained.dates import CASES, MONTHS, WEEKDAYS, draw_pair, pieces
from transformer_math.trained.provenance import provenance
from transformer_math.training.command import train_from_command_line
from transformer_math.training.loop import Run, Settings
from transformer_math.training.objective import shift
from transformer_math.training.schedule import cosine_schedule

N_HEADS, D_MODEL, D_FF, LAYERS = 4, 64, 128, 2
PAD, BEGIN, END = "[pad]", "[begin]", "[end]"
_LETTERS = "".join(MONTHS + WEEKDAYS) + "the of st nd rd ,-./"
SOURCE = [
    PAD,
    END,
    *"0123456789",
    *sorted({letter for case in CASES.values() for letter in case(_LETTERS)}),
]
TARGET = [PAD, BEGIN, END, *"0123456789", "-"]
LENGTH = len("1851-03-12") + 1  # with the end token


@dataclass(frozen=True)
class Batch:
    """Written dates as ids, how long each is, and their translations with begin and end."""

    source: Int[np.ndarray, "batch m"]
    lengths: Int[np.ndarray, " batch"]
    target: Int[np.ndarray, "batch n"]


@dataclass(frozen=True)
class DateTask:
    """What the loop has to know: pairs without end, cross-entropy, a rate that goes up and comes down."""

    steps: int = 4000
    every: int = 100
    batch_size: int = 64

    def initial(self, rng: np.random.Generator) -> EncoderDecoderParameters:
        """Random parameters, in single precision."""
        return float32(
            initialise_encoder_decoder(
                rng, len(SOURCE), len(TARGET), D_MODEL, N_HEADS, D_FF, LAYERS
            )
        )

    def batch(self, rng: np.random.Generator, step: int) -> Batch:
        """New pairs, of days that are not held out."""
        written, wanted = zip(*(draw_pair(rng) for _ in range(self.batch_size)))
        return Batch(*encode(written), encode_iso(wanted))

    def loss_and_gradient(
        self, parameters: EncoderDecoderParameters, batch: Batch
    ) -> tuple[float, EncoderDecoderParameters]:
        """Cross-entropy of each next character of the translation, given those before it."""
        given, wanted = shift(batch.target)
        seen = padding_mask(batch.lengths, batch.source.shape[1])
        scored, to_parameters = encoder_decoder_logits_vjp(
            batch.source, given, parameters, N_HEADS, seen
        )
        loss, to_logits = cross_entropy_vjp(scored, wanted)
        return loss, *to_parameters(*to_logits(1.0))

    def learning_rate(self, step: int) -> float:
        """Up to 0.002 in 200 steps, then down to nothing."""
        return cosine_schedule(step, peak=2e-3, warm_up=200, steps=self.steps)

    def evaluate(self, parameters: EncoderDecoderParameters) -> dict[str, float]:
        """The share of 200 unseen dates whose translation is right to the last character."""
        rng = np.random.default_rng(0)
        written, wanted = zip(*(draw_pair(rng, unseen=True) for _ in range(200)))
        predicted = decode_greedily(*encode(written), parameters)
        return {"exact": exact_match(predicted, encode_iso(wanted)[:, 1:])}


def encode(
    written: Sequence[str],
) -> tuple[Int[np.ndarray, "batch m"], Int[np.ndarray, " batch"]]:
    """Written dates as ids, each with an end token and then padding; and their lengths without the padding.

    Spaces before and after a date are not read: training had none. Raises ValueError for a character that the model does not know.
    """
    known = {character: i for i, character in enumerate(SOURCE)}
    if strange := set("".join(written)) - set(known):
        raise ValueError(
            f"{min(strange)!r} is no character that the date translator knows. Fix: digits, the letters of English dates, "
            "spaces and , - . / alone."
        )
    written = [text.strip(" ") for text in written]
    lengths = np.array([len(text) + 1 for text in written])
    ids = np.full((len(written), lengths.max()), SOURCE.index(PAD))
    for row, text in zip(ids, written):
        row[: len(text) + 1] = [*(known[c] for c in text), SOURCE.index(END)]
    return ids, lengths


def encode_iso(dates: Sequence[str]) -> Int[np.ndarray, "batch n"]:
    """ISO dates as ids, between begin and end."""
    return np.array([[TARGET.index(c) for c in (BEGIN, *d, END)] for d in dates])


def translate(
    written: Sequence[str], parameters: EncoderDecoderParameters
) -> list[str]:
    """The dates as the model writes them: what it puts before its end token.

    Raises ValueError for a character that the model does not know.
    """
    ids = decode_greedily(*encode(written), parameters)
    texts = ["".join(TARGET[i] for i in row) for row in ids]
    return [text.partition(END)[0] for text in texts]


def decode_greedily(
    source: Int[np.ndarray, "batch m"],
    lengths: Int[np.ndarray, " batch"],
    parameters: EncoderDecoderParameters,
) -> Int[np.ndarray, "batch n"]:
    """Read the dates once, then write token after token, each time the one with the largest logit."""
    seen = padding_mask(lengths, source.shape[1])
    Y = embed_at_positions(source, parameters.E_source)
    memory = encoder(Y, parameters.encoder, N_HEADS, seen)
    ids = np.full((len(source), 1), TARGET.index(BEGIN))
    for n in range(1, LENGTH + 1):
        Z = embed_at_positions(ids, parameters.E_target)
        Z = decoder(Z, memory, parameters.decoder, N_HEADS, causal_mask(n), seen)
        best = logits(Z[:, -1], parameters.W_out).argmax(axis=-1)
        ids = np.concatenate([ids, best[:, None]], axis=1)
    return ids[:, 1:]


def cross_attention(
    written: str, iso: str, parameters: EncoderDecoderParameters
) -> Float[np.ndarray, "layers n_heads n m"]:
    """Where the model looks while it writes a date: a row for each token that it writes, a column for each that it reads.

    The last row and the last column are the end tokens.
    """
    source, _ = encode([written])
    given, _ = shift(encode_iso([iso]))
    Y = embed_at_positions(source, parameters.E_source)
    memory = encoder(Y, parameters.encoder, N_HEADS)
    Z = embed_at_positions(given, parameters.E_target)
    mask = causal_mask(given.shape[1])
    _, weights = decoder_attention(Z, memory, parameters.decoder, N_HEADS, mask)
    return np.concatenate(weights)


def where_it_stands(day: date, form: str) -> Bool[np.ndarray, "n m"]:
    """Which characters of a written day tell each digit of its ISO date: those of the year, of the month, or of the day.

    Rows are the digits, without the hyphens; the last column is the end token, which tells none.
    """
    told = [field for text, field in pieces(day, form) for _ in text] + [""]
    wanted = ["year"] * 4 + ["month"] * 2 + ["day"] * 2
    return np.array(wanted)[:, None] == np.array(told)


DIGITS = [i for i, character in enumerate("1851-03-12") if character != "-"]


@contract
def exact_match(
    predicted: Int[np.ndarray, "N n"], wanted: Int[np.ndarray, "N n"]
) -> float:
    r"""Count the translations without a wrong token.

        exact(U, Y) = 1/N Σ_i [Σ_j [U_ij = Y_ij] = n]

    Book: eq-exact-match.

    >>> exact_match(predicted=np.array([[1, 8], [5, 1]]), wanted=np.array([[1, 8], [5, 2]]))
    0.5
    """
    return float((predicted == wanted).all(axis=1).mean())


@contract
def share_on(
    A: Annotated[Float[np.ndarray, "n m"], ATTENTION_WEIGHTS],
    F: Bool[np.ndarray, "n m"],
) -> float:
    r"""Measure how much of its attention a head gives to the places where it should look.

        share(A, F) = 1/n Σ_i Σ_j A_ij F_ij

    F is True at these places. Book: eq-share-on.

    >>> share_on(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([[True, False], [False, True]]))
    0.625
    """
    return float((A * F).sum() / len(A))


def date_translator() -> EncoderDecoderParameters:
    """The trained parameters, as the committed checkpoint has them."""
    like = DateTask().initial(np.random.default_rng(0))
    return read_committed("date_translator", like)[0]


def finish(run: Run, folder: Path) -> None:
    """Write the checkpoint that stands in git, with what a page needs to use it."""
    config = {
        "n_heads": N_HEADS,
        "d_model": D_MODEL,
        "d_ff": D_FF,
        "n_layers": LAYERS,
        "steps": run.step,
        "batch_size": DateTask.batch_size,
        "seed": SETTINGS.seed,
    }
    made = provenance("date_translator")
    texts = {"config": config, "source": SOURCE, "target": TARGET, "made": made}
    write_committed(
        "date_translator",
        run.parameters,
        {name: json.dumps(text) for name, text in texts.items()},
        run.history,
    )


SETTINGS = Settings(seed=1851)

if __name__ == "__main__":
    train_from_command_line("date_translator", DateTask(), SETTINGS, finish)
