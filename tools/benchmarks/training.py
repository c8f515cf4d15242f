"""One training step of the language model by one thread, against a lean eager PyTorch, and as a share of its matrix products.

Both do the whole step: forward with dropout, backward, clipping, AdamW. PyTorch's has one matrix for queries, keys and
values, and its fused attention.
"""

import numpy as np
import torch
from torch.nn import functional as F

from benchmarks.table import Row, interleaved
from transformer_math.position.sinusoidal import frequencies
from transformer_math.trained import language_model as lm
from transformer_math.training import Run, adam_start, one_step, shift

THREADS = 1
REPETITIONS = 9
D, H, N = lm.D_MODEL, lm.N_HEADS, lm.CONTEXT


class Layer(torch.nn.Module):
    """One pre-norm layer, its queries and keys turned."""

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p
        self.norm_1, self.norm_2 = torch.nn.LayerNorm(D), torch.nn.LayerNorm(D)
        self.QKV, self.O = torch.nn.Linear(D, 3 * D), torch.nn.Linear(D, D)
        self.W_1, self.W_2 = torch.nn.Linear(D, lm.D_FF), torch.nn.Linear(lm.D_FF, D)

    def forward(self, Z: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor):
        """The tokens after the layer."""
        batch, n, _ = Z.shape
        parts = self.QKV(self.norm_1(Z)).view(batch, n, 3, H, D // H)
        Q, K, V = parts.permute(2, 0, 3, 1, 4)
        Q, K = turned(Q, cos, sin), turned(K, cos, sin)
        O = F.scaled_dot_product_attention(Q, K, V, is_causal=True)
        Z = Z + F.dropout(self.O(O.transpose(1, 2).reshape(batch, n, D)), self.p)
        return Z + F.dropout(self.W_2(F.relu(self.W_1(self.norm_2(Z)))), self.p)


def turned(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Rotary positions: neighbouring numbers turn in pairs."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2)


class Theirs(torch.nn.Module):
    """The language model in PyTorch."""

    def __init__(self, task: lm.LanguageTask) -> None:
        super().__init__()
        self.E = torch.nn.Parameter(torch.randn(task.vocab_size, D) / D**0.5)
        layers = (Layer(task.dropout) for _ in range(task.n_layers))
        self.layers, self.p = torch.nn.ModuleList(layers), task.dropout
        self.norm = torch.nn.LayerNorm(D)
        angles = np.arange(N)[:, None] * frequencies(D // H)
        self.cos, self.sin = (
            torch.from_numpy(f(angles)).float() for f in (np.cos, np.sin)
        )

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """The logits."""
        Z = F.dropout(D**0.5 * F.embedding(ids, self.E), self.p)
        for layer in self.layers:
            Z = layer(Z, self.cos, self.sin)
        return self.norm(Z) @ self.E.T


def operations(task: lm.LanguageTask) -> int:
    """The multiplications and additions in the matrix products of a step, forward and back."""
    per_token = task.n_layers * (4 * D * D + 2 * D * task.d_ff + 2 * N * D)
    per_token += task.vocab_size * D
    return 6 * per_token * task.batch_size * N


def rows() -> list[Row]:
    """The time of a step, ours and theirs in turn; and what the products alone would take at the machine's rate."""
    torch.set_num_threads(THREADS)
    task, settings = lm.LanguageTask(threads=THREADS), lm.SETTINGS
    start = task.initial(np.random.default_rng(0))
    run, model = Run(start, adam_start(start)), Theirs(task)
    optimiser = torch.optim.AdamW(
        model.parameters(),
        lr=task.learning_rate(1),
        betas=(settings.beta_1, settings.beta_2),
        eps=settings.eps,
        weight_decay=settings.weight_decay,
    )
    windows = task.batch(np.random.default_rng(0), 1).windows
    given, wanted = (torch.from_numpy(part.copy()) for part in shift(windows))
    square = np.ones((1024, 1024), np.float32)

    def theirs() -> None:
        logits = model(given).reshape(-1, task.vocab_size)
        loss = F.cross_entropy(logits, wanted.reshape(-1))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), settings.largest_norm)
        optimiser.step()

    rivals = [
        lambda: one_step(task, run, settings),
        theirs,
        lambda: square @ square,
    ]
    ours, peer, product = interleaved(rivals, REPETITIONS)
    products = product * operations(task) / (2 * 1024**3)
    what = "training step of the language model"
    return [
        Row(what, 1000 * ours, "ms", 1000 * peer, "PyTorch, lean", ratio_at_most=1),
        Row(
            f"{what}, at most 1 / 0.6 of its products",
            1000 * ours,
            "ms",
            1000 * products,
            "the products alone",
            ratio_at_most=1 / 0.6,
        ),
    ]
