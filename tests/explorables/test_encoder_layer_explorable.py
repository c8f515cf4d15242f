"""Twelve encoder layers with random weights, live: Python's vectors, the book's own layers, and what is said of them."""

from itertools import product

import numpy as np
import pytest
from figure_tasks import checked, drive, slid, switched
from live_pages import look
from parity import assert_parity

from transformer_math.block import encoder_layer, encoder_layer_pre_norm
from transformer_math.explorables import EncoderLayerExplorable
from transformer_math.explorables.block.encoder_layer import (
    LABELS,
    N_HEADS,
    TOKENS,
    Parts,
    climb,
    cosines,
    drawn,
    encoder_layer_of,
    small,
    spread,
)
from transformer_math.position import sinusoidal

EVERY = [Parts(norm, *on) for norm in ("post", "pre", "none") for on in product((True, False), repeat=4)]  # fmt: skip


@pytest.mark.parametrize(
    ("norm", "layer"), [("post", encoder_layer), ("pre", encoder_layer_pre_norm)]
)
def test_with_all_parts_it_is_the_books_layer(norm, layer):
    Z, layers = drawn(3)
    for p, found in zip(layers, climb(3, Parts(norm))[1:], strict=True):
        Z = layer(Z, p, N_HEADS)
        np.testing.assert_allclose(found, Z, rtol=1e-12)


def test_the_draws_have_the_variance_that_they_are_said_to_have():
    weights = [p.attention.W_Q for seed in range(1, 21) for p in drawn(seed).layers]
    np.testing.assert_allclose(np.var(weights), 2 / (32 + 32), rtol=0.01)
    assert abs(np.mean(weights)) < 1e-3
    words = [drawn(seed).Z - sinusoidal(len(TOKENS), 32) for seed in range(1, 21)]
    np.testing.assert_allclose(np.var(words), 1, rtol=0.05)


def as_javascript(p):
    a, f = p.attention, p.feed_forward
    named = {"Q": a.W_Q, "K": a.W_K, "V": a.W_V, "O": a.W_O, "first": f.W_1, "second": f.W_2}  # fmt: skip
    return {name: matrix.ravel() for name, matrix in named.items()}


def one_layer(Z, p, parts):
    """The case of a stack that is one layer high."""
    stack = {"Z": Z, "layers": [as_javascript(p)]}
    wanted = [Z, encoder_layer_of(Z, p, parts)]
    return "climb", [stack, parts._asdict()], wanted


def test_javascript_draws_the_same_stack_and_climbs_it_alike(tmp_path):
    rng = np.random.default_rng(5)
    cases = []
    for seed in (1, 7, 20):
        Z, layers = drawn(seed)
        stack = {"Z": Z, "layers": [as_javascript(p) for p in layers]}
        cases.append(("drawn", [seed, TOKENS], stack))
    given = {"call": "drawn", "args": [7, TOKENS]}
    Z, layers = drawn(7)
    for parts in EVERY:
        states = climb(7, parts)
        cases.append(("cosines", [states[3], states[0]], cosines(states[3], states[0])))
        # vectors that grow make attention sharp, which multiplies what rounding makes of them: from layer to layer
        if parts.norm == "none" and parts.attention and parts.residual_attention:
            cases += [
                one_layer(*step, parts)
                for step in zip(states[:-1], layers, strict=True)
            ]
        else:
            cases.append(("climb", [given, parts._asdict()], states))
        sharp = parts._replace(queries=float(rng.choice([2.5, 10])))
        cases.append(one_layer(Z, layers[4], sharp))
    for _ in range(20):
        Z = rng.normal(size=(4, 32))
        cases.append(("spread", [Z], spread(Z)))
    assert_parity(tmp_path, "block/stack.js", cases)


def assert_says(figure, wanted):
    """The sentence's numbers are Python's."""
    said = figure.locator(".xp-says").inner_text()
    where = f"After layer {wanted.layer}" if wanted.layer else "At the input"
    differs = f"{where} the share of Z that differs from token to token is {small(wanted.spreads[wanted.layer])}"
    assert differs.replace("-", "−") in said
    pairs = wanted.alike[~np.eye(len(TOKENS), dtype=bool)]
    kept = f"{wanted.kept[wanted.layer]:.2f}".replace("-", "−")
    assert f"a cosine of {pairs.mean():.2f}".replace("-", "−") in said
    assert f"a token has a cosine of {kept} with its own input" in said
    cosine = f"{wanted.alike[wanted.row, wanted.column]:.2f}".replace("-", "−")
    first, second = (f"“{TOKENS[i]}”, place {i}" for i in (wanted.row, wanted.column))
    other = "with itself" if first == second else f"and {second}"
    assert f"({first}, {other}: {cosine})" in said


