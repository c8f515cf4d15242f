"""Pictures and tables in the book's one visual language."""

from transformer_math.plots.arcs import arcs
from transformer_math.plots.backward import backward_graph
from transformer_math.plots.heatmap import heatmap, heatmaps
from transformer_math.plots.numbers import number
from transformer_math.plots.picture import Picture, canvas, photograph, picture
from transformer_math.plots.questions import (
    ask,
    choose,
    estimate,
    only,
    predict,
    together,
)
from transformer_math.plots.sentence import say
from transformer_math.plots.shapes import shapes
from transformer_math.plots.sketches import sketch
from transformer_math.plots.sound import listen
from transformer_math.plots.source import source
from transformer_math.plots.spread import spread
from transformer_math.plots.table import matrix, table

__all__ = [
    "Picture",
    "arcs",
    "ask",
    "backward_graph",
    "canvas",
    "choose",
    "estimate",
    "heatmap",
    "heatmaps",
    "listen",
    "matrix",
    "number",
    "only",
    "photograph",
    "picture",
    "predict",
    "say",
    "shapes",
    "sketch",
    "source",
    "spread",
    "table",
    "together",
]
