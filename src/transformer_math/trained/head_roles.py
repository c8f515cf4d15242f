"""What each head of the language model does on held-out text: where it looks, and what its removal costs, removed in three ways.

`make train MODEL=head_roles` measures every head on a hundred windows of the validation chapters, and writes the records.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from transformer_math.attention.multi_head import AttentionParameters
from transformer_math.block.decoder_only_layer import rotary_attention
from transformer_math.block.feed_forward import feed_forward
from transformer_math.block.layer_norm import layer_norm
from transformer_math.embedding.lookup import embed, scale_embedding
from transformer_math.model.attention_maps import decoder_only_attention
from transformer_math.model.decoder_only import DecoderOnlyParameters
from transformer_math.output.probabilities import log_softmax
from transformer_math.trained.ablation import gate_heads
from transformer_math.trained.committed import read_records, write_records
from transformer_math.trained.induction_heads import prefix_matching_score
from transformer_math.trained.language_model import (
    CONTEXT,
    N_HEADS,
    N_LAYERS,
    VOCAB_SIZE,
    language_model,
    novel_tokens,
)
from transformer_math.training.objective import shift

WINDOWS = 100
Change = Callable[[np.ndarray], np.ndarray]
REMOVALS: dict[str, Change] = {
    "zero": np.zeros_like,
    "mean": lambda found: np.broadcast_to(found.mean(axis=(0, 1)), found.shape),
    "resample": lambda found: np.roll(found, 1, axis=0),
}


def found_by_head(U: np.ndarray, p: AttentionParameters, head: int) -> np.ndarray:
    """What one head adds to the tokens, without the bias that all heads share."""
    alone = gate_heads(p.W_O, np.eye(N_HEADS)[head])
    return rotary_attention(
        U, replace(p, W_O=alone, b_O=np.zeros_like(p.b_O)), N_HEADS
    )[0]


def logits_with(
    ids: Int[np.ndarray, "windows n"],
    parameters: DecoderOnlyParameters,
    place: tuple[int, int],
    change: Change,
) -> Float[np.ndarray, "windows n V"]:
    """The logits where what one head, `place` = (layer, head), has found is changed before it is added."""

    Z = scale_embedding(embed(ids, parameters.E))
    for layer, p in enumerate(parameters.layers):
        U = layer_norm(Z, p.norm_1)
        attended, _ = rotary_attention(U, p.rotary_attention, N_HEADS)
        if layer == place[0]:
            found = found_by_head(U, p.rotary_attention, place[1])
            attended = attended - found + change(found)
        Z = Z + attended
        Z = Z + feed_forward(layer_norm(Z, p.norm_2), p.feed_forward)
    return layer_norm(Z, parameters.norm) @ parameters.E.T


def windows(number: int = WINDOWS) -> Int[np.ndarray, "windows n"]:
    """Windows from all over the validation chapters, each with one token more than the model reads."""
    ids = novel_tokens("validation")
    begins = np.linspace(0, len(ids) - CONTEXT - 1, number).astype(int)
    return ids[begins[:, None] + np.arange(CONTEXT + 1)]


def losses(
    chosen: Int[np.ndarray, "windows n"], place: tuple[int, int], change: Change
) -> Float[np.ndarray, " windows"]:
    """The loss of each window, in nats a token, with one head changed."""
    given, wanted = shift(chosen)
    log_p = log_softmax(logits_with(given, language_model(), place, change))
    own = -np.take_along_axis(log_p, wanted[..., None], axis=-1)
    return own.mean(axis=(1, 2)).astype(float)


def looks() -> dict[str, Float[np.ndarray, "layers heads"]]:
    """Where the heads look: at the token itself, the one before, the first one; and prefix matching on random blocks."""
    given, _ = shift(windows())
    A = np.stack(decoder_only_attention(given, language_model(), N_HEADS), axis=1)
    half = np.random.default_rng(77).integers(VOCAB_SIZE, size=(40, CONTEXT // 2))
    said = np.tile(half, 2)
    B = np.stack(decoder_only_attention(said, language_model(), N_HEADS), axis=1)
    matching = [prefix_matching_score(b, ids) for b, ids in zip(B, said)]
    return {
        "itself": np.diagonal(A, 0, -2, -1).mean(axis=(0, -1)),
        "before": np.diagonal(A, -1, -2, -1).mean(axis=(0, -1)),
        "first": A[..., 16:, 0].mean(axis=(0, -1)),
        "matching": np.mean(matching, axis=0),
    }


def records() -> Iterator[dict[str, Any]]:
    """A record for each head: where it looks; what each removal costs, in nats a token, with its standard error."""
    chosen, seen = windows(), looks()
    before = losses(chosen, (0, 0), lambda found: found)
    for place in np.ndindex(N_LAYERS, N_HEADS):
        record = {"layer": place[0] + 1, "head": place[1]}
        record |= {name: float(shares[place]) for name, shares in seen.items()}
        for name, change in REMOVALS.items():
            rise = losses(chosen, place, change) - before
            error = rise.std(ddof=1) / np.sqrt(len(rise))
            record[name] = [float(rise.mean()), float(error)]
        yield record


def head_roles() -> list[dict[str, Any]]:
    """A record for each head, as they stand in git."""
    return read_records("head_roles.json")


if __name__ == "__main__":
    write_records("head_roles.json", records())
