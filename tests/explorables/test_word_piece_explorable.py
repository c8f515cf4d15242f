"""WordPiece against BPE in JavaScript: the same words, counts, gains and merges as in Python, and what the page shows."""

import re

import numpy as np
import pytest
from live_pages import look, settle
from parity import assert_parity

from transformer_math.corpus import SENTENCE
from transformer_math.explorables import WordPieceExplorable
from transformer_math.explorables.tokenization.word_piece import MOST_MERGES, RULES
from transformer_math.tokenization import (
    bert_words,
    join_pieces,
    merge_counts,
    merge_gain,
    merge_pair,
    merge_score,
    train_bpe,
    train_word_piece,
)

LETTERS = [
    "ab",
    "abc",
    "aehlnostw",
    "eéß東😊",
    "ab #'-–.,",
    "a\u00a0\u3000\t\u0301\x1c",
]


def corpus(rng):
    letters = list(LETTERS[rng.integers(len(LETTERS))] + "   ")
    text = "".join(rng.choice(letters, size=rng.integers(1, 60)))
    words = rng.choice(SENTENCE.split(), size=rng.integers(5))
    return " ".join([text, *words])


def pair_of(rng):
    size = int(rng.integers(1, 5))
    words = {
        tuple(rng.integers(size, size=rng.integers(2, 9)).astype(str)): int(count)
        for count in rng.integers(1, 6, size=4)
    }
    pairs, counts = merge_counts(words)
    i = int(rng.integers(len(pairs)))
    (a, b), m, nA, nB = pairs[i], counts.m[i], counts.n_a[i], counts.n_b[i]
    one = {"a": a, "b": b, "m": m, "nA": nA, "nB": nB, "N": counts.N}
    return one, float(merge_gain(counts)[i]), float(merge_score(counts)[i])


def rows(step, counts):
    return [{"tokens": tokens, "count": counts[word]} for word, tokens in step.words.items()]  # fmt: skip


def steps(rng):
    """What `mergeSteps` gives for a text: the rows of each step, and each pair with its numbers, in order."""
    rule = ["freq", *RULES][rng.integers(4)]
    figure = WordPieceExplorable(corpus=corpus(rng), rule="gain" if rule == "freq" else rule)  # fmt: skip
    found = figure.bpe if rule == "freq" else figure.word_piece
    counts = figure.word_counts
    return figure.corpus, rule, [rows(step, counts) for step in found], found


def cases(rng):
    text = corpus(rng)
    yield "bertWords", [text], bert_words(text)
    one, gain, score = pair_of(rng)
    yield "mergeGain", [one], gain
    yield "mergeScore", [one], score
    tokens = rng.choice(["a", "b", "##a"], size=rng.integers(1, 9)).tolist()
    a, b = rng.choice(["a", "b", "##a"], size=2).tolist()
    yield "mergePair", [tokens, a, b, "x"], merge_pair(tokens, (a, b), "x")
    yield "joinPieces", [a, b, True], join_pieces(a, b)
    yield "joinPieces", [a, b, False], a + b
    figure = WordPieceExplorable(corpus=text)
    first = figure.word_piece[0]
    yield "countedRows", [text, True], rows(first, figure.word_counts)
    yield "countedRows", [text, False], rows(figure.bpe[0], figure.word_counts)


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(8)
    many = [case for _ in range(150) for case in cases(rng)]
    for _ in range(120):
        text, rule, _, found = steps(rng)
        numbers = [[[p.a, p.b, p.m, p.score, p.gain] for p in s.pairs] for s in found]
        many.append(("stepNumbers", [text, rule, MOST_MERGES], numbers))
    exported = """
const numbers = ({ a, b, m, score, gain }) => [a, b, m, score, gain];
export function stepNumbers(text, rule, most) {
  const found = [];
  for (const { pairs } of mergeSteps(text, rule)) {
    found.push(pairs.map(numbers));
    if (found.length > most) break;
  }
  return found;
}
"""
    change = lambda text: text + exported if "mergeSteps(text" in text else text  # noqa: E731
    used = {"mergeCounts", "ranked", "mergeSteps"}  # all that `stepNumbers` calls
    assert_parity(tmp_path, "tokenization/likelihood.js", many, change=change, inside=used)  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_both_sides_merge_what_the_trainers_merge(rule):
    figure = WordPieceExplorable(rule=rule)
    counts = figure.word_counts
    made = [join_pieces(*step.pairs[0][:2]) for step in figure.word_piece[:-1]]
    whole = train_word_piece(counts, 1000, value=RULES[rule]).vocabulary
    assert made[:30] == list(whole)[-len(made) :][:30]
    bpe = train_bpe(counts, 1000)
    assert [step.pairs[0][:2] for step in figure.bpe[:-1]][:30] == bpe.pairs()[:30]


