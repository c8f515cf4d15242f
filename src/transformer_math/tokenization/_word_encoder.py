"""WordPiece made fast for many words: the longest piece is looked for no farther than the vocabulary's longest."""

from collections.abc import Callable

from transformer_math.contract import contract
from transformer_math.tokenization.word_piece import WordPiece, _has_unknown


@contract
@_has_unknown
def word_encoder(word_piece: WordPiece) -> Callable[[str], list[int]]:
    """A function that encodes one word as `encode_word_piece` does; what it looks up is made once.

    >>> word_encoder(WordPiece({"[UNK]": 0, "un": 1, "##a": 2, "##able": 3}))("unable")
    [1, 3]
    """
    vocabulary, unknown, prefix, longest_word = word_piece
    behind = {
        piece.removeprefix(prefix): number
        for piece, number in vocabulary.items()
        if piece.startswith(prefix)
    }
    longest = max(map(len, vocabulary))

    def encode(word: str) -> list[int]:
        n, ids, start, table = len(word), [], 0, vocabulary
        if n > longest_word:
            return [vocabulary[unknown]]
        while start < n:
            for end in range(min(n, start + longest), start, -1):
                if (number := table.get(word[start:end])) is not None:
                    break
            else:
                return [vocabulary[unknown]]
            ids.append(number)
            start, table = end, behind
        return ids

    return encode
