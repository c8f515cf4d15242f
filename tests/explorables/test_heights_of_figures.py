"""On a laptop, 1366 × 768, a figure's cause and effect stand on one screen."""

import pytest
from live_pages import NAMES, look

# a chapter's column on a laptop, and the margins of these pages
COLUMN = {"viewport": {"width": 741 + 32, "height": 768}}
MOST = 640


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_on_one_screen(show, name):
    figure = look(show(name, **COLUMN))
    height = figure.locator(".explorable-room").bounding_box()["height"]
    assert height <= MOST
