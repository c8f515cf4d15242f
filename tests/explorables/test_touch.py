"""A finger keeps hold of what it drags: the browser does not take the gesture for a scroll of the page."""

import pytest
from live_pages import PHONE, look

WAY = 100  # pixels that the finger goes, ten at a time
SHORT = 20  # before a browser takes a gesture for a scroll
COUNT = """handle => {
  window.heard = { pointermove: 0, pointercancel: 0 };
  for (const kind of Object.keys(heard)) handle.addEventListener(kind, () => (heard[kind] += 1));
}"""


@pytest.mark.parametrize("name", ["equivariance", "rope", "sinusoidal", "geometry"])
def test_a_finger_drags_a_handle_all_the_way(show, name):
    page = show(name, **PHONE)
    handle = look(page).locator(".xp-handle:visible").last
    handle.scroll_into_view_if_needed()
    handle.evaluate(COUNT)
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    toward = -1 if x > PHONE["viewport"]["width"] / 2 else 1
    finger = page.context.new_cdp_session(page)

    def touch(kind, *points):
        points = [{"x": px, "y": py} for px, py in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (x, y))
    for step in range(10, WAY + 1, 10):
        touch("touchMove", (x + toward * step, y + step / 2))
    touch("touchEnd")
    heard = page.evaluate("heard")
    assert heard["pointercancel"] == 0
    assert heard["pointermove"] > SHORT / 10
