"""The trained models in the page: what a live figure shows is what Python's functions say of the same checkpoint."""

import re

import numpy as np
import pytest
from figure_tasks import met
from live_pages import PHONE, look, said, settle
from test_values import ink

from transformer_math.explorables import (
    ContinuationExplorable,
    DecodingExplorable,
    InspectorExplorable,
    TranslatorExplorable,
)
from transformer_math.explorables.model import language
from transformer_math.explorables.model.drawings import likeliest, percent
from transformer_math.explorables.model.silenced import all_heads
from transformer_math.explorables.model.translator import SIGNS
from transformer_math.output import greedy, probabilities
from transformer_math.trained.date_translator import (
    TARGET,
    date_translator,
    translate,
)
from transformer_math.trained.doubts import KINDS, certainty, doubt
from transformer_math.trained.language_model import N_HEADS, N_LAYERS, VOCAB_SIZE

TEXTS = [
    "Call me Ishmael. Some years ago",
    "The  whale,\n\tthe WHALE; 1851 naïve 東京 👩\u200d🚀",
    "x",
    "It was the whiteness of the whale that above all things appalled me. But how can I hope to explain myself "
    "here; and yet, in some dim, random way, explain myself I must, else all these chapters might be naught.",
]
LINES = """table => [...table.tBodies[0].rows].filter(row => !row.hidden)
  .map(row => [...row.cells].map(cell => cell.textContent))"""


def wait(figure):
    """Until the model has read everything."""
    figure.locator(".xp-says").filter(
        has_text=re.compile("expects|No tokens")
    ).wait_for()
    settle(figure.page)


def shades(figure):
    """How dark each token of the text is."""
    colours = figure.locator(".xp-strip button:visible i").evaluate_all(
        "all => all.map(i => i.dataset.ink)"
    )
    return [float(re.findall(r"[\d.]+", colour)[3]) for colour in colours]


def assert_inspects(figure, wanted):
    """The candidates with both probabilities, the shades of the tokens, the sentence."""
    wait(figure)
    row = min(wanted.row, len(wanted.ids) - 1)
    p = wanted.distribution
    whole = InspectorExplorable(text=wanted.text, written=wanted.written, row=row)
    lines = figure.locator(".xp-next").evaluate(LINES)
    order = likeliest(wanted.reading.logits[row], 5)  # also of those cut off
    assert [name for name, *_ in lines] == [language.label(v) for v in order]
    for (_, drawn, plain), v in zip(lines, order):
        assert drawn == percent(p[v])
        assert plain == percent(whole.distribution[v])
    tokens = figure.locator(".xp-strip button:visible > span").all_text_contents()
    assert tokens == wanted.tokens
    seen = np.pad(wanted.weights[row, : row + 1], (0, len(tokens) - row - 1))
    np.testing.assert_allclose(shades(figure), seen, atol=6e-4)
    says = figure.locator(".xp-says").inner_text()
    assert f"(position {row}) the model expects “{language.label(order[0])}”" in says
    assert f"(position {seen.argmax()}), with the weight" in says or "itself" in says


