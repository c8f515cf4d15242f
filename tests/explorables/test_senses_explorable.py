"""A word in three sentences, live: Python's cosines by both models, how sentences are read, tasks that notice."""

import numpy as np
import pytest
from figure_tasks import met
from live_pages import look, said, settle
from test_values import TABLE, written

from transformer_math.explorables import SensesExplorable
from transformer_math.explorables.trained.senses import PAIRS

TEXTS = [
    ("one boat at the bank was wet", "one loan at the bank was wet", ""),
    ("A light boat", "the Light of the sun, at noon", "light light 42"),
    ("by the vault", "the boat was by the river", "no court was by the bank " * 4),
    ("été à la mer", "à l'été", "Été 東京"),
]
NAMES = ("first", "second", "third")
WITHOUT_ONE = [
    (("", *TEXTS[0][:2]), "Sentence 2 level, 3 downwards, at its angle to 2"),
    (("a boat", "", "my boat"), "Sentence 1 level, 3 downwards, at its angle to 1"),
    (("a boat", "my boat", ""), "Sentence 1 level, 2 upwards, at its angle to 1"),
]
AFTER = {
    "first": "the captain went to the bank with a boat",
    "second": "the captain went to the bank with a loan",
}
ONE_WORD = {"first": "the boat was at the bank", "second": "the loan was at the bank"}


def assert_shows(figure, wanted):
    """The table holds every cosine, and the chosen word is underlined once in each sentence that has words."""
    rows = figure.locator(".xp-cosines").evaluate(TABLE)
    found = wanted.cosines
    for (i, j), row in zip(PAIRS, rows, strict=True):
        assert row[0] == f"{i + 1} and {j + 1}"
        assert row[1:][: len(found.get((i, j), []))] == [
            written(c, 3) for c in found.get((i, j), [])
        ]
    shared = figure.locator(".xp-shared").all_inner_texts()
    assert {word.lower() for word in shared} == {wanted.chosen}
    assert f"vectors of “{wanted.chosen}”" in figure.locator(".xp-says").inner_text()


@pytest.mark.parametrize("reader", ["encoder", "language"])
@pytest.mark.parametrize("texts", TEXTS)
def test_the_readers_own_sentences(show, reader, texts):
    first, second, third = texts
    wanted = SensesExplorable(first=first, second=second, third=third, reader=reader)
    assert_shows(look(show(wanted)), wanted)


def test_typing_choosing_and_another_model(show):
    figure, wanted = look(page := show("senses")), SensesExplorable()
    assert_shows(figure, wanted)
    figure.get_by_role("combobox", name="Shared word").select_option("the")
    figure.get_by_label("Sentence 2").fill(
        "the muddy whale was by the bank to the ford"
    )
    settle(page)
    wanted.word, wanted.second = "the", "the muddy whale was by the bank to the ford"
    assert_shows(figure, wanted)
    assert figure.locator(".xp-masked").all_inner_texts() == ["whale"]
    assert "It never saw “whale”" in figure.locator(".xp-says").inner_text()
    figure.get_by_role("radio", name="language model").check()
    figure.locator(".xp-says").filter(has_text="layer 1 of the language model").wait_for()  # fmt: skip
    wanted.reader = "language"
    assert_shows(figure, wanted)
    figure.get_by_label("Sentence 1").fill("nothing")
    figure.locator(".xp-says").filter(has_text="share no word").wait_for()


def test_another_word_than_before_is_said(show):
    """A sentence that loses the word is compared by another one, and by the word again when it is back."""
    figure = look(page := show("senses"))
    box, says = figure.get_by_label("Sentence 2"), figure.locator(".xp-says")
    box.fill("the captain and the widow")
    settle(page)
    assert said(figure).startswith(
        "“bank” is not read in every sentence, so “the” is compared instead. "
    )
    box.fill("the captain took the loan to the bank")
    figure.get_by_label("Sentence 3").fill("the captain of the bank")
    settle(page)
    assert "vectors of “bank”" in said(figure)  # “captain” is longer
    assert "instead" not in said(figure)
    figure.get_by_label("Shared word").select_option("captain")
    says.filter(has_text="vectors of “captain”").wait_for()


def test_the_language_model_sees_nothing_behind_the_word(show):
    alike = SensesExplorable(reader="language", word="bank", **AFTER)
    figure = look(show(alike))
    assert figure.locator(".xp-unseen").all_inner_texts()[:2] == ["with a boat", "with a loan"]  # fmt: skip
    np.testing.assert_allclose(alike.cosines[0, 1], 1)
    alike.reader = "encoder"
    assert alike.cosines[0, 1][-1] < 0.9


@pytest.mark.parametrize(
    "state, task",
    [
        ({"second": "the mate carried the raft to the bank by the ford"}, 0),
        (ONE_WORD, 1),
        (AFTER | {"reader": "language", "word": "bank"}, 2),
    ],
)
def test_each_task_can_be_met(show, state, task):
    assert met(look(show(SensesExplorable(**state)))) == [task]


ARROWS = """nodes => nodes.filter(node => node.getBoundingClientRect().width > 0)
    .map(node => node.querySelector('path').getAttribute('transform'))"""


@pytest.mark.parametrize("reader", ["encoder", "language"])
@pytest.mark.parametrize("texts, legend", WITHOUT_ONE)
def test_an_empty_sentence_leaves_the_others_drawn(show, reader, texts, legend):
    wanted = SensesExplorable(reader=reader, **dict(zip(NAMES, texts)))
    figure = look(show(wanted))
    assert_shows(figure, wanted)
    assert figure.get_by_text(legend, exact=True).is_visible()
    arrows = figure.locator(".xp-fans .xp-arrow").evaluate_all(ARROWS)
    (pair,) = wanted.cosines.values()
    assert len(arrows) == 2 * len(pair)
    assert sum("rotate(0.00)" in arrow for arrow in arrows) >= len(pair)
    assert wanted.still().count("<line") == 2 * len(pair)


@pytest.mark.parametrize(
    "texts, says",
    [
        (("", "", ""), "No sentence has words"),
        (("", "a boat", ""), "Only sentence 2 has words"),
        (("a boat", "", "the sun"), "These sentences share no word"),
    ],
)
def test_what_is_missing_is_said(show, texts, says):
    figure = look(show(SensesExplorable(**dict(zip(NAMES, texts)))))
    assert figure.locator(".xp-says").inner_text().startswith(says)
    assert figure.locator(".xp-cosines").is_visible()
    assert figure.get_by_text("level").is_visible() is False  # nothing is drawn
