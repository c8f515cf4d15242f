"""Spaces behind what a reader types for the language model stay in the field, and change nothing of what the model says."""

import pytest
from live_pages import look, said, settle
from playwright.sync_api import expect

FIELDS = {
    "pipeline": "Your sentence",
    "inspector": "Text",
    "head_sheet": "Text",
    "logit_parts": "Text",
    "decoding": "Prompt",
}
READING = r"^(?!Reading|Writing)\w"
SHOWN = ".xp-strip button:visible"


def answer(figure, typed, text):
    """What a figure says once it has read what was typed."""
    typed.fill(text)
    settle(figure.page)
    figure.page.wait_for_function(
        f"(says) => /{READING}/.test(says.textContent)",
        arg=figure.locator(".xp-says").element_handle(),
    )
    return said(figure)


def shown(figure):
    return figure.locator(SHOWN).all_text_contents()


@pytest.mark.parametrize("name", FIELDS)
def test_a_space_at_the_end_does_no_harm(show, name):
    figure = look(show(name))
    typed = figure.get_by_label(FIELDS[name], exact=True)
    without = answer(figure, typed, "The white")
    assert answer(figure, typed, "The white  ") == without
    assert typed.input_value() == "The white  "
    assert answer(figure, typed, "The white whale") != without


def test_a_word_is_typed_behind_the_space(show):
    figure = look(show("head_sheet"))
    typed = figure.get_by_label("Text", exact=True)
    typed.fill("")
    typed.press_sequentially("The white whale ")
    assert typed.input_value() == "The white whale "
    expect(figure.locator(SHOWN)).to_have_text(["The", "␣white", "␣whale"])


def test_a_space_that_was_chosen_from_the_table_is_read(show):
    """After “CHAPTER” a space alone is among the likeliest tokens."""
    figure = look(show("head_sheet"))
    answer(figure, figure.get_by_label("Text", exact=True), "CHAPTER ")
    before = shown(figure)
    figure.get_by_role("button", name="Add “␣”", exact=True).click()
    settle(figure.page)
    assert shown(figure) == [*before, "␣"]
