"""The tokenizers of the playground in JavaScript: the same ids as in Python on 10,000 texts made at random, and true spans."""

import json
import shutil
import subprocess
import sys
import unicodedata
from itertools import chain
from pathlib import Path
from unicodedata import category

import numpy as np
import pytest
from parity import assert_parity, compare, copy_modules

from transformer_math.corpus import SENTENCE, moby_dick
from transformer_math.explorables.tokenization.labels import (
    named_bytes,
    visible,
    visible_bytes,
)
from transformer_math.explorables.tokenization.playground import EXAMPLES
from transformer_math.explorables.tokenization.vocabularies import (
    LABELS,
    cuts,
    encode,
    packed_tokenizers,
)
from transformer_math.tokenization import (
    Unigram,
    bert_words,
    encode_bpe,
    encode_unigram,
    encode_word_piece,
    merge_pieces,
    pretokenize,
    viterbi,
)
from transformer_math.trained.tokenizers import tokenizers

COUNT, GROUP = 10_000, 40
SCRIPT = Path(__file__).with_name("tokenizers.mjs")
SPACES = "  \n\t\r\x0b\x0c\x1c\x1f\x85\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\u200b\ufeff"
MARKS = "\u0300\u0301\u0308\u0327\u05b0\u093f\u0e34\u200d\ufe0f\U000e0100\U0001f3fd"
ENDINGS = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "’s", "''", "[UNK]", "##", "▁", "Ġ"]  # fmt: skip
SCRIPTS = (
    "éßǅΩЖא١٣अ३กﾎ한東龍½²Ⅷ①ﬁ𝔸𐍈👩🚀❤🏳\U00020000\U0002f800\U000f0000\U0010fffd\x00\x7f"
)


def known_characters():
    """Every character that Python's Unicode knows, and those that never will be one: of all planes."""
    never = ["\ufdd0", "\ufffe", "\uffff", "\U0001fffe", "\U0010ffff"]
    kinds = ((chr(code), unicodedata.category(chr(code))) for code in range(sys.maxunicode + 1))  # fmt: skip
    return [c for c, kind in kinds if kind not in ("Cs", "Cn")] + never


def texts(rng):
    """Prose, white space, marks without letters, long runs, other scripts, anything of all planes; the empty text."""
    everything, words = known_characters(), moby_dick()[:200_000].split(" ")
    sources = [
        lambda n: " ".join(words[k] for k in rng.integers(len(words), size=n)),
        lambda n: "'".join(words[k] for k in rng.integers(len(words), size=n)),
        lambda n: "_".join(words[k] for k in rng.integers(len(words), size=n)),
        lambda n: "".join(SPACES[k] for k in rng.integers(len(SPACES), size=n)),
        lambda n: "".join(MARKS[k] for k in rng.integers(len(MARKS), size=n)),
        lambda n: "".join(ENDINGS[k] for k in rng.integers(len(ENDINGS), size=n)),
        lambda n: "".join(SCRIPTS[k] for k in rng.integers(len(SCRIPTS), size=n)),
        lambda n: "".join(everything[k] for k in rng.integers(len(everything), size=n)),
        lambda n: everything[rng.integers(len(everything))] * n,
        lambda n: "aeiounrst whale"[rng.integers(15)] * n * n,
        lambda n: "".join("abcdefghijklmnopqrstuvwxyz"[k] for k in rng.integers(26, size=2 * n)),
    ]  # fmt: skip
    yield from ["", *EXAMPLES.values(), "whale" * 60, "a" * 100, "a" * 101]
    while True:
        parts = rng.integers(len(sources), size=rng.integers(1, 4))
        yield "".join(sources[k](int(rng.integers(1, 6))) for k in parts)


@pytest.fixture(scope="module")
def written():
    made = texts(np.random.default_rng(68))
    return list(dict.fromkeys(next(made) for _ in range(COUNT + 2000)))[:COUNT]


