"""The whole model on a sentence: every number of every panel is Python's, and the sum beside it makes it."""

import re

import numpy as np
import pytest
from live_pages import look, settle
from test_values import TABLE, ink, written

from transformer_math.explorables import PipelineExplorable
from transformer_math.explorables.model import language
from transformer_math.explorables.model.pipeline import PANELS, panels
from transformer_math.trained.language_model import D_FF, N_HEADS, N_LAYERS

SUMS = ("queries", "keys", "values", "attended", "joined", "sum_1", "fed", "sum_2", "logits")  # fmt: skip


def wait(figure):
    """Until the model has read everything, once the input has been painted."""
    settle(figure.page)
    figure.locator(".xp-says").filter(has_text=re.compile("expects|Type")).wait_for()
    settle(figure.page)


def number(text):
    return float(text.replace("−", "-").replace("∞", "inf"))


def assert_shows(figure, wanted):
    """The heatmap's ink, the number in sight, and where terms are added up, their sum."""
    wait(figure)
    X, lines = wanted.matrix, figure.locator(".xp-terms").evaluate(TABLE)
    assert number(lines[-1][2]) == pytest.approx(wanted.number, abs=6e-4)
    if wanted.panel in SUMS:
        terms = [number(line[2]) for line in lines[:-1]]
        assert sum(terms) == pytest.approx(wanted.number, abs=1e-2)
    if X.shape[1] <= 32 and np.isfinite(X).all():  # a cell is wider than a pixel
        shown = ink(figure.locator(".xp-cells canvas"), *X.shape)
        largest = np.abs(X).max()
        np.testing.assert_allclose(np.abs(shown), np.abs(X) / largest, atol=0.01)
    digits = 0 if wanted.panel == "tokens" else 3
    if digits == 0:  # an id is a whole number
        assert lines[-1][2] == written(wanted.number, 0)
    assert (
        f"is {written(wanted.number, digits)}."
        in figure.locator(".xp-says").inner_text()
    )
    at = f"of “{wanted.tokens[wanted.at]}” (position {wanted.at}), "
    assert at in figure.locator(".xp-says").inner_text()


@pytest.mark.parametrize("panel", PANELS)
def test_every_panel_shows_pythons_numbers(show, panel):
    rng = np.random.default_rng(list(PANELS).index(panel))
    n = int(rng.integers(2, 17))
    explorable = PipelineExplorable(
        text="It was the whiteness of the whale that above all things appalled me, and",
        panel=panel,
        layer=int(rng.integers(N_LAYERS)),
        head=int(rng.integers(N_HEADS)),
        row=n - 1,
        column=int(rng.integers(D_FF)),
    )
    assert_shows(look(show(explorable)), explorable)


def test_what_is_masked_is_told_so(show):
    figure = look(show(PipelineExplorable(panel="scores", row=1, column=9)))
    lines = figure.locator(".xp-terms").evaluate(TABLE)
    assert lines[0][0] == "masked" and lines[-1][2] == "−∞"
    assert "is −∞." in figure.locator(".xp-says").inner_text()


CUT = """sum => [...sum.querySelectorAll('p, tr:not([hidden]) > *')].filter((part) =>
  getComputedStyle(part).overflowX !== 'visible' && (part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight)
).map((part) => part.textContent)"""


@pytest.mark.parametrize("width", [360, 660])  # a phone, and two narrow columns
def test_the_sum_of_every_panel_is_whole_in_little_room(show, width):
    figure = look(show("pipeline", viewport={"width": width, "height": 800}))
    panels_shown = figure.locator(".xp-gallery input")
    for number in range(len(PANELS)):
        panels_shown.nth(number).check(force=True)
        wait(figure)
        assert figure.locator(".xp-sum").evaluate(CUT) == []
        terms = figure.locator(".xp-terms").bounding_box()
        code = figure.locator(".xp-code").bounding_box()
        sum_ = figure.locator(".xp-sum").bounding_box()
        assert terms["y"] + terms["height"] <= code["y"]
        assert code["y"] + code["height"] <= sum_["y"] + sum_["height"]


