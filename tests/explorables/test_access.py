"""Explorables for everybody: keyboard, touch, screen readers, small windows, dark, forced colours, paper, no scripts."""

import gzip
import re
from pathlib import Path

import numpy as np
import pytest
from colours import contrast, rgb
from live_pages import CLASSES, EMPTY, NAMES, PHONE, look, open_file, settle
from PIL import Image
from playwright.sync_api import expect

from transformer_math.explorables import RopeExplorable, ScaledDotProductExplorable
from transformer_math.explorables.assets import scripts, write_assets

# ---- room: nothing below moves when a figure comes to life ----


@pytest.mark.parametrize("width", [360, 800])
def test_a_deep_link_below_explorables_does_not_miss(show, width):
    page = show(*NAMES, viewport={"width": width, "height": 700})
    page.goto(page.url + "#below")
    for k in range(3):
        look(page, k)
    page.goto(page.url.replace("#below", ""))
    page.goto(page.url + "#below")
    page.wait_for_function(
        """() => {
          const top = document.querySelector("#below").getBoundingClientRect().top;
          return -5 < top && top < 45;
        }"""
    )


# ---- loading: modules come when a figure comes near ----


def test_far_figures_wait(browser, explorables_folder):
    path = explorables_folder / "far.html"
    gap = '<p style="height: 4000px">…</p>'
    path.write_text(
        EMPTY.format(
            body=CLASSES["sinusoidal"]().html() + gap + RopeExplorable().html()
        )
    )
    with open_file(browser, path) as (page, requests):
        look(page, 0)
        asked = " ".join(requests)
        assert "sinusoidal.js" in asked and "rope.js" not in asked
        assert "weights/" not in asked
        look(page, 1)
        asked = " ".join(requests)
        assert "rope.js" in asked
        assert asked.count("kit.js") == asked.count("position/formulas.js") == 1


def test_all_scripts_are_small_and_written_once(tmp_path):
    texts = scripts()
    every = sum(len(gzip.compress(text.encode())) for text in texts.values())
    assert every < 6_200 * len(CLASSES)  # for one explorable, on average
    first = write_assets(tmp_path)
    assert {path.name for path in first} >= {"host.js", "explorable.css", "kit.js"}
    assert write_assets(tmp_path) == []
    for cls in CLASSES.values():  # state and still; the formula's hold its numbers
        assert len(gzip.compress(cls().html().encode())) < 6_000


# ---- keyboard ----


@pytest.mark.parametrize(
    ("name", "label", "low", "high"),
    [
        ("sinusoidal", "Position p", 0, 63),
        ("sinusoidal", "Position q", 0, 63),
        ("sinusoidal", "Dimension, a row of the map", 0, 31),
        ("rope", "Vector q", 0, 180),
    ],
)
def test_handles_know_all_keys_of_a_slider(show, name, label, low, high):
    page = show(name)
    handle = look(page).get_by_role("slider", name=label)
    handle.focus()
    now = lambda: int(handle.get_attribute("aria-valuenow"))  # noqa: E731
    for key, wanted in (("Home", low), ("End", high)):
        page.keyboard.press(key)
        settle(page)
        assert now() == wanted
    if name == "sinusoidal":
        further = "PageDown" if "row of the map" in label else "PageUp"
        for key, wanted in (("Home", 0), (further, 10), ("ArrowRight", 11)):
            page.keyboard.press(key)
            settle(page)
            assert now() == wanted
    assert re.fullmatch(r"-?\d+", handle.get_attribute("aria-valuenow"))
    assert handle.get_attribute("aria-valuetext")


def test_values_for_machines_are_plain_and_for_people_typographic(show):
    figure = look(show(RopeExplorable(i=0, query=[0.0, -1.0] * 8)))
    handle = figure.get_by_role("slider", name="Vector q")
    assert handle.get_attribute("aria-valuenow") == "-90"
    assert handle.get_attribute("aria-valuetext").startswith("angle −90°")


def test_the_heatmap_by_keyboard(show):
    page = show("scaled_dot_product")
    figure = look(page)
    figure.locator(".xp-field").focus()
    for key, cell in (
        ("ArrowDown", (3, 11)),
        ("ArrowLeft", (3, 10)),
        ("Home", (3, 0)),
        ("ArrowUp", (2, 0)),
        ("End", (2, 12)),
        ("PageDown", (12, 12)),
        ("ArrowRight", (12, 12)),
    ):
        page.keyboard.press(key)
        settle(page)
        selects = [figure.get_by_label(k, exact=True) for k in ("Query", "Key")]
        assert tuple(int(s.input_value().split(":")[0]) for s in selects) == cell
    weight = ScaledDotProductExplorable().weights[12, 12]
    assert figure.locator(".xp-legend").inner_text().endswith(f": {weight:.3f}")


