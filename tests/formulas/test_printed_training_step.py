"""One step of training runs from printed formulas alone, and equals PyTorch's autograd, clip_grad_norm_ and Adam."""

import pytest
from conftest import ROOT
from formulas.breaks import BACKWARD, TEN_STEPS, broken

from transformer_math.formulas.book import displayed
from transformer_math.formulas.engine import TOLERANCE
from transformer_math.formulas.torch_training import (
    differences,
    encoder_decoder,
    ten_steps,
)
from transformer_math.formulas.training_step import Pages
from transformer_math.formulas.verdict import open_engine

FORMULAS = displayed(ROOT, (ROOT / "book").rglob("*.md"))


@pytest.fixture(scope="module")
def engine():
    with open_engine(FORMULAS) as engine:
        yield engine


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("make", [encoder_decoder, ten_steps])
def test_training_runs_from_printed_formulas_alone(make, seed, engine):
    pages = Pages(engine)
    assert all(one < TOLERANCE for one in differences(pages, make(seed), 3))
    breaks = BACKWARD if make is encoder_decoder else BACKWARD | TEN_STEPS
    assert pages.used <= set(breaks)
    if make is encoder_decoder:
        assert pages.used == set(BACKWARD)


def ends(label, right, wrong, make):
    """Whether training no longer equals PyTorch's, or is refused, where a part of a formula is another."""
    with open_engine(broken(FORMULAS, label, right, wrong)) as engine:
        try:
            found = differences(Pages(engine), make(0), 3)
            return any(not one < TOLERANCE for one in found)
        except ValueError:
            return True


@pytest.mark.parametrize("label", BACKWARD)
def test_a_step_of_the_encoder_decoder_needs_each_of_its_formulas(label):
    assert ends(label, *BACKWARD[label], encoder_decoder)


@pytest.mark.parametrize("label", TEN_STEPS)
def test_a_step_of_the_model_of_the_ten_steps_needs_its_own(label):
    assert ends(label, *TEN_STEPS[label], ten_steps)
