"""Step 2: from token ids to vectors."""

# Written by `make exports` from what the modules define.
from transformer_math.embedding.analogies import (
    analogy_accuracy,
    analogy_accuracy_unrestricted,
    analogy_cosines,
    exclude_asked,
    number_analogies,
)
from transformer_math.embedding.fasttext import (
    character_ngrams,
    expected_negatives,
    expected_sampling_loss,
    fnv_1a,
    ngram_rows,
    sum_of_ngrams,
    unseen_vector,
)
from transformer_math.embedding.glove import (
    context_probabilities,
    cooccurrences,
    glove_loss,
    glove_weights,
)
from transformer_math.embedding.lookup import embed, one_hot, scale_embedding
from transformer_math.embedding.negative_sampling import (
    keep_probability,
    negative_sampling_loss,
    noise_distribution,
    shifted_pmi,
)
from transformer_math.embedding.planted import (
    PLANTED,
    Family,
    planted_analogies,
    planted_sentences,
)
from transformer_math.embedding.ways import plane_of_question, rank_correlation
from transformer_math.embedding.word2vec import (
    cbow_context,
    skip_gram,
    skip_gram_objective,
    window_contexts,
    window_pairs,
)
from transformer_math.embedding.word_vectors import (
    count_neighbours,
    frequent_words,
    letters_vector,
    nearest_words,
    number_sentences,
    ppmi,
    trigrams,
    vectors_of_text,
    word_vectors,
)

__all__ = [
    "PLANTED",
    "Family",
    "analogy_accuracy",
    "analogy_accuracy_unrestricted",
    "analogy_cosines",
    "cbow_context",
    "character_ngrams",
    "context_probabilities",
    "cooccurrences",
    "count_neighbours",
    "embed",
    "exclude_asked",
    "expected_negatives",
    "expected_sampling_loss",
    "fnv_1a",
    "frequent_words",
    "glove_loss",
    "glove_weights",
    "keep_probability",
    "letters_vector",
    "nearest_words",
    "negative_sampling_loss",
    "ngram_rows",
    "noise_distribution",
    "number_analogies",
    "number_sentences",
    "one_hot",
    "plane_of_question",
    "planted_analogies",
    "planted_sentences",
    "ppmi",
    "rank_correlation",
    "scale_embedding",
    "shifted_pmi",
    "skip_gram",
    "skip_gram_objective",
    "sum_of_ngrams",
    "trigrams",
    "unseen_vector",
    "vectors_of_text",
    "window_contexts",
    "window_pairs",
    "word_vectors",
]
