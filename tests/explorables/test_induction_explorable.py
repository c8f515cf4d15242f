"""Two layers that copy, live: Python's numbers on any words, what buttons say again, tasks that notice."""

import re

import numpy as np
import pytest
from figure_tasks import met
from live_pages import look, said, settle
from test_models import IN_SIGHT, shades
from test_values import TABLE, written

from transformer_math.explorables import InductionHeadsExplorable
from transformer_math.explorables.model.drawings import percent
from transformer_math.explorables.model.silenced import all_heads
from transformer_math.explorables.trained.induction_heads import BLOCK, OTHERS
from transformer_math.trained.induction_heads import (
    LAYERS,
    N_HEADS,
    prefix_matching_score,
    previous_token_score,
)

TWICE = f"{BLOCK} {BLOCK}"
TEXTS = [BLOCK, TWICE, "to be or  not to be", "rose is a rose is a rose", "x", "é 鯨 é 鯨 é"]  # fmt: skip


def assert_shows(figure, wanted):
    """Words with their shades and bars, the heads' scores, what comes next, the sentence."""
    words, row = wanted.words, min(wanted.row, len(wanted.words) - 1)
    places = figure.locator(".xp-strip button:visible")
    assert places.locator("> span").all_text_contents() == words
    seen = wanted.attention[wanted.layer][wanted.head][row]
    np.testing.assert_allclose(shades(figure), seen, atol=6e-4)
    bars = places.locator("b").evaluate_all("all => all.map(b => b.style.transform)")
    shares = [float(re.search(r"[\d.e-]+(?=\))", bar)[0]) for bar in bars]
    np.testing.assert_allclose(shares, [0, *wanted.foretold], atol=6e-4)
    lines = figure.locator(".xp-lines").evaluate(TABLE)
    heads = [A for layer in wanted.attention for A in layer]
    for (_, before, behind), A in zip(lines, heads, strict=True):
        assert before == (written(previous_token_score(A)) if len(words) > 1 else "none")  # fmt: skip
        again = len(set(words)) < len(words)
        assert behind == (written(prefix_matching_score(A, wanted.ids)) if again else "none")  # fmt: skip
    shares = wanted.shares(row)
    best = max(shares, key=shares.get)
    says = figure.locator(".xp-says").inner_text()
    assert f"the model expects {best}, {percent(shares[best])}." in says
    assert f"another word{percent(shares[OTHERS])}" in figure.locator(".xp-next tbody").text_content()  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_random_states(show, seed):
    rng = np.random.default_rng(seed)
    off = rng.permutation(all_heads(["self"], LAYERS, N_HEADS))
    wanted = InductionHeadsExplorable(
        text=TEXTS[seed],
        row=int(rng.integers(40)),
        layer=int(rng.integers(LAYERS)),
        head=int(rng.integers(N_HEADS)),
        off=off[: rng.integers(3)].tolist(),
    )
    assert_shows(look(show(wanted)), wanted)


def test_typing_and_buttons(show):
    figure, wanted = look(page := show("induction_heads")), InductionHeadsExplorable()
    figure.get_by_role("button", name="Say it again").click()
    settle(page)
    wanted.text = TWICE
    assert_shows(figure, wanted)
    figure.locator(".xp-next button").first.click()  # the likeliest word goes on
    settle(page)
    wanted.text = f"{TWICE} call"
    assert_shows(figure, wanted)
    figure.locator(".xp-next button").last.click()
    settle(page)
    assert figure.locator(".xp-strip button:visible > span").last.inner_text() == "new-10"  # fmt: skip
    figure.get_by_role("button", name="Say it once").click()
    settle(page)
    assert_shows(figure, InductionHeadsExplorable())
    figure.get_by_role("textbox").fill("the whale the whale " * 20)
    settle(page)
    assert_shows(figure, InductionHeadsExplorable(text="the whale the whale " * 20))
    assert "Only the first 40" in figure.locator(".xp-note").inner_text()
    figure.get_by_role("textbox").fill("  ")
    settle(page)
    assert figure.locator(".xp-says").inner_text() == "No words yet."


@pytest.mark.parametrize(
    "state, task",
    [
        ({"layer": 0, "head": 0}, 0),
        ({"text": TWICE}, 1),
        ({"text": TWICE, "off": ["self.0.0"], "row": 16}, 2),
        ({"text": TWICE, "off": ["self.0.1"], "row": 16}, 2),
    ],
)
def test_each_task_can_be_met(show, state, task):
    assert met(look(show(InductionHeadsExplorable(**state)))) == [task]


def test_no_head_of_the_second_layer_ends_the_copying_alone(show):
    for head in ("self.1.0", "self.1.1"):
        state = InductionHeadsExplorable(text=TWICE, off=[head])
        assert met(look(show(state))) == []


def test_where_the_next_word_is_still_a_copy_the_copying_has_not_stopped(show):
    """After the last word the likeliest one is the same, whether the head is off or not."""
    wanted = InductionHeadsExplorable(text=TWICE, off=["self.0.0"])
    figure = look(page := show(wanted))
    assert "After “long” (position 17) the model expects “call”" in said(figure)
    assert met(figure) == []
    for row in (9, 16):  # after the second “call” the whole model does not copy yet
        assert met(figure) == []
        figure.locator(".xp-strip button").nth(row).click()
        settle(page)
        assert "expects “call”" not in said(figure)
    assert met(figure) == [2]


def test_the_word_in_sight_stays_in_sight_when_words_grow(show):
    figure = look(page := show(InductionHeadsExplorable(text="a b " * 20)))
    figure.get_by_role("textbox").fill("Nantucket Leviathan " * 20)
    settle(page)
    assert figure.locator(".xp-strip [aria-pressed=true]").evaluate(IN_SIGHT)
