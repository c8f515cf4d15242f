"""Checks of the pullback of learned positions."""

import numpy as np

from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.position.learned import tokens_and_table, torch_table
from transformer_math.gradient.learned import add_learned_position_vjp

learned_as_autograd, learned_as_differences = check_gradient(
    add_learned_position_vjp,
    equation="eq-learned-position-vjp",
    symbols={"return": "Z"},
    function=torch_table,
    draw=tokens_and_table,
    cases=12,
)
reject_careless_inputs(learned_as_autograd, ("X", "P"))


def table_of(rows, P):
    dP = np.zeros_like(P)
    dP[: len(rows)] = rows
    return dP


@rejects_pullback(
    learned_as_autograd,
    "Your table hears of the first sequence of the batch alone: all leading axes are summed.",
)
def first_sequence_only(dZ, X, P):
    return dZ, table_of(dZ.reshape(-1, *dZ.shape[-2:])[0], P)


@rejects_pullback(
    learned_as_differences,
    "Your table gets the mean over the sequences; it served every sequence, so it gets the sum.",
)
def mean_over_sequences(dZ, X, P):
    return dZ, table_of(dZ.reshape(-1, *dZ.shape[-2:]).mean(axis=0), P)


@rejects_pullback(
    learned_as_differences,
    "Your rows stand at the end of the table: the gradient of token 0 belongs to row 0.",
)
def rows_at_the_end(dZ, X, P):
    rows = dZ.reshape(-1, *dZ.shape[-2:]).sum(axis=0)
    return dZ, table_of(rows[::-1], P)[::-1]