@pytest.fixture(scope="module")
def javascript(tmp_path_factory, written):
    """What JavaScript makes of all texts, from the very bytes that a page fetches."""
    folder = copy_modules(tmp_path_factory.mktemp("modules"))
    (folder / "texts.json").write_text(json.dumps(written))
    (folder / "vocabularies.bin").write_bytes(packed_tokenizers())
    files = [folder, folder / "vocabularies.bin", folder / "texts.json"]
    command = [shutil.which("node"), SCRIPT, *files]
    done = subprocess.run(command, check=True, capture_output=True, timeout=60)
    return json.loads(done.stdout)


def test_the_texts_are_many_and_of_all_kinds(written):
    assert len(set(written)) == COUNT and "" in written
    planes = {ord(c) >> 16 for text in written for c in text}
    assert planes == {0, 1, 2, 3, 14, 15, 16}
    assert any(text and text.isspace() for text in written)
    assert any(text and unicodedata.combining(text[0]) for text in written)
    assert max(map(len, written)) >= 100


def ids_of(name, group):
    """The ids of some texts, one after the other: those that cut in chunks look their vocabulary up once for all of them."""
    known = tokenizers()[name]
    if name == "bytes":
        return list("".join(group).encode())
    if name == "word_piece":
        cut = (word for text in filter(None, group) for word in bert_words(text))
        return encode_word_piece(cut, known.word_piece)
    if name not in ("bpe", "byte_bpe", "unigram"):
        return [i for text in group for i in encode(name, text)]
    chunks = [chunk for text in filter(None, group) for chunk in pretokenize(text)]
    if name == "bpe":
        return encode_bpe(chunks, known.bpe)
    if name == "byte_bpe":
        return encode_bpe([chunk.encode() for chunk in chunks], known.bpe)
    ids, pieces = known.vocabulary, encode_unigram(chunks, known.unigram)
    return [i for p in pieces for i in ([ids[p]] if p in ids else p.encode())]


