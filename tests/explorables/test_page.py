"""The built page's form: a static page from a file, every other host blocked, in a real browser."""

import gzip
import re
from pathlib import Path

import pytest

from transformer_math import explorables
from transformer_math.explorables import (
    RopeExplorable,
    ScaledDotProductExplorable,
    SinusoidalExplorable,
)

FOLDER = Path(explorables.__file__).parent
CLASSES = {
    "scaled_dot_product": ScaledDotProductExplorable,
    "sinusoidal": SinusoidalExplorable,
    "rope": RopeExplorable,
}
IDEAS = list(CLASSES)
PAGE = """<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Explorables</title>
<script defer src="host.js"></script><script src="host.js"></script>
<style>html {{ --pst-color-text-base: #323232; background: #fff; font-family: sans-serif }}
html[data-theme="dark"] {{ --pst-color-text-base: #ced6dd; background: #14181e }} body {{ margin: 16px }}</style>
<body>{body}</body></html>"""
PICTURE = """figure => [...figure.querySelectorAll('svg, table')].map(part => part.outerHTML).join('')
  + [...figure.querySelectorAll('canvas')].map(canvas => canvas.toDataURL()).join('')"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A page for each explorable, and one that holds all of them, the last one twice."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "host.js").write_bytes((FOLDER / "host.js").read_bytes())
    figures = {
        idea: cls()._repr_mimebundle_()[0]["text/html"] for idea, cls in CLASSES.items()
    }
    for idea, body in (
        figures | {"all": "".join([*figures.values(), figures["rope"]])}
    ).items():
        (folder / f"{idea}.html").write_text(PAGE.format(body=body), encoding="utf-8")
    return folder


@pytest.fixture
def open_page(browser, site):
    """Open a page from the file system; fail if it says anything in the console or asks another host for anything."""
    contexts, complaints = [], []

    def guard(route):
        url = route.request.url
        if not url.startswith("file:"):
            complaints.append(f"request: {url}")
            return route.abort()
        return route.continue_()

    def opened(idea, **options):
        context = browser.new_context(
            **({"viewport": {"width": 800, "height": 1000}} | options)
        )
        contexts.append(context)
        context.route(re.compile(r"^(?!data:|blob:)"), guard)
        page = context.new_page()
        page.on(
            "console",
            lambda message: complaints.append(f"{message.type}: {message.text}"),
        )
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.goto((site / f"{idea}.html").as_uri())
        if options.get("java_script_enabled", True):
            page.locator("section.xp .xp-says").last.filter(
                has_text=re.compile(r"\w")
            ).wait_for(state="attached")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def shown(page):
    return page.locator(".xp-says").first.inner_text(), page.locator(
        "figure.explorable"
    ).first.evaluate(PICTURE)


def moves(page, act):
    """Do something; afterwards the picture, and the sentence that tells the state, must be others."""
    before = shown(page)
    act()
    page.wait_for_timeout(100)
    after = shown(page)
    assert after[1] != before[1], "the picture did not change"
    assert after[0] != before[0], "the sentence did not change"


def slide(page, label, value):
    page.get_by_label(label, exact=True).first.evaluate(
        "(input, x) => { input.value = x; input.dispatchEvent(new Event('input', {bubbles: true})) }",
        value,
    )


SLIDERS = {
    "scaled_dot_product": {"Temperature": 2.5},
    "sinusoidal": {
        "Dimensions dmodel": 64,
        "Positions": 20,
        "Dimension drawn as a wave": 3,
        "Base": 2,
    },
    "rope": {
        "Position m of the query": 9,
        "Position n of the key": 8,
        "Plane": 1,
        "Dimensions d": 4,
        "Base": 2,
    },
}


@pytest.mark.parametrize("idea", IDEAS)
def test_the_live_one_takes_the_place_of_the_still(open_page, idea):
    page = open_page(idea)
    assert page.locator(".explorable-still").count() == 0
    assert page.locator("section.xp").count() == 1


@pytest.mark.parametrize(
    ("idea", "label"),
    [(idea, label) for idea, labels in SLIDERS.items() for label in labels],
)
def test_sliders(open_page, idea, label):
    page = open_page(idea)
    moves(page, lambda: slide(page, label, SLIDERS[idea][label]))
    moves(page, lambda: page.get_by_label(label, exact=True).first.press("ArrowLeft"))


def test_attention_controls(open_page):
    page = open_page("scaled_dot_product")
    moves(
        page, lambda: page.get_by_label("Sentence").fill("the class and the function")
    )
    moves(page, lambda: page.get_by_role("radio", name="previous token").check())
    moves(page, lambda: page.get_by_role("switch", name="divide by").click())
    moves(page, lambda: page.get_by_role("switch", name="causal mask").click())
    moves(page, lambda: page.locator(".xp-heat tbody tr").nth(1).hover())
    assert "“class” attends most to “the”" in shown(page)[0]


def test_attention_by_keyboard(open_page):
    page = open_page("scaled_dot_product")
    page.locator(".xp-heat button[tabindex='0']").focus()
    moves(page, lambda: page.keyboard.press("ArrowDown"))
    assert page.evaluate("document.activeElement.textContent") == "a"
    moves(page, lambda: page.keyboard.press("Home"))
    assert page.locator(".xp-heat button[tabindex='0']").count() == 1


def test_attention_page_shows_the_weights_of_python(open_page):
    page, weights = (
        open_page("scaled_dot_product"),
        ScaledDotProductExplorable().weights,
    )
    cells = page.locator(".xp-heat tbody td:not([hidden])").evaluate_all(
        "cells => cells.map(c => c.ariaLabel)"
    )
    n = len(weights)
    visible = [cell for i in range(n) for cell in cells[i * n : (i + 1) * n]]
    assert visible == [f"{weight:.2f}" for weight in weights.ravel()]


def test_attention_says_what_it_leaves_out(open_page):
    page = open_page("scaled_dot_product")
    page.get_by_label("Sentence").fill(
        "one two three four five six seven eight nine ten a b c d e f last <b>"
    )
    note = page.locator(".xp-note").inner_text()
    assert "first 16 tokens" in note and "“last”" in note and "“<” “b” “>”" in note
    assert "letters" in note and "“seven”" in note
    page.get_by_label("Sentence").fill("  ")
    assert "Type a word" in page.locator(".xp-note").inner_text()
    page.get_by_label("Sentence").fill("word")
    assert "1 token," in shown(page)[0]


def test_attention_matrices_can_be_edited(open_page):
    page = open_page("scaled_dot_product")
    page.get_by_text("Edit Q and K").click()
    moves(
        page, lambda: page.get_by_label("Q, row 2, dimension 0", exact=True).fill("40")
    )
    assert "edited" in page.locator(".xp-note").inner_text()
    moves(page, lambda: page.get_by_role("button", name="Back to").click())
    page.wait_for_timeout(200)
    restored = float(
        page.get_by_label("Q, row 2, dimension 0", exact=True).input_value()
    )
    assert restored == pytest.approx(
        ScaledDotProductExplorable().Q_in_use[2, 0], abs=0.005
    )


def test_sinusoidal_handles(open_page):
    page = open_page("sinusoidal")
    for label in ("Position p", "Position q", "Dimension, a row of the map"):
        handle = page.get_by_role("slider", name=label)
        before = int(handle.get_attribute("aria-valuenow"))
        handle.focus()
        moves(page, lambda: page.keyboard.press("ArrowRight"))
        assert int(handle.get_attribute("aria-valuenow")) == before + 1
    moves(
        page, lambda: drag(page, page.get_by_role("slider", name="Position p"), 120, 0)
    )
    box = page.locator(".xp-map").bounding_box()
    moves(
        page,
        lambda: page.mouse.click(box["x"] + 200, box["y"] + box["height"] * 30.5 / 32),
    )
    assert "Dimension 30 is sin" in shown(page)[0]


def test_rope_vectors(open_page):
    page = open_page("rope")
    for letter in "qk":
        handle = page.get_by_role("slider", name=f"Vector {letter}")
        handle.focus()
        moves(page, lambda: page.keyboard.press("ArrowRight"))
        moves(page, lambda: page.keyboard.press("ArrowDown"))
        moves(page, lambda handle=handle: drag(page, handle, -40, -60))


def test_rope_dot_product_stays_put_when_both_move(open_page):
    page = open_page("rope")
    before = page.locator(".xp-legend").inner_text()
    moves(page, lambda: slide(page, "Move both together", 30))
    assert page.locator(".xp-legend").inner_text() == before
    assert page.get_by_label("Position m of the query").input_value() == "32"
    moves(page, lambda: slide(page, "Position n of the key", 31))
    assert page.locator(".xp-legend").inner_text() != before


def drag(page, locator, dx, dy):
    box = locator.locator(".xp-grip, .xp-flag").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=3)
    page.mouse.up()


@pytest.mark.parametrize("idea", IDEAS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone(open_page, idea, theme):
    phone = {"width": 360, "height": 740}
    page = open_page(
        idea, viewport=phone, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    small = page.locator("section.xp").evaluate(
        "root => [...root.querySelectorAll('button, input, summary, label:has(input), .xp-hit')]"
        ".filter(n => n.checkVisibility() && !n.matches('.xp-toggle input, .xp-choice input'))"
        ".map(n => [n.outerHTML.slice(0, 80), n.getBoundingClientRect().height]).filter(([, height]) => height < 32)"
    )
    assert small == []
    targets = {
        "scaled_dot_product": ".xp-heat button >> nth=5",
        "sinusoidal": ".xp-map",
        "rope": ".xp-slider input >> nth=1",
    }
    box = page.locator(targets[idea]).bounding_box()
    place = (box["x"] + 0.7 * box["width"], box["y"] + 0.8 * box["height"])
    page.mouse.wheel(0, 0)
    page.evaluate("y => scrollTo(0, y)", max(place[1] - 300, 0))
    scrolled = page.evaluate("scrollY")
    moves(page, lambda: page.touchscreen.tap(place[0], place[1] - scrolled))


@pytest.mark.parametrize("idea", IDEAS)
def test_words_have_enough_contrast_with_both_themes(open_page, idea):
    page = open_page(idea)
    for theme, background in (("light", "#ffffff"), ("dark", "#14181e")):
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        colours = page.locator("section.xp").evaluate(
            "root => [...root.querySelectorAll('label, p, span.xp-query, span.xp-key, strong, caption, .xp-legend span')]"
            ".filter(node => node.textContent && node.checkVisibility())"
            ".filter(node => !node.closest('.xp-hidden')).map(node => getComputedStyle(node).color)"
        )
        low = {
            colour for colour in colours if contrast(rgb(colour), rgb(background)) < 4.5
        }
        assert colours and not low, theme


def rgb(colour):
    if colour.startswith("#"):
        return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    numbers = [
        float(number)
        for number in re.findall(r"[\d.]+", colour.removeprefix("color(srgb"))[:3]
    ]
    return (
        numbers if colour.startswith("color(") else [number / 255 for number in numbers]
    )


def contrast(one, other):
    def luminance(channels):
        linear = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in channels
        ]
        return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear))

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("idea", IDEAS)
def test_without_scripts_a_still_picture_stands_in(open_page, idea):
    page = open_page(idea, java_script_enabled=False)
    picture = page.get_by_role("img")
    assert picture.is_visible() and picture.bounding_box()["height"] > 100
    assert picture.get_attribute("aria-label") == CLASSES[idea]().description()
    assert page.get_by_text("still picture").is_visible()


def test_a_page_can_hold_several(open_page):
    page = open_page("all")
    assert (
        page.locator("section.xp").count() == 4
        and page.locator(".explorable-still").count() == 0
    )
    last = page.locator("section.xp").nth(3)
    before = page.locator(".xp-says").all_inner_texts()
    last.get_by_label("Position m of the query").press("ArrowRight")
    page.wait_for_timeout(60)
    after = page.locator(".xp-says").all_inner_texts()
    assert before[:3] == after[:3] and before[3] != after[3]


def test_a_module_that_fails_leaves_the_still_and_says_so(browser, site):
    source = (site / "rope.html").read_text(encoding="utf-8")
    broken = source.replace(
        "export default", 'throw new Error("no luck"); export default'
    )
    (site / "broken.html").write_text(broken, encoding="utf-8")
    page = browser.new_page()
    page.goto((site / "broken.html").as_uri())
    page.get_by_text("could not start (no luck)").wait_for()
    assert (
        page.get_by_role("img").is_visible() and page.locator("section.xp").count() == 0
    )
    page.close()


def test_two_views_of_one_model_and_removal(open_page):
    """Jupyter shows one model twice and removes views: both follow, and a removed one lets go of the model."""
    page = open_page("rope")
    outcome = page.evaluate(
        """async () => {
          const figure = document.querySelector('figure');
          const module = await import(URL.createObjectURL(new Blob(
            [figure.querySelector('[data-part=module]').textContent], {type: 'text/javascript'})));
          const state = JSON.parse(figure.querySelector('[data-part=state]').textContent);
          const listeners = {};
          const model = {get: n => state[n], save_changes() {},
            set(n, v) { state[n] = v; (listeners[`change:${n}`] ?? []).forEach(f => f()); },
            on(e, f) { (listeners[e] ??= []).push(f); }, off(e, f) { listeners[e] = listeners[e].filter(g => g !== f); }};
          const frames = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
          const views = [0, 1].map(() => document.body.appendChild(document.createElement('div')));
          const stops = views.map(el => module.default.render({model, el}));
          await frames();
          model.set('m', 11);
          await frames();
          const said = views.map(el => el.querySelector('.xp-says').textContent);
          stops.forEach(stop => stop());
          return {said, left: Object.values(listeners).flat().length, html: views.map(el => el.innerHTML).join('')};
        }"""
    )
    assert all("q at position 11" in text for text in outcome["said"])
    assert outcome["left"] == 0 and outcome["html"] == ""


def test_all_javascript_is_small():
    sources = b"".join(path.read_bytes() for path in sorted(FOLDER.glob("*.js")))
    assert 0 < len(gzip.compress(sources)) < 50_000
    page = "".join(
        cls()._repr_mimebundle_()[0]["text/html"] for cls in CLASSES.values()
    )
    assert (
        len(gzip.compress(page.encode())) < 60_000
    )  # three figures with state, styles and stills
