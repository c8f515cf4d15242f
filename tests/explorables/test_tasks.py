"""The tasks beside the figures: three each, none met at the start; what nearly meets one is not accepted."""

import numpy as np
import pytest
from figure_tasks import (
    checked,
    drive,
    keyed,
    met,
    picked,
    pressed,
    selected,
    slid,
    switched,
    typed,
)
from live_pages import CLASSES, NAMES, look, said, settle
from test_first_screen import WRITTEN

from transformer_math.explorables import (
    CodebookExplorable,
    GeometryExplorable,
    PatchesExplorable,
)
from transformer_math.explorables.attention.geometry import LONGEST
from transformer_math.modalities import patchify
from transformer_math.signals.photographs import PORTRAIT_SIDE, portrait

FREE = {"write"}  # there, every formula is a task of its own
STARTS = {"rope": {"i": 7, "j": 4}, "sinusoidal": {"d_model": 64}}
INVENTED = "Invented words k for each real one"


def cell(label, *keys):
    """Keys in a field of cells."""
    return keyed("application", label, *keys)


def gallery(number):
    """A panel of the pipeline."""
    return lambda figure: figure.locator(".xp-gallery input").nth(number).check()


def wrote(text):
    """A text that the model went on with."""

    def act(figure):
        figure.locator(".explorable-live textarea").fill(text)
        figure.page.wait_for_function(WRITTEN, arg=[text, None])

    return act


def formula(was, now):
    """A part of the formula of attention is written otherwise; KaTeX comes when it is first asked for."""

    def act(figure):
        field = figure.get_by_role("textbox")
        field.fill(field.input_value().replace(was, now))
        answered = figure.locator(".xp-says").filter(has_not_text=STILL_COMING)
        answered.filter(has_text="ifference").or_(
            answered.filter(has_text="differs")
        ).wait_for()

    return act


def chip(word, place, *keys):
    """A word of the sentence is moved by keys."""
    return keyed("slider", f"{word}, at first in place {place}", *keys)


def asked(*question):
    """Word a is to b as c."""
    acts = [selected(*pair) for pair in zip(("Word a", "is to b", "as c"), question)]
    return lambda figure: drive(figure, *acts)


def head(layer, number):
    """A head among the small pictures."""
    return checked(f"Layer {layer}, head {number}")


def logit_part(name):
    """A part of the model, among those that add to a logit."""
    return lambda figure: figure.get_by_role("radio", name=name).check()


def behind(row):
    """A token of a text that is read."""
    return lambda figure: figure.locator(".xp-strip button").nth(row).click()


def symbol(row):
    """A position of what the decoder says."""
    return lambda figure: figure.locator(".xp-strip button").nth(row).click()


def times(key, count):
    return [key] * count


STILL_COMING = "KaTeX is on its way"
FRACTION = r"\frac{Q K^\top}{\sqrt{d_k}}"