CELLS = "table => [...table.tBodies[0].rows].filter(r => !r.hidden).map(r => [...r.cells].map(c => c.textContent))"


def assert_shows(figure, wanted):
    for table, step, side in zip(figure.locator("table").all(), wanted.now(), (0, 1)):
        shown = table.evaluate(CELLS)
        assert len(shown) == min(6, len(step.pairs))
        for line, pair in zip(shown, step.pairs):
            assert line[0] == f"{pair.a} {pair.b}"
            numbers = [float(text.replace("−", "-")) for text in line[1:]]
            first = pair.value if side == 0 else pair.m
            np.testing.assert_allclose(numbers, [first, pair.score, pair.gain], atol=0.0051)  # fmt: skip
        words = figure.locator(".xp-corpus").nth(side).locator("span")
        drawn = words.evaluate_all("nodes => nodes.map(n => [...n.querySelectorAll('i')].map(i => i.textContent))")  # fmt: skip
        assert drawn == list(step.words.values())


def test_the_page_shows_pythons_steps(show):
    page = show("word_piece")
    figure, wanted = look(page), WordPieceExplorable()
    assert_shows(figure, wanted)
    for change, act in (
        ({"merges": 3}, lambda: figure.get_by_role("slider").fill("3")),
        ({"rule": "score"}, lambda: figure.get_by_role("radio", name="score").check()),
        ({"corpus": "aa bb bb"}, lambda: figure.get_by_label("Corpus", exact=True).fill("aa bb bb")),
        ({"merges": 0}, lambda: figure.get_by_role("slider").fill("0")),
        ({"corpus": "aaaa aaa"}, lambda: figure.get_by_label("Corpus", exact=True).fill("aaaa aaa")),
        ({"rule": "count"}, lambda: figure.get_by_role("radio", name="number").check()),
        ({"corpus": ""}, lambda: figure.get_by_label("Corpus", exact=True).fill("")),
    ):  # fmt: skip
        for name, value in change.items():
            setattr(wanted, name, value)
        act()
        settle(page)
        assert_shows(figure, wanted)


def test_a_pair_is_brought_into_sight_by_keyboard(show):
    page = show("word_piece")
    figure, wanted = look(page), WordPieceExplorable()
    pair = wanted.now()[1].pairs[1]
    button = figure.locator("table").nth(1).get_by_role("button").nth(1)
    button.focus()
    page.keyboard.press("Enter")
    settle(page)
    assert button.get_attribute("aria-pressed") == "true"
    note = figure.locator(".xp-note").nth(1).inner_text()
    assert note.startswith(f"“{pair.a}” “{pair.b}”:")
    assert re.search(rf"score {pair.score:.2f}, gain", note)
    framed = figure.locator(".xp-corpus").nth(1).locator(".xp-hit-piece")
    assert framed.count() == 2 * sum(
        list(zip(t, t[1:])).count(pair[:2]) for t in wanted.now()[1].words.values()
    )


def test_all_that_was_merged_is_reached_by_keyboard(show):
    figure = look(page := show(WordPieceExplorable(merges=30), viewport={"width": 773, "height": 768}))  # fmt: skip
    for title in ("BPE", "WordPiece"):
        box = figure.get_by_role("group", name=f"Merged by {title}; the box scrolls")
        assert box.evaluate("n => n.scrollHeight > n.clientHeight")
        assert box.get_attribute("tabindex") == "0"
        box.press("End")
        page.wait_for_function(
            "n => n.scrollTop + n.clientHeight > n.scrollHeight - 2",
            arg=box.element_handle(),
        )


def test_the_slider_ends_at_the_last_merge_of_the_corpus(show):
    wanted = WordPieceExplorable(corpus="low lower", merges=MOST_MERGES)
    figure = look(page := show(wanted))
    slider = figure.get_by_role("slider")
    for text in (wanted.corpus, SENTENCE, 2 * f"{SENTENCE} uninterpenetratingly ", ""):
        wanted.corpus = text
        figure.get_by_label("Corpus", exact=True).fill(text)
        settle(page)
        last = max(len(steps) - 1 for steps in (wanted.bpe, wanted.word_piece))
        assert slider.get_attribute("max") == slider.input_value() == str(last)
        assert figure.locator(".xp-value").inner_text() == str(last)
