"""Parts of texts: whole chapters, every one in exactly one part, and no passage in two."""

import re

import numpy as np
import pytest

from transformer_math.corpus import addresses_until, chapters
from transformer_math.parts import PASSAGE, passages, split_by_chapters, without

SOURCES = {"the novel": chapters, "the addresses": lambda: addresses_until(1900)}


def said_in(text):
    """All runs of words by another way: each word's place, cut from one list."""
    words = re.sub(r"[\W_]+", " ", text.lower()).split()
    return {" ".join(words[i : i + PASSAGE]) for i in range(len(words) - PASSAGE + 1)}


@pytest.mark.parametrize("source", SOURCES)
def test_no_passage_stands_in_two_parts(source):
    parts = split_by_chapters(SOURCES[source]())
    of = [
        set().union(*map(said_in, part))
        for part in (parts.training, parts.validation, parts.test)
    ]
    assert not of[0] & of[1] and not of[0] & of[2] and not of[1] & of[2]


def test_the_novel_loses_nothing_and_no_chapter_is_in_two_parts():
    parts = split_by_chapters(chapters())
    together = parts.training + parts.validation + parts.test
    assert sorted(together) == sorted(chapters()) and len(set(together)) == 136


def test_the_addresses_lose_little():
    whole = addresses_until(1900)
    parts = split_by_chapters(whole)
    kept = sum(map(len, parts.training + parts.validation + parts.test))
    assert 0.95 < kept / sum(map(len, whole)) < 1


def test_a_tenth_or_so_is_held_out_twice():
    def size(part):
        return sum(len(chapter.encode()) for chapter in part)

    for source in SOURCES.values():
        parts = split_by_chapters(source())
        whole = size(parts.training + parts.validation + parts.test)
        assert 0.07 < size(parts.validation) / whole < 0.16
        assert 0.07 < size(parts.test) / whole < 0.16


def test_chapters_are_the_novel():
    assert "\n\n".join(chapters()).startswith("CHAPTER 1. Loomings.")
    assert [c.split(".")[0] for c in chapters()[:-1]] == [
        f"CHAPTER {number}" for number in range(1, 136)
    ]
    assert chapters()[-1].startswith("Epilogue")


def test_addresses_until_a_year():
    assert len(addresses_until(1790)) == 1
    assert addresses_until(1900)[-1] != addresses_until(1901)[-1]


def test_a_shared_passage_goes_with_its_sentences():
    rng = np.random.default_rng(0)
    vocabulary = [f"w{i}" for i in range(5000)]

    def draw(number):
        return " ".join(rng.choice(vocabulary, number))

    quoted = draw(PASSAGE)
    kept = [draw(30).capitalize() + "." for _ in range(4)]
    text = " ".join([kept[0], kept[1], f"He said: {quoted}!", kept[2], kept[3]])
    assert without(text, passages([quoted])) == " ".join(kept)
    across = quoted.replace(" ", ". ", 1)  # the passage begins in one sentence
    left = without(f"{kept[0]} And {across}. {kept[1]}", passages([quoted]))
    assert left == f"{kept[0]} {kept[1]}"
    almost = " ".join(quoted.split()[:-1])
    assert without(f"{almost}.", passages([quoted])) == f"{almost}."


@pytest.mark.parametrize("length", [0, -1, 1.5])
def test_a_passage_has_words(length):
    for call in (
        lambda: passages(["a b c"], length),
        lambda: without("a b c", set(), length),
    ):
        with pytest.raises(ValueError, match=r"length is .*; wanted a whole number"):
            call()


def test_passages_of_another_length_are_refused():
    said = passages(["call me Ishmael"], 2)
    with pytest.raises(
        ValueError, match=r"passages of 2 words; wanted 3.*Fix: length=2"
    ):
        without("Call me Ishmael.", said, 3)
    assert without("Call me Ishmael.", frozenset(said), 2) == ""
