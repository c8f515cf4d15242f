"""Matplotlib in the book's visual language: applied once, when `plots` is imported."""

import matplotlib
from cycler import cycler
from matplotlib.colors import LinearSegmentedColormap

from transformer_math import palette

INK = "#010203"  # stands for the page's text colour, which `picture` puts in its place

SEQUENTIAL = LinearSegmentedColormap.from_list("book-sequential", palette.SEQUENTIAL)
DIVERGING = LinearSegmentedColormap.from_list("book-diverging", palette.DIVERGING)

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
        "xtick.labelsize": "small",
        "ytick.labelsize": "small",
        "xtick.major.width": 0.6,
        "ytick.major.width": 0.6,
        "legend.frameon": False,
        "legend.fontsize": "small",
        "lines.linewidth": 1.8,
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "savefig.facecolor": "none",
    }
)
