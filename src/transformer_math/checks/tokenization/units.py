"""Checks of words and vocabularies."""

import re
from itertools import groupby

import numpy as np

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, smallest, sometimes
from transformer_math.tokenization.units import (
    build_vocabulary,
    unknown_share,
    words,
)

LETTERS = [*"aabbcdeZé√ß1 2_\n\t   .,!?'-–😊你ﬁ", "e\u0301"]


def random_text(rng, at_least=1):
    return "".join(
        rng.choice(LETTERS, size=1000 if longest() else rng.integers(at_least, 30))
    )


def by_scanning(text):
    """Words as runs of letters, digits and underscores, found one character at a time."""
    kinds = [
        ("word", 0)
        if c.isalnum() or c == "_"
        else ("space", 0)
        if c.isspace()
        else ("mark", i)
        for i, c in enumerate(text)
    ]
    runs = [
        (kind, "".join(c for _, c in run))
        for kind, run in groupby(zip(kinds, text), key=lambda pair: pair[0])
    ]
    return [run for (kind, _), run in runs if kind != "space"]


@check(
    words,
    equation="eq-words",
    oracle="a scanner that looks at one character at a time",
    cases=80,
)
def words_equal_scanner(words, rng):
    text = "a" if smallest() else f"a{random_text(rng)}"
    return difference(words(text), by_scanning(text))


@words_equal_scanner.rejects(
    "Punctuation sticks to your words: “world!” should be two tokens."
)
def white_space_only(text):
    return text.split()


@words_equal_scanner.rejects("Your words lose the punctuation: marks are tokens too.")
def marks_dropped(text):
    return [word for word in by_scanning(text) if word[0].isalnum() or word[0] == "_"]


@words_equal_scanner.rejects(
    "Your words come out in lower case: tokenization should not change letters."
)
def lower_cased(text):
    return by_scanning(text.lower())


@check(
    build_vocabulary,
    equation="eq-vocabulary",
    oracle="counting the tokens that come before each one",
    cases=60,
)
def vocabulary_equals_ranks(build_vocabulary, rng):
    names = rng.permutation(["[PAD]", "[UNK]", "a"]).tolist()  # “a” is a token too
    tokens = rng.choice(LETTERS, size=rng.integers(1, 20)).tolist()
    given, specials = sometimes(rng, names[: rng.integers(4)], [])
    ordinary = set(tokens) - set(specials)
    ranks = {
        token: len(specials) + sum(other < token for other in ordinary)
        for token in ordinary
    }
    wanted = {**{token: i for i, token in enumerate(specials)}, **ranks}
    return difference(
        sorted(build_vocabulary(tokens, *given).items()), sorted(wanted.items())
    )


@vocabulary_equals_ranks.rejects(
    "Your ids follow the order of first appearance; wanted the order of the code points."
)
def by_first_appearance(tokens, specials=()):
    return {token: i for i, token in enumerate(dict.fromkeys([*specials, *tokens]))}


@vocabulary_equals_ranks.rejects(
    "Your special tokens come last; wanted them first, so that their ids never move."
)
def specials_last(tokens, specials=()):
    return {token: i for i, token in enumerate([*sorted(set(tokens)), *specials])}


@vocabulary_equals_ranks.rejects(
    "Your ids start at 1; wanted 0, since an id is a row of the embedding matrix."
)
def ids_from_one(tokens, specials=()):
    return {token: i + 1 for i, token in enumerate([*specials, *sorted(set(tokens))])}


@vocabulary_equals_ranks.rejects(
    "A special token that stands in the text gets a second id in your version: each token has one, and a special one is numbered already."
)
def special_tokens_again(tokens, specials=()):
    return {token: i for i, token in enumerate([*specials, *sorted(set(tokens))])}


@vocabulary_equals_ranks.rejects(
    "You number every place of the text; each different token has one id: set(tokens)."
)
def numbered_places(tokens, specials=()):
    rest = sorted(token for token in tokens if token not in specials)
    return {token: i for i, token in enumerate([*specials, *rest])}


@vocabulary_equals_ranks.rejects(
    "You sort the special tokens: they come first, in the order in which they are given."
)
def specials_sorted(tokens, specials=()):
    return build_vocabulary(tokens, sorted(specials))


@vocabulary_equals_ranks.rejects(
    "You sort special and other tokens together; the special ones come first."
)
def sorted_together(tokens, specials=()):
    return {token: i for i, token in enumerate(sorted({*tokens, *specials}))}


@vocabulary_equals_ranks.rejects(
    "Your ids follow the frequency, the commonest token first; wanted the order of the code points."
)
def by_frequency(tokens, specials=()):
    rest = sorted(set(tokens) - set(specials), key=lambda t: (-tokens.count(t), t))
    return {token: i for i, token in enumerate([*specials, *rest])}


@vocabulary_equals_ranks.rejects(
    "You return a dictionary from ids to tokens; wanted one from tokens to ids."
)
def the_other_way_round(tokens, specials=()):
    return dict(map(reversed, build_vocabulary(tokens, specials).items()))


@check(
    unknown_share,
    equation="eq-unknown-share",
    oracle="the mean of NumPy, over an array of truth values",
    cases=60,
)
def unknown_share_equals_mean(unknown_share, rng):
    ids = rng.integers(6, size=rng.integers(1, 30)).tolist()
    unknown = int(rng.integers(6))
    return difference(unknown_share(ids, unknown), np.mean(np.array(ids) == unknown))


@unknown_share_equals_mean.rejects(
    "You count the tokens that are known; wanted the others."
)
def known_share(ids, unknown):
    return 1 - unknown_share(ids, unknown)


@unknown_share_equals_mean.rejects(
    "You give the number of unknown tokens; divide by the number of tokens."
)
def unknown_count(ids, unknown):
    return sum(number == unknown for number in ids)


@unknown_share_equals_mean.rejects(
    "You divide by the number of different tokens; each place in the text counts."
)
def by_distinct_tokens(ids, unknown):
    return sum(number == unknown for number in ids) / len(set(ids))


@unknown_share_equals_mean.rejects(
    "You take for granted that [UNK] has the id 0; its id is the second argument."
)
def unknown_is_zero(ids, unknown):
    return unknown_share(ids, 0)


@words_equal_scanner.rejects(
    "Marks that follow each other stand together; each is a token of its own."
)
def marks_together(text):
    return re.findall(r"\w+|[^\w\s]+", text)


@words_equal_scanner.rejects(
    "White space is among your tokens; it parts words, and is none."
)
def white_space_kept(text):
    return re.findall(r"\w+|\W", text)


@words_equal_scanner.rejects(
    "You know the letters a to z alone; “é” is a letter too: \\w."
)
def ascii_letters(text):
    return re.findall(r"[a-zA-Z0-9_]+|[^\sa-zA-Z0-9_]", text)


@words_equal_scanner.rejects(
    "Your words keep their apostrophes; a mark is a token of its own."
)
def with_apostrophes(text):
    return re.findall(r"[\w']+|[^\w\s]", text)
