"""“bank” by its sentence, live: Python's neighbours, distances and senses, by layer and sentence."""

import re

import numpy as np
import pytest
from live_pages import look, settle

from transformer_math.explorables import ContextualExplorable
from transformer_math.explorables.embedding.contextual import (
    LAYERS,
    OTHERS,
    SENTENCES,
    shown_sentences,
)
from transformer_math.trained.senses import senses, vectors_of


def assert_shows(figure, wanted):
    rows = figure.locator("table tbody tr").all()
    assert [row.inner_text().split("\t")[1] for row in rows] == wanted.neighbours()
    says = figure.locator(".xp-says").inner_text()
    assert says.startswith(f"“{wanted.sentences[wanted.sentence]}”: ")
    if wanted.sense() is None:
        assert "one vector for all sentences" in says
        return
    shown = [
        float(number) for number in re.findall(r"(?:is|and) (\d+\.\d+) from", says)
    ]
    np.testing.assert_allclose(shown, wanted.distances(), atol=0.0051)
    assert f"money: {wanted.sense()}" in says


@pytest.mark.parametrize("layer", LAYERS)
def test_sentences_drawn_at_random(show, layer):
    rng = np.random.default_rng(len(layer))
    wanted = ContextualExplorable(layer=layer, sentence=int(rng.integers(SENTENCES)))
    assert_shows(look(show(wanted)), wanted)


def test_controls_lead_where_python_would(show):
    wanted, figure = ContextualExplorable(), look(page := show("contextual"))
    assert_shows(figure, wanted)
    figure.get_by_role("radio", name="layer 1").check()
    figure.get_by_role("slider", name="Sentence", exact=True).press("ArrowRight")
    settle(page)
    wanted.layer, wanted.sentence = "layer_1", 1
    assert_shows(figure, wanted)


def test_arrows_and_pointer_go_from_sentence_to_sentence(show):
    figure = look(page := show(ContextualExplorable(layer="layer_2")))
    grip = figure.get_by_role("slider", name="The sentence")
    texts = set()
    grip.press("Home")
    for _ in range(4):
        settle(page)
        texts.add(grip.get_attribute("aria-valuetext"))
        grip.press("ArrowRight")
    assert len(texts) == 4
    dot = figure.locator("svg .xp-key").first
    dot.scroll_into_view_if_needed()
    settle(page)
    box = dot.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    settle(page)
    assert "money, as was planted" in figure.locator(".xp-says").inner_text()


def test_what_travels_is_the_models_own():
    """Rounded to a byte, the vectors keep their places; and every word of the corpus is among those that may be near."""
    for number, layer in enumerate(LAYERS):
        shown = ContextualExplorable(layer=layer)
        assert len(shown.part("others")) == len(OTHERS)
        if layer != "static":
            exact = vectors_of("bank", shown_sentences(), senses())[number]
            np.testing.assert_allclose(shown.part("banks"), exact, atol=0.03)
