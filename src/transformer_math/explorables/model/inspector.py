"""The trained language model from inside: type, see where every head looks, and what the model expects next."""

import numpy as np

from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import (
    Bounded,
    Choice,
    Weights,
    Whole,
)
from transformer_math.explorables.model import language
from transformer_math.explorables.model.drawings import (
    attention_map,
    bars,
    heads_room,
    likeliest,
    percent,
)
from transformer_math.explorables.model.silenced import HeadsOff
from transformer_math.output import nucleus, probabilities, top_k
from transformer_math.trained.language_model import N_HEADS, N_LAYERS

MOST_TOKENS = 64
ALL = 101  # of top-k: no token is cut
WINDOW = 24  # tokens that the still picture shows


class InspectorExplorable(language.ReadsText, Explorable):
    """The language model reads a text: head `head` of layer `layer` is in sight, and token `row` looks.

    `written` are the ids that were added to the text; `off` names the heads whose finds are left out: "self.0.2" is
    layer 0, head 2. `temperature`, then `top_k`, then `nucleus` shape the distribution of the next token.

    >>> InspectorExplorable(text="the whale").tokens[0]
    'the'
    """

    most_tokens = MOST_TOKENS
    written = language.WrittenIds()
    row = Whole(MOST_TOKENS - 1, low=0, high=MOST_TOKENS - 1)
    layer = Whole(0, low=0, high=N_LAYERS - 1)
    head = Whole(1, low=0, high=N_HEADS - 1)
    off = HeadsOff(["self"], N_LAYERS, N_HEADS)
    view = Choice({"shades": "shaded text", "arcs": "arcs", "heatmap": "heatmap"})
    temperature = Bounded(1.0, low=0.1, high=2)
    top_k = Whole(ALL, low=1, high=ALL)
    nucleus = Bounded(1.0, low=0.05, high=1)
    language_model = Weights(language.checkpoint)

    @property
    def weights(self) -> np.ndarray:
        """Where each token looks, (n, n): the head in sight."""
        return self.reading.attention[self.layer][self.head]

    @property
    def distribution(self) -> np.ndarray:
        """The distribution (V,) from which the token after the chosen one is drawn."""
        row = self.at
        p = probabilities(self.reading.logits[row], self.temperature)
        return nucleus(top_k(p, self.top_k) if self.top_k < ALL else p, self.nucleus)

    def heights(self) -> tuple[str, str]:
        """The pictures of the heads are as wide as there is room, up to a limit, as is a heatmap; all else has a fixed height."""
        room = heads_room(N_LAYERS, N_HEADS)
        if self.view == "heatmap":
            cells = f"min({36 * len(self.tokens)}px, 100cqi - 72px)"
            room += f" + max(0px, {cells} - 92px)"
        return f"calc(1249px + {room})", "clamp(639px, 1312px - 100cqi, 644px)"

    def description(self) -> str:
        """The three likeliest next tokens, and where the chosen token looks most."""
        if not self.ids:
            return "The language model: the text holds no token yet."
        row = self.at
        p, best = self.distribution, int(self.weights[row].argmax())
        expected = ", ".join(
            f"{language.label(v)} {percent(p[v])}" for v in likeliest(p, 3)
        )
        return (
            f"The language model reads {len(self.ids)} tokens. After {self.tokens[row]} it expects {expected}. "
            f"Layer {self.layer + 1}, head {self.head}: {self.tokens[row]} looks most at {self.tokens[best]} (position {best})."
        )

    def still(self) -> str:
        """The chosen head's weights, and the next tokens with their probabilities."""
        if not self.ids:
            return _svg.picture(400, 40, _svg.text(200, 25, "No tokens yet."))
        tokens, p = self.tokens[-WINDOW:], self.distribution
        n, row = len(tokens), self.at
        best = likeliest(p, 8)
        heat = attention_map(self.weights[-n:, -n:], tokens, tokens)
        x, y = 130 + 20 * n, 130
        title = _svg.text(x + 40, y - 30, f"after {self.tokens[row]}", "start")
        lines = bars(p[best], [language.label(v) for v in best], x, y)
        return _svg.picture(x + 290, max(110 + 20 * n, 350), heat, title, lines)