def test_controls_lead_where_python_would(show):
    wanted = PipelineExplorable()
    figure = look(show("pipeline"))
    assert_shows(figure, wanted)
    typed = figure.get_by_label("Your sentence")
    field = figure.get_by_role("application")
    likeliest = int(
        language.next_logits(np.array(language.encode("the whale is a"))).argmax()
    )
    for change, act in (
        ({"panel": "hidden"}, lambda: figure.locator(".xp-gallery input").nth(list(PANELS).index("hidden")).check()),
        ({"column": 4}, lambda: field.press("ArrowRight")),
        ({"column": 14}, lambda: [field.press("ArrowRight") for _ in range(10)]),
        ({"row": 13}, lambda: field.press("ArrowUp")),
        ({"column": 639}, lambda: field.press("End")),
        ({"layer": 2}, lambda: figure.get_by_label("Layer").fill("2")),
        ({"panel": "values"}, lambda: figure.locator(".xp-gallery input").nth(list(PANELS).index("values")).check()),
        ({"head": 4}, lambda: figure.get_by_label("Head").fill("4")),
        ({"text": "the whale is a", "written": [], "row": 15}, lambda: typed.fill("the whale is a")),
        ({"written": [likeliest], "row": 15}, lambda: figure.get_by_role("button", name="Write the likeliest").click()),
        ({"written": []}, lambda: figure.get_by_role("button", name="Take back").click()),
    ):  # fmt: skip
        act()
        for name, value in change.items():
            setattr(wanted, name, value)
        assert_shows(figure, wanted)
    typed.fill("")
    assert figure.locator(".xp-says").filter(has_text="Type a word").is_visible()


def test_two_quick_presses_write_one_token(show):
    wanted = PipelineExplorable(text="the whale")
    figure = look(show(wanted))
    wait(figure)
    write = figure.get_by_role("button", name="Write the likeliest")
    write.evaluate("button => (button.click(), button.click())")
    wanted.written = [int(language.next_logits(np.array(wanted.ids)).argmax())]
    assert_shows(figure, wanted)
    says = figure.locator(".xp-says").inner_text()
    assert f"the last of {len(wanted.ids)} tokens" in says


def test_the_lens_is_the_last_step_behind_each_layer(show):
    figure = look(show(PipelineExplorable(row=10)))
    said = figure.locator(".xp-lens td").all_text_contents()
    ids = language.encode(PipelineExplorable().text)
    logits = panels(tuple(ids), 0, 0)["logits"][10]
    assert said[-1].startswith(language.label(int(logits.argmax())))
    assert said[0].startswith(language.label(ids[10]))
    assert len(said) == N_LAYERS + 1


TEXT = "It was the whiteness of the whale that above all things"
DIFFERS = (
    "scores",
    "hidden",
    "weights",
    "probabilities",
)  # something is done to the sum


def before_norm(wanted, panel):
    """The row that a panel normalises."""
    layer = {"norm_1": wanted.layer - 1, "last": N_LAYERS - 1}.get(panel, wanted.layer)
    source = "sum_1" if panel == "norm_2" else "sum_2"
    return panels(tuple(wanted.ids), layer, wanted.head)[source][wanted.at]


def terms_of(panel, wanted):
    """Both factors of each product behind the number in sight, or the powers that a softmax adds up, and the bias, in NumPy."""
    found = panels(tuple(wanted.ids), wanted.layer, wanted.head)
    p = language.parameters().layers[wanted.layer]
    a, f, i, j = p.rotary_attention, p.feed_forward, wanted.at, wanted.column
    own = j + wanted.head * found["queries"].shape[1]
    token = int(wanted.likeliest[min(j, len(wanted.likeliest) - 1)])
    others = [panels(tuple(wanted.ids), wanted.layer, h)["attended"][i] for h in range(N_HEADS)]  # fmt: skip
    scores, x = found["scores"][i], found["logits"][i]

    def spread(x):
        return x - x.mean(), (x - x.mean()) / len(x), None

    return {
        "norm_1": lambda: spread(before_norm(wanted, "norm_1")),
        "norm_2": lambda: spread(before_norm(wanted, "norm_2")),
        "last": lambda: spread(before_norm(wanted, "last")),
        "queries": lambda: (found["norm_1"][i], a.W_Q[:, own], a.b_Q[own]),
        "keys": lambda: (found["norm_1"][i], a.W_K[:, own], a.b_K[own]),
        "values": lambda: (found["norm_1"][i], a.W_V[:, own], a.b_V[own]),
        "scores": lambda: (found["turned_queries"][i], found["turned_keys"][j], None),
        "weights": lambda: (np.exp(scores[: i + 1] - scores.max()), None, None),
        "attended": lambda: (found["weights"][i, : i + 1], found["values"][: i + 1, j], None),
        "joined": lambda: (np.concatenate(others), a.W_O[:, j], a.b_O[j]),
        "hidden": lambda: (found["norm_2"][i], f.W_1[:, j], f.b_1[j]),
        "fed": lambda: (found["hidden"][i], f.W_2[:, j], f.b_2[j]),
        "logits": lambda: (found["last"][i], language.parameters().E[token], None),
        "probabilities": lambda: (np.exp(x - x.max()), None, None),
    }[panel]()  # fmt: skip


