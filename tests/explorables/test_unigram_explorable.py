"""The lattice of Unigram, live: what is no piece is seen to be none."""

import pytest
from live_pages import look, said, settle, slide

from transformer_math.explorables import UnigramExplorable

DASHED = "lines => lines.filter(line => getComputedStyle(line).strokeDasharray !== 'none').map(line => line.textContent)"


def dashed(figure, colour):
    """What the dashed lines of a colour say of themselves."""
    lines = figure.locator(f"svg path.xp-{colour}")
    return lines.evaluate_all(DASHED)


def test_letters_that_are_no_piece_are_dashed_and_named(show):
    figure = look(show(UnigramExplorable(word="lozest☃z")))
    titles = dashed(figure, "query")
    assert [title[:10] for title in titles] == [
        "z: unknown",
        "☃: unknown",
        "z: unknown",
    ]
    assert len(dashed(figure, "key")) == 3
    assert "Unknown, and dashed: z ☃." in said(figure)


def test_a_word_of_known_letters_has_nothing_dashed(show):
    figure = look(page := show(UnigramExplorable(word="lozest☃")))
    figure.get_by_label("Word", exact=True).fill("lowest")
    settle(page)
    for steps in (0, 20):
        slide(figure, "Steps of EM", steps)
        settle(page)
        assert dashed(figure, "query") == dashed(figure, "key") == []
        assert "nknown" not in said(figure)


def test_after_the_last_step_of_em_its_button_does_nothing_and_keeps_the_focus(show):
    figure = look(page := show(UnigramExplorable(steps=19)))
    button = figure.get_by_role("button", name="One step of EM")
    assert button.get_attribute("aria-disabled") == "false"
    button.press("Enter")
    settle(page)
    assert button.get_attribute("aria-disabled") == "true"
    assert button.evaluate("node => node === document.activeElement")


ON_LABELS = """svg => {
  const labels = [...svg.querySelectorAll("text")].filter((text) => text.textContent.includes("%")).map((text) => text.getBBox());
  const inside = (box, { x, y }) => x > box.x && x < box.x + box.width && y > box.y + 3 && y < box.y + box.height - 3;
  const thick = [...svg.querySelectorAll("path:not(.xp-key)")].filter((path) => parseFloat(path.style.strokeWidth) > 1.2);
  const along = Array.from({ length: 200 }, (_, k) => k / 199);
  const points = thick.flatMap((path) => along.map((part) => path.getPointAtLength(part * path.getTotalLength())));
  return [labels.length, labels.filter((box) => points.some((point) => inside(box, point))).length];
}"""


@pytest.mark.parametrize("width", [360, 773])
def test_no_share_stands_on_an_arc(show, width):
    figure = look(show("unigram", viewport={"width": width, "height": 768}))
    labels, crossed = figure.locator("svg").first.evaluate(ON_LABELS)
    assert labels >= 2 and crossed == 0
