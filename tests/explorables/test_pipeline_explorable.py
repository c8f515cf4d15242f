"""The whole model on a sentence: every number of every panel is Python's, and the sum beside it makes it."""

import re

import numpy as np
import pytest
from live_pages import look, settle
from test_values import TABLE, ink, written

from transformer_math.explorables import PipelineExplorable
from transformer_math.explorables.model import language
from transformer_math.explorables.model.pipeline import PANELS, panels
from transformer_math.trained.language_model import D_FF, N_HEADS, N_LAYERS

SUMS = ("queries", "keys", "values", "attended", "joined", "sum_1", "fed", "sum_2", "logits")  # fmt: skip


def wait(figure):
    """Until the model has read everything, once the input has been painted."""
    settle(figure.page)
    figure.locator(".xp-says").filter(has_text=re.compile("expects|Type")).wait_for()
    settle(figure.page)


def number(text):
    return float(text.replace("−", "-").replace("∞", "inf"))


def assert_shows(figure, wanted):
    """The heatmap's ink, the number in sight, and where terms are added up, their sum."""
    wait(figure)
    X, lines = wanted.matrix, figure.locator(".xp-terms").evaluate(TABLE)
    assert number(lines[-1][2]) == pytest.approx(wanted.number, abs=6e-4)
    if wanted.panel in SUMS:
        terms = [number(line[2]) for line in lines[:-1]]
        assert sum(terms) == pytest.approx(wanted.number, abs=1e-2)
    if X.shape[1] <= 32 and np.isfinite(X).all():  # a cell is wider than a pixel
        shown = ink(figure.locator(".xp-cells canvas"), *X.shape)
        largest = np.abs(X).max()
        np.testing.assert_allclose(np.abs(shown), np.abs(X) / largest, atol=0.01)
    digits = 0 if wanted.panel == "tokens" else 3
    if digits == 0:  # an id is a whole number
        assert lines[-1][2] == written(wanted.number, 0)
    assert (
        f"is {written(wanted.number, digits)}."
        in figure.locator(".xp-says").inner_text()
    )
    at = f"of “{wanted.tokens[wanted.at]}” (position {wanted.at}), "
    assert at in figure.locator(".xp-says").inner_text()


@pytest.mark.parametrize("panel", PANELS)
def test_every_panel_shows_pythons_numbers(show, panel):
    rng = np.random.default_rng(list(PANELS).index(panel))
    n = int(rng.integers(2, 17))
    explorable = PipelineExplorable(
        text="It was the whiteness of the whale that above all things appalled me, and",
        panel=panel,
        layer=int(rng.integers(N_LAYERS)),
        head=int(rng.integers(N_HEADS)),
        row=n - 1,
        column=int(rng.integers(D_FF)),
    )
    assert_shows(look(show(explorable)), explorable)


def test_what_is_masked_is_told_so(show):
    figure = look(show(PipelineExplorable(panel="scores", row=1, column=9)))
    lines = figure.locator(".xp-terms").evaluate(TABLE)
    assert lines[0][0] == "masked" and lines[-1][2] == "−∞"
    assert "is −∞." in figure.locator(".xp-says").inner_text()


CUT = """sum => [...sum.querySelectorAll('p, tr:not([hidden]) > *')].filter((part) =>
  getComputedStyle(part).overflowX !== 'visible' && (part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight)
).map((part) => part.textContent)"""


@pytest.mark.parametrize("width", [360, 660])  # a phone, and two narrow columns
def test_the_sum_of_every_panel_is_whole_in_little_room(show, width):
    figure = look(show("pipeline", viewport={"width": width, "height": 800}))
    panels_shown = figure.locator(".xp-gallery input")
    for number in range(len(PANELS)):
        panels_shown.nth(number).check(force=True)
        wait(figure)
        assert figure.locator(".xp-sum").evaluate(CUT) == []
        terms = figure.locator(".xp-terms").bounding_box()
        code = figure.locator(".xp-code").bounding_box()
        sum_ = figure.locator(".xp-sum").bounding_box()
        assert terms["y"] + terms["height"] <= code["y"]
        assert code["y"] + code["height"] <= sum_["y"] + sum_["height"]


def test_controls_lead_where_python_would(show):
    wanted = PipelineExplorable()
    figure = look(show("pipeline"))
    assert_shows(figure, wanted)
    typed = figure.get_by_label("Your sentence")
    field = figure.get_by_role("application")
    likeliest = int(
        language.next_logits(np.array(language.encode("the whale is a"))).argmax()
    )
    for change, act in (
        ({"panel": "hidden"}, lambda: figure.locator(".xp-gallery input").nth(list(PANELS).index("hidden")).check()),
        ({"column": 4}, lambda: field.press("ArrowRight")),
        ({"column": 14}, lambda: [field.press("ArrowRight") for _ in range(10)]),
        ({"row": 13}, lambda: field.press("ArrowUp")),
        ({"column": 639}, lambda: field.press("End")),
        ({"layer": 2}, lambda: figure.get_by_label("Layer").fill("2")),
        ({"panel": "values"}, lambda: figure.locator(".xp-gallery input").nth(list(PANELS).index("values")).check()),
        ({"head": 4}, lambda: figure.get_by_label("Head").fill("4")),
        ({"text": "the whale is a", "written": [], "row": 15}, lambda: typed.fill("the whale is a")),
        ({"written": [likeliest], "row": 15}, lambda: figure.get_by_role("button", name="Write the likeliest").click()),
        ({"written": []}, lambda: figure.get_by_role("button", name="Take back").click()),
    ):  # fmt: skip
        act()
        for name, value in change.items():
            setattr(wanted, name, value)
        assert_shows(figure, wanted)
    typed.fill("")
    assert figure.locator(".xp-says").filter(has_text="Type a word").is_visible()


def test_two_quick_presses_write_one_token(show):
    wanted = PipelineExplorable(text="the whale")
    figure = look(show(wanted))
    wait(figure)
    write = figure.get_by_role("button", name="Write the likeliest")
    write.evaluate("button => (button.click(), button.click())")
    wanted.written = [int(language.next_logits(np.array(wanted.ids)).argmax())]
    assert_shows(figure, wanted)
    says = figure.locator(".xp-says").inner_text()
    assert f"the last of {len(wanted.ids)} tokens" in says


def test_the_lens_is_the_last_step_behind_each_layer(show):
    figure = look(show(PipelineExplorable(row=10)))
    said = figure.locator(".xp-lens td").all_text_contents()
    ids = language.encode(PipelineExplorable().text)
    logits = panels(tuple(ids), 0, 0)["logits"][10]
    assert said[-1].startswith(language.label(int(logits.argmax())))
    assert said[0].startswith(language.label(ids[10]))
    assert len(said) == N_LAYERS + 1


def test_an_id_is_described_as_a_whole_number():
    explorable = PipelineExplorable(panel="tokens")
    assert explorable.description().endswith(f" is {int(explorable.number)}.")


def test_a_text_without_a_token_is_refused_in_words():
    with pytest.raises(ValueError, match=r"no token\. Fix:"):
        _ = PipelineExplorable(text="").matrix
