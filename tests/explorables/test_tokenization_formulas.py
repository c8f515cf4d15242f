"""The book's byte-level BPE in JavaScript: the same chunks, ids and texts as in Python, on texts made at random."""

import sys
import unicodedata
from collections import Counter

import numpy as np
import pytest
from live_pages import look, settle
from parity import assert_parity, compare, copy_modules
from playwright.sync_api import expect

from transformer_math.corpus import SENTENCE
from transformer_math.explorables import MergesExplorable
from transformer_math.explorables.tokenization.merges import (
    MOST_LETTERS,
    MOST_MERGES,
    count_words,
)
from transformer_math.tokenization import (
    decode_text,
    encode_text,
    merge_pair,
    pair_counts,
    pretokenize,
    train_byte_bpe,
)

ALPHABETS = [
    "abcdefghijklmnopqrstuvwxyz",
    "ABCéßñøΣσΩдЖ",
    " \t\n\r.,;:!?()'\"-_0189",
    "東京日本語한국어½²Ⅷ٣๓",
    "👩🚀❤🏽\u200d\ufe0f\u0301\u200b\ufeff\x00\x1c\x85\u00a0\u2028\u3000",
]
TEXT = SENTENCE + " the whale, the whale; a whale's whiteness 1851 東京 naïve" * 9


def text(rng):
    pieces = [rng.choice(list(ALPHABETS[k])) for k in rng.integers(5, size=40)]
    words = rng.choice(TEXT.split(" "), size=6)
    return "".join(pieces[:20]) + " ".join(words) + "".join(pieces[20:])


def cases(rng, bpe):
    known = {"call": "makeBpe", "args": [bpe.triples()]}
    sentence = text(rng)
    ids, chunk = encode_text(sentence, bpe), str(rng.choice(pretokenize(sentence)))
    ranks = {"call": "ranksOf", "args": [bpe.triples()]}
    anything = rng.integers(len(bpe.tokens), size=12).tolist()
    yield "pretokenize", [sentence], pretokenize(sentence)
    yield "encodeText", [sentence, known], ids
    yield "encodeChunk", [list(chunk.encode()), ranks], encode_text(chunk, bpe)
    yield "decodeText", [ids, known], sentence
    yield "decodeText", [anything, known], decode_text(anything, bpe)


def tokenizer(size):
    bpe = train_byte_bpe(TEXT, size)
    ranks = {
        f"{a * 2**20 + b}": {"rank": rank, "merged": merged}
        for rank, ((a, b), merged) in enumerate(bpe.merges.items())
    }
    wanted = {"tokens": [list(token) for token in bpe.tokens], "ranks": ranks}
    return bpe, ("makeBpe", [bpe.triples()], wanted)


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(3)
    many = []
    for size in (256, 257, 290, 350):
        bpe, made = tokenizer(size)
        many += [made, *(case for _ in range(40) for case in cases(rng, bpe))]
    many += training_cases(rng)
    assert_parity(tmp_path, "tokenization/formulas.js", many, at_least=10_000)


def test_letters_numbers_and_spaces_are_pythons(tmp_path):
    """Each character that both know, alone between two letters: it joins them or it does not."""
    seen, chosen = {}, []
    for code in range(sys.maxunicode + 1):
        kind = unicodedata.category(chr(code))
        if kind in ("Cs", "Cn"):
            continue  # half a character, or one that Python's Unicode does not know yet
        key = (kind, code >> 8)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= 3 or code < 0x3000:
            chosen.append(chr(code))
    texts = ["a".join(chosen[at : at + 500]) for at in range(0, len(chosen), 500)]
    many = [("pretokenize", [one], pretokenize(one)) for one in texts]
    report = compare(copy_modules(tmp_path), "tokenization/formulas.js", many)
    assert report["compared"]["pretokenize"] > 10_000
    assert report["worst"]["pretokenize"] == 0


def corpus(rng):
    """Words over few letters, runs of one letter, Unicode from anywhere; spaces anywhere."""
    letters = [*"aab", *"é😊\ufb01京", *ALPHABETS[rng.integers(5)]][
        : rng.integers(1, 40)
    ]
    letters = [letter for letter in letters if letter != " "]
    words = ["".join(rng.choice(letters, size=rng.integers(1, 9))) for _ in range(6)]
    chosen = rng.choice(words, size=rng.integers(1, 20))
    return rng.choice([" ", "  "]).join(chosen)[:MOST_LETTERS]


