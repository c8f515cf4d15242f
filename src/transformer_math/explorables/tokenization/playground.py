"""One text in every tokenizer: type, and see the tokens, their ids and how many there are."""

from typing import Any
from unicodedata import east_asian_width

import traitlets

from transformer_math import palette
from transformer_math.corpus import SENTENCE
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Weights, Whole, require
from transformer_math.explorables.tokenization import vocabularies
from transformer_math.explorables.tokenization.vocabularies import LABELS, Cut

MOST = 5000  # characters
WINDOW = 80  # characters of which the tokens are shown
EXAMPLES = {
    "The sentence": SENTENCE,
    "Emoji": "An astronaut 👩‍🚀, a thumb 👍🏽, a heart ❤️",
    "A rare word": "uninterpenetratingly",
    "Python": 'for whale in range(3):\n    print(f"{whale}: spout")',
    "Japanese": "『白鯨』はハーマン・メルヴィルの小説",
}
HUES = palette.CYCLE[:5]  # of an id, modulo 5
UNKNOWN = palette.INK
WIDTH, LINE = 704, 24  # of the still picture
LETTER, EDGE = 7.6, 8.0


class Passage(traitlets.Unicode):
    """A text of at most so many characters, with examples to choose from."""

    def __init__(self, default: str, most: int, examples: dict[str, str]):
        super().__init__(default)
        self.bounds = {"most": most, "examples": list(examples.items())}
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> str:
        """The text, unless it is too long."""
        text, most = super().validate(obj, value), self.bounds["most"]
        require(
            len(text) <= most,
            f"{self.name} has {len(text)} characters; wanted at most {most}. Fix: cut it.",
        )
        return text


class PlaygroundExplorable(Explorable):
    """`text` cut by every tokenizer, from the character `start` on; token `token` of `tokenizer` is told in words.

    >>> [cut.label for cut in PlaygroundExplorable(text="Call me Ishmael").cuts("words")]
    ['[UNK]', 'me', '[UNK]']
    """

    text = Passage(SENTENCE, MOST, EXAMPLES)
    tokenizer = Choice(LABELS)
    token = Whole(4, low=0, high=4 * MOST)
    start = Whole(0, low=0, high=MOST)
    show = Choice({"tokens": "tokens", "ids": "ids"})
    tokenizers = Weights(vocabularies.packed_tokenizers)

    @traitlets.default("tokenizer")
    def _first_chosen(self) -> str:
        return "words"

    def cuts(self, name: str) -> list[Cut]:
        """The tokens that one of the tokenizers makes."""
        return vocabularies.cuts(name, self.text)

    def heights(self) -> tuple[str, str]:
        """Text and examples, then the tokenizers below one another or in two columns."""
        return "1808px", "639px"

    def description(self) -> str:
        """How many tokens each makes."""
        if not self.text:
            return "The text has no token yet."
        counts = [f"{len(self.cuts(name))} in {LABELS[name]}" for name in LABELS]
        return f"“{self.text[:WINDOW]}” in tokens: {', '.join(counts)}."

    def still(self) -> str:
        """A row of boxes for each tokenizer: its tokens, coloured by their ids."""
        parts, y = [], 0.0
        for name, label in LABELS.items():
            found = self.cuts(name)
            parts.append(_svg.text(0, y + 16, f"{label}: {len(found)}", "start", font_weight=600))  # fmt: skip
            boxes, y = _boxes(found[:WINDOW], y + LINE)
            parts.append(boxes)
        return _svg.picture(WIDTH, round(y), *parts)


def _boxes(found: list[Cut], y: float) -> tuple[str, float]:
    """Boxes with their tokens, in lines, dashed where unknown; and where the next row begins."""
    shapes, words, x = {}, [], 0.0
    for cut in found:
        width = _width(cut.label) + EDGE
        if x + width > WIDTH and x > 0:
            x, y = 0.0, y + LINE
        box = f"M{x + 1:.0f} {y + 1:.0f}h{width - 2:.0f}v{LINE - 3}h{2 - width:.0f}z"
        kind = UNKNOWN if cut.unknown else HUES[cut.id % len(HUES)]
        shapes[kind] = shapes.get(kind, "") + box
        words.append(_svg.text(x + width / 2, y + 17, cut.label))
        x += width
    return "".join([*map(_path, shapes.items()), *words]), y + LINE + 8


def _path(shape: tuple[str, str]) -> str:
    """All boxes of one hue."""
    hue, d = shape
    look = {"stroke_dasharray": "4 3"} if hue == UNKNOWN else {"fill_opacity": 0.2}
    fill = "none" if hue == UNKNOWN else hue
    return _svg.tag("path", d=d, fill=fill, stroke=hue, **look)


def _width(label: str) -> float:
    """About the room that a label takes: signs of East Asia take two places."""
    return LETTER * sum(2 if east_asian_width(c) in "WF" else 1 for c in label)
