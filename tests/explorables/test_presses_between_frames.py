"""Keys pressed faster than frames add up in every figure: what takes keys asks the state where it stands, not the last picture."""

from itertools import count

import pytest
from live_pages import NAMES, look, said, settle

TAKES_KEYS = "figure.explorable :is([role=slider], [role=application]):not(input)"
COUNT = "selector => [...document.querySelectorAll(selector)].filter((n) => n.checkVisibility()).length"
PRESSES = 4
ONE_BY_ONE = (
    "await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
)
PRESS = """async ([selector, place, count]) => {
  const node = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())[place];
  node.focus({ preventScroll: true });
  for (let i = 0; i < count; i += 1) {
    for (const key of ['ArrowRight', 'ArrowUp', 'ArrowRight', 'ArrowLeft']) {
      node.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      %s;
    }
  }
}"""


TIMES = count()


def back_to_the_start(page):
    """As a link does that asks for nothing that the figure has."""
    name = f"time {next(TIMES)}"
    page.evaluate("name => { location.hash = `#${document.querySelector('figure.explorable').id}?${name}=1`; }", name)  # fmt: skip
    page.locator(".explorable-link").filter(has_text=name).wait_for()
    settle(page)


def pressed(page, place, between):
    """What the figure says after some presses."""
    back_to_the_start(page)
    page.evaluate(PRESS % between, [TAKES_KEYS, place, PRESSES])
    settle(page)
    return said(page)


@pytest.mark.parametrize("name", NAMES)
def test_presses_that_come_before_a_frame_count(name, show):
    page = show(name)
    look(page)
    page.wait_for_function("() => !/Reading/.test(document.querySelector('.xp-says').textContent)")  # fmt: skip
    places = page.evaluate(COUNT, TAKES_KEYS)
    if not places:
        pytest.skip("nothing in it takes keys but what browsers bring along")
    for place in range(min(places, 4)):
        assert pressed(page, place, "") == pressed(page, place, ONE_BY_ONE), place
