"""What the tests of all ideas ask of `tokenization/sentencepiece_file`."""

from example_values import sentences_model

from transformer_math.tokenization import read_sentencepiece, write_sentencepiece

EXAMPLES = {
    read_sentencepiece: {"data": write_sentencepiece(sentences_model)},
    write_sentencepiece: {"model": sentences_model},
}

EQUIVALENT = {
    "read_sentencepiece": {
        "normaliser.get(_SQUEEZE, 1) → normaliser.get(_SQUEEZE, 2)": "Any number but 0 says yes.",
    },
    "_taught": {
        "normaliser.get(_DUMMY_PREFIX, 1) → normaliser.get(_DUMMY_PREFIX, 2)": "Any number but 0 says yes.",
        "normaliser.get(_ESCAPE, 1) → normaliser.get(_ESCAPE, 2)": "Any number but 0 says yes.",
    },
    "_fields": {
        "struct.unpack('<f', value)[0] → struct.unpack('<f', value)[-1]": "Four bytes hold one number, the first and the last.",
    },
    "_read_whole": {
        "len(data) + 1 → len(data) + 2": "Any place after the end says that the file ends too early.",
    },
}
