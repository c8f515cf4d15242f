"""All heads on one sheet, live: their order, Python's numbers on any text, tasks that notice."""

import numpy as np
import pytest
from figure_tasks import met
from live_pages import look, settle
from test_models import TEXTS, shades, wait
from test_values import TABLE, written

from transformer_math.explorables import HeadSheetExplorable
from transformer_math.explorables.model import language
from transformer_math.explorables.model.drawings import likeliest, percent
from transformer_math.explorables.model.silenced import all_heads
from transformer_math.explorables.trained.head_sheet import ORDERS
from transformer_math.output import probabilities
from transformer_math.trained.head_roles import head_roles
from transformer_math.trained.language_model import N_HEADS, N_LAYERS

NAMES = "all => all.map(label => label.querySelector('.xp-hidden').textContent.split(/[:,] (?=off|[0-9])/)[0])"


def assert_shows(figure, wanted):
    wait(figure)
    row = min(wanted.row, len(wanted.ids) - 1)
    order = figure.locator(".xp-sheet .xp-head").evaluate_all(NAMES)
    assert order == [f"Layer {l + 1}, head {h}" for l, h in wanted.places]
    line = wanted.reading.attention[wanted.layer][wanted.head][row]
    np.testing.assert_allclose(shades(figure), line, atol=6e-4)
    record = head_roles()[wanted.layer * N_HEADS + wanted.head]
    before, itself, copying = figure.locator(".xp-lines").evaluate(TABLE)
    shares = wanted.shares(wanted.layer, wanted.head)
    one_back = "none" if np.isnan(shares["before"]) else written(shares["before"])
    assert before[1:] == [one_back, written(record["before"])]
    assert itself[1:] == [written(shares["itself"]), written(record["itself"])]
    assert copying[1:] == ["", written(record["matching"])]
    p = probabilities(wanted.reading.logits[row])
    best = likeliest(p, 3)
    lines = figure.locator(".xp-next").evaluate(TABLE)
    assert [(line[0], line[1]) for line in lines] == [(language.label(v), percent(p[v])) for v in best]  # fmt: skip
    whole = probabilities(language.read(wanted.ids).logits[row])
    assert [line[2] for line in lines] == [percent(whole[v]) for v in best]
    cost, error = record["zero"]
    assert f"rises by {written(cost, 3)} ± {written(error, 3)} nats" in figure.locator(".xp-says").inner_text()  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_random_states(show, seed):
    rng = np.random.default_rng(seed)
    off = rng.permutation(all_heads(["self"], N_LAYERS, N_HEADS))
    wanted = HeadSheetExplorable(
        text=TEXTS[seed % len(TEXTS)],
        order=list(ORDERS)[seed],
        row=int(rng.integers(32)),
        layer=int(rng.integers(N_LAYERS)),
        head=int(rng.integers(N_HEADS)),
        off=off[: rng.integers(3)].tolist(),
    )
    assert_shows(look(show(wanted)), wanted)


def test_ordering_choosing_and_switching_off(show):
    figure, wanted = look(page := show("head_sheet")), HeadSheetExplorable()
    figure.get_by_role("radio", name="removal").check()
    settle(page)
    wanted.order = "cost"
    wanted.layer, wanted.head = wanted.places[0]
    figure.locator(".xp-sheet input").first.check()
    settle(page)
    assert_shows(figure, wanted)
    assert met(figure) == [0]
    first = f"First by “removal” is layer {wanted.layer + 1}, head {wanted.head}."
    assert first in figure.locator(".xp-says").inner_text()
    figure.get_by_role("switch").click()
    figure.get_by_text("One head is off").wait_for()
    wanted.off = [f"self.{wanted.layer}.{wanted.head}"]
    assert_shows(figure, wanted)
    figure.get_by_role("textbox").fill("The whale")
    wanted.text = "The whale"
    figure.locator(".xp-strip button:visible").nth(len(wanted.ids)).wait_for(state="hidden")  # fmt: skip
    assert_shows(figure, wanted)


def one_back():
    sheet = HeadSheetExplorable()
    places = np.ndindex(N_LAYERS, N_HEADS)
    return next(place for place in places if sheet.shares(*place)["before"] > 0.5)


def other_word():
    """A head without which the model's likeliest word is another one."""
    ids = HeadSheetExplorable().ids
    best = language.read(ids).logits[-1].argmax()
    names = all_heads(["self"], N_LAYERS, N_HEADS)
    return next(off for off in names if language.read(ids, [off]).logits[-1].argmax() != best)  # fmt: skip


@pytest.mark.parametrize("task", range(3))
def test_each_task_can_be_met(show, task):
    costs = [record["zero"][0] for record in head_roles()]
    layer, head = divmod(int(np.argmax(costs)), N_HEADS) if task == 0 else one_back()
    state = {"off": [other_word()]} if task == 2 else {"layer": layer, "head": head}
    figure = look(show(HeadSheetExplorable(**state)))
    wait(figure)
    assert task in met(figure)


@pytest.mark.parametrize("width", [360, 773])
def test_what_sorts_the_heads_is_said_in_one_line(show, width):
    figure = look(show("head_sheet", viewport={"width": width, "height": 768}))
    legend = figure.locator(".xp-choice legend")
    assert legend.inner_text().startswith("Sort the heads by (all but “layer”")
    assert legend.bounding_box()["height"] < 30
