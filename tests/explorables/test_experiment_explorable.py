"""Parts taken out, live: Python's losses, by every switch."""

import re

import numpy as np
import pytest
from live_pages import look, settle

from transformer_math.explorables import ExperimentExplorable
from transformer_math.explorables.training.experiment import LABELS
from transformer_math.trained.switches import PARTS, all_switches


def assert_shows(figure, wanted):
    says = figure.locator(".xp-says").inner_text()
    low, high = min(wanted.way["last"]), max(wanted.way["last"])
    assert f": {wanted.loss:.2f} nats" in says
    assert f"(three seeds: {low:.2f} to {high:.2f})" in says
    assert f"{wanted.way['held_out']:.2f}" in says
    for part in PARTS:
        assert (LABELS[part] in says) != getattr(wanted, part)
    text = figure.locator(".xp-written").text_content()
    visible = re.sub(" {2,}", lambda run: "␣" * len(run[0]), wanted.way["written"])
    assert text == f"call me ishmael. {visible}"


@pytest.mark.parametrize("seed", range(3))
def test_any_way_to_set_the_switches(show, seed):
    rng = np.random.default_rng(seed)
    on = dict(zip(PARTS, (rng.random(len(PARTS)) < 0.5).tolist()))
    wanted = ExperimentExplorable(**on)
    assert_shows(look(show(wanted)), wanted)


def test_switches_lead_where_python_would(show):
    wanted, figure = ExperimentExplorable(), look(page := show("experiment"))
    for part in (*PARTS, "mask", "norm"):
        setattr(wanted, part, not getattr(wanted, part))
        figure.get_by_role("switch", name=LABELS[part]).click()
        settle(page)
        assert_shows(figure, wanted)


def test_a_missing_mask_is_said_to_show_the_next_letter(show):
    figure = look(page := show("experiment"))
    seen = "where it can see the next letter"
    assert seen not in figure.locator(".xp-says").inner_text()
    figure.get_by_role("switch", name="causal mask").click()
    settle(page)
    assert seen in figure.locator(".xp-says").inner_text()


def test_every_way_is_there():
    assert len(ExperimentExplorable().ways) == len(all_switches()) == 64
