"""Logits, a constant and a temperature, live: Python's probabilities and entropy, by slider, by bar, by curve."""

import numpy as np
import pytest
from figure_tasks import met
from live_pages import look, settle
from test_values import TABLE, written

from transformer_math.explorables import TemperatureExplorable
from transformer_math.explorables.model.drawings import percent
from transformer_math.explorables.output.temperature import WORDS, coldest


def assert_shows(figure, wanted):
    rows = figure.locator(".xp-limits").evaluate(TABLE)
    cold = coldest(wanted.raised)
    assert rows == [
        [word, percent(c), percent(p), percent(1 / len(WORDS))]
        for word, c, p in zip(WORDS, cold, wanted.p)
    ]
    bars = figure.get_by_role("group", name="Logits").get_by_role("slider")
    texts = bars.evaluate_all("all => all.map(n => n.getAttribute('aria-valuetext'))")
    assert texts == [written(x) for x in wanted.raised]
    says = figure.locator(".xp-says").inner_text()
    assert f"The entropy is {written(wanted.bits)} bits" in says
    assert ("changes no probability" in says) == (wanted.constant != 0)


@pytest.mark.parametrize("seed", range(4))
def test_random_states(show, seed):
    rng = np.random.default_rng(seed)
    wanted = TemperatureExplorable(
        logits=rng.uniform(-4, 4, 5).round(2).tolist(),
        constant=round(float(rng.uniform(-4, 4)), 1),
        temperature=round(float(np.exp(rng.uniform(-2.5, 2.5))), 2),
    )
    if seed == 0:
        wanted.logits = [1.0, 1.0, -2, 1.0, 0]  # the limit is shared
    assert_shows(look(show(wanted)), wanted)


def test_bars_constant_and_curve(show):
    wanted, figure = TemperatureExplorable(), look(page := show("temperature"))
    assert_shows(figure, wanted)
    figure.get_by_role("slider", name="Logit of sea").press("PageUp")
    figure.get_by_role("slider", name="Logit of idea").press("Home")
    figure.get_by_role("slider", name="Add to every logit").press("ArrowRight")
    settle(page)
    wanted.logits, wanted.constant = [2.0, 1.0, 1.5, -0.5, -4.0], 0.1
    assert_shows(figure, wanted)
    dot = figure.get_by_role("slider", name="Temperature on the curve")
    dot.press("End")
    settle(page)
    wanted.temperature = 20.0
    assert_shows(figure, wanted)
    box = figure.locator("svg[role=group]").first.bounding_box()
    grip = figure.get_by_role("slider", name="Logit of whale").locator(".xp-grip").bounding_box()  # fmt: skip
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + 4)
    page.mouse.down()
    page.mouse.move(grip["x"] + grip["width"] / 2, box["y"] - 50, steps=4)
    page.mouse.up()
    settle(page)
    wanted.logits = [4.0, *wanted.logits[1:]]
    assert_shows(figure, wanted)


TEN_TIMES = {"logits": [3.3, 1.0, 0.5, -0.5, -1.5]}


@pytest.mark.parametrize(
    "state, keys, task",
    [
        ({}, [("Logit of whale", "ArrowUp")] * 8, 0),
        ({}, [("Temperature T", "Home")], 1),
        (TEN_TIMES, [], 2),
    ],
)
def test_each_task_can_be_met(show, state, keys, task):
    figure = look(page := show(TemperatureExplorable(**state)))
    for name, key in keys:
        figure.get_by_role("slider", name=name, exact=True).press(key)
    settle(page)
    assert met(figure) == [task]
