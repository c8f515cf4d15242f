"""The language model at a glance: type, see the next token and where the last one looked."""

from html import escape

import numpy as np
import traitlets

from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Weights
from transformer_math.explorables.model import language
from transformer_math.explorables.model.drawings import bars, likeliest, percent
from transformer_math.output import probabilities

MOST_TOKENS = 40
SHOWN = 5


class Line(traitlets.Unicode):
    """A text of which the last `most` tokens count."""

    def __init__(self, default: str, most: int):
        super().__init__(default)
        self.bounds = {"most": most}
        self.tag(sync=True)


class GlanceExplorable(Explorable):
    """The language model reads `text` and the ids `written` behind it; on a page it starts at the first keystroke."""

    text = Line("My original opinion remains unchanged; but it is only an", MOST_TOKENS)
    written = language.WrittenIds()
    language_model = Weights(language.checkpoint)

    @property
    def ids(self) -> list[int]:
        """The ids of the text and of what was added, the last of them."""
        given = language.encode(self.text)[-MOST_TOKENS:]
        return [*given, *self.written][-MOST_TOKENS:]

    @property
    def distribution(self) -> np.ndarray:
        """The model's distribution (V,) of the next token."""
        return probabilities(language.read(self.ids).logits[-1])

    @property
    def look(self) -> np.ndarray:
        """Where the last token looked, (n,): the mean over the heads of the last layer."""
        return language.read(self.ids).attention[-1][:, -1].mean(axis=0)

    def field(self) -> str:
        """The line of text in the still picture: what is typed there wakes the figure."""
        text = escape(self.text, quote=True)
        return (
            '<div class="xp-text"><label>Write the beginning of a sentence'
            f'<input type="text" name="text" value="{text}" autocomplete="off" spellcheck="false" disabled></label></div>'
        )

    def heights(self) -> tuple[str, str]:
        """A line of text, the tokens and five candidates."""
        return "746px", "410px"

    def description(self) -> str:
        """What the model expects, and where it looked."""
        if not self.ids:
            return "The language model: no token yet."
        p, tokens = self.distribution, [language.label(token) for token in self.ids]
        first = int(p.argmax())
        return (
            f"The language model reads {len(tokens)} tokens, “{self.text}”, and expects {language.label(first)}, "
            f"{percent(p[first])}; it looked most at {tokens[int(self.look.argmax())]}."
        )

    def still(self) -> str:
        """The tokens, shaded by how much the last one looked at them, and the five likeliest next ones."""
        if not self.ids:
            return _svg.picture(400, 40, _svg.text(200, 25, "No tokens yet."))
        wide, narrow = self._drawn(480, 24, 22), self._drawn(312, 100, 40)
        return f'<div class="xp-if-wide">{wide}</div><div class="xp-if-narrow">{narrow}</div>'

    def _drawn(self, width: int, gap: int, step: int) -> str:
        """The tokens in lines of this width, then the candidates about where the live figure has them."""
        best = likeliest(self.distribution, SHOWN)
        names = [language.label(token) for token in self.ids]
        tokens, height = _shaded(names, self.look, width)
        lines = bars(
            self.distribution[best],
            [language.label(v) for v in best],
            20,
            height + gap,
            step,
        )
        return _svg.picture(width, height + gap + step * SHOWN, tokens, lines)


def _shaded(tokens: list[str], weights: np.ndarray, most: int) -> tuple[str, int]:
    """Tokens in lines of at most this width, each on its share of ink; and the height of all lines."""
    parts, x, y = [], 0.0, 0
    for token, weight in zip(tokens, weights):
        width = 8.2 * len(token) + 8
        if x + width > most:
            x, y = 0.0, y + 32
        parts.append(_svg.ink(np.array([[weight]]), x=x, y=y, width=width, height=28))
        parts.append(_svg.text(x + width / 2, y + 19, token))
        x += width + 2
    return "".join(parts), y + 32