# for each task what nearly meets it, and what meets it then
BY_HAND = {
    "formula": [
        (
            [formula("A V", r"A \, V")],
            [formula(FRACTION, r"\frac{1}{\sqrt{d_k}} Q K^\top")],
        ),
        ([formula("{d_k}", "{3 d_k}")], [formula("{3 d_k}", "{d_k^2}")]),
        ([formula("A V", "1.1 A V")], [formula("1.1 A V", "1.001 A V")]),
    ],
    "product": [
        ([cell("Numbers of", "ArrowDown")], [cell("Numbers of", "ArrowUp", "End")]),
        ([cell("Numbers of", "End")], [cell("Numbers of", "ArrowLeft")]),
        ([cell("Numbers of", "ArrowDown")], [cell("Numbers of", "ArrowDown")]),
    ],
    "breaking": [
        ([checked("Mask too late")], [checked("No mask")]),
        ([checked("No mask")], [checked("Mask too late")]),
        ([checked("No mask")], [checked("No √dₖ")]),
    ],
    "continuation": [
        ([wrote("Call me ")], [wrote("Call me Ish")]),
        ([wrote("Moby")], [wrote("United")]),
        ([wrote("Café")], [wrote("Café 🐳")]),
    ],
    "pipeline": [
        (
            [pressed("Zoom out"), slid("Layer", 1), slid("Head", 3)],
            [pressed("head 2 of layer 2")],
        ),
        ([gallery(8)], [cell("Numbers", "End")]),
        (
            [cell("Numbers", *times("ArrowUp", 2))],
            [cell("Numbers", "ArrowUp")],
        ),
    ],
    "logit_parts": [
        ([logit_part("Layer 3, head 4")], [logit_part("Layer 4, head 1")]),
        ([behind(4)], [behind(3)]),
        (
            [behind(3), checked("the mean of all")],
            [logit_part("Layer 1, network")],
        ),
    ],
    "alibi": [
        ([slid("Heads", 12), slid("Head in sight", 0)], [slid("Head in sight", 8)]),
        ([slid("Head in sight", 7)], [cell("Weights", *times("ArrowLeft", 4))]),
        ([checked("all alike")], [slid("Head in sight", 7)]),
    ],
    "blockwise": [
        ([slid("Tiles read", 4)], [slid("Query", 12)]),
        ([slid("Tiles read", 4)], [slid("Query", 0)]),
        ([slid("Query", 12), slid("Tiles read", 2)], [slid("Query", 7)]),
    ],
    "attention": [
        ([checked("dO")], [checked("V")]),
        ([switched("causal mask")], [cell("Inputs", *times("ArrowUp", 2))]),
        (
            [slid("by", 2), cell("Inputs", "ArrowDown", *times("ArrowRight", 2))],
            [slid("by", -2)],
        ),
    ],
    "equivariance": [
        (
            [checked("sinusoids"), pressed("Man bites dog")],
            [
                pressed("As it was"),
                chip("the", 3, "Home"),
                chip("the", 0, "ArrowRight", "ArrowRight"),
            ],
        ),
        (
            [checked("a causal mask"), pressed("Reverse")],
            [pressed("As it was"), chip("man", 4, "ArrowLeft")],
        ),
        (
            [checked("a causal mask"), chip("the", 3, "Home")],
            [chip("bites", 2, "ArrowLeft", "ArrowLeft"), chip("dog", 1, "ArrowLeft")],
        ),
    ],
    "distance": [
        ([checked("T5")], [checked("Shaw")]),
        ([checked("T5")], [checked("sine")]),
        ([checked("8 places back"), checked("ALiBi")], [checked("T5")]),
    ],
    "playground": [
        ([typed("Text", "whale")], [typed("Text", "through")]),
        ([typed("Text", "Nantucket")], [typed("Text", "original")]),
        (
            [pressed("Emoji"), picked("option", "Tokens: bytes", 12)],
            [picked("option", "Tokens: bytes", 14)],
        ),
    ],
    "training": [
        ([slid("Steps of training", 9), head(4, 1)], [head(4, 0)]),
        ([slid("Steps of training", 9), head(3, 0)], [slid("Steps of training", 1)]),
        ([slid("Steps of training", 15)], [slid("Steps of training", 16)]),
    ],
    "experiment": [
        ([switched("scale"), switched("causal mask")], [switched("scale")]),
        (
            [switched("warm-up")],
            [switched("warm-up"), switched("residual connections")],
        ),
        ([switched("scale"), switched("normalisation")], [switched("warm-up")]),
    ],
    "encoder_layer": [
        ([switched("residual at the network")], [switched("residual at attention")]),
        (
            [switched("residual at attention"), slid("Queries", 10)],
            [checked("pre-norm"), switched("feed-forward")],
        ),
        ([checked("none")], [checked("pre-norm")]),
    ],
    "decoder_layer": [
        ([symbol(4)], [checked("1")]),  # in layer 2 the date has been read already
        ([switched("cross-attention"), symbol(4)], [symbol(5)]),
        ([switched("mask")], [switched("mask"), switched("self-attention")]),
    ],
    "word2vec": [
        ([slid("Power α", 0.95)], [slid("Power α", 1)]),
        ([slid("Score of the pair", 2)], [slid("Score of the pair", 2.3)]),
        ([slid(INVENTED, 20), checked("old, man")], [checked("the, sea")]),
    ],
    "pulls": [
        (
            [slid("Invented words k", 1), slid("Pairs seen", 100)],
            [slid("Pairs seen", 184)],
        ),
        (
            [slid("Invented words k", 1), slid("Pairs seen", 170)],
            [slid("Pairs seen", 171)],
        ),
        (
            [slid("Pairs seen", 60), slid("Learning rate", 1)],
            [slid("Invented words k", 5)],
        ),
    ],
    "ways": [
        ([switched("these words may answer")], [asked("king", "man", "soup")]),
        ([asked("prince", "princess", "duke")], [asked("boy", "canvas", "play")]),
        ([asked("prince", "princess", "duke")], [asked("boy", "girl", "uncle")]),
    ],
    "contextual": [
        ([checked("layer 1"), slid("Sentence", 10)], [slid("Sentence", 31)]),
        ([checked("layer 2"), slid("Sentence", 0)], [slid("Sentence", 32)]),
        ([checked("layer 2"), slid("Sentence", 5)], [slid("Sentence", 9)]),
    ],
    "point_clouds": [
        ([slid("Points", 128)], [slid("Groups", 16)]),
        ([slid("Points", 128)], [checked("at random")]),
        ([slid("Groups", 64)], [slid("Points", 768)]),
    ],
    "masks": [  # a row that is not full is filled first, and emptied then
        ([pressed("Switch the row")], [pressed("Switch the row")]),
        (
            [selected("Mask", "blocks"), slid("Tokens in a block", 2)],
            [slid("Tokens in a block", 1)],
        ),
        ([selected("Mask", "causal")], [selected("Mask", "everything")]),
    ],
    "scaled_dot_product": [
        (
            [switched("causal mask"), selected("Query", 0)],
            [selected("Query", 3), checked("previous token"), slid("Temperature", 0.1)],
        ),
        ([selected("Query", 3)], [checked("previous token")]),
        (
            [typed("Sentence", "whale whale sea")],
            [typed("Sentence", "whale whale whale")],
        ),
    ],
    "rope": [
        (
            [slid("Query’s position i", 30)],
            [slid("Query’s position i", 7), slid("Move both together", 30)],
        ),
        (
            [keyed("slider", "Vector q", "Home"), keyed("slider", "Vector k", "Home")],
            [keyed("slider", "Vector q", *times("ArrowRight", 18))],
        ),
        ([slid("Plane", 2)], [slid("Plane", 3)]),
    ],
    "sinusoidal": [
        (
            [slid("Dimension drawn as a wave", 12)],
            [slid("Dimension drawn as a wave", 40)],
        ),
        ([slid("Base", 2)], [slid("Base", 1)]),
        (
            [
                slid("Dimension drawn as a wave", 0),
                slid("Dimensions dmodel", 4),
                slid("Base", 5),
                keyed("slider", "Position p", "Home"),
                keyed("slider", "Position q", *times("PageUp", 2)),
            ],
            [keyed("slider", "Position q", *times("ArrowLeft", 4))],
        ),
    ],
}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in FREE])
def test_a_figure_asks_for_three_things_and_none_is_done(show, name):
    figure = look(show(name))
    assert figure.locator(".xp-goals li").count() == 3
    assert met(figure) == []


