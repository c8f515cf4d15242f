"""Checks of learned positions, against PyTorch's own table."""

import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size, smallest, tokens
from transformer_math.position.learned import add_learned_position


def tokens_and_table(rng):
    """Tokens, and a table that has a few rows more, or just enough."""
    n, d_model = size(rng), size(rng)
    more = 0 if smallest() else int(rng.integers(4))
    return tokens(rng, n, d_model), rng.normal(size=(n + more, d_model))


def torch_table(X, P):
    """PyTorch's layer for embeddings, asked for the rows 0, ..., n - 1."""
    return X + torch.nn.functional.embedding(torch.arange(X.shape[-2]), P)


@check(
    add_learned_position,
    equation="eq-learned-position",
    oracle="torch.nn.functional.embedding of the places",
)
def table_equals_torch(add_learned_position, rng):
    X, P = tokens_and_table(rng)
    wanted = torch_table(torch.from_numpy(X), torch.from_numpy(P))
    return difference(add_learned_position(X, P), wanted)


@table_equals_torch.rejects(
    "You take the last rows of the table: the first token stands at place 0."
)
def last_rows(X, P):
    return X + P[len(P) - X.shape[-2] :]


@table_equals_torch.rejects("You multiply by the row of the place; it is added.")
def multiplied(X, P):
    return X * P[: X.shape[-2]]


@table_equals_torch.rejects(
    "Your places run backwards: row 0 belongs to the first token."
)
def backwards(X, P):
    return X + P[: X.shape[-2]][::-1]


@table_equals_torch.rejects(
    "All your tokens get the row of place 0; each gets its own."
)
def one_row_for_all(X, P):
    return X + P[0]
