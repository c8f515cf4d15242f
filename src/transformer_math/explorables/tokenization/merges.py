"""BPE merge by merge on a corpus of the reader's own."""

from collections import Counter
from functools import lru_cache

import traitlets

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Whole, require
from transformer_math.tokenization.bpe import BPE, pair_counts, train_bpe
from transformer_math.tokenization.pair_index import merge_pair

CORPUS = "low low low lower lower newest newest newest widest"
MOST_LETTERS, MOST_MERGES = 240, 60


def count_words(text: str) -> Counter[str]:
    """The distinct words between spaces, in the order in which they first appear.

    >>> count_words("to be or  not to be")["be"]
    2
    """
    return Counter(word for word in text.split(" ") if word)


@lru_cache(maxsize=8)
def trained(text: str) -> BPE:
    """All merges of a small corpus, or as many as the figure has room for."""
    words = count_words(text)
    return train_bpe(words, vocab_size=len(set("".join(words))) + MOST_MERGES)


def shown(token: str) -> str:
    """A token as it is drawn: a character that nothing would show as its code point."""
    return "".join(
        c if c.isprintable() and not c.isspace() else f"\\u{ord(c):04x}" for c in token
    )


class MergesExplorable(Explorable):
    """The corpus `text`, words between spaces, after the first `step` merges of BPE.

    >>> explorable = MergesExplorable(step=2)
    >>> explorable.corpus[1], explorable.ranking[0]
    (['lo', 'we', 'r'], (('s', 't'), 4))
    """

    text = traitlets.Unicode(CORPUS).tag(sync=True)
    step = Whole(0, low=0, high=MOST_MERGES)

    @traitlets.validate("text")
    def _text_is_short(self, proposal: dict) -> str:
        text = proposal["value"]
        require(
            len(text) <= MOST_LETTERS,
            f"the text has {len(text)} characters; wanted at most {MOST_LETTERS}. Fix: text[:{MOST_LETTERS}].",
        )
        return text

    @property
    def words(self) -> Counter[str]:
        """The distinct words with their counts."""
        return count_words(self.text)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All merges of the corpus, as pairs of tokens."""
        return trained(self.text).pairs() if self.words else []

    @property
    def corpus(self) -> list[list[str]]:
        """Each distinct word, cut as it is after `step` merges, or after the last."""
        cut = [list(word) for word in self.words]
        for a, b in self.pairs[: self.step]:
            cut = [merge_pair(tokens, (a, b), a + b) for tokens in cut]
        return cut

    @property
    def ranking(self) -> list[tuple[tuple[str, str], int]]:
        """The pairs that stand side by side now, with their counts: the next to be merged comes first."""
        if not self.words:
            return []
        ids = {token: i for i, token in enumerate(trained(self.text).tokens)}
        counts: Counter = Counter()
        for tokens, count in zip(self.corpus, self.words.values()):
            counts.update(pair_counts({tuple(tokens): count}))
        return sorted(
            counts.items(), key=lambda entry: (-entry[1], [ids[t] for t in entry[0]])
        )

    def description(self) -> str:
        """The corpus and the pair that comes next, in words."""
        if not self.words:
            return "BPE merge by merge: the corpus holds no word yet."
        done = min(self.step, len(self.pairs))
        cut = ", ".join("·".join(map(shown, tokens)) for tokens in self.corpus)
        if not self.ranking:
            return f"After {done} merges every word is one token: {cut}."
        (a, b), count = self.ranking[0]
        others = sum(times == count for _, times in self.ranking) - 1
        have = "another pair has" if others == 1 else f"{others} other pairs have"
        tie = f" ({have} the same count; the smaller ids win)" if others else ""
        return (
            f"After {done} of {len(self.pairs)} merges the corpus is {cut}. "
            f"Next come {shown(a)} and {shown(b)}, which stand side by side {count} times{tie}."
        )

    def heights(self) -> tuple[str, str]:
        """A line of text, a slider and buttons, the sentence; words, counts and tasks; the trees, in a box that scrolls."""
        return "1137px", "616px"

    def still(self) -> str:
        """The words, cut as they are now, with their counts."""
        if not self.words:
            return _svg.picture(400, 40, _svg.text(200, 25, "No words yet."))
        lines = [
            line
            for i, (tokens, count) in enumerate(
                list(zip(self.corpus, self.words.values()))[:8]
            )
            for line in _boxes(tokens, f"{count} ×", 14 + 34 * i)
        ]
        return _svg.picture(480, 24 + 34 * min(8, len(self.words)), *lines)


def _boxes(tokens: list[str], count: str, y: int) -> list[str]:
    """A word as a row of boxes, a token each, after its count."""
    parts, x = [_svg.text(50, y + 17, count, "end")], 64
    for token in tokens:
        width = 10 + 9 * len(shown(token))
        box = {"x": x, "y": y, "width": width, "height": 26, "rx": 4, "fill": "none"}
        parts.append(_svg.tag("rect", stroke=palette.ROLES["query"], **box))
        parts.append(_svg.text(x + width / 2, y + 17, shown(token)))
        x += width + 4
    return parts
