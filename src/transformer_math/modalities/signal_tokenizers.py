"""One interface for pieces of any signal: `encode` gives tokens and a shape, `decode` gives the signal back, or what is like it.

Tokens are vectors, a row for each piece, or ids. The classes call the functions of the pages; no algorithm stands here.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Size
from transformer_math.errors import require
from transformer_math.modalities.codebook import lloyd_step, nearest_codes
from transformer_math.modalities.patches import patchify, unpatchify
from transformer_math.modalities.point_clouds import (
    farthest_points,
    local_groups,
    nearest_neighbours,
)
from transformer_math.modalities.time_series import windows
from transformer_math.modalities.tubelets import tubelets, untubelets
from transformer_math.tokenization.tokenizers import Tokenizer

Shape = tuple[int, ...] | np.ndarray  # of points: where their groups stand


class SignalTokenizer(ABC):
    """What the tokenizers of all signals do."""

    @abstractmethod
    def encode(self, signal: Any) -> tuple[np.ndarray, Shape]:
        """The tokens of a signal, and its shape, which `decode` needs."""

    @abstractmethod
    def decode(self, tokens: np.ndarray, shape: Shape) -> Any:
        """The signal behind tokens."""


@dataclass(frozen=True)
class TextTokens(SignalTokenizer):
    """A text as the ids of one of the book's tokenizers; its shape is empty, since the ids say it all."""

    tokenizer: Tokenizer

    def encode(self, signal: str) -> tuple[np.ndarray, Shape]:
        """The ids of a text."""
        return np.array(self.tokenizer.encode(signal), dtype=int), ()

    def decode(self, tokens: np.ndarray, shape: Shape = ()) -> str:
        """The text behind ids."""
        return self.tokenizer.decode(tokens.tolist())


@dataclass(frozen=True)
class SeriesWindows(SignalTokenizer):
    """A series (n, C) as windows that lie side by side."""

    width: Size

    def encode(self, signal: np.ndarray) -> tuple[np.ndarray, Shape]:
        """The windows, each as one vector. Raises ValueError where something would be left over."""
        require(
            len(signal) % self.width == 0,
            f"the series has {len(signal)} moments, which windows of {self.width} do not divide. Fix: another width, or crop it.",
        )
        return windows(signal, self.width, self.width), signal.shape

    def decode(self, tokens: np.ndarray, shape: Shape) -> np.ndarray:
        """The windows one after the other."""
        return tokens.reshape(shape)


@dataclass(frozen=True)
class PicturePatches(SignalTokenizer):
    """A picture (H, W, C) as squares."""

    patch_size: Size

    def encode(self, signal: np.ndarray) -> tuple[np.ndarray, Shape]:
        """The squares, each as one vector."""
        return patchify(signal, self.patch_size), signal.shape

    def decode(self, tokens: np.ndarray, shape: Shape) -> np.ndarray:
        """The squares put together."""
        height, width, _ = shape
        return unpatchify(tokens, self.patch_size, height, width)


@dataclass(frozen=True)
class FilmTubelets(SignalTokenizer):
    """A film (F, H, W, C) as blocks of a few frames and a square."""

    length: Size
    patch_size: Size

    def encode(self, signal: np.ndarray) -> tuple[np.ndarray, Shape]:
        """The blocks, each as one vector."""
        return tubelets(signal, self.length, self.patch_size), signal.shape

    def decode(self, tokens: np.ndarray, shape: Shape) -> np.ndarray:
        """The blocks put together."""
        frames, height, width, _ = shape
        return untubelets(tokens, self.length, self.patch_size, frames, height, width)


@dataclass(frozen=True)
class PointGroups(SignalTokenizer):
    """Points (n, d) in groups around points that lie far apart; a token is a group as seen from its centre.

    The centres are the shape. What comes back are the points of all groups, some of them twice, in another order.
    """

    number: Size
    size: Size

    def encode(self, signal: np.ndarray) -> tuple[np.ndarray, Shape]:
        """The groups, each as one vector, and their centres."""
        centres = signal[farthest_points(signal, self.number)]
        groups = local_groups(
            signal, centres, nearest_neighbours(centres, signal, self.size)
        )
        return groups.reshape(self.number, -1), centres

    def decode(self, tokens: np.ndarray, shape: Shape) -> np.ndarray:
        """The points of all groups."""
        centres = np.asarray(shape)
        groups = tokens.reshape(len(centres), self.size, -1) + centres[:, None]
        return groups.reshape(-1, groups.shape[-1])


@dataclass(frozen=True)
class Coded(SignalTokenizer):
    """The pieces of another tokenizer, each written as the number of its nearest code."""

    pieces: SignalTokenizer
    codebook: Float[np.ndarray, "k d"]

    def encode(self, signal: np.ndarray) -> tuple[np.ndarray, Shape]:
        """The ids of the nearest codes."""
        tokens, shape = self.pieces.encode(signal)
        return nearest_codes(tokens, self.codebook), shape

    def decode(self, tokens: np.ndarray, shape: Shape) -> np.ndarray:
        """The signal of which each piece is a code."""
        return self.pieces.decode(self.codebook[tokens], shape)

    @classmethod
    def train(
        cls,
        pieces: SignalTokenizer,
        signal: np.ndarray,
        k: Size,
        rng: np.random.Generator,
        steps: Size = 30,
    ) -> "Coded":
        """A codebook for the pieces of a signal by k-means, which begins with k of them.

        Raises ValueError where there are fewer pieces than codes.
        """
        tokens, _ = pieces.encode(signal)
        require(
            len(tokens) >= k,
            f"the signal has {len(tokens)} pieces; wanted at least {k}, one for each code. Fix: a smaller k, or smaller pieces.",
        )
        codebook = tokens[rng.choice(len(tokens), size=k, replace=False)]
        for _ in range(steps):
            codebook = lloyd_step(tokens, codebook)
        return cls(pieces, codebook)
