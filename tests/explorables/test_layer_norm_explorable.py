"""A vector of three numbers, live: Python's normalisations, by handle, button and slider."""

import numpy as np
import pytest
from figure_tasks import met
from live_pages import look, said, settle
from test_values import TABLE, written

from transformer_math.explorables import LayerNormExplorable
from transformer_math.explorables.block.layer_norm import FRAME, TILT, to_plane


def assert_shows(figure, wanted, atol=0.0051):
    """The table's numbers, from the vector to both normalisations, with means and lengths."""
    rows = figure.locator(".xp-normed").evaluate(TABLE)
    for (name, vector), (head, *cells) in zip(wanted.stages.items(), rows, strict=True):
        assert head == name
        shown = [float(cell.replace("−", "-")) for cell in cells]
        expected = [*vector, vector.mean(), np.linalg.norm(vector)]
        np.testing.assert_allclose(shown, expected, atol=atol)


@pytest.mark.parametrize("seed", range(4))
def test_random_states(show, seed):
    rng = np.random.default_rng(seed)
    drawn = {name: rng.uniform(-2, 2, 3).round(2).tolist() for name in ("x", "gamma", "beta")}  # fmt: skip
    if seed == 0:
        drawn["x"] = [0.5, 0.5, 0.5]
    wanted = LayerNormExplorable(**drawn)
    figure = look(show(wanted))
    assert_shows(figure, wanted)
    assert ("nothing is left but β" in figure.locator(".xp-says").inner_text()) == (seed == 0)  # fmt: skip


def test_sliders_and_buttons(show):
    wanted, figure = LayerNormExplorable(), look(page := show("layer_norm"))
    assert_shows(figure, wanted)
    assert figure.get_by_role("button", name="All × 2").is_disabled()
    figure.get_by_role("slider", name="γ₂").press("Home")
    figure.get_by_role("slider", name="β₀").press("ArrowRight")
    figure.get_by_role("button", name="All ÷ 2").click()
    settle(page)
    wanted.x, wanted.gamma, wanted.beta = [0.95, 0.5, 0.05], [1, 1, -2.0], [0.1, 0, 0.0]
    assert_shows(figure, wanted)


def test_the_parameters_results_are_said(show):
    figure = look(page := show("layer_norm"))
    assert "with γ" not in said(figure)
    figure.get_by_role("slider", name="γ₁").press("Home")
    figure.get_by_role("slider", name="β₂").press("End")
    settle(page)
    wanted = LayerNormExplorable(gamma=[1, -2, 1], beta=[0, 0, 2])
    ends = [wanted.stages[name] for name in ("LayerNorm", "RMSNorm")]
    layer, rms = (f"({', '.join(written(x) for x in end)})" for end in ends)
    assert said(figure).endswith(
        f" LayerNorm with γ, β: {layer}; RMSNorm with γ: {rms}."
    )


def moved(x, along, across, up):
    """A vector after steps on the page: as the handles round them, to hundredths of the drawing."""
    a, b, h = to_plane(np.array(x))
    v = round(h * np.cos(TILT) + b * np.sin(TILT) + up, 2)
    parts = [round(a + along, 2), b, (v - b * np.sin(TILT)) / np.cos(TILT)]
    if along or across:
        parts = [round(a + along, 2), round(b + across, 2), h]
    return (FRAME.T @ parts).round(3).tolist()


def test_handles_move_the_mean_and_the_projection(show):
    wanted, figure = LayerNormExplorable(), look(page := show("layer_norm"))
    figure.get_by_role("slider", name="x, up and down its mean").press("ArrowDown")
    settle(page)
    wanted.x = moved(wanted.x, 0, 0, -0.1)
    assert_shows(figure, wanted)
    assert np.mean(wanted.x) < 0.95
    figure.get_by_role("slider", name="x within the plane").press("ArrowRight")
    settle(page)
    mean, wanted.x = np.mean(wanted.x), moved(wanted.x, 0.1, 0, 0)
    assert_shows(figure, wanted)
    assert abs(np.mean(wanted.x) - mean) < 0.001


def drag_to_the_middle(page, figure):
    """Drag the projection onto the axis."""
    box = figure.locator("svg[role=group]").nth(1).bounding_box()
    grip = figure.get_by_role("slider", name="x within the plane").locator(".xp-grip").bounding_box()  # fmt: skip
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()


def press(name, times):
    """Press a button several times."""

    def act(page, figure):
        for _ in range(times):
            figure.get_by_role("button", name=name).click()

    return act


@pytest.mark.parametrize(
    "act, tasks",
    [
        (press("All − ½", 1), [0]),
        (press("All − ½", 2), [0, 1]),
        (drag_to_the_middle, [0, 2]),  # on the way there the direction stays
    ],
)
def test_each_task_can_be_met(show, act, tasks):
    figure = look(page := show("layer_norm"))
    act(page, figure)
    settle(page)
    assert met(figure) == tasks


def test_within_the_plane_the_mean_stays_also_at_the_edge_of_the_room(show):
    wanted, figure = LayerNormExplorable(), look(page := show("layer_norm"))
    before = np.mean(wanted.x)
    grip = figure.get_by_role("slider", name="x within the plane")
    for key in ("End", "Home", *["ArrowUp"] * 9):
        grip.press(key)
        settle(page)
        _, *cells = figure.locator(".xp-normed").evaluate(TABLE)[0]
        entries = [float(cell.replace("−", "-")) for cell in cells]
        assert entries[3] == pytest.approx(before, abs=0.006)
        assert max(map(abs, entries[:3])) <= 2


def test_a_length_that_epsilon_shortens_is_said_to_be_shortened(show):
    small = LayerNormExplorable(x=[0.002, 0.001, 0.0])
    says = look(show(small)).locator(".xp-says").inner_text()
    assert "√(σ² + ε)" in says and "whatever x was" not in says
