"""The playground shows what Python's tokenizers make of a text, whatever is typed, chosen by a tap or by keys."""

import re
import zlib
from html import escape

import pytest
from live_pages import EMPTY, look, open_file, settle

from transformer_math.corpus import SENTENCE, moby_dick
from transformer_math.explorables import PlaygroundExplorable
from transformer_math.explorables.tokenization.labels import visible
from transformer_math.explorables.tokenization.playground import EXAMPLES, MOST, WINDOW
from transformer_math.explorables.tokenization.vocabularies import (
    LABELS,
    packed_tokenizers,
)
from transformer_math.tokenization.units import words

SHOWN = "list => [...list.children].filter(n => !n.hidden).map(n => n.textContent)"
OWN_WORD = "counterpane 東京"


def row(figure, name):
    return figure.get_by_role("listbox", name=f"Tokens: {LABELS[name]}", exact=True)


def count_of(found, text):
    """What stands beside a tokenizer's name."""
    lost = sum(cut.unknown for cut in found)
    said = f"{len(found)} token{'' if len(found) == 1 else 's'} · {len(found) / max(1, len(text)):.2f} a character"
    return said + (f" · {lost} unknown" if lost else "")


def assert_shows(figure, wanted, ids=False):
    """Every row holds the tokens, or the ids, that Python has, and counts them."""
    settle(figure.page)
    for place, name in enumerate(LABELS):
        found = wanted.cuts(name)
        shown = row(figure, name).evaluate(SHOWN)
        assert shown == [str(cut.id) if ids else cut.label for cut in found], name
        counts = figure.locator(".xp-counts").nth(place).inner_text()
        assert counts == count_of(found, wanted.text)
        unknown = row(figure, name).locator(".xp-unknown:visible")
        assert unknown.count() == sum(cut.unknown for cut in found)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_one_click_away(show, example):
    figure = look(show(PlaygroundExplorable(text="x")))
    button = figure.get_by_role("button", name=example, exact=True)
    button.click()
    assert_shows(figure, PlaygroundExplorable(text=EXAMPLES[example]))
    assert figure.get_by_role("textbox", name="Text").input_value() == EXAMPLES[example]
    assert button.get_attribute("aria-pressed") == "true"


@pytest.mark.parametrize("text", ["", " \n", "e\u0301\u200d \U0010ffff", OWN_WORD])
def test_what_is_typed_is_cut(show, text):
    figure = look(show("playground"))
    figure.get_by_role("textbox", name="Text").fill(text)
    assert_shows(figure, PlaygroundExplorable(text=text))
    says = figure.locator(".xp-says").inner_text()
    assert f"{len(text)} characters" in says if text else says == "No text yet."


def test_ids_take_the_place_of_tokens(show):
    figure = look(show("playground"))
    figure.get_by_role("radio", name="ids").check()
    assert_shows(figure, PlaygroundExplorable(), ids=True)
    assert "In sight: ids." in figure.locator(".xp-says").inner_text()


def told(figure):
    """The first sentence of what is said."""
    return figure.locator(".xp-says").inner_text().split(" The text:")[0]


def test_a_tap_tells_text_id_bytes_and_span(show):
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}  # fmt: skip
    wanted = PlaygroundExplorable(text="a naïve whale")
    figure = look(show(wanted, **phone))
    row(figure, "bytes").locator("span", has_text="af").tap()
    settle(figure.page)
    assert (
        told(figure)
        == "Position 5 of 14 tokens in bytes: “af”, id 175, bytes af, character 4."
    )
    place = [cut.label for cut in wanted.cuts("byte_bpe")].index("␣whale")
    row(figure, "byte_bpe").get_by_text("␣whale", exact=True).tap()
    settle(figure.page)
    id = wanted.cuts("byte_bpe")[place].id
    assert told(figure) == (
        f"Position {place} of {len(wanted.cuts('byte_bpe'))} tokens in byte-level BPE: “␣whale”, id {id}, "
        "bytes 20 77 68 61 6c 65, characters 7 to 12."
    )
    linked = row(figure, "characters").locator(".xp-linked:visible").all_text_contents()
    assert "".join(linked) == "␣whale"