POINTS = """all => all.map(e => (e.getAttribute("d").match(/[\\d.]+,[\\d.]+/g) ?? []).map(p => p.split(",").map(Number)))"""


def assert_draws(figure, wanted):
    """Both curves, down to the floor where differences end, between the marks of the axes; in grey those of all parts."""
    whole = EncoderLayerExplorable(norm=wanted.norm, weights=wanted.weights)
    for chart, of in enumerate(
        (lambda one: np.log10(one.spreads), lambda one: np.array(one.kept))
    ):
        drawing = figure.locator(".xp-climb svg").nth(chart)
        frame = drawing.locator(".xp-line").evaluate_all(POINTS)[0]
        (left, top), (_, bottom), (right, _) = frame
        low, high = (-12, 0) if chart == 0 else (-0.5, 1)
        for kind, one in (("xp-query", wanted), ("xp-muted", whole)):
            (found,) = drawing.locator(f".xp-curve.{kind}").evaluate_all(POINTS)
            values = of(one)
            end = next(
                (k for k, value in enumerate(values) if value < low), len(values)
            )
            drawn = np.maximum(values[: end + 1], low)
            x = left + np.arange(len(drawn)) * (right - left) / (len(values) - 1)
            y = bottom - (drawn - low) * (bottom - top) / (high - low)
            np.testing.assert_allclose(found, np.stack([x, y], axis=1), atol=0.11)


@pytest.mark.parametrize("seed", range(8))
def test_random_states(show, seed):
    rng = np.random.default_rng(seed)
    wanted = EncoderLayerExplorable(
        norm=str(rng.choice(["post", "pre", "none"])),
        layer=int(rng.integers(13)),
        weights=int(rng.integers(1, 21)),
        queries=float(rng.choice([1, 1.5, 4, 10])),
        row=int(rng.integers(13)),
        column=int(rng.integers(13)),
        **{name: bool(rng.random() < 0.7) for name in LABELS},
    )
    figure = look(show(wanted))
    assert_says(figure, wanted)
    assert_draws(figure, wanted)


def test_parts_are_taken_out_and_put_back(show):
    wanted, figure = EncoderLayerExplorable(), look(show("encoder_layer"))
    assert_says(figure, wanted)
    drive(figure, switched("residual at attention"), slid("Layer", 12))
    wanted.residual_attention, wanted.layer = False, 12
    assert_says(figure, wanted)
    assert "0 but for rounding" in figure.locator(".xp-says").inner_text()
    assert_draws(figure, wanted)
    drive(figure, checked("pre-norm"), slid("Queries", 10), slid("Weights", 4))
    wanted.norm, wanted.queries, wanted.weights = "pre", 10.0, 4
    assert_says(figure, wanted)
    drive(figure, switched("residual at attention"))
    wanted.residual_attention = True
    assert_says(figure, wanted)
    field = figure.get_by_role("application")
    field.press("ArrowDown")
    field.press("End")
    wanted.row, wanted.column = wanted.row + 1, len(TOKENS) - 1
    look(figure.page)
    assert_says(figure, wanted)


# of the three milliseconds of a slice the first look at the clock takes two: one layer a frame
SLOW = "() => { let now = 0; performance.now = () => (now += 2); }"
DRAG = """async (slider) => {
  const says = slider.closest("section.xp").querySelector(".xp-says");
  const seen = new Set();
  for (let turn = 0; turn < 120; turn += 1) {
    slider.value = Number(slider.min) + (turn % 2 ? 1 : turn / 12);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise(requestAnimationFrame);
    seen.add(says.textContent);
  }
  return seen.size;
}"""


def test_who_drags_on_sees_answers_while_layers_take_longer_than_frames(show):
    page = show(EncoderLayerExplorable(layer=12))
    figure = look(page)
    page.evaluate(SLOW)
    assert figure.get_by_label("Queries", exact=True).evaluate(DRAG) > 4
