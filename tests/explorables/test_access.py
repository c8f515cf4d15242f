"""Explorables for everybody: keyboard, touch, screen readers, small windows, dark, forced colours, paper, no scripts."""

import gzip
import re
from pathlib import Path

import numpy as np
import pytest
from live_pages import CLASSES, EMPTY, NAMES, look, open_file, settle
from PIL import Image
from playwright.sync_api import expect

from transformer_math.explorables import RopeExplorable, ScaledDotProductExplorable
from transformer_math.explorables.assets import scripts, write_assets

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}  # fmt: skip


# ---- room: nothing below moves when a figure comes to life ----


WIDTHS = (360, 390, 600, 700, 800, 1100)


@pytest.mark.parametrize("name", NAMES)
def test_the_still_picture_takes_the_room_of_the_live_figure(show, name):
    asleep, page = show(name, java_script_enabled=False), show(name)
    look(page)
    for width in WIDTHS:
        for tab in (asleep, page):
            tab.set_viewport_size({"width": width, "height": 900})
        settle(page)
        still = asleep.locator(".explorable-room").bounding_box()["height"]
        room = page.locator(".explorable-room").bounding_box()["height"]
        live = page.locator("section.xp").bounding_box()["height"]
        assert room == pytest.approx(still, abs=1), width
        assert live > still - 20, f"at {width} the room is larger than the figure"
        assert page.evaluate("document.documentElement.scrollWidth") <= width


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
    assert sum(len(gzip.compress(text.encode())) for text in texts.values()) < 130_000
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


def count_announcements(page):
    """Count how often any live region of the page changes."""
    page.evaluate(
        """() => {
          window.announced = [];
          const live = 'output, [role=status], [role=alert], [aria-live]:not([aria-live=off])';
          new MutationObserver(list => list.forEach(({target}) => {
            const node = target.nodeType === 1 ? target : target.parentElement;
            if (node?.closest(live)) window.announced.push(node.textContent);
          })).observe(document.body, {subtree: true, childList: true, characterData: true});
        }"""
    )


@pytest.mark.parametrize("name", [name for name in NAMES if name != "glance"])
def test_many_key_presses_are_announced_once(show, name):
    page = show(name)
    figure = look(page)
    count_announcements(page)
    sliders = figure.get_by_role("slider")
    slider = (sliders if sliders.count() else figure.get_by_role("textbox")).first
    slider.focus()
    there, back = (" ", "Backspace") if slider.evaluate("n => n.matches('textarea')") else ("ArrowRight", "ArrowLeft")  # fmt: skip
    for _ in range(20):
        page.keyboard.press(there)
        page.keyboard.press(back)
    page.keyboard.press(there)
    page.wait_for_function("() => window.announced.length")
    page.wait_for_timeout(900)
    announced = page.evaluate("window.announced")
    assert len(announced) == 1
    assert announced[0] == figure.locator(".xp-says").inner_text()


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_silent_until_somebody_touches_it(show, name):
    page = show(name)
    figure = look(page)
    page.wait_for_timeout(800)
    assert figure.get_by_role("status").text_content() == ""


def test_the_table_of_steps_has_a_name(show):
    figure = look(show("scaled_dot_product"))
    table = figure.get_by_role("table", name="The query “opinion”, row 2, step by step")
    assert table.is_visible()


@pytest.mark.parametrize("name", NAMES)
def test_every_control_has_a_name_that_begins_with_what_is_seen(show, name):
    page = show(name)
    figure = look(page)
    if name == "scaled_dot_product":
        figure.get_by_text("Edit the query’s").click()
    nameless = figure.evaluate(
        """figure => [...figure.querySelectorAll('input, select, button, [role=slider], [tabindex="0"]')]
          .filter(n => n.checkVisibility())
          .filter(n => !(n.labels?.[0]?.textContent ?? n.getAttribute('aria-label') ?? n.textContent).trim())
          .map(n => n.outerHTML)"""
    )
    assert nameless == []
    mismatch = figure.evaluate(
        """figure => [...figure.querySelectorAll('[aria-label]')]
          .filter(n => n.matches('button, [role=slider], [role=application]') && n.textContent.trim())
          .filter(n => !n.getAttribute('aria-label').includes(n.textContent.trim())).map(n => n.outerHTML)"""
    )
    assert mismatch == []


# ---- touch, and a phone ----


@pytest.mark.parametrize("name", NAMES)
def test_targets_on_a_phone_are_large_enough(show, name):
    page = show(name, **PHONE, reduced_motion="reduce")
    figure = look(page)
    if name == "scaled_dot_product":
        figure.get_by_text("Edit the query’s").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    small = figure.locator("section.xp").evaluate(
        "root => [...root.querySelectorAll('button, input, select, summary, label:has(input), .xp-hit')]"
        ".filter(n => n.checkVisibility() && !n.matches('.xp-toggle input, .xp-choice input'))"
        ".map(n => [n.outerHTML.slice(0, 80), n.getBoundingClientRect().height]).filter(([, height]) => height < 30)"
    )
    assert small == []


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


@pytest.mark.parametrize("name", NAMES)
def test_words_have_enough_contrast_with_both_themes(show, name):
    page = show(name)
    figure = look(page)
    for theme, background in (("light", "#ffffff"), ("dark", "#121212")):
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        colours = figure.locator("section.xp").evaluate(
            "root => [...root.querySelectorAll('label, p, span, b, th, td, caption, summary, legend')]"
            ".filter(node => node.textContent && node.checkVisibility() && !node.matches('.xp-choice span'))"
            ".filter(node => !node.closest('.xp-hidden, .xp-shade')).map(node => getComputedStyle(node).color)"
        )
        low = {c for c in colours if contrast(rgb(c), rgb(background)) < 4.5}
        assert colours and not low, theme


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


def rgb(colour):
    if colour.startswith("#"):
        return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    numbers = [
        float(n) for n in re.findall(r"[\d.]+", colour.removeprefix("color(srgb"))[:3]
    ]
    return numbers if colour.startswith("color(") else [n / 255 for n in numbers]


def contrast(one, other):
    def luminance(channels):
        linear = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in channels
        ]
        return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear))

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


# ---- without scripts ----


@pytest.mark.parametrize("name", NAMES)
def test_without_scripts_a_still_picture_stands_in(show, name):
    page = show(name, java_script_enabled=False)
    picture = page.get_by_role("img")
    assert picture.is_visible() and picture.bounding_box()["height"] > 100
    assert picture.get_attribute("aria-label") == CLASSES[name]().description()
    assert page.get_by_text("still picture").is_visible()


def test_a_missing_file_leaves_the_still_picture_and_says_so(browser, tmp_path):
    write_assets(tmp_path / "_static")
    (tmp_path / "_static" / "explorables" / "kit.js").unlink()
    (tmp_path / "page.html").write_text(EMPTY.format(body=RopeExplorable().html()))
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    page.get_by_text("kit.js is missing").wait_for()
    assert page.get_by_role("img").is_visible()
    page.close()
