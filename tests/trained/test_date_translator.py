from datetime import date, timedelta

import numpy as np
import pytest

from transformer_math.model import encoder_decoder_logits
from transformer_math.trained.date_translator import (
    LENGTH,
    N_HEADS,
    SOURCE,
    TARGET,
    DateTask,
    cross_attention,
    date_translator,
    decode_greedily,
    encode,
    encode_iso,
    translate,
)
from transformer_math.trained.dates import CASES, FORMS, draw_pair, held_out, write
from transformer_math.training.loop import train

# The forms again, as the C library writes them; it knows no “12th”, and no day or month without its 0.
STRFTIME = {
    "12 March 1851": "%d %B %Y",
    "12 Mar 1851": "%d %b %Y",
    "12-Mar-1851": "%d-%b-%Y",
    "March 12, 1851": "%B %d, %Y",
    "Mar 12, 1851": "%b %d, %Y",
    "Wednesday, 12 March 1851": "%A, %d %B %Y",
    "Wednesday, March 12, 1851": "%A, %B %d, %Y",
    "Wed 12 Mar 1851": "%a %d %b %Y",
    "1851, March 12": "%Y, %B %d",
    "12/03/1851": "%d/%m/%Y",
    "12.03.1851": "%d.%m.%Y",
    "1851/03/12": "%Y/%m/%d",
    "1851-03-12": "%Y-%m-%d",
    "18510312": "%Y%m%d",
}


@pytest.fixture(scope="module")
def model():
    return date_translator()


def unseen_days(seed, number):
    """Every tenth day counted from 12 March 1851, a multiple of ten days away: none was trained on."""
    steps = np.random.default_rng(seed).integers(-9000, 12700, number)
    return [date(1851, 3, 12) + timedelta(days=10 * int(step)) for step in steps]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_named_by_what_it_writes(form):
    assert write(date(1851, 3, 12), form) == form


@pytest.mark.parametrize("form", STRFTIME)
def test_forms_write_what_the_c_library_writes(form):
    for day in unseen_days(1, 50):
        if day.day >= 10:
            assert write(day, form) == day.strftime(STRFTIME[form])


def test_no_day_that_is_held_out_is_drawn_for_training():
    rng = np.random.default_rng(0)
    drawn = [date.fromisoformat(draw_pair(rng)[1]) for _ in range(2000)]
    assert not any(map(held_out, drawn))
    assert all(map(held_out, unseen_days(2, 100)))
    assert held_out(date.fromisoformat(draw_pair(rng, unseen=True)[1]))


@pytest.mark.parametrize("form", FORMS)
def test_the_checkpoint_translates_unseen_days_in_every_form(model, form):
    days = unseen_days(3, 40)
    for case in CASES.values():
        written = [case(write(day, form)) for day in days]
        right = [
            got == day.isoformat()
            for got, day in zip(translate(written, model), days, strict=True)
        ]
        assert sum(right) >= 0.99 * len(days)


def test_a_date_is_translated_alike_alone_and_beside_longer_ones(model):
    alone = translate(["3.4.1905"], model)
    assert alone == translate(["3.4.1905", "Wednesday, September 13, 1899"], model)[:1]


def test_writing_one_by_one_is_right_where_every_character_is_right_after_right_ones(
    model,
):
    rng = np.random.default_rng(4)
    start = DateTask().initial(rng)
    for parameters in (model, start):
        written, wanted = zip(*(draw_pair(rng, unseen=True) for _ in range(20)))
        ids = encode_iso(wanted)
        one_by_one = decode_greedily(*encode(written), parameters)
        forced = [
            encoder_decoder_logits(encode([w])[0], t[None, :-1], parameters, N_HEADS)
            .argmax(-1)
            .ravel()
            for w, t in zip(written, ids)
        ]
        right = (one_by_one == ids[:, 1:]).all(1)
        np.testing.assert_array_equal(right, (np.stack(forced) == ids[:, 1:]).all(1))


def test_where_it_looks_is_a_distribution_for_each_character(model):
    A = cross_attention("12 March 1851", "1851-03-12", model)
    assert A.shape == (2, N_HEADS, LENGTH, len("12 March 1851") + 1)
    np.testing.assert_allclose(A.sum(axis=-1), 1, rtol=1e-5)


def test_it_says_what_it_cannot_read(model):
    with pytest.raises(ValueError, match="'é' is no character"):
        translate(["12 décembre 1851"], model)


def test_every_character_of_the_forms_is_known():
    days = unseen_days(5, 400)
    texts = {
        case(write(day, form))
        for day in days
        for form in FORMS
        for case in CASES.values()
    }
    used = set("".join(texts))
    assert used <= set(SOURCE)
    assert len(set(SOURCE)) == len(SOURCE) and len(set(TARGET)) == len(TARGET)


def test_a_little_training_lowers_the_loss(tmp_path):
    task = DateTask(every=20, batch_size=16)
    first, *_, last = train(task, tmp_path, steps=60).history
    assert last["loss"] < 0.8 * first["loss"]
    assert last["loss"] < np.log(len(TARGET))
