"""One training step of the language model in single precision, against the same model in eager PyTorch.

Both do the whole step: forward, backward, clipping, AdamW. They begin with other random parameters, of the same sizes.
"""

import numpy as np
import torch

from benchmarks.table import Row, interleaved
from transformer_math.position import sinusoidal
from transformer_math.trained import language_model as lm
from transformer_math.training import Run, adam_start, one_step, shift

THREADS = 1
REPETITIONS = 15


class Theirs(torch.nn.Module):
    """The language model, of PyTorch's modules."""

    def __init__(self) -> None:
        super().__init__()
        size = lm.VOCAB_SIZE, lm.D_MODEL
        self.E = torch.nn.Parameter(torch.randn(size) / lm.D_MODEL**0.5)
        layer = torch.nn.TransformerEncoderLayer(
            lm.D_MODEL, lm.N_HEADS, lm.D_FF, dropout=0.0, batch_first=True
        )
        self.stack = torch.nn.TransformerEncoder(
            layer, lm.N_LAYERS, enable_nested_tensor=False
        )
        self.P = torch.from_numpy(sinusoidal(lm.CONTEXT, lm.D_MODEL)).float()
        self.mask = torch.triu(torch.ones(lm.CONTEXT, lm.CONTEXT), 1).bool()

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """The logits."""
        Z = lm.D_MODEL**0.5 * self.E[ids] + self.P
        return self.stack(Z, self.mask, is_causal=True) @ self.E.T


def rows() -> list[Row]:
    """The time of a step, ours and theirs in turn."""
    torch.set_num_threads(THREADS)
    task, settings = lm.LanguageTask(), lm.SETTINGS
    start = task.initial(np.random.default_rng(0))
    run = Run(start, adam_start(start))
    model = Theirs()
    optimiser = torch.optim.AdamW(
        model.parameters(),
        lr=task.learning_rate(1),
        betas=(settings.beta_1, settings.beta_2),
        eps=settings.eps,
        weight_decay=settings.weight_decay,
    )
    batch = task.batch(np.random.default_rng(0), 1)
    given, wanted = (torch.from_numpy(part.copy()) for part in shift(batch))

    def theirs() -> None:
        logits = model(given).reshape(-1, lm.VOCAB_SIZE)
        loss = torch.nn.functional.cross_entropy(logits, wanted.reshape(-1))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), settings.largest_norm)
        optimiser.step()

    rivals = [lambda: one_step(task, run, settings), theirs]
    ours, peer = (1000 * median for median in interleaved(rivals, REPETITIONS))
    what = "training step of the language model"
    return [Row(what, ours, "ms", peer, "PyTorch, eager", ratio_at_most=1)]
