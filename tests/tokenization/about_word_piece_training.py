"""What the tests of all ideas ask of `tokenization/word_piece_training`."""

from transformer_math.tokenization import (
    join_pieces,
    marked_characters,
    merge_counts,
    merge_places,
)

EXAMPLES = {
    marked_characters: {"word": "low"},
    merge_counts: {"words": {("l", "##o"): 3}},
    merge_places: {"tokens": "aaab"},
    join_pieces: {"a": "##o", "b": "##w"},
}

ACCEPTED = {
    merge_places: {"tokens": {"empty", "list"}},
}
