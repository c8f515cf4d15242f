"""What the tests of all ideas ask of `tokenization/word_piece`."""

from transformer_math.tokenization import (
    WordPiece,
    bert_places,
    bert_words,
    bert_words_uncased,
    decode_word_piece,
    encode_word,
    encode_word_piece,
    longest_piece,
    split_on_marks,
)


def encode_by_recursion(words, word_piece):
    ids = word_piece.vocabulary

    def rest(word, mark):
        for end in range(len(word), 0, -1):
            if mark + word[:end] in ids:
                behind = rest(word[end:], word_piece.prefix) if word[end:] else []
                return None if behind is None else [ids[mark + word[:end]], *behind]
        return None

    out = []
    for word in words:
        found = rest(word, "") if len(word) <= word_piece.longest_word else None
        out += [ids[word_piece.unknown]] if found is None else found
    return out


def encode_by_sorted_pieces(words, word_piece):
    ids, prefix = word_piece.vocabulary, word_piece.prefix
    longest = sorted(ids, key=len, reverse=True)
    out = []
    for word in words:
        found, left, size = [], word, 0
        while left and len(word) <= word_piece.longest_word:
            mark = prefix * (left != word or size > 0)
            piece = next(
                (
                    t
                    for t in longest
                    if (mark + left).startswith(t) and len(t) > len(mark)
                ),
                None,
            )
            if piece is None:
                break
            found.append(ids[piece])
            left, size = left[len(piece) - len(mark) :], 1
        out += [ids[word_piece.unknown]] if left else found
    return out


def encode_without_limit(words, word_piece):
    return encode_word_piece(words, word_piece._replace(longest_word=10**9))


def encode_with_fixed_names(words, word_piece):
    ids = word_piece.vocabulary
    out = []
    for word in words:
        found, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            fits = [
                end
                for end in range(start + 1, len(word) + 1)
                if mark + word[start:end] in ids
            ]
            if not fits:
                found = [ids[word_piece.unknown]]
                break
            found.append(ids[mark + word[start : fits[-1]]])
            start = fits[-1]
        out += (
            found if len(word) <= word_piece.longest_word else [ids[word_piece.unknown]]
        )
    return out


def encode_shortest(words, word_piece):
    ids = word_piece.vocabulary
    out = []
    for word in words:
        found, start = [], 0
        for end in range(1, len(word) + 1):
            piece = (word_piece.prefix if start else "") + word[start:end]
            if piece in ids:
                found.append(ids[piece])
                start = end
        whole = start == len(word) <= word_piece.longest_word
        out += found if whole else [ids[word_piece.unknown]]
    return out


def encode_unknown_per_character(words, word_piece):
    ids, unknown = word_piece.vocabulary, word_piece.vocabulary[word_piece.unknown]
    out = []
    for word in words:
        if len(word) > word_piece.longest_word:
            out.append(unknown)
            continue
        start = 0
        while start < len(word):
            mark = word_piece.prefix if start else ""
            fits = [
                end
                for end in range(start + 1, len(word) + 1)
                if mark + word[start:end] in ids
            ]
            end = fits[-1] if fits else start + 1
            out.append(ids.get(mark + word[start:end], unknown) if fits else unknown)
            start = end
    return out


def encode_whole_words(words, word_piece):
    unknown = word_piece.vocabulary[word_piece.unknown]
    return [word_piece.vocabulary.get(word, unknown) for word in words]


def encode_skipping_unknown(words, word_piece):
    unknown = word_piece.vocabulary[word_piece.unknown]
    return [i for i in encode_word_piece(words, word_piece) if i != unknown]


word_pieces = WordPiece({"[UNK]": 0, "un": 1, "##able": 2})


EXAMPLES = {
    bert_words: {"text": "to be"},
    bert_words_uncased: {"text": "to be"},
    bert_places: {"text": "to be"},
    split_on_marks: {"text": "to be"},
    decode_word_piece: {"ids": [1, 2], "word_piece": word_pieces},
    encode_word: {"word": "unable", "word_piece": word_pieces},
}

ACCEPTED = {
    longest_piece: {"start": {"0"}},
    bert_words: {"text": {"empty"}},
    bert_words_uncased: {"text": {"empty"}},
    bert_places: {"text": {"empty"}},
    encode_word: {"word": {"empty"}},
    split_on_marks: {"text": {"empty"}},
}

RIGHT = [
    (encode_word_piece, encode_by_recursion),
    (encode_word_piece, encode_by_sorted_pieces),
]

WRONG = [
    (encode_word_piece, encode_without_limit, "words of any length"),
    (encode_word_piece, encode_with_fixed_names, "word_piece.prefix"),
    (encode_word_piece, encode_shortest, "shortest"),
    (encode_word_piece, encode_unknown_per_character, "each character"),
    (encode_word_piece, encode_whole_words, "whole words alone"),
    (encode_word_piece, encode_skipping_unknown, "drop words"),
]

EQUIVALENT_FORMULAS = {
    "book/tokenization/word_piece": {
        r"\log_2 s + 1": "a weaker bound: where s is below 1, the gain is far from it",
        r"< \Delta": "the bounds are never reached",
        r"\Delta <": "the same",
    },
}
