"""The mask painter and the gradient flow, live: pointer, finger, keyboard, and Python's numbers."""

import re

import numpy as np
import pytest
from live_pages import look, settle
from test_values import ink

from transformer_math.explorables import GradientFlowExplorable, MasksExplorable
from transformer_math.explorables.attention.masks import PRESETS, N

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}  # fmt: skip


def field(figure, name):
    return figure.get_by_role("application", name=re.compile(name))


def assert_shows(figure, wanted):
    allowed = np.array(wanted.mask, bool)
    shown = ink(field(figure, "Mask").locator("canvas"), N, N)
    np.testing.assert_allclose(np.where(allowed, shown, 0), 0.6 * allowed, atol=0.01)
    shown = ink(field(figure, "Scores").locator("canvas"), N, N)
    np.testing.assert_allclose(np.where(allowed, shown, 0), wanted.weights, atol=0.01)


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_pythons(show, preset):
    figure = look(page := show("masks"))
    figure.get_by_label("Mask", exact=True).select_option(preset)
    settle(page)
    assert_shows(figure, MasksExplorable(preset=preset))


def test_a_drag_paints_and_a_second_one_takes_away(show):
    figure = look(page := show(MasksExplorable(preset="nothing")))
    box = field(figure, "Mask").bounding_box()
    cell = box["width"] / N
    wanted = MasksExplorable(preset="nothing")
    mask = np.zeros((N, N), int)
    for value in (1, 0):
        page.mouse.move(box["x"] + 2.5 * cell, box["y"] + 4.5 * cell)
        page.mouse.down()
        for j in (3, 4, 5):
            page.mouse.move(box["x"] + (j + 0.5) * cell, box["y"] + 4.5 * cell)
        page.mouse.up()
        settle(page)
        mask[4, 2:6] = value
        wanted.mask = mask
        assert_shows(figure, wanted)
    assert figure.get_by_label("Mask", exact=True).input_value() == "painted"


def test_keys_paint_and_a_blind_row_is_said(show):
    figure = look(page := show("masks"))
    field(figure, "Mask").focus()
    for key in ("Home", "PageUp", "Space"):
        page.keyboard.press(key)
    settle(page)
    wanted = MasksExplorable()
    mask = np.array(wanted.mask)
    mask[0, 0] = 0
    wanted.mask = mask
    assert_shows(figure, wanted)
    assert wanted.weights[0].sum() == 0 and not wanted.output[0].any()
    says = figure.locator(".xp-says").inner_text()
    assert (
        "It sees nothing: all its weights are 0, and its output is the zero vector"
        in says
    )
    assert "1 query of 13 sees nothing" in says
    figure.get_by_role("button", name="Switch the row").click()
    settle(page)
    assert "It sees 13 keys of 13" in figure.locator(".xp-says").inner_text()


def test_what_was_painted_has_no_size_even_before_the_next_frame(show):
    figure = look(page := show(MasksExplorable(preset="window")))
    figure.evaluate(
        """figure => {
          const slider = figure.querySelector("input[type=range]");
          [...figure.querySelectorAll("button")].find((b) => b.textContent === "Switch the row").click();
          slider.value = slider.max;
          slider.dispatchEvent(new Event("input", { bubbles: true }));
        }"""
    )
    settle(page)
    assert figure.get_by_label("Mask", exact=True).input_value() == "painted"
    assert "It sees 13 keys of 13" in figure.locator(".xp-says").inner_text()


def test_a_finger_paints(show):
    figure = look(page := show(MasksExplorable(preset="everything"), **PHONE))
    target = field(figure, "Mask")
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    cell = box["width"] / N
    page.touchscreen.tap(box["x"] + 6.5 * cell, box["y"] + 1.5 * cell)
    settle(page)
    wanted = MasksExplorable(preset="everything")
    mask = np.array(wanted.mask)
    mask[1, 6] = 0
    wanted.mask = mask
    assert_shows(figure, wanted)
    assert target.evaluate("e => getComputedStyle(e).touchAction") == "none"


def test_python_refuses_what_is_no_mask():
    for mask in ([[1]], np.full((N, N), 2)):
        with pytest.raises(ValueError, match=r"wanted 13 rows of 13 zeros and ones"):
            MasksExplorable(mask=mask)
    painted = MasksExplorable(mask=np.eye(N, dtype=bool))
    assert painted.preset == "painted" and painted.seen.tolist() == [1] * N


def marked(figure, name):
    """For each number of a matrix, whether it is framed."""
    return figure.evaluate(
        """(figure, name) => [...figure.querySelectorAll(".xp-matrix")]
          .find(matrix => matrix.firstChild.dataset.name === name && !matrix.closest(".xp-inputs"))
          .querySelectorAll(".xp-moved").values().map(r => r.classList.contains("xp-on")).toArray()""",
        name,
    )


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"which": "V", "row": 1, "column": 2, "nudge": 0.5},
        {"which": "K", "row": 4, "column": 0, "nudge": -1.2, "causal": True},
        {"which": "dO", "row": 0, "column": 1, "nudge": 2.0},
        {"nudge": 0.0},
    ],
)
def test_the_framed_numbers_are_those_that_move(show, state):
    wanted = GradientFlowExplorable(**state)
    figure = look(show(GradientFlowExplorable(**state)))
    for name, moved in wanted.moved().items():
        assert marked(figure, name) == moved.flatten().tolist(), name
    words = figure.locator(".xp-check").inner_text().replace("−", "-")
    numbers = [float(x) for x in re.findall(r"-?\d+\.\d+", words)]
    assert numbers == pytest.approx([wanted.formula(), wanted.slope()], abs=2e-6)


def test_the_keyboard_goes_from_matrix_to_matrix(show):
    figure = look(page := show("attention"))
    field(figure, "Inputs").focus()
    for key, place in (
        ("End", "dO, row 2 (“opinion”), column 2"),
        ("Home", "Q, row 2 (“opinion”), column 0"),
        ("ArrowRight", "Q, row 2 (“opinion”), column 1"),
        ("PageDown", "Q, row 4 (“unchanged”), column 1"),
    ):
        page.keyboard.press(key)
        settle(page)
        assert figure.locator(".xp-says").inner_text().startswith(place)
    assert figure.get_by_role("radio", name="Q").is_checked()


def test_a_click_chooses_a_number_and_the_slider_moves_it(show):
    figure = look(page := show("attention"))
    drawing = figure.locator(".xp-inputs svg").nth(2)
    box = drawing.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.9)
    slider = figure.get_by_role("slider", name="by")
    slider.focus()
    page.keyboard.press("Home")
    settle(page)
    wanted = GradientFlowExplorable(which="V", row=4, column=1, nudge=-2)
    assert marked(figure, "dV") == wanted.moved()["dV"].flatten().tolist()
    assert not wanted.moved()["dV"].any() and any(marked(figure, "dQ"))