def opened(figure):
    """All terms, and the slider over them."""
    figure.get_by_role("button", name=re.compile(r"^all \d+")).click()
    return figure.get_by_role("slider", name="Terms of the sum")


def products_of(number):
    """What `a · b` writes."""
    return [float(x.strip("()").replace("−", "-")) for x in number.split(" · ")]


NORMS = ("norm_1", "norm_2", "last")


@pytest.mark.parametrize("panel", [*SUMS[:5], "fed", "logits", *DIFFERS, *NORMS])
def test_all_terms_of_a_sum_are_pythons(show, panel):
    wanted = PipelineExplorable(text=TEXT, panel=panel, layer=2, head=3, row=9, column=5)  # fmt: skip
    figure = look(show(wanted))
    wait(figure)
    slider = opened(figure)
    a, b, bias = terms_of(panel, wanted)
    values = list(a if b is None else a * b) + ([] if bias is None else [bias])
    assert slider.get_attribute("aria-valuemax") == str(len(values) - 1)
    largest = int(slider.get_attribute("aria-valuenow"))
    assert abs(values[largest]) == pytest.approx(np.abs(values).max())
    walk = ["Home"], ["ArrowRight"], ["ArrowUp", "ArrowUp"], ["PageUp"], ["End"]
    for keys, k in zip(walk, (0, 1, 3, 13, len(values))):
        for key in keys:
            slider.press(key)
        settle(figure.page)
        k = min(k, len(values) - 1)
        lines = figure.locator(".xp-terms").evaluate(TABLE)
        assert number(lines[0][2]) == pytest.approx(values[k], abs=6e-4)
        assert number(lines[1][2]) == pytest.approx(sum(values[: k + 1]), abs=6e-4)
        assert lines[1][1] == f"{k + 1} of {len(values)}"
        if b is not None and k < len(b):
            assert products_of(lines[0][1]) == pytest.approx([a[k], b[k]], abs=6e-3)
    last = number(lines[1][2])
    d_k = panels(tuple(wanted.ids), 2, 3)["queries"].shape[1]
    made = (
        wanted.number
        if panel in NORMS
        else {
            "scores": last / d_k**0.5,
            "hidden": max(0, last),
            "weights": number(lines[-2][2]) / last,
            "probabilities": number(lines[-2][2]) / last,
        }.get(panel, last)
    )
    assert made == pytest.approx(wanted.number, abs=2e-3)
    assert number(lines[-1][2]) == pytest.approx(wanted.number, abs=6e-4)


@pytest.mark.parametrize("panel", NORMS)
def test_a_normalised_number_is_led_back_to_the_terms_of_the_variance(show, panel):
    wanted = PipelineExplorable(text=TEXT, panel=panel, layer=2, row=9, column=5)
    figure = look(show(wanted))
    wait(figure)
    opened(figure)
    x = before_norm(wanted, panel)
    assert figure.get_by_role("button", name=f"all {len(x)} terms of σ²").is_visible()
    lines = {name: (how, number(value)) for name, how, value in figure.locator(".xp-terms").evaluate(TABLE)}  # fmt: skip
    spread = np.sqrt(x.var() + 1e-5)
    assert number(lines["σ"][0][2:-5]) == pytest.approx(x.var(), abs=6e-4)
    assert lines["σ"][1] == pytest.approx(spread, abs=6e-4)
    assert lines["(x − μ) / σ"][1] == pytest.approx((x[5] - x.mean()) / spread, abs=6e-4)  # fmt: skip


