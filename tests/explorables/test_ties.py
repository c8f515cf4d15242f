"""Where several are the largest, none is called the only one; a place says which of several equal words is meant."""

import re

import numpy as np
import pytest
from live_pages import look, settle
from playwright.sync_api import expect

from transformer_math.explorables import (
    DecoderLayerExplorable,
    DistanceExplorable,
    FormulaExplorable,
    HeadSheetExplorable,
    InductionHeadsExplorable,
    InspectorExplorable,
    MergesExplorable,
    ScaledDotProductExplorable,
    WordPieceExplorable,
    WriteExplorable,
)
from transformer_math.explorables.editing.write import tasks
from transformer_math.formulas.shipped import shipped


@pytest.mark.parametrize("step", [0, 3, 6])
def test_merges_say_how_many_pairs_have_the_same_count(step):
    explorable = MergesExplorable(step=step)
    counts = [count for _, count in explorable.ranking]
    others = counts.count(counts[0]) - 1
    said = {0: "times.", 1: "times (another pair has"}
    words = said.get(others, f"times ({others} other pairs have the same count;")
    assert words in explorable.description()


@pytest.mark.parametrize("merges", [0, 3, 8])
def test_both_rules_say_how_many_pairs_are_alike(show, merges):
    explorable = WordPieceExplorable(merges=merges)
    figure = look(show(explorable))
    settle(figure.page)
    texts = explorable.description(), figure.locator(".xp-says").inner_text()
    for said in texts:
        for part, step in zip(said.split(";", 1), explorable.now()):
            values = np.array([pair.value for pair in step.pairs])
            others = int(np.isclose(values, values[0], rtol=1e-9).sum()) - 1
            words = f"like {others} other pair{'s' * (others > 1)}: the smaller ids win"
            assert (words in part) if others else ("other pair" not in part)


def test_an_extreme_in_several_places_is_said_to_be_so():
    explorable = FormulaExplorable("eq-sinusoidal")
    right = explorable.right
    others = int((right.max() - right < 1e-12).sum()) - 1
    assert others > 1
    said = explorable.description()
    assert f"1.00 (position 0 My, dimension 1, and {others} other places)" in said


def test_a_difference_in_several_places_is_said_to_be_so(show):
    explorable = FormulaExplorable("eq-gelu")
    tex = shipped()["eq-gelu"]["tex"] + " + 1"
    figure = look(show(explorable))
    figure.get_by_role("textbox").fill(tex)
    others = explorable.right.size - 1
    expect(figure.locator(".xp-says")).to_contain_text(
        f", and at {others} other places: "
    )


@pytest.mark.parametrize(
    ("label", "wrong", "words"),
    [
        ("eq-relu", "max(x, 0) + 1", ", as in {} other cases: "),
        ("eq-relu", "2 max(x, 0)", ": "),
        ("eq-scores", "QK^T/sqrt(d_k) + 1", ", as at {} other places: "),
    ],
)
def test_a_written_formula_is_off_in_as_many_places(show, label, wrong, words):
    wanted = [case["wanted"] for case in tasks()[label]["cases"]]
    figure = look(show(WriteExplorable(label)))
    figure.get_by_role("textbox").fill(wrong)
    says = figure.locator(".xp-says")
    others = sum(np.size(one) for one in wanted) - 1
    place = r"The largest difference, [\d.]+, is[^:]*\d"
    expect(says).to_have_text(re.compile(place + words.format(others)))


def test_a_word_that_stands_twice_has_its_place():
    explorable = FormulaExplorable("eq-attention")
    assert explorable.view.rows.count("opinion") == 2
    explorable.set_trait("example", swapped(explorable.example))
    assert "query opinion (10), key opinion (2)" in explorable.description()


@pytest.mark.parametrize(
    "explorable", [InspectorExplorable, HeadSheetExplorable, InductionHeadsExplorable]
)
def test_a_head_looks_at_one_of_several_equal_tokens(explorable):
    one = explorable(text="call me call me call me")
    assert len(set(one.ids)) < len(one.ids)
    assert re.search(r"looks most at \S+ \(position \d\)", one.description())


def swapped(example):
    """The example with its largest weight at the second “opinion”."""
    (case,) = example["cases"]
    A = np.eye(12, 13)
    A[10, 2] = 2
    wanted = {**case["wanted"], "A": A.tolist()}
    return {**example, "cases": [{**case, "wanted": wanted}]}


def test_a_query_names_all_keys_with_its_largest_weight():
    said = ScaledDotProductExplorable().description()
    assert "opinion to opinion (2) and opinion (11)" in said
    assert "an to an (10)," in said
    even = ScaledDotProductExplorable(Q=[[0.0, 0.0]] * 13, K=[[1.0, 0.0]] * 13)
    assert "opinion to 13 keys alike" in even.description()


def test_a_head_that_scores_two_distances_alike_says_both(monkeypatch):
    explorable = DistanceExplorable()
    alike = [float(distance in (3, 7)) for distance in range(32)]
    monkeypatch.setattr(DistanceExplorable, "head_scores", alike)
    assert "scores highest at distances 3 and 7." in explorable.description()


def test_before_the_first_character_a_decoder_layer_stands_at_the_beginning():
    assert "At the beginning it would say" in DecoderLayerExplorable(row=0).description()  # fmt: skip