def test_a_byte_is_written_and_named_as_a_byte(show):
    figure = look(show(PlaygroundExplorable(text="ï e2")))
    for name in ("bytes", "byte_bpe", "unigram", "sentencepiece"):
        byte = row(figure, name).get_by_role("option", name="byte AF", exact=True)
        assert byte.text_content() == ("af" if name == "bytes" else "<0xAF>")
    figure.get_by_role("radio", name="ids").check()
    settle(figure.page)
    assert figure.get_by_role("option", name="byte").count() == 0


def test_an_unknown_token_says_what_it_stands_for(show):
    figure = look(show(PlaygroundExplorable(text=OWN_WORD, tokenizer="words", token=1)))
    covered = " ".join(f"{byte:02x}" for byte in "東京".encode())
    assert told(figure) == (
        f"Position 1 of 2 tokens in words: “[UNK]” (unknown: “東京”), id 0, bytes {covered}, characters 12 to 13."
    )


def test_a_row_has_one_stop_for_the_tab_key_and_arrows_go_on(show):
    page = show(PlaygroundExplorable(tokenizer="words", token=4))
    figure = look(page)
    for name in LABELS:
        assert row(figure, name).locator("[tabindex='0']").count() == 1
    row(figure, "words").locator("[tabindex='0']").focus()
    wanted = PlaygroundExplorable()
    last = len(wanted.cuts("bpe")) - 1
    unchanged = [cut.label for cut in wanted.cuts("bpe")].index("␣un")
    for key, name, token in (
        ("ArrowLeft", "words", 3),
        ("ArrowRight", "words", 4),
        ("ArrowDown", "bpe", unchanged),
        ("End", "bpe", last),
        ("ArrowRight", "bpe", last),
        ("Home", "bpe", 0),
        ("PageDown", "bpe", 10),
        ("PageUp", "bpe", 0),
        ("ArrowUp", "words", 0),
        ("ArrowUp", "bytes", 0),
        ("ArrowUp", "characters", 0),
        ("ArrowUp", "characters", 0),
    ):
        page.keyboard.press(key)
        settle(page)
        here = row(figure, name).locator(":focus")
        assert here.get_attribute("aria-selected") == "true", key
        assert told(figure).startswith(f"Position {token} of "), key
    assert figure.locator("[aria-selected=true]").count() == 1


def test_the_token_that_is_told_stays_in_sight_while_one_writes(show):
    wanted = PlaygroundExplorable(text="whale " * 30, tokenizer="words", token=2)
    figure = look(page := show(wanted))
    area = figure.get_by_role("textbox", name="Text")
    last = len(wanted.cuts("words")) - 1
    for key, place in (("End", last), ("Home", 0)):
        area.press(f"Control+{key}")
        settle(page)
        assert told(figure).startswith(f"Position {place} of ")
        area.press("s")
        settle(page)
        assert told(figure).startswith(f"Position {place} of ")


def test_a_long_text_is_shown_in_part_and_counted_in_whole(show):
    text = " ".join(moby_dick()[30_000 : 30_000 + MOST].split())[:3000]
    wanted = PlaygroundExplorable(text=text)
    page = show(wanted)
    figure = look(page)
    assert row(figure, "characters").evaluate(SHOWN) == [
        visible(c) for c in text[:WINDOW]
    ]
    figure.get_by_role("slider", name="Shown from").evaluate(
        "n => { n.value = 700; n.dispatchEvent(new Event('input')) }"
    )
    settle(page)
    part = text[700 : 700 + WINDOW]
    assert row(figure, "characters").evaluate(SHOWN) == [visible(c) for c in part]
    assert row(figure, "byte_bpe").locator("span:visible").count() < WINDOW
    assert f"In sight: characters 700 to {699 + WINDOW}." in figure.locator(".xp-says").inner_text()  # fmt: skip
    counts = figure.locator(".xp-counts").first.inner_text()
    assert counts.startswith("3\u202f000 tokens")
    row(figure, "characters").locator("[tabindex='0']").focus()
    page.keyboard.press("End")
    settle(page)
    assert page.evaluate("document.activeElement.textContent") == visible(text[-1])
    area = figure.get_by_role("textbox", name="Text")
    area.focus()
    page.keyboard.press("Control+Home")
    page.keyboard.type("Q")
    settle(page)
    assert row(figure, "characters").evaluate(SHOWN)[0] == "Q"


