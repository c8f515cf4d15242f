"""What each part adds to a logit, live: Python's numbers on any text, at any token, for any candidate and part."""

import numpy as np
import pytest
from figure_tasks import checked, drive, pressed, typed
from live_pages import look, settle
from test_models import TEXTS, shades
from test_values import written

from transformer_math.explorables import LogitPartsExplorable
from transformer_math.explorables.model import language
from transformer_math.explorables.model.drawings import likeliest, percent
from transformer_math.explorables.trained.logit_parts import CHOICES
from transformer_math.output import probabilities
from transformer_math.trained.language_model import N_HEADS, N_LAYERS
from transformer_math.trained.logit_parts import PART_NAMES

TEXT = "all => all.map(one => one.textContent)"
PER_LAYER = N_HEADS + 1


def signed(x):
    return f"{'+' if x >= 0 else ''}{written(x)}"


def wait(figure):
    figure.locator(".xp-says").filter(has_text="Of all tokens").wait_for()
    settle(figure.page)
    return figure


def in_order(figure):
    """The numbers of the cells, as they are called."""
    labels = figure.locator(".xp-parts label").evaluate_all(TEXT)
    return dict(label.split(": ") for label in labels)


def assert_shows(figure, wanted):
    wait(figure)
    p = probabilities(wanted.reading.logits[wanted.at])
    buttons = figure.locator(".xp-asked-for button").evaluate_all(TEXT)
    assert buttons == [f"{language.label(v)}  {percent(p[v])}" for v in wanted.candidates]  # fmt: skip
    added = wanted.added
    names = [name.capitalize() for name in PART_NAMES]
    assert in_order(figure) == dict(zip(names, map(signed, added[:-1]), strict=True))
    guesses = figure.locator(".xp-would").evaluate_all(TEXT)[1:]
    best = [(likeliest(q, 1)[0], q) for q in wanted.lens]
    assert guesses == [f"{language.label(v)} {percent(q[v])}" for v, q in best]
    says = figure.locator(".xp-says").inner_text()
    side = "below" if added.sum() < 0 else "above"
    assert f"is {abs(added.sum()):.2f} {side} " in says
    assert f"{signed(added[-1])} from the last norm’s β" in says
    name = PART_NAMES[wanted.part].capitalize()
    assert f"{name} adds {signed(added[wanted.part])}." in says
    effect = wanted.effects[wanted.part]
    for row, sign in zip(figure.locator(".xp-raised td").evaluate_all(TEXT), (1, -1)):
        order = likeliest(sign * effect, 3)
        told = [f"{language.label(v)} {signed(effect[v] - effect.mean())}" for v in order]  # fmt: skip
        assert row == "   ".join(told)
    layer, head = divmod(wanted.part - 1, PER_LAYER)
    looks = 0 <= layer < N_LAYERS and head < N_HEADS
    line = wanted.reading.attention[layer][head][wanted.at] if looks else np.zeros(len(wanted.ids))  # fmt: skip
    np.testing.assert_allclose(shades(figure), line, atol=6e-4)


@pytest.mark.parametrize("seed", range(6))
def test_random_states(show, seed):
    rng = np.random.default_rng(seed)
    wanted = LogitPartsExplorable(
        text=TEXTS[seed % len(TEXTS)],
        row=int(rng.integers(24)),
        candidate=int(rng.integers(CHOICES)),
        against=str(rng.choice(["mean", "rival"])),
        part=int(rng.integers(len(PART_NAMES))),
    )
    assert_shows(look(show(wanted)), wanted)


def test_parts_candidates_tokens_and_texts_are_chosen(show):
    figure, wanted = look(page := show("logit_parts")), LogitPartsExplorable()
    assert_shows(figure, wanted)
    for choose, state in [
        (checked("Layer 4, head 1: +1.32"), {"part": PART_NAMES.index("layer 4, head 1")}),
        (pressed("␣White 3.8 %"), {"candidate": 2}),
        (checked("the likeliest other"), {"against": "rival"}),
        (lambda one: one.locator(".xp-strip button").nth(3).click(), {"row": 3, "candidate": 0}),
    ]:  # fmt: skip
        drive(figure, choose)
        for name, value in state.items():
            setattr(wanted, name, value)
        assert_shows(figure, wanted)
    drive(figure, typed("Text", "Moby"))
    figure.locator(".xp-strip button:visible").nth(2).wait_for(state="hidden")
    wanted.text, wanted.row = "Moby", 23
    assert_shows(figure, wanted)
    drive(figure, typed("Text", ""))
    figure.get_by_text("No tokens yet.").first.wait_for()
    settle(page)


def test_the_sum_of_all_parts_is_the_logit():
    """Counted from the mean, and from the likeliest other token."""
    one = LogitPartsExplorable()
    logits = one.reading.logits[one.at]
    assert one.added.sum() == pytest.approx(logits[one.wanted] - logits.mean())
    one.against = "rival"
    assert one.added.sum() == pytest.approx(logits[one.wanted] - logits[one.rival])
    assert one.added.sum() > 0


def test_on_a_phone_no_raised_token_is_cut_off(show):
    figure = wait(look(show("logit_parts", viewport={"width": 360, "height": 740})))
    room = figure.bounding_box()
    for part in (0, 8, 19):
        figure.locator(".xp-parts input").nth(part).check(force=True)
        settle(figure.page)
        table = figure.locator(".xp-raised").bounding_box()
        assert table["x"] + table["width"] <= room["x"] + room["width"]
        for cell in figure.locator(".xp-raised td").all():
            assert cell.evaluate("td => td.scrollWidth <= td.clientWidth")


@pytest.mark.parametrize("width", [360, 773])
def test_headings_of_heads_stand_above_heads_alone(show, width):
    figure = wait(look(show("logit_parts", viewport={"width": width, "height": 768})))
    titles = [t.bounding_box()["y"] for t in figure.locator(".xp-part-name").all()]
    cells = [c.bounding_box()["y"] for c in figure.locator(".xp-parts label").all()]
    embedding, biases, *heads = cells
    assert len(set(titles)) == 1
    assert max(embedding, biases) < titles[0] < min(heads)
    if width > 700:  # what would be said after a layer stands in its line
        said = [w.bounding_box()["y"] for w in figure.locator(".xp-would").all()]
        lines = [embedding, *heads[::PER_LAYER]]
        assert all(0 <= y - line < 10 for y, line in zip(said[1:], lines, strict=True))
