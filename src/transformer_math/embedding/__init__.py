"""Step 2: from token ids to vectors."""

# Written by `make exports` from what the modules define.
from transformer_math.embedding.lookup import embed, one_hot, scale_embedding
from transformer_math.embedding.word_vectors import (
    count_neighbours,
    frequent_words,
    letters_vector,
    nearest_words,
    ppmi,
    trigrams,
    vectors_of_text,
    word_vectors,
)

__all__ = [
    "count_neighbours",
    "embed",
    "frequent_words",
    "letters_vector",
    "nearest_words",
    "one_hot",
    "ppmi",
    "scale_embedding",
    "trigrams",
    "vectors_of_text",
    "word_vectors",
]
