"""What words and their counts, or tokens, must be before anything is learnt from them."""

from collections.abc import Collection, Mapping, Sequence

from transformer_math.errors import require
from transformer_math.tokenization._ids import is_whole


def require_words(word_counts: Mapping) -> None:
    """Raise ValueError unless the corpus holds texts of at least one character, each with a whole count of at least 1."""
    require(
        len(word_counts) > 0,
        "the corpus holds no word; wanted at least one. Fix: pass counts such as {'low': 3}.",
    )
    odd = next((w for w in word_counts if not isinstance(w, str) or w == ""), "fine")
    require(
        odd == "fine",
        f"the corpus holds the word {odd!r}; wanted texts of at least one character. Fix: leave it out.",
    )
    require(
        all(is_whole(count) and count >= 1 for count in word_counts.values()),
        "the counts of the words hold something else than whole numbers of at least 1. Fix: Counter(words) makes counts.",
    )
    require_countable(word_counts)


def require_countable(word_counts: Mapping) -> None:
    """Raise ValueError for counts that in double precision are no longer whole numbers, one after the other."""
    require(
        sum(word_counts.values()) <= 2**53,
        "the counts of the words add up to more than 2^53, where float64 counts no more one by one. Fix: divide all by one number.",
    )


def require_texts(tokens: Collection) -> None:
    """Raise ValueError unless there are tokens, and all of them are texts."""
    require(len(tokens) > 0, "there are no tokens to number. Fix: pass some.")
    odd = next((token for token in tokens if not isinstance(token, str)), "")
    require(odd == "", f"the tokens hold {odd!r}; wanted texts. Fix: str of each.")


def require_word(word: object) -> None:
    """Raise ValueError for a word that is no text."""
    require(
        isinstance(word, str),
        f"the words hold {word!r}; wanted texts. Fix: bert_words(text).",
    )


def require_room(vocab_size: int, pieces: Sequence[str]) -> None:
    """Raise ValueError for a vocabulary that cannot hold every character among these pieces."""
    characters = sum(len(piece) == 1 for piece in pieces)
    require(
        vocab_size >= characters,
        f"vocab_size is {vocab_size}, but the alphabet alone has {characters} characters. Fix: ask for at least that many.",
    )


def require_entries(vocab_size: int, others: int, alphabet: Sequence[str]) -> None:
    """Raise ValueError for a vocabulary of SentencePiece that cannot hold the entries that are not learnt, and all characters."""
    needed = others + len(alphabet)
    require(
        vocab_size >= needed,
        f"vocab_size is {vocab_size}, but {others - 256} special pieces, 256 bytes and {len(alphabet)} characters "
        f"need {needed}. Fix: ask for at least that many.",
    )
