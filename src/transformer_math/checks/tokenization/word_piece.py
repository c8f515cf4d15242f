"""Checks of WordPiece's longest match, against Hugging Face `tokenizers`."""

import json
from dataclasses import dataclass

from tokenizers import Tokenizer, models

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, or_edge, smallest, sometimes
from transformer_math.tokenization.word_piece import (
    WordPiece,
    encode_word_piece,
    longest_piece,
)


def random_word_piece(rng):
    """A vocabulary over a few letters, in a random order, with gaps; its three settings sometimes replaced."""
    letters = list("abé😊")[: rng.integers(1, 5)]
    prefix = sometimes(rng, "@@", "##")[1]
    unknown = sometimes(rng, "<?>", "[UNK]")[1]
    pieces = [
        "".join(rng.choice(letters, size=rng.integers(1, 4)))
        for _ in range(rng.integers(2, 13))
    ]
    tokens = [prefix * int(rng.integers(2)) + piece for piece in pieces]
    tokens += [prefix * mark + letter for letter in letters for mark in (0, 1)][
        rng.integers(len(letters) * 2 + 1) :
    ]
    if rng.integers(4) == 0:  # a longest piece after which nothing fits
        a, b, c = rng.choice(letters, size=3)
        tokens = [a, a + b, prefix + b + c]
    ordered = rng.permutation(list(dict.fromkeys([*tokens, unknown]))).tolist()
    longest = int(rng.integers(3, 13)) if rng.integers(2) else 100
    numbers = {token: number for number, token in enumerate(ordered)}
    return letters, WordPiece(numbers, unknown, prefix, longest)


def huggingface_word_piece(word_piece):
    """The same vocabulary and settings in Hugging Face's model."""
    return models.WordPiece(
        word_piece.vocabulary,
        unk_token=word_piece.unknown,
        continuing_subword_prefix=word_piece.prefix,
        max_input_chars_per_word=word_piece.longest_word,
    )


@dataclass(frozen=True)
class Words:
    """Words that come one after another, without a length and without places."""

    words: list[str]

    def __iter__(self):
        return iter(self.words)


@check(
    encode_word_piece,
    equation="eq-longest-piece",
    oracle="the WordPiece model of Hugging Face tokenizers",
    cases=150,
)
def word_piece_equals_huggingface(encode_word_piece, rng):
    letters, word_piece = random_word_piece(rng)
    bare = [token.removeprefix(word_piece.prefix) for token in word_piece.vocabulary]
    sizes = [*rng.integers(1, 13, size=5), 100, 101][: rng.integers(1, 8)]
    words = ["".join(rng.choice([*letters, "x"], size=size)) for size in sizes]
    words += ["".join(rng.choice(bare, size=size)) for size in (1, 2, 2, 3, 3)]
    words = words[:1] if smallest() else words
    theirs = huggingface_word_piece(word_piece)
    wanted = [token.id for word in words for token in theirs.tokenize(word)]
    given = or_edge(rng, Words(words), words)
    return difference(list(encode_word_piece(given, word_piece)), wanted)


def _pieces(word, word_piece, ends):
    """Cut a word with a rule for the order in which ends are tried; None where nothing fits."""
    start, out = 0, []
    while start < len(word):
        mark = word_piece.prefix if start else ""
        for end in ends(start, len(word)):
            if mark + word[start:end] in word_piece.vocabulary:
                break
        else:
            return None
        out.append(mark + word[start:end])
        start = end
    return out


def _encode(words, word_piece, cut):
    """Encode with another way to cut a word."""
    out = []
    for word in words:
        pieces = None if len(word) > word_piece.longest_word else cut(word, word_piece)
        pieces = [word_piece.unknown] if pieces is None else pieces
        out += [word_piece.vocabulary[piece] for piece in pieces]
    return out


def _longest(start, size):
    return range(size, start, -1)


@word_piece_equals_huggingface.rejects(
    "You take the shortest piece that fits: wanted the longest, so begin with the end of the word."
)
def shortest_piece(words, word_piece):
    return _encode(
        words,
        word_piece,
        lambda word, own: _pieces(
            word, own, lambda start, size: range(start + 1, size + 1)
        ),
    )


@word_piece_equals_huggingface.rejects(
    "You ask for the number of the words, or for the word at a place: what comes one by one, as from a generator, has neither. "
    "Write `for word in words`.",
    raises=True,
)
def place_by_place(words, word_piece):
    places = range(len(words))
    return [i for k in places for i in encode_word_piece([words[k]], word_piece)]


@word_piece_equals_huggingface.rejects(
    "You look inside a word for pieces without their mark: a piece that does not begin the word stands as ## and its letters."
)
def without_mark(words, word_piece):
    return _encode(
        words,
        word_piece,
        lambda word, own: _pieces(word, own._replace(prefix=""), _longest),
    )


@word_piece_equals_huggingface.rejects(
    "You look for whole words alone: a word that is no piece is cut into pieces."
)
def whole_words_alone(words, word_piece):
    unknown = word_piece.vocabulary[word_piece.unknown]
    return [word_piece.vocabulary.get(word, unknown) for word in words]


@word_piece_equals_huggingface.rejects(
    "You write an unknown token for each character at which nothing fits: then the whole word is one unknown token."
)
def unknown_for_each_character(words, word_piece):
    def cut(word, own):
        out, start = [], 0
        while start < len(word):
            end = longest_piece(word, start, own)
            mark = own.prefix if start else ""
            out.append(mark + word[start:end] if end else own.unknown)
            start = end or start + 1
        return out

    return _encode(words, word_piece, cut)


