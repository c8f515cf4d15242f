"""A decoder layer, live: Python's weights, lengths and distributions, what is lost without the mask or an attention."""

import re

import numpy as np
import pytest
from figure_tasks import checked, drive, met, switched
from live_pages import look
from test_models import DATES

from transformer_math.explorables import DecoderLayerExplorable, TranslatorExplorable
from transformer_math.explorables.block.decoder_layer import SUBLAYERS, sign
from transformer_math.explorables.model.drawings import likeliest, percent
from transformer_math.explorables.model.translator import SIGNS, parameters
from transformer_math.model import encoder_decoder_logits
from transformer_math.trained.date_translator import N_HEADS, SOURCE

SWITCHES = ("mask", "self_attention", "cross_attention")
INKS = "all => all.map(i => i.dataset.ink)"


def ready(figure):
    figure.locator(".xp-says").filter(has_text="after the second").wait_for()
    return figure


def cells(panel, heads=N_HEADS):
    """The weights that a picture shows, a row for each head."""
    inks = panel.locator("div:visible > i").evaluate_all(INKS)
    shades = [[float(w) for w in re.findall(r", ([\d.]+)\)", ink)] for ink in inks]
    return np.array(shades).T


def assert_shows(figure, wanted):
    """The answer with its marks, the three pictures, the lengths, both candidates after each sublayer."""
    panels = ready(figure).locator(".xp-sublayer")
    strip = figure.locator(".xp-strip button:visible")
    assert "".join(strip.locator("span").all_text_contents()) == wanted.answer
    whole = "".join(sign(v) for v in wanted.written)
    fresh = strip.evaluate_all("all => all.map(b => b.classList.contains('xp-fresh'))")
    assert fresh == [a != b for a, b in zip(wanted.answer, whole, strict=True)]
    looked = [panels.nth(k).locator(".xp-looks > div:visible") for k in range(2)]
    assert looked[0].locator("span").all_text_contents() == [sign(v) for v in wanted.read]  # fmt: skip
    assert looked[1].locator("span").all_text_contents() == [SIGNS.get(c, c) for c in wanted.source]  # fmt: skip
    np.testing.assert_allclose(cells(panels.nth(0)), wanted.now.own[:, wanted.at], atol=6e-4)  # fmt: skip
    np.testing.assert_allclose(cells(panels.nth(1)), wanted.now.cross[:, wanted.at], atol=6e-4)  # fmt: skip
    shut = looked[0].evaluate_all("all => all.map(c => c.classList.contains('xp-shut'))")  # fmt: skip
    later = np.arange(len(wanted.read)) > wanted.at
    assert shut == (later & wanted.mask).tolist()
    active = int((wanted.now.hidden[wanted.at] > 0).sum())
    assert f"{active} of 128 hidden units active" in panels.nth(2).inner_text()
    if not wanted.mask and wanted.self_attention:
        assert f"{percent(wanted.ahead)} lies ahead" in panels.nth(0).inner_text()
    for k, (move, p) in enumerate(zip(wanted.moves, wanted.lenses)):
        text = re.sub(r"\s*\n\s*", "\n", panels.nth(k).inner_text())
        assert f"{move:.2f} ×" in text
        for v in likeliest(p, 2):
            assert f"{sign(v)}\n{percent(p[v])}" in text, (SUBLAYERS[k], text)


@pytest.mark.parametrize("seed", range(8))
def test_random_states(show, seed):
    rng = np.random.default_rng(seed)
    off = {name: bool(rng.random() < 0.6) for name in SWITCHES} if seed else {}
    wanted = DecoderLayerExplorable(
        date=DATES[seed % len(DATES)],
        layer=str(rng.integers(1, 3)),
        row=int(rng.integers(12)),
        **off,
    )
    assert_shows(look(show(wanted)), wanted)


def test_a_date_is_typed_and_an_attention_taken_away(show):
    wanted, figure = DecoderLayerExplorable(), look(show("decoder_layer"))
    assert_shows(figure, wanted)
    figure.get_by_label("A date", exact=True).fill("Friday, July 29, 1988")
    figure.locator(".xp-says").filter(has_text="1988-07-29").wait_for()
    wanted.date = "Friday, July 29, 1988"
    for name in SWITCHES:
        drive(figure, switched(name.replace("_", "-")))
        setattr(wanted, name, False)
        assert_shows(figure, wanted)
    drive(figure, checked("1"))
    wanted.layer = "1"
    assert_shows(figure, wanted)
    figure.get_by_label("A date", exact=True).fill("東")
    figure.get_by_text("No date yet.").first.wait_for()


def test_with_everything_on_it_is_the_models_own_answer():
    model = parameters()
    for date in DATES:
        one = DecoderLayerExplorable(date=date)
        assert one.answer.partition("⊣")[0] == TranslatorExplorable(date=date).iso
        source = np.array([SOURCE.index(c) for c in one.source])
        scored = encoder_decoder_logits(source, np.array(one.read), model, N_HEADS)
        np.testing.assert_allclose(one.layers[-1].after[-1] @ model.W_out, scored, atol=1e-9)  # fmt: skip


def test_what_each_switch_takes_away():
    """Without the mask a row changes with what comes later; without cross-attention nothing changes with the date."""
    first, second = "March 12th, 1851", "April 17th, 1907"
    assert DecoderLayerExplorable(date=first).ahead == 0
    assert DecoderLayerExplorable(date=first, mask=False, row=0).ahead > 0.5
    blind = [DecoderLayerExplorable(date=d, cross_attention=False) for d in (first, second)]  # fmt: skip
    assert blind[0].answer != "1851-03-12⊣"
    begin = [
        one.layers[-1].after[-1][0] for one in blind
    ]  # before the first digit both have read the same
    np.testing.assert_allclose(*begin, atol=1e-12)
    alone = DecoderLayerExplorable(date=first, self_attention=False)
    assert alone.moves[0] == 0 and not alone.answer.endswith("⊣")


MEETING = [
    {"layer": "1", "row": 4},
    {"cross_attention": False, "row": 5},
    {"self_attention": False},
]


@pytest.mark.parametrize("task, state", list(enumerate(MEETING)))
def test_each_task_can_be_met(show, task, state):
    assert task in met(ready(look(show(DecoderLayerExplorable(**state)))))


@pytest.mark.parametrize(
    ("date", "told"),
    [
        ("x May 3, 1999", "The model has no character “x”: left out."),
        ("東西南北中上 3 May 1999", "“東” “西” “南” “北” “中” and 1 more: left out."),
        ("3 May 1999" * 4, "Only the first 31 characters are read."),
        ("xqz", "The model has no character “x” “q” “z”: left out. No date yet."),
    ],
)
def test_what_is_not_read_is_told(show, date, told):
    figure = look(show("decoder_layer"))
    figure.get_by_label("A date", exact=True).fill(date)
    figure.locator(".xp-says").filter(has_text=told).wait_for()