@pytest.mark.parametrize("name", LABELS)
def test_ids_are_pythons(javascript, written, name):
    """Whole groups are compared; that each token belongs to its own text, the spans say."""
    found = [[id for id, *_ in made] for made in javascript[name]["cuts"]]
    assert len(found) == COUNT
    for at in range(0, COUNT, GROUP):
        here = slice(at, at + GROUP)
        if list(chain(*found[here])) != ids_of(name, written[here]):
            apart = (t for t, i in zip(written[here], found[here]) if i != encode(name, t))  # fmt: skip
            pytest.fail(f"the ids of {next(apart, None)!r} are not Python's")
    for text, ids in list(zip(written, found))[:: COUNT // 300]:
        assert ids == encode(name, text)


@pytest.mark.parametrize("name", LABELS)
def test_names_are_pythons(javascript, written, name):
    names, unknown = javascript[name]["names"], javascript[name]["unknown"]
    for text in (SENTENCE, *EXAMPLES.values(), *written[:200]):
        for cut in cuts(name, text):
            assert (names[cut.id], cut.id == unknown) == (cut.label, cut.unknown)


@pytest.mark.parametrize("name", LABELS)
def test_spans_go_from_left_to_right_and_stay_inside(javascript, written, name):
    for text, made in zip(written, javascript[name]["cuts"]):
        starts, ends = [0, *(s for _, s, _ in made)], [*(e for *_, e in made), len(text)]  # fmt: skip
        assert starts == sorted(starts) and ends == sorted(ends)
        in_front = [(0, 0)] if name == "sentencepiece" else []  # ▁ is no character
        assert all(s < e or (s, e) in in_front for _, s, e in made)


def test_spans_of_bytes_are_the_characters_that_they_belong_to(javascript, written):
    tokens = tokenizers()["byte_bpe"].bpe.tokens
    for name in ("bytes", "byte_bpe"):
        for text, made in zip(written, javascript[name]["cuts"]):
            place = 0
            for id, start, end in made:
                size = 1 if name == "bytes" else len(tokens[id])
                before, inside = len(text[:start].encode()), len(text[start:end].encode())  # fmt: skip
                assert before <= place and place + size <= before + inside
                assert len(text[start : end - 1].encode()) < place + size - before
                place += size
            assert place == len(text.encode())


@pytest.mark.parametrize("name", ["characters", "words", "bpe"])
def test_a_known_token_spans_its_own_text(javascript, written, name):
    names, unknown = javascript[name]["names"], javascript[name]["unknown"]
    for text, made in zip(written, javascript[name]["cuts"]):
        for id, start, end in made:
            assert id == unknown or names[id] == visible(text[start:end])
    lost = [e - s for made in javascript[name]["cuts"] for i, s, e in made if i == unknown]  # fmt: skip
    assert len(lost) > COUNT and (name == "words" or set(lost) == {1})


def test_what_stands_between_two_tokens_is_white_space(javascript, written):
    for name in LABELS:
        for text, made in zip(written, javascript[name]["cuts"]):
            inside = {place for _, start, end in made for place in range(start, end)}
            outside = {c for place, c in enumerate(text) if place not in inside}
            if name == "word_piece":  # BERT deletes controls and U+FFFD
                outside = {
                    c for c in outside if c != "\ufffd" and category(c)[0] != "C"
                }
            assert all(c.isspace() for c in outside) and (name in ("words", "word_piece") or not outside)  # fmt: skip


def test_labels_are_pythons(tmp_path):
    characters = known_characters()
    some = [*characters[:3000], *characters[::97]]
    cases = [("visible", [c + "x"], visible(c + "x")) for c in some]
    cases += [("visible", [""], "")]
    for text in ("e\u0301", "\u0301e", "👩\u200d🚀", "a\ufe0fb"):
        for cut in range(1, len(text.encode()) + 1):
            piece = text.encode()[:cut]
            cases.append(("visibleBytes", [list(piece)], visible_bytes(piece)))
            cases.append(("namedBytes", [list(piece)], named_bytes(piece)))
            cases.append(("hex", [list(piece)], piece.hex(" ")))
    assert_parity(tmp_path, "tokenization/encoders/labels.js", cases)


def test_of_equal_segmentations_the_same_one_wins(tmp_path):
    """Few different scores, so that ties are common, and characters without a piece."""
    rng, cases = np.random.default_rng(2), []
    for _ in range(600):
        pieces = {"".join(rng.choice(list("abc"), size=rng.integers(1, 4))) for _ in range(6)}  # fmt: skip
        scores = rng.integers(-30, 0, size=len(pieces)) / 2.0
        word = "".join(rng.choice(list("abcd"), size=rng.integers(1, 9)))
        cut = viterbi(word, Unigram(tuple(pieces), scores))
        made = {"call": "scoresOf", "args": [list(pieces), scores]}
        wanted = [0, *np.cumsum([len(piece) for piece in cut]).tolist()]
        cases.append(("bestCuts", [list(word), made, scores.min() - 10], wanted))
    report = compare(copy_modules(tmp_path), "tokenization/encoders/unigram.js", cases)
    assert report["compared"]["bestCuts"] > 2000
    assert report["worst"]["bestCuts"] == 0


def test_of_equal_pieces_the_first_is_merged(tmp_path):
    """SentencePiece's merges, with few different scores."""
    rng, cases = np.random.default_rng(5), []
    for _ in range(600):
        pieces = {"".join(rng.choice(list("abc"), size=rng.integers(2, 5))) for _ in range(8)}  # fmt: skip
        scores = {piece: -float(rng.integers(4)) for piece in sorted(pieces)}
        word = "".join(rng.choice(list("abc"), size=rng.integers(1, 12)))
        made = {"call": "asMap", "args": [scores]}
        cases.append(("mergePieces", [list(word), made], merge_pieces(word, scores)))
    report = compare(copy_modules(tmp_path), "tokenization/encoders/sentencepiece.js", cases)  # fmt: skip
    assert report["compared"]["mergePieces"] > 2000
    assert report["worst"]["mergePieces"] == 0


def test_vocabularies_travel_light():
    assert len(packed_tokenizers()) < 60_000
