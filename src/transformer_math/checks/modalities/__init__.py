"""Checks of the ideas in `transformer_math.modalities`."""