def test_the_bars_are_the_terms_each_on_the_sum_before_it(show):
    wanted = PipelineExplorable(text=TEXT, panel="attended", layer=1, head=2, row=9, column=8)  # fmt: skip
    figure = look(show(wanted))
    wait(figure)
    slider = opened(figure)
    a, b, _ = terms_of("attended", wanted)
    reached = np.concatenate([[0], np.cumsum(a * b)])
    low, high = min(reached), max(reached)
    shown = ink(figure.locator(".xp-steps-field canvas"), 200, len(a))
    shown[np.abs(shown) < 0.9] = 0
    for k, term in enumerate(a * b):
        if abs(term) > 0.02 * (high - low):
            column = shown[:, k]
            top = (high - max(reached[k : k + 2])) / (high - low)
            assert np.argmax(column != 0) / 200 == pytest.approx(top, abs=0.04)
            assert set(np.sign(column[column != 0])) == {np.sign(term)}
            assert np.mean(column != 0) == pytest.approx(abs(term) / (high - low), abs=0.04)  # fmt: skip
    box = slider.bounding_box()
    at = box["x"] + box["width"] * 2.5 / len(a)
    figure.page.mouse.move(at, box["y"] + 20)  # a mouse need only point
    settle(figure.page)
    assert slider.get_attribute("aria-valuenow") == "2"


def test_the_whole_model_shows_every_head_and_what_comes_next(show):
    wanted = PipelineExplorable(text=TEXT, view="model", row=7)
    figure = look(show(wanted))
    wait(figure)
    ids = tuple(wanted.ids)
    for layer in range(N_LAYERS):
        for head in range(N_HEADS):
            name = f"head {head} of layer {layer + 1},"
            canvas = figure.get_by_role("button", name=name).locator("canvas")
            A = panels(ids, layer, head)["weights"]
            np.testing.assert_allclose(ink(canvas, *A.shape), A / A.max(), atol=0.01)
    for name, of in (("logits", "L logits"), ("probabilities", "p chance")):
        canvas = figure.get_by_role("button", name=of).locator("canvas")
        X = panels(ids, 0, 0)[name][:, wanted.likeliest]
        shown = ink(canvas, *X.shape)
        np.testing.assert_allclose(
            np.abs(shown), np.abs(X) / np.abs(X).max(), atol=0.01
        )
    p = panels(ids, 0, 0)["probabilities"][wanted.at]
    for v, line in zip(wanted.likeliest, figure.locator(".xp-guesses li").all()):
        assert line.inner_text().split("\n")[0] == language.label(int(v))
        assert f"{100 * p[v]:.1f} %" in line.inner_text()


def test_one_zooms_in_to_a_part_and_out_again(show):
    wanted = PipelineExplorable()
    figure = look(show(wanted))
    wait(figure)
    height = figure.bounding_box()["height"]
    figure.get_by_role("button", name="Zoom out").click()
    wait(figure)
    assert figure.get_by_role("application").count() == 0
    assert figure.locator("[aria-current=true]").inner_text().startswith("head 0")
    figure.get_by_label("Layer").fill("2")  # the layer in sight is marked
    wait(figure)
    assert figure.locator(".xp-here > p:first-child").inner_text() == "layer 3"
    figure.locator("[aria-current=true]").press("ArrowRight")
    figure.locator("[aria-current=true]").press("ArrowUp")
    wait(figure)
    here = figure.locator("[aria-current=true]")
    assert here.evaluate("node => node === document.activeElement")
    assert here.inner_text().split("\n") == ["head 1", "of layer 2, where it looks"]
    here.press("Enter")
    wanted.layer, wanted.head = 1, 1
    assert_shows(figure, wanted)
    field = figure.get_by_role("application")
    assert field.evaluate("node => node === document.activeElement")
    figure.get_by_role("button", name="Zoom out").click()
    figure.get_by_role("button", name="H hidden of layer 4").click()
    wanted.layer, wanted.panel = 3, "hidden"
    assert_shows(figure, wanted)
    assert figure.bounding_box()["height"] == height


def test_the_still_whole_model_draws_every_head():
    explorable = PipelineExplorable(view="model")
    assert explorable.still().count("<image") == N_LAYERS * N_HEADS
    assert "heads are drawn" in explorable.description()


def test_an_id_is_described_as_a_whole_number():
    explorable = PipelineExplorable(panel="tokens")
    assert explorable.description().endswith(f" is {int(explorable.number)}.")


def test_a_text_without_a_token_is_refused_in_words():
    with pytest.raises(ValueError, match=r"no token\. Fix:"):
        _ = PipelineExplorable(text="").matrix
