"""Two layers of attention that learn to copy: “… A B … A” goes on with “B”, whatever A and B are.

`python -m transformer_math.trained.induction_heads` trains them from nothing; `induction_heads()` reads what came out.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from jaxtyping import Float, Int

from transformer_math.attention.masks import causal_mask
from transformer_math.contract import ATTENTION_WEIGHTS, contract, requires
from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.output.probabilities import log_softmax
from transformer_math.trained.attention_only import (
    AttentionOnlyParameters,
    attention_only_logits,
    attention_only_logits_vjp,
    attention_only_weights,
    initialise_attention_only,
)
from transformer_math.trained.committed import (
    float32,
    read_committed,
    write_committed,
)
from transformer_math.trained.provenance import provenance
from transformer_math.training.command import train_from_command_line
from transformer_math.training.loop import Run, Settings
from transformer_math.training.objective import shift
from transformer_math.training.schedule import cosine_schedule

VOCAB_SIZE, N_HEADS, D_MODEL, LAYERS = 64, 2, 64, 2
SHORTEST, LONGEST, LENGTH = 8, 32, 64

Weights = Annotated[Float[np.ndarray, "... n n"], ATTENTION_WEIGHTS]


@dataclass(frozen=True)
class InductionTask:
    """What the loop has to know: random blocks said again and again, cross-entropy, a rate that goes up and comes down."""

    steps: int = 4000
    every: int = 50
    batch_size: int = 32
    n_layers: int = LAYERS
    shortest: int = SHORTEST
    longest: int = LONGEST

    def initial(self, rng: np.random.Generator) -> AttentionOnlyParameters:
        """Random parameters, in single precision."""
        return float32(
            initialise_attention_only(rng, VOCAB_SIZE, D_MODEL, N_HEADS, self.n_layers)
        )

    def batch(self, rng: np.random.Generator, step: int) -> Int[np.ndarray, "batch n"]:
        """Sequences of one length, each a new random block of a length of its own, repeated."""
        return np.stack(
            [
                np.resize(draw_block(rng, int(period)), LENGTH)
                for period in rng.integers(
                    self.shortest, self.longest + 1, self.batch_size
                )
            ]
        )

    def loss_and_gradient(
        self, parameters: AttentionOnlyParameters, batch: Int[np.ndarray, "batch n"]
    ) -> tuple[float, AttentionOnlyParameters]:
        """Cross-entropy of each next token."""
        given, wanted = shift(batch)
        mask = causal_mask(given.shape[1])
        scored, to_parameters = attention_only_logits_vjp(
            given, parameters, N_HEADS, mask
        )
        loss, to_logits = cross_entropy_vjp(scored, wanted)
        return loss, *to_parameters(*to_logits(1.0))

    def learning_rate(self, step: int) -> float:
        """Up to 0.002 in 200 steps, then down to nothing."""
        return cosine_schedule(step, peak=2e-3, warm_up=200, steps=self.steps)

    def evaluate(self, parameters: AttentionOnlyParameters) -> dict[str, float]:
        """The loss on the first saying of 64 blocks and on the second; and the best scores of heads on some of them."""
        ids = repeated(np.random.default_rng(0), 64, 25)
        first, second = losses_of_halves(ids, parameters)
        scores = best_scores(ids[:8], parameters)
        return {"first": first, "second": second} | scores


def draw_block(rng: np.random.Generator, length: int) -> Int[np.ndarray, " length"]:
    """Random tokens, each as likely as any other, whatever came before."""
    return rng.integers(0, VOCAB_SIZE, length)


def repeated(
    rng: np.random.Generator, batch_size: int, length: int
) -> Int[np.ndarray, "batch n"]:
    """Sequences that say a random block twice."""
    blocks = np.stack([draw_block(rng, length) for _ in range(batch_size)])
    return np.concatenate([blocks, blocks], axis=1)


def losses(
    ids: Int[np.ndarray, "batch n"], parameters: AttentionOnlyParameters
) -> Float[np.ndarray, "batch n-1"]:
    """How surprised the model is by each token after the first, in nats."""
    given, wanted = shift(ids)
    scored = attention_only_logits(
        given, parameters, N_HEADS, causal_mask(given.shape[1])
    )
    log_p = log_softmax(scored)
    return -np.take_along_axis(log_p, wanted[..., None], axis=-1)[..., 0]


def losses_of_halves(
    ids: Int[np.ndarray, "batch n"], parameters: AttentionOnlyParameters
) -> tuple[float, float]:
    """The mean loss on the first saying of a block and on the second.

    The second begins with the second token of the block: that the first is said again, nothing foretells.
    """
    half = ids.shape[1] // 2
    found = losses(ids, parameters)
    return float(found[:, : half - 1].mean()), float(found[:, half:].mean())


@contract
@requires(
    lambda A: A.shape[-1] >= 2,
    "A has shape {A.shape}: the first token has no token before it. Fix: at least two tokens.",
)
def previous_token_score(A: Weights) -> Float[np.ndarray, "..."]:
    r"""Measure how much of its attention a head gives to the token before.

        previous(A) = 1/(n - 1) Σ_{i=1}^(n-1) A_{i, i-1}

    Book: eq-previous-token.

    >>> previous_token_score(np.array([[1.0, 0.0], [0.75, 0.25]]))
    array(0.75)
    """
    before = np.diagonal(A, offset=-1, axis1=-2, axis2=-1)
    return np.asarray(before.mean(axis=-1))


@contract
@requires(
    lambda A, ids: A.shape[-1] == len(ids),
    "A has shape {A.shape} for {ids.shape} tokens. Fix: the weights of these tokens, all of them.",
)
@requires(
    lambda ids: len(np.unique(ids)) < len(ids),
    "no token comes twice, so there is no prefix to match. Fix: a sequence that repeats something.",
)
def prefix_matching_score(
    A: Weights, ids: Int[np.ndarray, " n"]
) -> Float[np.ndarray, "..."]:
    r"""Measure how much a head looks right after earlier places of the same token: at what came next, last time.

        prefix(A, t) = (Σ_i Σ_{j=1}^i A_ij [t_{j-1} = t_i])/(Σ_i [Σ_{j=1}^i [t_{j-1} = t_i] > 0])

    Book: eq-prefix-matching. Source: Olsson et al. (2022), arXiv:2209.11895.

    >>> A = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.5, 0.25]])
    >>> prefix_matching_score(A, np.array([7, 3, 7]))
    array(0.5)
    """
    n = len(ids)
    came_before = np.tri(n, k=-1, dtype=bool) & (ids[:, None] == ids)
    behind = np.zeros((n, n), dtype=bool)
    behind[:, 1:] = came_before[:, :-1]
    again = came_before.any(axis=1)
    return np.asarray((A * behind).sum(axis=-1)[..., again].mean(axis=-1))


def best_scores(
    ids: Int[np.ndarray, "batch n"], parameters: AttentionOnlyParameters
) -> dict[str, float]:
    """The largest mean score that any head has for the token before, and for what followed the same token last time."""
    weights = attention_only_weights(
        ids, parameters, N_HEADS, causal_mask(ids.shape[1])
    )
    A = np.concatenate([layer.swapaxes(0, 1) for layer in weights])  # heads, batch
    before = previous_token_score(A).mean(axis=-1)
    prefix = [
        [prefix_matching_score(one, t) for one, t in zip(head, ids)] for head in A
    ]
    return {"previous": float(before.max()), "prefix": float(np.mean(prefix, 1).max())}


def induction_heads() -> AttentionOnlyParameters:
    """The trained parameters, as the committed checkpoint has them."""
    like = InductionTask().initial(np.random.default_rng(0))
    return read_committed("induction_heads", like)[0]


def finish(run: Run, folder: Path) -> None:
    """Write the checkpoint that stands in git."""
    config = {
        "n_heads": N_HEADS,
        "d_model": D_MODEL,
        "n_layers": LAYERS,
        "vocab_size": VOCAB_SIZE,
        "steps": run.step,
        "batch_size": InductionTask.batch_size,
        "seed": SETTINGS.seed,
    }
    texts = {"config": config, "made": provenance("induction_heads")}
    written = {name: json.dumps(text) for name, text in texts.items()}
    write_committed("induction_heads", run.parameters, written, run.history)


SETTINGS = Settings(seed=2022)

if __name__ == "__main__":
    train_from_command_line("induction_heads", InductionTask(), SETTINGS, finish)
