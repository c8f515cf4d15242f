"""Checks of one-hot vectors and embeddings."""

import math

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, size, tokens
from transformer_math.embedding.lookup import embed, one_hot, scale_embedding


def random_ids(rng, vocab_size):
    return rng.integers(vocab_size, size=(*batch(rng), size(rng)))


@check(
    one_hot,
    equation="eq-one-hot",
    axes={"ids": "", "return": "V"},
    oracle="torch.nn.functional.one_hot",
)
def one_hot_equals_torch(one_hot, rng):
    vocab_size = size(rng)
    ids = random_ids(rng, vocab_size)
    return difference(
        one_hot(ids, vocab_size),
        torch.nn.functional.one_hot(torch.from_numpy(ids), vocab_size).double(),
    )


@one_hot_equals_torch.rejects(
    "Your ones stand one place too far right: id 0 is the first column."
)
def counted_from_one(ids, vocab_size):
    return np.equal(ids[..., None], np.arange(1, vocab_size + 1)).astype(float)


@one_hot_equals_torch.rejects(
    "Your matrix stands on its side: one row for each token, one column for each id."
)
def one_column_per_token(ids, vocab_size):
    return np.swapaxes(one_hot(ids, vocab_size), -1, -2)


@check(embed, equation="eq-embedding", oracle="torch.nn.functional.embedding")
def embedding_equals_torch(embed, rng):
    vocab_size = size(rng)
    E, ids = rng.normal(size=(vocab_size, size(rng))), random_ids(rng, vocab_size)
    return difference(
        embed(ids, E),
        torch.nn.functional.embedding(torch.from_numpy(ids), torch.from_numpy(E)),
    )


@embedding_equals_torch.rejects(
    "You take columns; the embedding of a token is a row of E."
)
def columns(ids, E):
    return E.T[ids % E.shape[1]]


@embedding_equals_torch.rejects(
    "You scale by √d_model here; that is a step of its own, after the lookup."
)
def scaled(ids, E):
    return E[ids] * np.sqrt(E.shape[1])


@embedding_equals_torch.rejects("You are one row off: id 0 is the first row.")
def one_row_off(ids, E):
    return E[ids - 1]


@embedding_equals_torch.rejects(
    "Every token gets the embedding of the first one: index with the whole array of ids."
)
def first_token_only(ids, E):
    return np.broadcast_to(E[ids.flat[0]], (*ids.shape, E.shape[1]))


@check(embed, equation="eq-embedding", oracle="one-hot rows times E, in PyTorch")
def embedding_equals_matrix_product(embed, rng):
    vocab_size = size(rng)
    E, ids = rng.normal(size=(vocab_size, size(rng))), random_ids(rng, vocab_size)
    rows = torch.nn.functional.one_hot(torch.from_numpy(ids), vocab_size).double()
    return difference(embed(ids, E), rows @ torch.from_numpy(E))


@embedding_equals_matrix_product.rejects(
    "You take rows from the end: id 0 is the first row, not the last."
)
def rows_from_the_end(ids, E):
    return E[::-1][ids]


@check(
    scale_embedding,
    equation="eq-embedding-scale",
    oracle="the square root of the width, number by number",
)
def scale_equals_closed_form(scale_embedding, rng):
    X = tokens(rng, size(rng), size(rng))
    wanted = [
        x * math.sqrt(len(row))
        for row in X.reshape(-1, X.shape[-1]).tolist()
        for x in row
    ]
    return difference(np.ravel(scale_embedding(X)), wanted)


@scale_equals_closed_form.rejects(
    "You divide by √d_model; embeddings are multiplied, only scores are divided (by √d_k)."
)
def divided(X):
    return X / np.sqrt(X.shape[-1])


@scale_equals_closed_form.rejects(
    "You multiply by √n, the number of tokens; wanted √d_model, the size of an embedding."
)
def by_the_number_of_tokens(X):
    return X * np.sqrt(X.shape[-2])


@scale_equals_closed_form.rejects("You multiply by d_model; wanted its square root.")
def without_root(X):
    return X * X.shape[-1]
