"""Attention as arcs over a sentence: back to earlier tokens above the words, ahead to later ones below."""

from collections.abc import Sequence
from html import escape

import numpy as np

from transformer_math import palette
from transformer_math.errors import require
from transformer_math.plots.cells import LETTER, drawing, width_of
from transformer_math.plots.given import given_matrix
from transformer_math.plots.numbers import Real, short
from transformer_math.plots.picture import Picture, described
from transformer_math.plots.symbols import plain, svg

FAINTEST = 0.02  # weights below it are not drawn
CLOSE = 1e-3  # what rounding may add to 1
WIDTH = 330  # pixels: what a phone shows


def arcs(
    weights: np.ndarray, tokens: Sequence[str], alt: str, caption: str = ""
) -> Picture:
    """Draw who attends to whom: each weight an arc from the token that asks to the one it takes from.

    The larger the weight, the thicker and darker the arc; a dot is a token's weight on itself; weights under 0.02 are
    left out. Raises ValueError unless there is one row and one column for each token, and weights lie from 0 to 1.
    """
    n, weights = len(tokens), given_matrix(weights)
    require(
        weights.shape == (n, n),
        f"weights have shape {weights.shape} for {n} tokens; wanted ({n}, {n}). Fix: one row and one column per token.",
    )
    require(
        bool(np.all((weights >= 0) & (weights <= 1 + CLOSE))),
        f"weights lie from {weights.min()} to {weights.max()}; wanted numbers from 0 to 1. Fix: softmax the scores.",
    )
    back, ahead = (
        bool((part >= FAINTEST).any())
        for part in (np.tril(weights, -1), np.triu(weights, 1))
    )
    step = min((WIDTH - 30) / n, 40.0)
    word = max(map(width_of, tokens))
    angle = 90 if ahead else 60
    band = word * np.sin(np.radians(angle)) + 12
    reach = 0.5 * step * _longest(weights) + 8
    left = 14 + (0 if ahead else max(0.0, 0.5 * word - step / 2))
    top = 20 + reach * back
    bottom = top + band
    shapes = [
        _arc(weights, tokens, i, j, left, step, top, bottom)
        for i, j in zip(*np.nonzero(weights >= FAINTEST))
    ]
    words = [
        _word(token, left + (i + 0.5) * step + 4, top + 10, angle)
        for i, token in enumerate(tokens)
    ]
    height = bottom + (reach + 20) * ahead
    notes = [_note(4, LETTER, "← to earlier tokens", "query")] * back
    notes += [_note(4, height - 6, "→ to later tokens", "key")] * ahead
    return described(
        [("", drawing(left + n * step + 8, height, *shapes, *words, *notes))],
        alt,
        caption,
    )


def _longest(weights: np.ndarray) -> int:
    rows, columns = np.nonzero(weights >= FAINTEST)
    return int(np.abs(rows - columns).max(initial=0))


def _arc(weights, tokens, i, j, left, step, top, bottom) -> str:
    weight = float(weights[i, j])
    name = "itself" if i == j else plain(tokens[j])
    title = (
        f"<title>{escape(plain(tokens[i]))} → {escape(name)}: {short(weight)}</title>"
    )
    start, end = (left + (k + 0.5) * step for k in (i, j))
    opacity = 0.3 + 0.7 * min(weight, 1.0)  # the faintest can be seen in the dark, too
    if i == j:
        radius = 1 + 4 * weight**0.5
        return f'<circle cx="{start:.4g}" cy="{top - 1:.4g}" r="{radius:.2g}" fill-opacity="{opacity:.2f}">{title}</circle>'
    y, colour = (top - 2, palette.BLUE) if j < i else (bottom, palette.ORANGE)
    radius = abs(end - start) / 2
    return (
        f'<path d="M{start:.4g} {y:.4g}A{radius:.4g} {radius:.4g} 0 0 0 {end:.4g} {y:.4g}" fill="none" stroke="{colour}" '
        f'stroke-width="{0.6 + 4.4 * min(weight, 1.0):.2g}" stroke-opacity="{opacity:.2f}">{title}</path>'
    )


def _word(token: str, x: Real, y: Real, angle: int) -> str:
    turn = f"translate({x:.4g} {y:.4g}) rotate(-{angle})"
    return f'<text text-anchor="end" transform="{turn}">{svg(token)}</text>'


def _note(x: Real, y: Real, text: str, role: str) -> str:
    return f'<text x="{x:.4g}" y="{y:.4g}"><tspan fill="{palette.ROLES[role]}" font-weight="700">{text[0]}</tspan>{text[1:]}</text>'
