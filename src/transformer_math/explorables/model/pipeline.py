"""The whole model on a sentence: every matrix between the tokens and the next one, and the sum behind each number."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from functools import cache

import numpy as np
import traitlets

from transformer_math.attention import (
    attention,
    causal_mask,
    concat_heads,
    project,
    scores,
    softmax,
    split_heads,
)
from transformer_math.block import feed_forward, layer_norm, relu, residual
from transformer_math.embedding import embed, scale_embedding
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Weights, Whole
from transformer_math.explorables.model import language
from transformer_math.model import decoder_only_logits, residual_stream
from transformer_math.output import probabilities
from transformer_math.position import rope
from transformer_math.tokenization import encode_text
from transformer_math.trained.language_model import D_FF, N_HEADS, N_LAYERS

MOST_TOKENS, CHOICES = 16, 24
VIEWS = {"panel": "one panel", "model": "the whole model"}
PANELS: dict[str, tuple[str, Callable]] = {  # what it is, and the function behind it
    "tokens": ("ids of the tokens", encode_text),
    "embedding": ("rows of E, scaled", scale_embedding),
    "norm_1": ("normalised", layer_norm),
    "queries": ("queries", project),
    "keys": ("keys", project),
    "values": ("values", project),
    "turned_queries": ("queries, turned", rope),
    "turned_keys": ("keys, turned", rope),
    "scores": ("scores", scores),
    "weights": ("weights", softmax),
    "attended": ("what the head attends to", attention),
    "joined": ("all heads, joined and projected", project),
    "sum_1": ("the sum behind attention", residual),
    "norm_2": ("normalised again", layer_norm),
    "hidden": ("hidden units", relu),
    "fed": ("what the feed-forward network adds", feed_forward),
    "sum_2": ("the layer's output", residual),
    "last": ("normalised for the last time", layer_norm),
    "logits": ("logits of the next token", decoder_only_logits),
    "probabilities": ("probabilities of the next token", probabilities),
}


def last_line(function: Callable) -> str:
    """Name and last line of a function, as it runs.

    >>> last_line(residual)
    'residual: return x + update'
    """
    tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function))))
    return f"{function.__name__}: {ast.unparse(tree.body[0].body[-1])}"  # type: ignore[attr-defined]


class PipelineExplorable(language.ReadsText, Explorable):
    """The language model reads a sentence, and shows `panel` of layer `layer`, head `head`, and its number (`row`, `column`).

    With `view="model"` it shows every layer and head at once; the panel is then marked among them.

    `written` are the ids that were added to the text. Panels after the last layer, and the first two, are the same in
    every layer.

    >>> PipelineExplorable(text="the whale", panel="weights").matrix.shape
    (2, 2)
    """

    most_tokens = MOST_TOKENS
    written = language.WrittenIds()
    view = Choice(VIEWS)
    panel = Choice({name: words for name, (words, _) in PANELS.items()})
    layer = Whole(0, low=0, high=N_LAYERS - 1)
    head = Whole(0, low=0, high=N_HEADS - 1)
    row = Whole(14, low=0, high=MOST_TOKENS - 1)
    column = Whole(3, low=0, high=D_FF - 1)
    code = traitlets.Dict(
        {name: last_line(function) for name, (_, function) in PANELS.items()},
        read_only=True,
    ).tag(sync=True)
    language_model = Weights(language.checkpoint)

    @traitlets.default("panel")
    def _weights_first(self) -> str:
        return "weights"

    @property
    def likeliest(self) -> np.ndarray:
        """The tokens that the model holds most likely after the chosen one, the likeliest first."""
        row = self.at
        x = panels(tuple(self.ids), self.layer, self.head)["logits"][row]
        return np.argsort(-x, kind="stable")[:CHOICES]

    @property
    def matrix(self) -> np.ndarray:
        """The numbers of the panel, a row for each token; of all logits the columns of `likeliest`."""
        found = panels(tuple(self.given), self.layer, self.head)[self.panel]
        return (
            found[:, self.likeliest]
            if self.panel in ("logits", "probabilities")
            else found
        )

    @property
    def number(self) -> float:
        """The number in sight."""
        X = self.matrix
        return float(X[min(self.row, len(X) - 1), min(self.column, X.shape[1] - 1)])

    def heights(self) -> tuple[str, str]:
        """The room that the live figure takes, in one column and in two."""
        return "1377px", "639px"

    def description(self) -> str:
        """The panel and the number in sight; of the whole model, too, what is drawn."""
        if not self.ids:
            return "The language model: the text holds no token yet."
        row, digits = self.at, 0 if self.panel == "tokens" else 3
        whole = f" All {N_LAYERS} layers of {N_HEADS} heads are drawn, with what each head looks at."
        drawn = whole if self.view == "model" else ""
        return (
            f"The language model reads {len(self.ids)} tokens.{drawn} "
            f"Layer {self.layer + 1}, head {self.head}: {PANELS[self.panel][0]}, "
            f"{self.matrix.shape[0]} by {self.matrix.shape[1]} numbers. The one of {self.tokens[row]} is {self.number:.{digits}f}."
        )

    def still(self) -> str:
        """The panel as a heatmap, a row for each token; of the whole model the weights of every head."""
        if not self.ids:
            return _svg.picture(400, 40, _svg.text(200, 25, "No tokens yet."))
        return self._every_head() if self.view == "model" else self._one_panel()

    def _one_panel(self) -> str:
        X = np.where(np.isfinite(self.matrix), self.matrix, 0)
        line = 20
        names = [
            _svg.text(92, line * i + 15, token, "end")
            for i, token in enumerate(self.tokens)
        ]
        size = {"width": 440, "height": line * len(X)}
        heat = _svg.ink(X / max(np.abs(X).max(), 1e-9), x=100, y=0, **size)
        return _svg.picture(560, line * MOST_TOKENS, *names, heat)

    def _every_head(self) -> str:
        side, step = 72, 80
        names, heads = [], []
        for layer in range(N_LAYERS):
            y = step * layer
            names.append(_svg.text(66, y + 40, f"layer {layer + 1}", "end"))
            for head in range(N_HEADS):
                A = panels(tuple(self.ids), layer, head)["weights"]
                size = {"width": side, "height": side}
                heads.append(_svg.ink(A, x=90 + 94 * head, y=y, **size))
        return _svg.picture(560, step * N_LAYERS, *names, *heads)


@cache
def panels(ids: tuple[int, ...], layer: int, head: int) -> dict[str, np.ndarray]:
    """All panels of a text, by the functions of the book; of the panels of all heads, one head's part."""
    model, t = language.parameters(), np.array(ids)
    Z, p = residual_stream(t, model, N_HEADS)[layer], model.layers[layer]
    a, f, places = p.rotary_attention, p.feed_forward, np.arange(float(len(ids)))
    U = layer_norm(Z, p.norm_1)
    Q, K, V = (
        split_heads(project(U, W, b), N_HEADS)
        for W, b in ((a.W_Q, a.b_Q), (a.W_K, a.b_K), (a.W_V, a.b_V))
    )
    turned_Q, turned_K = rope(Q, places), rope(K, places)
    O, A = attention(turned_Q, turned_K, V, causal_mask(len(ids)))
    joined = project(concat_heads(O), a.W_O, a.b_O)
    sum_1 = residual(Z, joined)
    norm_2 = layer_norm(sum_1, p.norm_2)
    fed = feed_forward(norm_2, f)
    last = layer_norm(residual_stream(t, model, N_HEADS)[-1], model.norm)
    S = np.where(causal_mask(len(ids)), scores(turned_Q, turned_K), -np.inf)
    x = decoder_only_logits(t, model, N_HEADS)
    heads = {
        "queries": Q, "keys": K, "values": V, "turned_queries": turned_Q, "turned_keys": turned_K,
        "scores": S, "weights": A, "attended": O,
    }  # fmt: skip
    return {name: of_all[head] for name, of_all in heads.items()} | {
        "tokens": t[:, None].astype(float),
        "embedding": scale_embedding(embed(t, model.E)),
        "norm_1": U,
        "joined": joined,
        "sum_1": sum_1,
        "norm_2": norm_2,
        "hidden": relu(project(norm_2, f.W_1, f.b_1)),
        "fed": fed,
        "sum_2": residual(sum_1, fed),
        "last": last,
        "logits": x,
        "probabilities": probabilities(x),
    }