def test_arcs_by_keyboard(show):
    page = show("scaled_dot_product")
    figure = look(page)
    figure.get_by_role("radio", name="arcs").check()
    figure.locator(".xp-arcs button[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    assert page.evaluate("document.activeElement.title") == "remains"
    assert figure.get_by_label("Query", exact=True).input_value().startswith("3:")


# ---- screen readers ----


def test_the_table_of_steps_has_a_name(show):
    figure = look(show("scaled_dot_product"))
    table = figure.get_by_role("table", name="The query “opinion”, row 2, step by step")
    assert table.is_visible()


# ---- touch, and a phone ----


def test_a_tap_chooses_a_cell(show):
    page = show("scaled_dot_product", **PHONE)
    figure = look(page)
    field = figure.locator(".xp-field")
    field.scroll_into_view_if_needed()
    box = field.bounding_box()
    cell = box["width"] / 13
    page.touchscreen.tap(box["x"] + 4.5 * cell, box["y"] + 6.5 * cell)
    settle(page)
    weight = ScaledDotProductExplorable().weights[6, 4]
    readout = figure.locator(".xp-legend").inner_text()
    assert readout == f"“but” → “unchanged”: {weight:.3f}"
    assert box["width"] == box["height"], "cells are square"


def test_a_tap_chooses_a_word_under_the_arcs(show):
    page = show(ScaledDotProductExplorable(view="arcs"), **PHONE)
    figure = look(page)
    figure.get_by_role("button", name="unchanged").tap()
    settle(page)
    assert figure.get_by_label("Query", exact=True).input_value().startswith("4:")


def test_the_window_may_change_its_size(show):
    page = show("scaled_dot_product", "sinusoidal", "rope")
    figures = [look(page, k) for k in range(3)]
    page.set_viewport_size({"width": 360, "height": 800})
    expect(figures[1].locator("svg")).to_have_js_property("clientWidth", 328)
    page.wait_for_function("() => document.documentElement.scrollWidth <= 360")
    page.set_viewport_size({"width": 800, "height": 800})
    expect(figures[0].locator("section.xp")).to_contain_class("xp-wide")


# ---- colours ----


def colours_of(page, locator):
    """A picture of a part of the page, as an array."""
    path = Path("/tmp") / f"explorable-{id(page)}.png"
    locator.screenshot(path=path)
    pixels = np.array(Image.open(path).convert("RGB"), float)
    path.unlink()
    return pixels


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_zero_is_the_page_and_one_stands_out(show, theme):
    state = ScaledDotProductExplorable(
        sentence="sea ship", head="previous", causal=True
    )
    page = show(state)
    figure = look(page)
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    pixels = colours_of(page, figure.locator(".xp-field canvas"))
    n = len(pixels) // 2
    one, zero = pixels[n // 2, n // 2], pixels[n + n // 2, n + n // 2]
    ground = [18, 18, 18] if theme == "dark" else [255, 255, 255]
    assert np.abs(zero - ground).max() < 30
    assert contrast(one / 255, np.array(ground) / 255) > 3


@pytest.mark.parametrize("name", ["scaled_dot_product", "sinusoidal"])
def test_forced_colours_leave_the_map_visible(show, name):
    page = show(name, forced_colors="active")
    figure = look(page)
    before = colours_of(page, figure.locator(".xp-map").first)
    assert len(np.unique(before.reshape(-1, 3), axis=0)) > 20


GROUNDS = {"dark": [0, 0, 0], "light": [255, 255, 255]}


@pytest.mark.parametrize("theme", GROUNDS)
@pytest.mark.parametrize("scheme", GROUNDS)
def test_in_forced_colours_words_and_maps_suit_the_ground_not_the_theme(show, scheme, theme):  # fmt: skip
    figure = ScaledDotProductExplorable(sentence="sea ship", head="previous", causal=True)  # fmt: skip
    page = show(figure, "pulls", forced_colors="active", color_scheme=scheme)
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    ground = np.array(GROUNDS[scheme]) / 255
    word = look(page, 1).locator(".xp-named.xp-key").first
    colour = word.evaluate("n => getComputedStyle(n).fill")
    assert contrast(rgb(colour), ground) > 4.5
    pixels = colours_of(page, look(page).locator(".xp-field canvas"))
    strongest = max(contrast(one / 255, ground) for one in np.unique(pixels.reshape(-1, 3), axis=0))  # fmt: skip
    assert strongest > 3


LINED = {
    "product": (".xp-number.xp-content.xp-lit", "outlineStyle", "solid"),
    "induction_heads": (".xp-foretold b", "forcedColorAdjust", "none"),
}


@pytest.mark.parametrize("name", LINED)
def test_in_forced_colours_what_a_ground_would_show_is_seen(show, name):
    selector, style, wanted = LINED[name]
    part = look(show(name, forced_colors="active")).locator(selector).first
    assert part.evaluate(f"n => getComputedStyle(n).{style}") == wanted


def test_in_forced_colours_each_method_keeps_the_colour_of_its_line(show):
    cards = look(show("decoding", forced_colors="active")).locator(".xp-card")
    hues = cards.evaluate_all("all => all.map(n => getComputedStyle(n, '::before').backgroundColor)")  # fmt: skip
    assert len(set(hues)) == len(hues) == 4


@pytest.mark.parametrize("scheme", GROUNDS)
def test_in_forced_colours_tokens_keep_the_colours_of_their_ids(show, scheme):
    figure = look(show("playground", forced_colors="active", color_scheme=scheme))
    styles = figure.locator(".xp-pieces span:not(.xp-unknown)").evaluate_all(
        "all => all.map(n => [getComputedStyle(n).backgroundColor, getComputedStyle(n).color])"
    )
    assert len({ground for ground, _ in styles}) > 3
    assert min(contrast(rgb(word), rgb(ground)) for ground, word in styles) > 4.5


def test_paper_shows_the_maps_and_keeps_figures_whole(show):
    page = show("scaled_dot_product", "sinusoidal", "rope")
    for k in range(3):
        look(page, k)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.emulate_media(media="print")
    figure = page.locator("figure.explorable").first
    assert figure.evaluate("n => getComputedStyle(n).breakInside") == "avoid"
    map_ = figure.locator(".xp-map").first
    assert map_.evaluate("n => getComputedStyle(n).filter") == "none"
    assert map_.evaluate("n => getComputedStyle(n).printColorAdjust") == "exact"
    bar = figure.locator(".xp-bar i").first
    assert bar.evaluate("n => getComputedStyle(n).printColorAdjust") == "exact"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_focus_can_be_seen(show, theme):
    page = show("scaled_dot_product")
    figure = look(page)
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    field = figure.locator(".xp-field")
    field.focus()
    page.keyboard.press("ArrowDown")
    style, width, colour = field.evaluate(
        "n => { const s = getComputedStyle(n); return [s.outlineStyle, s.outlineWidth, s.outlineColor] }"
    )
    ground = "#121212" if theme == "dark" else "#ffffff"
    assert style == "solid" and float(width[:-2]) >= 2
    assert contrast(rgb(colour), rgb(ground)) > 3


# ---- without scripts ----


def test_a_missing_file_leaves_the_still_picture_and_says_so(browser, tmp_path):
    write_assets(tmp_path / "_static")
    (tmp_path / "_static" / "explorables" / "kit.js").unlink()
    (tmp_path / "page.html").write_text(EMPTY.format(body=RopeExplorable().html()))
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    page.get_by_text("kit.js is missing").wait_for()
    assert page.get_by_role("img").is_visible()
    page.close()


# ---- large letters: a browser set to letters of twice the size ----

BROKEN = r"""figure => {
  const broken = [];
  const walk = document.createTreeWalker(figure.querySelector(".xp"), NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    const around = text.parentElement;
    if (!around.checkVisibility() || around.closest(".xp-heat, svg, math, option, caption, .xp-hidden")) continue;
    for (const { 0: word, index } of text.data.matchAll(/[^\s\-–]+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
}"""


@pytest.mark.parametrize("name", ["scaled_dot_product", "senses", "rope"])
def test_large_letters_break_no_word_and_push_no_choice_out(show, name):
    page = show(name, viewport={"width": 421 + 32, "height": 768})
    page.add_style_tag(content="html { font-size: 32px }")
    page.set_viewport_size(
        {"width": 421 + 31, "height": 768}
    )  # queries of containers are asked again
    figure = look(page)
    settle(page)
    assert figure.evaluate(BROKEN) == []
    box = figure.bounding_box()
    for control in figure.locator("label:visible, select:visible").all():
        own = control.bounding_box()
        right = own["x"] + own["width"]
        assert right <= box["x"] + box["width"] + 1, control.inner_text()
