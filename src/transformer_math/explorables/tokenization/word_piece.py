"""One small corpus, merged by BPE and by WordPiece: which pair each takes next, and the numbers it goes by."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.corpus import SENTENCE
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Whole
from transformer_math.explorables._words import plural
from transformer_math.tokenization import (
    bert_words,
    join_pieces,
    marked_characters,
    merge_count,
    merge_counts,
    merge_gain,
    merge_pair,
    merge_score,
    pair_counts,
)

MOST_CHARACTERS, MOST_MERGES, MOST_PAIRS = 400, 40, 6
RULES = {"gain": merge_gain, "score": merge_score, "count": merge_count}


class Candidate(NamedTuple):
    """A pair that could be merged: its tokens, its places, its score, its gain, and what the rule makes of them."""

    a: str
    b: str
    m: float
    score: float
    gain: float
    value: float


class Step(NamedTuple):
    """A corpus before a merge: its distinct words as tokens, and the pairs, the next to be merged first."""

    words: dict[str, list[str]]
    pairs: list[Candidate]


class WordPieceExplorable(Explorable):
    """BPE on one side and WordPiece on the other merge `corpus`; `merges` says how many merges both have made.

    WordPiece goes by `rule`: the gain in likelihood, the score, or the count. `left` and `right` are the pairs in
    sight, 0 for the one to be merged next.

    >>> explorable = WordPieceExplorable(corpus="aa bb bb", rule="score")
    >>> [step.pairs[0][:2] for step in (explorable.bpe[0], explorable.word_piece[0])]
    [('b', 'b'), ('a', '##a')]
    """

    corpus = traitlets.Unicode(SENTENCE).tag(sync=True)
    merges = Whole(0, low=0, high=MOST_MERGES)
    rule = Choice(
        {"gain": "gain in likelihood", "score": "score", "count": "number of places"}
    )
    left = Whole(0, low=0, high=MOST_PAIRS - 1)
    right = Whole(0, low=0, high=MOST_PAIRS - 1)

    @property
    def word_counts(self) -> Counter[str]:
        """The words of as much of the corpus as is read."""
        text = self.corpus[:MOST_CHARACTERS]
        return Counter(bert_words(text)) if text else Counter()

    @property
    def bpe(self) -> list[Step]:
        """The corpus before each merge of BPE, from characters on."""
        return _steps(self.word_counts, "freq")

    @property
    def word_piece(self) -> list[Step]:
        """The corpus before each merge of WordPiece by `rule`."""
        return _steps(self.word_counts, self.rule)

    def now(self) -> tuple[Step, Step]:
        """Both sides after `merges` merges, or after their last one."""
        return tuple(
            steps[min(self.merges, len(steps) - 1)]
            for steps in (self.bpe, self.word_piece)
        )

    def heights(self) -> tuple[str, str]:
        """Controls and the sentence; two tables with a corpus under each; the tasks."""
        return "1658px", "634px"

    def description(self) -> str:
        """What each merges next."""
        names = ("BPE", "WordPiece")
        nexts = [
            f"{name} merges {_next(step.pairs)}"
            if step.pairs
            else f"{name} has no pair left"
            for name, step in zip(names, self.now())
        ]
        return f"A small corpus after {self.merges} merges. {'; '.join(nexts)}."

    def still(self) -> str:
        """The pairs that each would merge next, with their places, scores and gains."""
        lines = []
        for side, (name, step) in enumerate(zip(("BPE", "WordPiece"), self.now())):
            x = 8 + 300 * side
            lines.append(_svg.text(x, 24, name, "start", font_weight="bold"))
            heads = zip((110, 180, 260), ("places", "score", "gain"))
            lines += [_svg.text(x + at, 48, head, "end") for at, head in heads]
            for row, pair in enumerate(step.pairs[:MOST_PAIRS]):
                y = 72 + 24 * row
                gain = f"{pair.gain:.2f}".replace("-", "−")
                numbers = (f"{pair.m:.0f}", f"{pair.score:.2f}", gain)
                colour = {"fill": palette.ROLES["query"]} if row == 0 else {}
                lines.append(_svg.text(x, y, f"{pair.a} {pair.b}", "start", **colour))
                lines += [
                    _svg.text(x + at, y, text, "end")
                    for at, text in zip((110, 180, 260), numbers)
                ]
        return _svg.picture(600, 220, *lines)


def _steps(word_counts: Mapping[str, int], rule: str) -> list[Step]:
    marks = rule != "freq"
    words = {
        word: marked_characters(word) if marks else list(word) for word in word_counts
    }
    alphabet = sorted({token for tokens in words.values() for token in tokens})
    ids = {token: number for number, token in enumerate(alphabet)}
    steps = []
    while True:
        pairs = _ranked(words, word_counts, rule, ids)
        steps.append(Step(words, pairs))
        if not pairs or len(steps) > MOST_MERGES:
            return steps
        a, b = pairs[0][:2]
        merged = join_pieces(a, b) if marks else a + b
        ids.setdefault(merged, len(ids))
        words = {
            word: merge_pair(tokens, (a, b), merged) for word, tokens in words.items()
        }


def _next(pairs: list[Candidate]) -> str:
    first = pairs[0]
    alike = sum(pair.value == first.value for pair in pairs) - 1
    others = plural(alike, "other pair")
    tie = f", like {others}: the smaller ids win" if alike else ""
    return f"{first.a} and {first.b} next{tie}"


def _ranked(
    words: dict[str, list[str]], word_counts: Mapping[str, int], rule: str, ids: dict
) -> list[Candidate]:
    rows = {word: tuple(tokens) for word, tokens in words.items()}
    if all(len(tokens) < 2 for tokens in rows.values()):
        return []
    totals: Counter = Counter()
    for word, tokens in rows.items():
        totals[tokens] += word_counts[word]
    found, counts = merge_counts(totals)
    freq = pair_counts(totals)
    values = (
        RULES[rule](counts)
        if rule in RULES
        else np.array([float(freq[p]) for p in found])
    )
    best = values.max()
    values = np.where(values >= best - 1e-9 * abs(best), best, values)
    columns = zip(found, counts.m, merge_score(counts), merge_gain(counts), values)
    pairs = [Candidate(*pair, *map(float, numbers)) for pair, *numbers in columns]
    return sorted(pairs, key=lambda pair: (-pair.value, ids[pair.a], ids[pair.b]))