def random_inspector(seed):
    rng = np.random.default_rng(seed)
    names = all_heads(["self"], N_LAYERS, N_HEADS)
    text = TEXTS[seed % len(TEXTS)]
    return InspectorExplorable(
        text=text,
        written=rng.integers(VOCAB_SIZE, size=rng.integers(3)).tolist(),
        row=int(rng.integers(64)),
        layer=int(rng.integers(N_LAYERS)),
        head=int(rng.integers(N_HEADS)),
        off=rng.permutation(names)[: rng.integers(4)].tolist(),
        temperature=float(rng.uniform(0.3, 2)),
        top_k=int(rng.integers(1, 102)),
        nucleus=float(rng.uniform(0.3, 1)),
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_inspector_shows_pythons_numbers(show, seed):
    explorable = random_inspector(seed)
    assert_inspects(look(show(explorable)), explorable)


def test_typing_goes_on_where_the_text_changed(show):
    """Letters added, taken away and changed in the middle: what was kept of the old text must not show."""
    figure = look(show("inspector"))
    field = figure.get_by_role("textbox", name="Text")
    for text in ("The whale", "The whale is", "The white whale is", "The", ""):
        field.fill(text)
        if text:
            assert_inspects(figure, InspectorExplorable(text=text))
    assert "Type a word" in figure.locator(".xp-note").inner_text()
    field.fill("The whale is white")
    assert_inspects(figure, InspectorExplorable(text="The whale is white"))


def test_the_model_writes_step_by_step(show):
    wanted = InspectorExplorable(text="The whale")
    figure = look(show(InspectorExplorable(text="The whale")))
    for _ in range(3):
        wanted.written = [*wanted.written, likeliest(wanted.distribution, 1)[0]]
        figure.get_by_role("button", name="Write the likeliest").click()
        wait(figure)
        figure.locator(".xp-strip button:visible").nth(len(wanted.ids) - 1).wait_for()
        settle(figure.page)
        assert_inspects(figure, wanted)
    third = likeliest(wanted.distribution, 3)[2]
    figure.locator(".xp-next button").nth(2).click()
    wanted.written = [*wanted.written, third]
    figure.locator(".xp-strip button:visible").nth(len(wanted.ids) - 1).wait_for()
    assert_inspects(figure, wanted)
    assert figure.locator(".xp-fresh:visible").count() == 4
    for _ in range(2):
        figure.get_by_role("button", name="Take back").click()
    wanted.written = wanted.written[:2]
    settle(figure.page)
    assert_inspects(figure, wanted)


def test_a_head_that_is_off_changes_the_next_token(show):
    wanted = InspectorExplorable(layer=2, head=1)
    figure = look(show("inspector"))
    figure.get_by_role("radio", name="Layer 3, head 1").check()
    figure.get_by_role("switch").click()
    figure.get_by_role("radio", name="Layer 3, head 1, off").wait_for()
    wanted.off = ["self.2.1"]
    figure.get_by_text("One head is off").wait_for()
    settle(figure.page)
    assert_inspects(figure, wanted)
    figure.get_by_role("switch").click()
    settle(figure.page)
    wanted.off = []
    figure.get_by_text("the stronger another one’s colour").wait_for()
    assert_inspects(figure, wanted)


def test_reading_shows_its_progress_and_everything_else_answers(show):
    """On a processor twenty times slower, a long text is read in view, and a head can be chosen meanwhile."""
    figure = look(page := show("inspector"))
    processor = page.context.new_cdp_session(page)
    processor.send("Emulation.setCPUThrottlingRate", {"rate": 20})
    figure.get_by_role("textbox", name="Text").fill(TEXTS[3])
    note = figure.locator(".xp-note")
    seen = set()
    for _ in range(200):
        found = re.search(r"Reading token (\d+) of (\d+)", note.inner_text())
        if found is None:
            break
        seen.add(int(found[1]))
        if len(seen) == 3:
            figure.get_by_role("radio", name="Layer 2, head 1").check()
            assert figure.get_by_text("Layer 2, head 1 off").is_visible()
            assert "Reading" in note.inner_text()
    processor.detach()
    assert len(seen) > 4 and min(seen) < 20
    assert_inspects(figure, InspectorExplorable(text=TEXTS[3], layer=1, head=1))


@pytest.mark.parametrize("view", ["arcs", "heatmap"])
def test_the_other_views_show_the_last_tokens(show, view):
    """So few that their names can be read: a phone has a line for each word of the arcs."""
    wanted = InspectorExplorable(text=TEXTS[3], view=view)
    for options, count in (({}, 16), (PHONE, {"arcs": 24, "heatmap": 15}[view])):
        figure = look(show(wanted, **options))
        wait(figure)
        assert shown_names(figure) == wanted.tokens[-count:]
        n = len(wanted.tokens)
        note = f"Positions {n - count} to {n - 1} are drawn; the shaded text shows all."
        assert figure.locator(".xp-note").inner_text() == note
        if view == "arcs":
            shown = figure.locator(".xp-arcs button:visible b").all_text_contents()
            seen = wanted.weights[-1, -count:]
            np.testing.assert_allclose([float(x) for x in shown], seen, atol=0.00501)
            continue
        names = figure.locator(".xp-heat .xp-row-name:visible").evaluate_all(
            "all => all.map(name => name.offsetHeight)"
        )
        assert min(names) >= 16


def shown_names(figure):
    """The tokens over the arcs, or beside the heatmap."""
    names = figure.locator(
        ".xp-arcs button:visible span, .xp-heat .xp-row-name:visible"
    )
    return names.all_text_contents()


@pytest.mark.parametrize("view", ["arcs", "heatmap"])
def test_the_other_views_show_the_token_in_sight(show, view):
    """A token before the last ones comes last among those that are drawn; pointing at another does not move them."""
    wanted = InspectorExplorable(text=TEXTS[3], view=view, row=20)
    figure = look(page := show(wanted))
    wait(figure)
    assert shown_names(figure) == wanted.tokens[5:21]
    figure.locator(".xp-arcs button:visible, .xp-heat .xp-field").first.focus()
    page.keyboard.press("ArrowUp")
    settle(page)
    assert shown_names(figure) == wanted.tokens[5:21]
    assert f"After “{wanted.tokens[19 if view == 'heatmap' else 5]}”" in said(figure)
    figure.get_by_role("radio", name="shaded text").check()
    figure.locator(".xp-strip button").first.click()
    figure.get_by_role("radio", name=view).check()
    settle(page)
    assert shown_names(figure) == wanted.tokens[:16]


LONG_WORDS = "Queequeg Nantucket Leviathan "  # a token each
IN_SIGHT = """node => {
  const [one, strip] = [node, node.parentElement].map(part => part.getBoundingClientRect());
  const box = node.closest('.xp-panel')?.getBoundingClientRect() ?? strip;
  return one.top >= Math.max(box.top, strip.top) - 1 && one.bottom <= box.bottom + 1;
}"""


@pytest.mark.parametrize("name", ["inspector", "head_sheet"])
def test_the_chosen_token_is_in_sight(show, name):
    figure = look(page := show(name))
    chosen = figure.locator(".xp-strip [aria-pressed=true]")
    page.get_by_label("Text", exact=True).fill(LONG_WORDS * 30)
    for key in ("End", "Home", "End"):
        wait(figure)
        assert chosen.evaluate(IN_SIGHT)
        chosen.evaluate("node => node.focus({ preventScroll: true })")
        page.keyboard.press(key)
    before = page.evaluate("scrollY")
    figure.locator(".xp-next button").first.click()
    wait(figure)
    assert chosen.evaluate(IN_SIGHT) and page.evaluate("scrollY") == before


def test_the_token_that_was_written_is_in_sight(show):
    figure = look(page := show(InspectorExplorable(text=LONG_WORDS * 18, row=0)))
    chosen = figure.locator(".xp-strip [aria-pressed=true]")
    figure.get_by_role("button", name="Write the likeliest").click()
    wait(figure)
    assert "xp-fresh" in chosen.get_attribute("class") and chosen.evaluate(IN_SIGHT)
    for view in ("arcs", "shaded text"):
        figure.get_by_role("radio", name=view).check()
    settle(page)
    assert chosen.evaluate(IN_SIGHT)


def test_a_token_is_chosen_by_keyboard(show):
    figure = look(page := show("inspector"))
    wanted = InspectorExplorable()
    figure.locator(".xp-strip button[tabindex='0']").focus()
    for key, row in (
        ("Home", 0),
        ("ArrowRight", 1),
        ("ArrowDown", 2),
        ("ArrowLeft", 1),
    ):
        page.keyboard.press(key)
        wanted.row = row
        settle(page)
        assert_inspects(figure, wanted)


def one_back():
    """A head that looks at the token before, on the inspector's own sentence."""
    attention = InspectorExplorable().reading.attention
    found = (
        (layer, head)
        for layer, head in np.ndindex(N_LAYERS, N_HEADS)
        if np.diagonal(attention[layer][head], -1).mean() > 0.5
    )
    return dict(zip(("layer", "head"), map(int, next(found))))


def sure():
    """A text after which the model is sure."""
    state = {"text": "The Constitution of the United"}
    logits = InspectorExplorable(**state).reading.logits
    assert probabilities(logits[-1]).max() > 0.95
    return state


def repeated():
    """What the model writes greedily goes in circles."""
    written = greedy(language.next_logits, np.array(language.encode("The whale")), 24)
    return {"text": "The whale", "written": written.tolist()[-24:]}


@pytest.mark.parametrize(("task", "state"), list(enumerate([one_back, sure, repeated])))
def test_each_task_of_the_inspector_can_be_met(show, task, state):
    figure = look(show(InspectorExplorable(**state())))
    wait(figure)
    assert task in met(figure)


def random_decoding(seed):
    rng = np.random.default_rng(seed)
    return DecodingExplorable(
        prompt=TEXTS[seed % len(TEXTS)],
        length=int(rng.integers(2, 9)),
        width=int(rng.integers(1, 7)),
        temperature=float(rng.uniform(0.3, 1.5)),
        top_k=int(rng.integers(1, 60)),
        mass=float(rng.uniform(0.2, 1)),
        uniforms=rng.random(16).tolist(),
    )


def assert_decodes(figure, wanted):
    """The four texts and their log-probabilities, and the tree's branches."""
    figure.locator(".xp-says").filter(has_text="log p =").wait_for()
    settle(figure.page)
    said = wanted.said()
    texts = figure.locator(".xp-wrote").all_text_contents()
    scores = figure.locator(".xp-card .xp-caption").all_text_contents()
    assert texts == [f"…{text}" for _, text, _ in said]
    shown = [
        float(score.removeprefix("log p = ").replace("−", "-")) for score in scores
    ]
    np.testing.assert_allclose(shown, [score for *_, score in said], atol=0.00501)
    by_card = dict(zip(wanted.paths, scores, strict=True))
    topk, nucleus = (by_card[method][8:] for method in ("topk", "nucleus"))
    told = figure.locator(".xp-says").text_content()
    assert f"Drawn: {topk} (top-k), {nucleus} (nucleus)." in told
    for method in wanted.paths:
        assert figure.locator(f".xp-tree .xp-by-{method}").count() == wanted.length


@pytest.mark.parametrize("seed", range(4))
def test_four_ways_to_decode_agree_with_python(show, seed):
    explorable = random_decoding(seed)
    assert_decodes(look(show(explorable)), explorable)


@pytest.mark.parametrize(
    ("length", "ways"), [(2, ""), (16, "The tree scrolls right and down.")]
)
def test_a_tree_that_is_not_all_in_sight_says_where_it_scrolls(show, length, ways):
    figure = look(show(DecodingExplorable(length=length, width=3)))
    box = figure.locator(".xp-tree")
    larger = "n => n.scrollWidth > n.clientWidth && n.scrollHeight > n.clientHeight"
    assert box.evaluate(larger) == (ways != "")
    assert figure.locator(".xp-note").inner_text().endswith(ways or "by the beam.")


def test_decoding_controls_lead_where_python_would(show):
    wanted, figure = (
        DecodingExplorable(length=4),
        look(show(DecodingExplorable(length=4))),
    )
    changes = (
        ("width", "Beam search: sequences kept", 5),
        ("top_k", "Top-k: likeliest tokens", 40),
        ("mass", "Nucleus: probability", 0.4),
        ("temperature", "Temperature of draws", 1.6),
    )
    for trait, label, value in changes:
        setattr(wanted, trait, value)
        figure.get_by_label(label).evaluate(
            "(input, x) => { input.value = x; input.dispatchEvent(new Event('input', {bubbles: true})) }",
            value,
        )
        settle(figure.page)
        assert_decodes(figure, wanted)
    figure.get_by_label("Prompt").fill("Call me")
    wanted.prompt = "Call me"
    figure.locator(".xp-says").filter(has_text="“Call me”").wait_for()
    assert_decodes(figure, wanted)


LIKE_GREEDY = {"width": 1, "top_k": 1, "mass": 0.05}
DECODED = [
    LIKE_GREEDY,
    {"length": 4, "uniforms": [0.6] * 16, "top_k": 2},
    {"prompt": "Call me"},
]


@pytest.mark.parametrize("task", range(3))
def test_each_task_of_decoding_can_be_met(show, task):
    figure = look(show(DecodingExplorable(**DECODED[task])))
    figure.locator(".xp-says").filter(has_text="log p =").wait_for()
    settle(figure.page)
    assert met(figure) == [task]


DATES = [
    "March 12th, 1851",
    "THE 3RD OF MAY, 1999",
    "2.11.1604 東",
    "18510312",
    "Wed 29 Feb 2096",
]


def random_translator(seed):
    rng = np.random.default_rng(seed)
    names = [
        f"{k}.{layer}.{head}"
        for k in ("cross", "self", "encoder")
        for layer in range(2)
        for head in range(4)
    ]
    return TranslatorExplorable(
        date=DATES[seed % len(DATES)],
        written=rng.integers(3, 13, size=rng.integers(3)).tolist(),
        row=int(rng.integers(12)),
        place=int(rng.integers(32)),
        kind=("cross", "self", "encoder")[seed % 3],
        layer=int(rng.integers(2)),
        head=int(rng.integers(4)),
        off=rng.permutation(names)[: rng.integers(4)].tolist(),
        view="shades",
        temperature=float(rng.uniform(0.3, 2)),
        top_k=int(rng.integers(1, 15)),
        nucleus=float(rng.uniform(0.3, 1)),
    )


WHOLE = """node => [node.parentElement, node.parentElement.parentElement].every(
  box => box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth)"""


@pytest.mark.parametrize("date", ["March 12th, 1851", "Saturday, September 24, 1988", "1" * 40])  # fmt: skip
def test_the_translators_heatmap_is_whole(show, date):
    figure = look(show(TranslatorExplorable(date=date, kind="encoder", view="heatmap")))
    assert figure.locator(".xp-heat").evaluate(WHOLE)


def assert_translates(figure, wanted):
    """The translation, the candidates, the shades, the sentence."""
    figure.locator(".xp-says").filter(has_text="becomes").wait_for()
    settle(figure.page)
    assert figure.locator(".xp-output").inner_text() == f"→ {wanted.iso}"
    p = wanted.distribution
    logits = wanted.translation.logits[min(wanted.row, len(wanted.output) - 1)]
    lines = figure.locator(".xp-next").evaluate(LINES)
    assert [line[:2] for line in lines] == [
        [SIGNS.get(TARGET[v], TARGET[v]), percent(p[v])] for v in likeliest(logits, 6)
    ]
    seen = wanted.weights[wanted.chosen]
    strips = figure.locator(".xp-strip:visible")
    keys = strips.nth(0).locator("button:visible")
    assert keys.locator("span").all_text_contents() == wanted.sources
    inks = keys.locator("i").evaluate_all("all => all.map(i => i.dataset.ink)")
    dark = [float(re.findall(r"[\d.]+", ink)[3]) for ink in inks]
    np.testing.assert_allclose(dark, seen, atol=6e-4)
    says = figure.locator(".xp-says").inner_text()
    assert f"becomes “{wanted.iso}”" in says
    current = min(wanted.row, len(wanted.output) - 1)
    assert f"The character at place {current} is “" in says
    best = seen.argmax()
    where = f" (place {best} of the date)"
    if wanted.kind == "self":  # ⊢ stands before what is written
        where = f" (place {best - 1})" if best else ""
    assert f"”{where}, with the weight {seen.max():.2f}" in says


@pytest.mark.parametrize("seed", range(6))
def test_the_translator_shows_pythons_numbers(show, seed):
    explorable = random_translator(seed)
    assert_translates(look(show(explorable)), explorable)


def test_what_still_shows_the_date_before_cannot_be_chosen(show):
    """Between two dates, the characters of the first are still there; the last has no place in the second."""
    wanted = TranslatorExplorable(date="Friday, July 29, 1988", view="arcs")
    figure = look(show(wanted))
    figure.evaluate(
        """async (figure) => {
          const field = figure.querySelector("input[type=text]");
          const places = [...figure.querySelectorAll(".xp-arcs button:not([hidden])")];
          field.value = "1/5/1999";
          field.dispatchEvent(new Event("input", { bubbles: true }));
          await new Promise(queueMicrotask);
          await new Promise(queueMicrotask);
          places[20].click();
          [...figure.querySelectorAll("button")].find(button => button.textContent === "Next").click();
        }"""
    )
    wanted.date, wanted.view = "1/5/1999", "shades"
    figure.locator(".xp-says").filter(has_text=f"“{wanted.date}” becomes").wait_for()
    figure.get_by_role("radio", name="shade").check()
    assert_translates(figure, wanted)


@pytest.mark.parametrize("seed", range(2))
def test_the_translator_doubts_what_python_doubts(show, seed):
    """One text of each kind, and what the note says of it."""
    figure, rng = look(show("translator")), np.random.default_rng(seed)
    field = figure.get_by_role("textbox", name="A date")
    parameters, doubts = date_translator(), []
    for kind, draw in KINDS.items():
        text, _ = draw(rng)
        field.fill(text)
        figure.locator(".xp-says").filter(has_text=f"“{text}” becomes").wait_for()
        settle(figure.page)
        (iso,), (sure,) = (f([text], parameters) for f in (translate, certainty))
        note = figure.locator(".xp-note").inner_text()
        said = re.search("outside what it learnt: (.*?)\\.", note)
        assert (said[1] if said else "") == doubt(iso, sure), (kind, text)
        doubts.append(doubt(iso, sure))
    assert "" in doubts and len(set(doubts)) >= 3


def test_the_translator_translates_what_is_typed(show):
    wanted = TranslatorExplorable(view="shades")
    figure = look(show(wanted))
    field = figure.get_by_role("textbox", name="A date")
    for date in (
        "12 March 1851",
        "12 March 185",
        "the 1st of April, 2024",
        "東",
        "4/7/1776",
    ):
        wanted.date = date
        field.fill(date)
        if wanted.source:
            figure.locator(".xp-says").filter(has_text=f"“{date}” becomes").wait_for()
            assert_translates(figure, wanted)
        else:
            assert "Type a date" in figure.locator(".xp-note").inner_text()
    assert wanted.iso == "1776-07-04"
    figure.locator(".xp-next button").nth(1).click()
    wanted.written = [likeliest(wanted.distribution, 2)[1]]
    figure.get_by_text("The first characters are yours").wait_for()
    assert_translates(figure, wanted)


@pytest.mark.parametrize(
    ("task", "state"),
    list(enumerate([{"row": 6}, {"date": "tomorrow"}, {"off": ["self.0.1"]}])),
)
def test_each_task_of_the_translator_can_be_met(show, task, state):
    figure = look(show(TranslatorExplorable(**state)))
    figure.locator(".xp-says").filter(has_text="becomes").wait_for()
    settle(figure.page)
    assert task in met(figure)


def test_the_map_of_cross_attention_has_a_row_for_each_character_written(show):
    wanted = TranslatorExplorable()
    figure = look(show(wanted))
    names = [
        figure.locator(f".{kind}:visible").all_text_contents()
        for kind in ("xp-row-name", "xp-column-name")
    ]
    assert names == [wanted.queries, wanted.sources]
    shown = ink(figure.locator(".xp-field canvas"), *wanted.weights.shape)
    np.testing.assert_allclose(shown, wanted.weights, atol=0.006)


@pytest.mark.parametrize(
    ("cls", "trait", "value", "words"),
    [
        (InspectorExplorable, "off", ["self.4.0"], "names from 'self.0.0'"),
        (InspectorExplorable, "written", [VOCAB_SIZE], f"0..{VOCAB_SIZE - 1}"),
        (InspectorExplorable, "layer", 4, "0..3"),
        (InspectorExplorable, "top_k", 0, "1..101"),
        (DecodingExplorable, "uniforms", [0.5], "at least 16"),
        (DecodingExplorable, "uniforms", [1.0] * 16, "at least 16"),
        (DecodingExplorable, "width", 7, "1..6"),
        (ContinuationExplorable, "again", -1, "0..9999"),
        (TranslatorExplorable, "off", ["cross.2.0"], "names from 'cross.0.0'"),
        (TranslatorExplorable, "written", [14], "0..13"),
        (TranslatorExplorable, "kind", "own", "cross, self, encoder"),
    ],
)
def test_refusals_explain_themselves(cls, trait, value, words):
    explorable = cls()
    before = explorable.state()
    with pytest.raises(ValueError, match=re.escape(words)):
        setattr(explorable, trait, value)
    assert explorable.state() == before


@pytest.mark.parametrize(
    "cls",
    [
        InspectorExplorable,
        DecodingExplorable,
        ContinuationExplorable,
        TranslatorExplorable,
    ],
)
def test_an_empty_text_has_still_a_figure(cls):
    name = {DecodingExplorable: "prompt", TranslatorExplorable: "date"}.get(cls, "text")
    explorable = cls(**{name: ""})
    assert "no token yet" in explorable.description() or (
        "no date yet" in explorable.description() and "<svg" in explorable.html()
    )


def test_weights_are_no_part_of_a_page():
    for cls in (InspectorExplorable, DecodingExplorable, TranslatorExplorable):
        assert len(cls().html()) < 12_000


def test_nothing_is_written_behind_a_text_that_is_gone(show):
    figure = look(show(InspectorExplorable(text="The whale")))
    wait(figure)
    figure.get_by_label("Text", exact=True).fill("")
    write = figure.get_by_role("button", name="Write the likeliest")
    write.evaluate("button => button.click()")  # before the next frame, perhaps
    settle(figure.page)
    assert write.is_disabled()
    assert "Type a word" in figure.locator(".xp-note").inner_text()
    assert figure.locator(".xp-says").inner_text() == "No tokens yet."


def test_what_is_written_follows_from_where_it_is_written(show):
    """After the last token, whichever is in sight, and once for two quick presses; a candidate goes after the one in sight."""
    wanted, figure = InspectorExplorable(text="The whale"), look(show(InspectorExplorable(text="The whale")))  # fmt: skip
    wait(figure)
    figure.locator(".xp-strip button:visible").first.click()
    settle(figure.page)
    write = figure.get_by_role("button", name="Write the likeliest")
    write.evaluate("button => (button.click(), button.click())")
    wanted.written = [likeliest(wanted.distribution, 1)[0]]
    figure.locator(".xp-strip button:visible").nth(len(wanted.ids) - 1).wait_for()
    assert_inspects(figure, wanted)
    figure.locator(".xp-strip button:visible").first.click()
    settle(figure.page)
    candidate = figure.locator(".xp-next button").first
    first = InspectorExplorable(text="The whale", row=0)
    name = language.label(likeliest(first.distribution, 1)[0])
    assert candidate.inner_text() == name
    candidate.click()
    tokens = figure.locator(".xp-strip button:visible > span")
    tokens.nth(2).wait_for(state="hidden")
    assert tokens.all_text_contents() == [wanted.tokens[0], name]


@pytest.mark.parametrize("name", ["inspector", "translator"])
def test_the_hint_speaks_of_the_view_in_sight(show, name):
    figure = look(show(name))
    for view, words in (
        ("heatmap", "Choose a row: the stronger a cell"),
        ("arcs", "the thicker an arc"),
    ):
        figure.get_by_role("radio", name=view).check()
        settle(figure.page)
        assert words in figure.locator(".xp-note").inner_text()
        assert "colour" not in figure.locator(".xp-note").inner_text()
