"""Four toy words, a corpus to follow by hand; the book's real text is in `transformer_math.corpus`."""

# The toy corpus of Sennrich et al. (2016), in the variant of this book's sources.
TOY_WORDS = {"low": 3, "lower": 2, "newest": 3, "widest": 1}