@pytest.mark.parametrize(
    ("name", "task"),
    [(name, k) for name, ways in BY_HAND.items() for k in range(len(ways))],
)
def test_a_near_miss_does_not_meet_a_task_and_what_is_asked_does(show, name, task):
    figure = look(show(CLASSES[name](**STARTS.get(name, {}))))
    near, then = BY_HAND[name][task]
    drive(figure, *near)
    assert task not in met(figure)
    drive(figure, *then)
    assert task in met(figure)
    assert (
        f"Tasks done: {len(met(figure))} of 3."
        in figure.locator(".xp-says").inner_text()
    )


SIZE = 8  # of the patches among which one has nearly one colour


def one_code():
    """The first frame that is one code, four times."""
    ids = CodebookExplorable(bits=2).ids
    return int(np.flatnonzero((ids == ids[:, :1]).all(axis=1))[0])


def last_patch():
    """Where the shuffled order shows the last patch of the photograph."""
    n = len(PatchesExplorable().tokens)
    order = (7 * np.arange(n) + 3) % n
    return place(int(np.flatnonzero(order == n - 1)[0]), 16)


def plain_patch():
    """The patch whose pixels differ least."""
    pixels = patchify(portrait(), SIZE).reshape(-1, SIZE * SIZE, 3)
    return place(int(np.ptp(pixels, axis=1).max(axis=-1).argmin()), SIZE)


