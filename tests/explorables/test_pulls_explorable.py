"""Negative sampling, word by word, live: Python's vectors and probabilities, by step, rate and number of invented words."""

import numpy as np
import pytest
from live_pages import look, settle, slide

from transformer_math.explorables import PullsExplorable
from transformer_math.explorables.embedding.pulls import CENTRES, NEIGHBOURS, STEPS


def places(figure):
    """Where the words are drawn, in pixels from the middle, up and to the right."""
    size = float(figure.locator("svg").get_attribute("width"))
    dots = figure.locator("svg circle.xp-dot").all()
    found = [[dot.get_attribute(at) for at in ("cx", "cy")] for dot in dots]
    x, y = np.array(found, float).T
    return np.stack([x - size / 2, size / 2 - y], axis=1)


def assert_shows(figure, wanted):
    E, U = wanted.vectors()
    every = np.vstack([E, U])
    shown = places(figure)
    scale = np.abs(shown).max() / np.abs(every).max()
    np.testing.assert_allclose(shown, scale * every, atol=0.2)
    says = figure.locator(".xp-says").inner_text()
    pair = wanted.last_pair()
    if pair is None:
        assert "No pair was seen yet" in says
    else:
        assert f"Pair {wanted.step}: “{pair[0]}” stood beside “{pair[1]}”." in says
        assert f"It took that for real with {pair[2]:.2f}" in says
        assert says.count("“") == 2 + wanted.k


@pytest.mark.parametrize("seed", range(3))
def test_random_states(show, seed):
    rng = np.random.default_rng(seed)
    wanted = PullsExplorable(
        step=int(rng.integers(1, 200)), rate=0.25, k=int(rng.integers(1, 6))
    )
    assert_shows(look(show(wanted)), wanted)


def test_controls_lead_where_python_would(show):
    wanted, figure = PullsExplorable(), look(page := show("pulls"))
    figure.get_by_role("button", name="Next pair").click()
    settle(page)
    wanted.step += 1
    assert_shows(figure, wanted)
    for trait, label, value in (
        ("k", "Invented words k", 4),
        ("step", "Pairs seen", 0),
    ):
        setattr(wanted, trait, value)
        slide(figure, label, value)
        settle(page)
        assert_shows(figure, wanted)


def test_it_plays_and_stops(show):
    figure = look(page := show("pulls"))
    step = figure.get_by_role("slider", name="Pairs seen")
    halt = figure.get_by_role("button", name="Stop")
    assert halt.get_attribute("aria-disabled") == "true"
    before = int(step.input_value())
    figure.get_by_role("button", name="Play").click()
    page.wait_for_function(
        "([node, before]) => node.valueAsNumber > before + 1",
        arg=[step.element_handle(), before],
    )
    assert halt.get_attribute("aria-disabled") == "false"
    halt.click()
    settle(page)
    assert halt.get_attribute("aria-disabled") == "true"
    stopped = step.input_value()
    page.wait_for_timeout(700)
    assert step.input_value() == stopped


def test_the_last_pair_has_no_next_and_the_focus_stays(show):
    figure = look(page := show(PullsExplorable(step=STEPS - 1)))
    button = figure.get_by_role("button", name="Next pair")
    button.press("Enter")
    settle(page)
    assert button.get_attribute("aria-disabled") == "true"
    assert button.evaluate("node => node === document.activeElement")


def test_words_of_one_subject_end_on_one_side():
    E, U = PullsExplorable(step=300).vectors()
    scores = dict(zip(CENTRES, (E @ U.T).tolist()))
    at = {word: i for i, word in enumerate(NEIGHBOURS)}
    for centre, own, other in (
        ("king", ("crown", "throne"), ("seine", "french")),
        ("queen", ("crown", "throne"), ("seine", "french")),
        ("paris", ("seine", "french"), ("crown", "throne")),
        ("france", ("seine", "french"), ("crown", "throne")),
    ):
        assert min(scores[centre][at[w]] for w in own) > 1 + max(scores[centre][at[w]] for w in other)  # fmt: skip


OVERLAPS = """() => {
  const names = [...document.querySelectorAll('section.xp text.xp-named')];
  const boxes = names.map((name) => [name.textContent, name.getBoundingClientRect()]);
  const across = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const cover = ([, a], [, b]) => across(a, b) > 1 && down(a, b) > 4;
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => cover(a, b)).map((b) => `${a[0]}, ${b[0]}`));
}"""


def test_no_name_covers_another(show):
    page = show(PullsExplorable(step=0))
    figure = look(page)
    for step in range(0, 41, 4):
        slide(figure, "Pairs seen", step)
        settle(page)
        assert page.evaluate(OVERLAPS) == [], step