def test_a_text_that_is_too_long_is_cut_and_says_so(show):
    figure = look(show("playground"))
    figure.get_by_role("textbox", name="Text").fill("a\U0001f980" * MOST)
    settle(figure.page)
    assert (
        figure.get_by_role("textbox", name="Text").input_value()
        == ("a\U0001f980" * MOST)[:MOST]
    )
    assert (
        "5\u202f000 characters (no more fit)" in figure.locator(".xp-says").inner_text()
    )


@pytest.mark.parametrize(
    ("trait", "value", "wanted"),
    [
        ("text", "x" * (MOST + 1), "wanted at most 5000"),
        ("tokenizer", "runes", "wanted one of characters"),
        ("token", -1, "0..20000"),
        ("start", MOST + 1, "0..5000"),
        ("show", "bytes", "tokens, ids"),
    ],
)
def test_refusals_explain_themselves(trait, value, wanted):
    explorable = PlaygroundExplorable()
    before = explorable.state()
    with pytest.raises(ValueError, match=re.escape(wanted)):
        setattr(explorable, trait, value)
    assert explorable.state() == before


def test_the_rare_word_stands_once_in_the_novel():
    assert words(moby_dick()).count(EXAMPLES["A rare word"]) == 1
    assert "\u200d" in EXAMPLES["Emoji"] and EXAMPLES["The sentence"] == SENTENCE


def test_no_text_still_has_a_figure():
    explorable = PlaygroundExplorable(text="")
    assert "no token yet" in explorable.description() and "<svg" in explorable.html()


def test_the_still_picture_holds_every_token_and_its_description_every_count():
    explorable = PlaygroundExplorable(text="a rare 鯨")
    for name, label in LABELS.items():
        found = explorable.cuts(name)
        assert f">{label}: {len(found)}<" in explorable.still()
        assert all(f">{escape(cut.label)}<" in explorable.still() for cut in found)
        assert f"{len(found)} in {label}" in explorable.description()
    with_unknown = sum(any(c.unknown for c in explorable.cuts(n)) for n in LABELS)
    assert explorable.still().count("stroke-dasharray") == with_unknown > 0


def test_vocabularies_come_when_the_figure_comes_near(browser, explorables_folder):
    path = explorables_folder / "far_playground.html"
    gap = '<p style="height: 4000px">…</p>'
    path.write_text(EMPTY.format(body=gap + 2 * PlaygroundExplorable().html()), "utf-8")
    with open_file(browser, path) as (page, requests):
        page.wait_for_timeout(300)
        assert not any("playground.js" in url or "weights" in url for url in requests)
        look(page, 0)
        look(page, 1)
        assert sum("weights/tokenizers.js" in url for url in requests) == 1
        assert not any("weights/language_model" in url for url in requests)


def test_a_widget_gets_the_vocabularies_as_bytes(show):
    """In Jupyter, one module and a view of bytes: no file is loaded."""
    explorable = PlaygroundExplorable(text="Call me Ishmael")
    assert explorable.get_state("tokenizers")["tokenizers"] == packed_tokenizers()
    page = show("rope")
    shown = page.evaluate(
        """async ([source, state, bytes]) => {
          const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
          const { default: { render } } = await import(url);
          state.tokenizers = new DataView(Uint8Array.from(bytes).buffer);
          const model = { get: (name) => state[name], set() {}, on() {}, off() {}, save_changes() {} };
          const el = document.body.appendChild(document.createElement("div"));
          await render({ model, el });
          const texts = (row) => [...row.querySelectorAll("[role=option]")].map((n) => n.textContent);
          return [...el.querySelectorAll(".xp-row")].map(texts);
        }""",
        [
            explorable._esm,
            explorable.state() | {"bounds": explorable.bounds},
            list(packed_tokenizers()),
        ],
    )
    assert shown == [[cut.label for cut in explorable.cuts(name)] for name in LABELS]


def test_the_sentence_is_on_one_screen(show):
    figure = look(show("playground", viewport={"width": 1280, "height": 900}))
    assert figure.locator("section.xp").bounding_box()["height"] < 900
    for name in LABELS:
        fits = row(figure, name).evaluate("n => n.scrollHeight <= n.clientHeight")
        # the two longest scroll in their two lines, so that all eight fit on a screen
        assert fits == (name not in ("characters", "bytes")), name
    assert figure.get_by_role("textbox", name="Text").input_value() == SENTENCE


def test_the_bytes_are_compressed():
    assert len(zlib.decompress(packed_tokenizers())) > 2 * len(packed_tokenizers())
