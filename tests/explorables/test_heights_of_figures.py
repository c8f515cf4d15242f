"""On a laptop, 1366 × 768, a figure's cause and effect stand on one screen."""

import re

import pytest
from live_pages import NAMES, look, said, settle

# a chapter's column on a laptop, and the margins of these pages
COLUMN = {"viewport": {"width": 741 + 32, "height": 768}}
HALF = {
    "viewport": {"width": 478 + 32, "height": 768}
}  # two stand side by side on the home page
MOST = 640


def height_with_its_button(figure):
    """From the top of a figure to its end, or to the end of the button that copies its link."""
    boxes = [figure.bounding_box(), figure.get_by_role("button", name="copy link").bounding_box()]  # fmt: skip
    return max(box["y"] + box["height"] for box in boxes) - boxes[0]["y"]


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_on_one_screen(show, name):
    assert height_with_its_button(look(show(name, **COLUMN))) <= MOST


@pytest.mark.parametrize("name", ["continuation", "breaking"])
def test_so_are_those_of_the_home_page(show, name):
    assert height_with_its_button(look(show(name, **HALF))) <= MOST


@pytest.mark.parametrize("width", [360, 478 + 32, 773])
def test_a_still_picture_that_waits_fills_its_room(show, width):
    page = show("continuation", viewport={"width": width, "height": 768})
    room = page.locator(".explorable-room").bounding_box()
    last = page.locator(".explorable-still > .xp-goals").bounding_box()
    assert 0 <= room["y"] + room["height"] - (last["y"] + last["height"]) < 40


@pytest.mark.parametrize("width", [360, 390, 478 + 32, 773])
def test_a_broken_formula_moves_nothing(show, width):
    figure = look(show("breaking", viewport={"width": width, "height": 768}))
    height = figure.locator(".explorable-room").bounding_box()["height"]
    for version in figure.get_by_role("radio").all():
        version.check()
        settle(figure.page)
        room = figure.locator(".explorable-room").bounding_box()["height"]
        assert room == pytest.approx(height, abs=1), version.get_attribute("value")


@pytest.mark.parametrize("width", [360, 390])
def test_what_a_model_writes_while_it_learns_moves_nothing(show, width):
    figure = look(show("training", viewport={"width": width, "height": 768}))
    height = figure.locator(".explorable-room").bounding_box()["height"]
    steps = figure.get_by_label("Steps of training")
    steps.press("Home")
    while True:
        settle(figure.page)
        room = figure.locator(".explorable-room").bounding_box()["height"]
        assert room == pytest.approx(height, abs=1), said(figure)
        if steps.input_value() == steps.get_attribute("max"):
            break
        steps.press("ArrowRight")


UNKNOWN = (
    "A smartphone qqq zzz xxx ahab blog internet whatsapp qzqz computer laptop vvv"
)


@pytest.mark.parametrize("width", [360, 752, 768, 773, 1366])
def test_words_that_the_novel_has_not_move_nothing(show, width):
    figure = look(show("scaled_dot_product", viewport={"width": width, "height": 768}))
    room = figure.locator(".explorable-room")
    height = room.evaluate("room => parseFloat(getComputedStyle(room).minHeight)")
    assert room.bounding_box()["height"] == pytest.approx(height, abs=1)
    figure.get_by_label("Sentence").fill(UNKNOWN)
    settle(figure.page)
    assert "vector is 0" in figure.locator(".xp-note").inner_text()
    assert room.bounding_box()["height"] == pytest.approx(height, abs=1)


LONG = "Call me Ishmael, 白鯨は " * 250  # thousands of tokens, hundreds of them unknown


@pytest.mark.parametrize("width", [704, 773])
def test_a_long_text_moves_nothing(show, width):
    figure = look(show("playground", viewport={"width": width, "height": 768}))
    room = figure.locator(".explorable-room")
    height = room.bounding_box()["height"]
    figure.get_by_role("textbox", name="Text").fill(LONG)
    settle(figure.page)
    counts = " ".join(figure.locator(".xp-counts").all_text_contents())
    assert re.search(r"\d\u202f\d{3} tokens .* \d{3} unknown", counts)
    assert room.bounding_box()["height"] == pytest.approx(height, abs=1)
    for line in figure.locator(".xp-row p").all():
        assert line.evaluate("p => p.offsetHeight < 30"), line.inner_text()


@pytest.mark.parametrize(
    ("name", "width"),
    [
        ("scaled_dot_product", 360),
        ("scaled_dot_product", 640),
        ("head_sheet", 360),
        ("head_sheet", 773),
        ("induction_heads", 360),
        ("induction_heads", 773),
    ],
)
def test_as_many_tokens_as_are_read_move_nothing(show, name, width):
    figure = look(show(name, viewport={"width": width, "height": 768}))
    room = figure.locator(".explorable-room")
    height = room.bounding_box()["height"]
    figure.get_by_role("textbox").first.fill(
        "My original opinion remains unchanged, and the captain’s opinion of it as well, " * 2
    )  # fmt: skip
    settle(figure.page)
    assert room.bounding_box()["height"] == pytest.approx(height, abs=1)