@word_piece_equals_huggingface.rejects(
    "You write ## whatever the vocabulary's mark is: use `word_piece.prefix`."
)
def always_two_hashes(words, word_piece):
    return _encode(
        words,
        word_piece,
        lambda word, own: _pieces(word, own._replace(prefix="##"), _longest),
    )


@word_piece_equals_huggingface.rejects(
    "You keep the pieces before the place where nothing fits: then the whole word is one unknown token."
)
def unknown_for_the_rest(words, word_piece):
    def cut(word, own):
        ends = [
            end
            for end in range(len(word) + 1)
            if _pieces(word[:end], own, _longest) is not None
        ]
        known = _pieces(word[: ends[-1]], own, _longest)
        return known + [own.unknown] * (ends[-1] < len(word))

    return _encode(words, word_piece, cut)


@word_piece_equals_huggingface.rejects(
    "You drop words that cannot be cut: each becomes one unknown token."
)
def unknown_dropped(words, word_piece):
    number = word_piece.vocabulary[word_piece.unknown]
    return [i for i in encode_word_piece(words, word_piece) if i != number]


@word_piece_equals_huggingface.rejects(
    "You cut words of any length: one of more than `longest_word` characters is unknown as a whole."
)
def words_of_any_length(words, word_piece):
    return encode_word_piece(words, word_piece._replace(longest_word=10**6))


@word_piece_equals_huggingface.rejects(
    "A word of exactly `longest_word` characters is still cut: only longer ones are unknown."
)
def one_too_short(words, word_piece):
    return encode_word_piece(
        words, word_piece._replace(longest_word=word_piece.longest_word - 1)
    )


@word_piece_equals_huggingface.rejects(
    "You measure a word in bytes: `longest_word` counts characters."
)
def length_in_bytes(words, word_piece):
    return [
        number
        for word in words
        for number in encode_word_piece(
            [word if len(word.encode()) <= word_piece.longest_word else "\0"],
            word_piece,
        )
    ]


@word_piece_equals_huggingface.rejects(
    "You go back where the longest piece leads nowhere, and try a shorter one: WordPiece never does; the word is unknown."
)
def with_a_way_back(words, word_piece):
    def cut(word, own, start=0):
        if start == len(word):
            return []
        mark = own.prefix if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in own.vocabulary:
                rest = cut(word, own, end)
                if rest is not None:
                    return [mark + word[start:end], *rest]
        return None

    return _encode(words, word_piece, cut)


@word_piece_equals_huggingface.rejects(
    "You cut from the right: WordPiece begins on the left."
)
def from_the_right(words, word_piece):
    def cut(word, own):
        out, end = [], len(word)
        while end:
            start = next(
                (
                    i
                    for i in range(end)
                    if own.prefix * (i > 0) + word[i:end] in own.vocabulary
                ),
                None,
            )
            if start is None:
                return None
            out.insert(0, own.prefix * (start > 0) + word[start:end])
            end = start
        return out

    return _encode(words, word_piece, cut)


@word_piece_equals_huggingface.rejects(
    "You apply the mark to the first piece too: only pieces that go on in a word bear it."
)
def mark_on_the_first(words, word_piece):
    unknown, mark = word_piece.unknown, word_piece.prefix
    renamed = {
        token.removeprefix(mark): n
        for token, n in word_piece.vocabulary.items()
        if token.startswith(mark) or token == unknown
    }
    return _encode(
        words,
        word_piece._replace(vocabulary=renamed),
        lambda word, own: _pieces(word, own._replace(prefix=""), _longest),
    )


@check(
    longest_piece,
    equation="eq-longest-piece",
    oracle="going through the tokens of Hugging Face's model, one by one",
    cases=60,
)
def longest_piece_equals_going_through(longest_piece, rng):
    letters, word_piece = random_word_piece(rng)
    word = "".join(rng.choice(letters, size=1000 if longest() else rng.integers(1, 9)))
    start = int(rng.integers(len(word)))
    known = json.loads(Tokenizer(huggingface_word_piece(word_piece)).to_str())["model"]
    rest = word_piece.prefix * (start > 0) + word[start:]
    fits = [token for token in known["vocab"] if rest.startswith(token)]
    mark = len(word_piece.prefix) * (start > 0)
    ends = [start + len(token) - mark for token in fits if len(token) > mark]
    return difference(longest_piece(word, start, word_piece), max(ends, default=0))


@longest_piece_equals_going_through.rejects(
    "You give the length of the piece; wanted is the place after it, counted from the beginning of the word."
)
def length_of_the_piece(word, start, word_piece):
    return max(0, longest_piece(word, start, word_piece) - start)


@longest_piece_equals_going_through.rejects(
    "After the first character a piece bears its mark: look for ## and the letters."
)
def unmarked_inside(word, start, word_piece):
    return longest_piece(word, start, word_piece._replace(prefix=""))


@longest_piece_equals_going_through.rejects(
    "At the beginning of a word no piece bears a mark."
)
def marked_everywhere(word, start, word_piece):
    fits = (
        end
        for end in range(len(word), start, -1)
        if word_piece.prefix + word[start:end] in word_piece.vocabulary
    )
    return next(fits, 0)


@longest_piece_equals_going_through.rejects(
    "You take the shortest piece that fits: wanted the longest."
)
def end_of_the_shortest(word, start, word_piece):
    mark = word_piece.prefix if start else ""
    fits = (
        end
        for end in range(start + 1, len(word) + 1)
        if mark + word[start:end] in word_piece.vocabulary
    )
    return next(fits, 0)


@longest_piece_equals_going_through.rejects(
    "Where no piece fits, the answer is 0: no piece can end there."
)
def one_character_at_least(word, start, word_piece):
    return max(start + 1, longest_piece(word, start, word_piece))