def place(token, side):
    row, column = divmod(token, PORTRAIT_SIDE // side)
    return {"x": column * side, "y": row * side}


# states that meet a task
BY_STATE = {
    "word_piece": [
        {"rule": "count"},
        {"rule": "score"},
        {"corpus": "ab a a b b"},
    ],
    "merges": [
        {"step": 13},
        {"text": "abababab abababab cd", "step": 3},
        {"text": "aaa b", "step": 1},
    ],
    "unigram": [{"word": "told"}, {"word": "west", "steps": 1}, {"temperature": 10.0}],
    "codebook": [{"bits": 7}, {"bits": 8}, lambda: {"bits": 2, "frame": one_code()}],
    "divided_attention": [
        {"steps": "2"},
        {"scheme": "space", "steps": "2", "class_token": True},
        {"scheme": "space"},
    ],
    "patches": [
        {"patch_size": "24"},
        lambda: {"shuffled": True} | last_patch(),
        lambda: {"patch_size": str(SIZE)} | plain_patch(),
    ],
}


@pytest.mark.parametrize(
    ("name", "task"),
    [(name, k) for name, states in BY_STATE.items() for k in range(len(states))],
)
def test_a_state_meets_a_task(show, name, task):
    state = BY_STATE[name][task]
    figure = look(show(CLASSES[name](**(state() if callable(state) else state))))
    assert task in met(figure)


@pytest.mark.parametrize("name", ["word_piece", "merges", "unigram"])
def test_a_state_that_meets_a_task_of_tokens_meets_no_other(show, name):
    for task, state in enumerate(BY_STATE[name]):
        assert met(look(show(CLASSES[name](**state)))) == [task]


@pytest.mark.parametrize("corpus", ["ab", "abc", "aa"])
def test_letters_without_a_rival_meet_no_task(show, corpus):
    assert met(look(show(CLASSES["word_piece"](corpus=corpus)))) == []


def test_a_pair_that_overlaps_itself_is_merged_in_fewer_places(show):
    assert 1 not in met(look(show(CLASSES["word_piece"](corpus="aaaaa bc"))))
    says = look(show(CLASSES["merges"](text="aaaa b", step=1))).locator(".xp-says")
    assert "whose pair was counted 3 times and merged 2 times" in says.inner_text()


def test_the_last_merge_keeps_the_focus(show):
    figure = look(show(CLASSES["merges"](text="ab")))
    figure.get_by_role("button", name="Merge", exact=True).focus()
    drive(figure, lambda _: figure.page.keyboard.press("Enter"))
    assert figure.page.evaluate("document.activeElement.textContent") == "Merge"


def test_masked_queries_that_see_nothing_are_no_twins(show):
    assert met(look(show(CLASSES["masks"](preset="nothing")))) == []


def test_a_query_that_moves_alone_changes_the_dot_product(show):
    figure = look(show("rope"))
    drive(figure, slid("Query’s position i", 30))
    assert met(figure) == []


def put_down(page, handle, *ways):
    """Draw a handle along, stop for a moment after each way, and let it go."""
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for dx, dy in ways:
        page.mouse.move(x + dx, y + dy, steps=3)
        settle(page)
    page.mouse.up()
    settle(page)


def test_what_a_drag_passes_is_not_done(show):
    """The query is drawn over the origin, where all keys get the same weight."""
    figure = look(page := show(GeometryExplorable(query=[1, 0])))
    query = figure.get_by_role("slider", name="Query q")
    unit = figure.locator("svg").first.bounding_box()["width"] / 2 / 1.12 / LONGEST
    put_down(page, query, (-unit, 0), (unit / 2, 0))
    assert met(figure) == []
    put_down(page, query, (-1.5 * unit, 0))
    assert met(figure) == [0]


def test_what_a_mouse_passes_is_not_done_and_where_it_rests_is(show):
    figure = look(page := show("logit_parts"))
    tokens = figure.locator(".xp-strip button")
    for row in (4, 3, 2):
        tokens.nth(row).hover()
        settle(page)
        assert "After “" in said(figure) and met(figure) == []
    tokens.nth(3).hover()
    figure.locator(".xp-met").wait_for()
    assert met(figure) == [1]


def test_a_mouse_that_only_passes_chooses_no_number(show):
    figure = look(page := show("product"))
    box = figure.locator(".xp-number.xp-content").nth(2).bounding_box()
    here = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drive(figure, lambda _: page.mouse.move(*here))
    assert "column 2" in figure.locator(".xp-says").inner_text() and met(figure) == []
    drive(figure, lambda _: page.mouse.click(*here))
    assert met(figure) == [0]
