"""The book's texts: the pinned bytes, and clear words where they are missing or spoilt."""

import dataclasses
import subprocess
import sys

import pytest

from transformer_math import corpus, fetched


def test_the_running_sentence_stands_in_the_novel_once():
    assert corpus.moby_dick().count(corpus.SENTENCE) == 1


def test_the_novel_is_whole_and_in_order():
    text = corpus.moby_dick()
    headings = [f"CHAPTER {number}. " for number in range(1, 136)]
    places = [text.index(heading) for heading in headings]
    assert places == sorted(places)
    assert text.startswith("CHAPTER 1. Loomings.\n\nCall me Ishmael.")
    assert text.endswith("only found another orphan.")


def test_the_addresses_span_the_years():
    names = list(corpus.addresses())
    assert (names[0][:4], names[-1][:4], len(names)) == ("1790", "2021", 233)


def test_the_bible_is_whole_and_plain():
    chapters = corpus.king_james()
    assert len(chapters) == 1189
    assert chapters[0].startswith("GENESIS 1\n\nIn the beginning God created")
    assert chapters[-1].endswith("be with you all. Amen.")
    assert not set("".join(chapters)) & set("[]#")


def test_nothing_is_lost_between_training_and_held_out():
    paragraphs = [f"paragraph {i}" for i in range(25)]
    training, held_out = corpus.split_held_out("\n\n".join(paragraphs))
    assert held_out.split("\n\n") == ["paragraph 0", "paragraph 10", "paragraph 20"]
    assert sorted(training.split("\n\n") + held_out.split("\n\n")) == sorted(paragraphs)


@pytest.mark.parametrize("every", [0, -1, 1.5, None, "2"])
def test_what_is_held_out_is_each_of_a_whole_number(every):
    with pytest.raises(ValueError, match=r"every is .*; wanted a whole number of at"):
        corpus.split_held_out("a\n\nb", every)


def test_a_year_is_a_number():
    with pytest.raises(ValueError, match="year is '1850'; wanted a whole number"):
        corpus.addresses_until("1850")


def test_paragraphs_end_as_their_lines_do():
    for end in ("\n", "\r\n"):
        text = f"a{2 * end}b{end}c{3 * end}d"
        assert corpus.split_held_out(text, 2) == (f"b{end}c", "a\n\nd")
    assert corpus.split_held_out("a\r\n\nb", 2) == ("b", "a\r")


def test_a_missing_text_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setattr(fetched, "folder", lambda: tmp_path)
    with pytest.raises(FileNotFoundError, match="Fix: python -m transformer_math"):
        corpus.moby_dick()


def test_spoilt_bytes_are_noticed_and_fetched_again(tmp_path, monkeypatch):
    monkeypatch.setattr(fetched, "folder", lambda: tmp_path)
    (tmp_path / corpus.MOBY_DICK.file).write_text("Call me Ishmael")
    with pytest.raises(ValueError, match="has the hash"):
        corpus.moby_dick()
    nowhere = dataclasses.replace(corpus.MOBY_DICK, version="0.0.0-none")
    with pytest.raises(RuntimeError, match="npm could not fetch"):
        fetched.fetch([nowhere])


def test_no_module_reads_the_texts_when_it_is_imported():
    """The first build on a fresh machine imports the explorables before it fetches the texts."""
    program = (
        "from transformer_math import corpus\n"
        "corpus.read = None  # a call would fail\n"
        "import transformer_math.checks, transformer_math.explorables\n"
        "import transformer_math.formulas.reading, transformer_math.trained\n"
        "transformer_math.checks.all_checks()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
