"""Matplotlib in the book's visual language: applied once, when `plots` is imported."""

import matplotlib
from cycler import cycler
from matplotlib.colors import LinearSegmentedColormap

from transformer_math import palette

INK = "#010203"  # stands for the page's text colour, which `picture` puts in its place

# Ink on the page: nothing at zero, the full colour at the end.
_PLUS = [palette.PLUS + "00", palette.PLUS]
_MINUS = [palette.MINUS, palette.MINUS + "00"]
SEQUENTIAL = LinearSegmentedColormap.from_list("book-sequential", _PLUS)
DIVERGING = LinearSegmentedColormap.from_list(
    "book-diverging", [*zip((0, 0.5), _MINUS), *zip((0.5, 1), _PLUS)]
)

matplotlib.rcParams.update(
    {
        "svg.fonttype": "none",
        "svg.hashsalt": "book",
        "font.size": palette.FONT_SIZE,
        "text.parse_math": False,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": INK,
        "axes.titlesize": "medium",
        "axes.titlepad": 8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.6,
        "axes.prop_cycle": cycler(color=palette.CYCLE),
        "xtick.color": INK,
        "ytick.color": INK,
        "xtick.labelsize": 10,
        "ytick.labelsize": 10,
        "xtick.major.width": 0.6,
        "ytick.major.width": 0.6,
        "legend.frameon": False,
        "legend.fontsize": 10,
        "lines.linewidth": 1.8,
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "savefig.facecolor": "none",
    }
)
