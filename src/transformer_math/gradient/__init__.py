"""Gradients: for every differentiable function a twin that returns its value and a pullback, from softmax to the whole model."""

from pathlib import Path

from transformer_math.exports import exports

_offered = exports(__name__, Path(__file__).parent)
globals().update(_offered)
__all__ = sorted(_offered)
