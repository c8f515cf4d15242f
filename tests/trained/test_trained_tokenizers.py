"""The playground's tokenizers are what their command makes from the novel's training paragraphs."""

import json

import numpy as np
import pytest

from transformer_math.tokenization import to_json
from transformer_math.trained.tokenizers import (
    FILE,
    KINDS,
    VOCAB_SIZE,
    tokenizers,
    train,
)


@pytest.mark.parametrize("name", KINDS)
def test_the_committed_file_is_what_training_makes(name):
    made, found = train(name), tokenizers()[name]
    if name == "unigram":  # another processor may add in another order
        scores = [t.unigram.log_probabilities for t in (made, found)]
        assert abs(np.subtract(*scores)).max() < 1e-3
        assert set(made.vocabulary) == set(found.vocabulary)
    else:
        assert to_json(made) == to_json(found)


def test_vocabularies_are_all_as_large_but_for_the_alphabets():
    sizes = {name: len(tokenizer.vocabulary) for name, tokenizer in tokenizers().items()}  # fmt: skip
    assert sizes.pop("bytes") == 256
    assert 80 < sizes.pop("characters") < 100
    assert set(sizes.values()) == {VOCAB_SIZE}


def test_the_file_holds_each_tokenizer_in_a_line():
    text = FILE.read_text("utf-8")
    assert list(json.loads(text)) == list(KINDS)
    assert text.count("\n") == len(KINDS) + 2
