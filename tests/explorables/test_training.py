"""The training of the language model, moved through: each snapshot shows what the committed history holds."""

import numpy as np
import pytest
from live_pages import look, said, settle
from test_values import ink

from transformer_math.corpus import SENTENCE
from transformer_math.explorables import TrainingExplorable
from transformer_math.explorables.training.training import scenes, tokens
from transformer_math.trained.language_model import N_HEADS, N_LAYERS


def assert_shows(figure, wanted):
    """The text, the map of the head in sight, the step and the loss."""
    settle(figure.page)
    assert figure.locator(".xp-sample").text_content() == wanted.scene.text
    shown = ink(figure.locator(".xp-field canvas"), *wanted.weights.shape)
    seen = np.tril(np.ones_like(wanted.weights)) == 1
    np.testing.assert_allclose(shown[seen], wanted.weights[seen], atol=0.006)
    says = figure.locator(".xp-says").inner_text()
    assert f"After {wanted.scene.step:,} steps".replace(",", "\u202f") in says
    row = wanted.weights[wanted.row]
    assert f"(position {row.argmax()}), with the weight {row.max():.2f}" in says
    known = [one for one in wanted.history if one["step"] <= wanted.scene.step]
    loss = f"is {known[-1]['held_out']:.2f} nats" if known else "not measured yet"
    assert loss in says


@pytest.mark.parametrize("seed", range(5))
def test_a_snapshot_shows_what_the_history_holds(show, seed):
    rng = np.random.default_rng(seed)
    explorable = TrainingExplorable(
        snapshot=int(
            [0, len(scenes()) - 1, *rng.integers(len(scenes()), size=3)][seed]
        ),
        row=int(rng.integers(len(tokens()))),
        layer=int(rng.integers(N_LAYERS)),
        head=int(rng.integers(N_HEADS)),
    )
    assert_shows(look(show(explorable)), explorable)


def test_controls_lead_where_python_would(show):
    wanted = TrainingExplorable()
    figure = look(page := show("training"))
    time = figure.get_by_role("slider")
    for key, snapshot in (("Home", 0), ("ArrowRight", 1), ("End", len(scenes()) - 1)):
        time.focus()
        page.keyboard.press(key)
        wanted.snapshot = snapshot
        assert_shows(figure, wanted)
    figure.get_by_role("radio", name="Layer 4, head 2").check()
    wanted.layer, wanted.head = 3, 2
    assert_shows(figure, wanted)
    figure.locator(".xp-field").focus()
    page.keyboard.press("ArrowUp")
    wanted.row -= 1
    assert_shows(figure, wanted)
    for key, row in (("Home", 0), ("End", len(tokens()) - 1)):
        page.keyboard.press(key)
        wanted.row = row
        assert_shows(figure, wanted)
        assert f": “{tokens()[row]}” looks most at " in said(figure)


def test_it_plays_and_stops(show):
    figure = look(page := show("training"))
    figure.get_by_role("button", name="Play").click()
    figure.locator(".xp-says").filter(has_text="After 100 steps").wait_for()
    figure.get_by_role("button", name="Stop").click()
    said = figure.locator(".xp-says").inner_text()
    page.wait_for_timeout(1600)
    assert figure.locator(".xp-says").inner_text() == said


def test_the_history_is_that_of_the_running_sentence():
    assert "".join(tokens()).replace("␣", " ") == SENTENCE
    steps = [scene.step for scene in scenes()]
    assert steps == sorted(steps) and 15 <= len(steps) <= 20 and steps[0] == 0
    for scene in scenes():
        np.testing.assert_allclose(scene.attention.sum(axis=-1), 1, atol=0.15)
        assert np.abs(np.triu(scene.attention, 1)).max() == 0


def test_tokens_with_the_same_weight_are_told_as_a_tie(show):
    wanted = TrainingExplorable(snapshot=1, layer=3, head=1, row=1)
    assert wanted.weights[1, 0] == wanted.weights[1, 1]
    says = look(show(wanted)).locator(".xp-says").inner_text()
    both = " and ".join(f"“{tokens()[j]}” (position {j})" for j in (0, 1))
    assert f"looks most at {both}, with the weight 0.50 each." in says