def stepped(text):
    """The tokens, and the words and pairs before each merge, from the package's own trainer."""
    figure = MergesExplorable(text=text)
    counts = list(figure.words.values())
    alphabet = sorted(set("".join(figure.words)))
    tokens = [*alphabet, *(a + b for a, b in figure.pairs)]
    number, steps = {token: i for i, token in enumerate(tokens)}, []
    cut = [[number[letter] for letter in word] for word in figure.words]
    for pair in [*figure.pairs, None]:
        found = Counter()
        for word, count in zip(cut, counts):
            found += pair_counts({tuple(word): count})
        ranked = sorted(found, key=lambda pair: (-found[pair], pair))
        pairs = [[*pair, found[pair]] for pair in ranked]
        steps.append({"cut": cut, "pairs": pairs})
        if pair:
            ids, merged = tuple(number[token] for token in pair), number["".join(pair)]
            cut = [merge_pair(word, ids, merged) for word in cut]
    return alphabet, {"tokens": tokens, "steps": steps}


def training_cases(rng):
    """Counts, choices, the words after every merge, on corpora made at random."""
    texts = ["a", "aaaaaaa", "low low low lower lower newest newest newest widest"]
    texts += ["ab cd", "".join(map(chr, range(0x100, 0x100 + 2 * MOST_MERGES)))]
    for text in texts + [corpus(rng) for _ in range(40)]:
        words = [[word, count] for word, count in count_words(text).items()]
        alphabet, wanted = stepped(text)
        first = wanted["steps"][0]
        yield "countWords", [text], words
        yield "alphabetOf", [words], alphabet
        yield "trainSteps", [words, MOST_MERGES], wanted
        yield "rankPairs", [first["cut"], [count for _, count in words]], first["pairs"]
        ids = rng.integers(2, size=12).tolist()
        yield "mergePair", [ids, [1, 1], 2], merge_pair(ids, (1, 1), 2)


def test_the_merge_stepper_says_and_draws_what_python_has(show):
    figure = MergesExplorable(step=5)
    page = show(figure)
    here = look(page)
    rows = here.locator(".xp-words li")
    drawn = [row.locator("span > span").all_inner_texts() for row in rows.all()]
    assert drawn == figure.corpus
    named = here.locator(".xp-counted tbody th").all_inner_texts()
    counts = here.locator(".xp-counted tbody td:nth-child(2)").all_inner_texts()
    wanted = [(" + ".join(pair), str(count)) for pair, count in figure.ranking[:6]]
    assert list(zip(named, counts)) == wanted
    here.get_by_role("button", name="Merge", exact=True).click()
    settle(page)
    assert "Merge 6 of 13 made “low”" in here.locator(".xp-says").inner_text()
    here.get_by_role("slider").press("End")
    settle(page)
    assert "Every word is one token" in here.locator(".xp-says").inner_text()
    assert here.get_by_role("button", name="Merge", exact=True).is_disabled()


def test_a_new_corpus_begins_at_its_first_merge(show):
    page = show(MergesExplorable(step=9))
    here = look(page)
    line = here.get_by_role("textbox")
    line.fill("aaaa <b> aaaa")
    settle(page)
    assert here.locator(".xp-says").inner_text().startswith("4 merges are to come;")
    here.get_by_role("slider").press("End")
    settle(page)
    assert "Merge 4 of 4 made" in here.locator(".xp-says").inner_text()
    line.fill("   ")
    settle(page)
    assert (
        here.locator(".xp-says")
        .inner_text()
        .startswith("The corpus holds no word yet.")
    )
    line.fill("x" * (MOST_LETTERS + 50))
    settle(page)
    assert line.input_value() == "x" * MOST_LETTERS
    kept = f"Only the first {MOST_LETTERS} characters were kept."
    expect(here.locator(".xp-says")).to_contain_text(kept)
    page.evaluate("() => { location.hash = '#tokenization-merges?text=ab'; }")
    expect(here.locator(".xp-says")).not_to_contain_text(kept)
    assert line.input_value() == "ab"


def test_the_text_of_the_merge_stepper_is_bounded():
    figure = MergesExplorable(text="")
    assert figure.ranking == figure.corpus == figure.pairs == []
    assert "no word" in figure.description() and "No words" in figure.still()
    with pytest.raises(ValueError, match="at most 240"):
        figure.text = "x" * (MOST_LETTERS + 1)
    assert "every word is one token" in MergesExplorable(step=60).description()
