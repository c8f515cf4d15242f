"""What the answers and mistakes of several ideas share."""

import inspect
import math

import numpy as np


def transposed(x):
    return np.swapaxes(x, -1, -2)


def attention_by_einsum(Q, K, V, mask=None):
    S = np.einsum("...nd,...md->...nm", Q, K) / math.sqrt(Q.shape[-1])
    E = np.exp(S - S.max(axis=-1, keepdims=True)) * (1.0 if mask is None else mask)
    total = E.sum(axis=-1, keepdims=True)
    A = np.divide(E, total, out=np.zeros_like(E), where=total > 0)
    return np.einsum("...nm,...mv->...nv", A, V), A


def pulling(made, pull):
    """The twin with another pullback, a function of the gradient and of the twin's arguments."""
    signature = inspect.signature(made)

    def answer(*arguments):
        bound = signature.bind(*arguments)
        bound.apply_defaults()
        return made(*arguments)[0], lambda g: pull(g, *bound.arguments.values())

    answer.__signature__ = signature
    return answer


def changing(made, change):
    """The twin whose gradients are changed."""
    return pulling(made, lambda g, *arguments: change(*made(*arguments)[1](g)))


def value_alone(made):
    return pulling_nothing(made, lambda value, pullback: value)


def pulling_nothing(made, change):
    def answer(*arguments):
        return change(*made(*arguments))

    answer.__signature__ = inspect.signature(made)
    return answer


def in_place(made):
    """A pullback that writes over the gradient it is given."""

    def answer(*arguments):
        value, pullback = made(*arguments)

        def pull(gradient):
            found = pullback(gradient.copy())
            gradient *= 2
            return found

        return value, pull

    answer.__signature__ = inspect.signature(made)
    return answer


def same_value(made):
    """The same, as somebody writes it who returns a list of gradients."""

    def answer(*arguments):
        value, pullback = made(*arguments)
        return value, lambda g: list(pullback(g))

    answer.__signature__ = inspect.signature(made)
    return answer


def bare_gradient(made):
    """A pullback that forgets the comma of `(dx,)`."""
    return pulling_nothing(made, lambda value, pull: (value, lambda g: pull(g)[0]))


def from_the_end(L):
    beta = np.zeros(len(L))
    for i in reversed(range(len(L) - 1)):
        beta[i] = np.logaddexp.reduce(L[i, i + 1 :] + beta[i + 1 :])
    return beta
