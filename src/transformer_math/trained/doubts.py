"""What the date translator was not made for, and how that shows: it is not as sure as else, or writes no day of its centuries."""

from collections.abc import Callable, Sequence
from datetime import date

import numpy as np
from jaxtyping import Float

from transformer_math.attention.masks import causal_mask, padding_mask
from transformer_math.model.encoder_decoder import (
    EncoderDecoderParameters,
    encoder_decoder_logits,
)
from transformer_math.output.probabilities import probabilities
from transformer_math.trained.date_translator import (
    BEGIN,
    END,
    LENGTH,
    N_HEADS,
    TARGET,
    decode_greedily,
    encode,
)
from transformer_math.trained.dates import (
    FIRST,
    FORMS,
    LAST,
    MONTHS,
    draw_day,
    draw_pair,
    write,
)

SURE = 0.999  # of dates that it was made for it is surer
Drawn = tuple[str, str]  # a text, and the date that it says; "" where it says none


def certainty(
    written: Sequence[str], parameters: EncoderDecoderParameters
) -> Float[np.ndarray, " batch"]:
    """The probability that the model gives to what it writes itself, the end token included.

    Raises ValueError for a character that the model does not know.
    """
    source, lengths = encode(written)
    ids = decode_greedily(source, lengths, parameters)
    begin = np.full((len(ids), 1), TARGET.index(BEGIN))
    given = np.concatenate([begin, ids[:, :-1]], axis=1)
    seen = padding_mask(lengths, source.shape[1])
    scored = encoder_decoder_logits(
        source, given, parameters, N_HEADS, seen, causal_mask(LENGTH)
    )
    p = np.take_along_axis(probabilities(scored.astype(float)), ids[..., None], axis=-1)
    ended = np.cumsum(given == TARGET.index(END), axis=1) > 0
    return np.where(ended, 1.0, p[..., 0]).prod(axis=1)


def doubt(iso: str, sure: float) -> str:
    """Why an answer of the model is not to be trusted; nothing where it is.

    >>> doubt("1851-03-12", 0.99999), doubt("1851-02-31", 0.99999), doubt("1851-03-12", 0.9)
    ('', 'there is no such day', 'the model is not sure')
    """
    if sure < SURE:
        return "the model is not sure"
    day = _day(iso)
    if day is None:
        return "there is no such day"
    if not FIRST <= day <= LAST:
        return f"it learnt the years {FIRST.year} to {LAST.year}"
    return ""


def _day(iso: str) -> date | None:
    """The day, if it is one, and if it is written with its hyphens."""
    try:
        day = date.fromisoformat(iso)
    except ValueError:
        return None
    return day if day.isoformat() == iso else None


def _changed(change: Callable[[str], str]) -> Callable[[np.random.Generator], Drawn]:
    def drawn(rng):
        text, iso = draw_pair(rng, unseen=True)
        return change(text), iso

    return drawn


def _in_form(
    form: str, change: Callable[[str], str]
) -> Callable[[np.random.Generator], Drawn]:
    def drawn(rng):
        day = draw_day(rng, unseen=True)
        return change(write(day, form)), day.isoformat()

    return drawn


def _month_first(rng: np.random.Generator) -> Drawn:
    day = draw_day(rng, unseen=True)
    while day.day <= 12:  # only then can a reader tell
        day = draw_day(rng, unseen=True)
    return f"{day.month:02}/{day.day:02}/{day.year}", day.isoformat()


def _beyond(rng: np.random.Generator) -> Drawn:
    day = draw_day(rng, unseen=True)
    year = int(rng.integers(LAST.year + 1, 3000))
    text = f"{min(day.day, 28)} {MONTHS[day.month - 1]} {year}"
    return text, f"{year}-{day.month:02}-{min(day.day, 28):02}"


def _no_such_day(rng: np.random.Generator) -> Drawn:
    month = str(rng.choice(["February", "April", "June", "September", "November"]))
    return f"31 {month} {rng.integers(FIRST.year, LAST.year + 1)}", ""


def _without(
    part: Callable[[date], str],
) -> Callable[[np.random.Generator], Drawn]:
    return lambda rng: (part(draw_day(rng, unseen=True)), "")


def _misspelt(rng: np.random.Generator) -> Drawn:
    day = draw_day(rng, unseen=True)
    month = MONTHS[day.month - 1]
    gone = int(rng.integers(1, len(month)))
    text = f"{day.day} {month[:gone] + month[gone + 1 :]} {day.year}"
    return text, day.isoformat()


def _words(rng: np.random.Generator) -> Drawn:
    words = rng.choice(["the", "of", "and", "a", "many", "sea", "day", "year"], size=3)
    return " ".join(words), ""


LONG = "12 March 1851"
assert LONG in FORMS
KINDS: dict[str, Callable[[np.random.Generator], Drawn]] = {
    "as it was trained": _changed(str),
    "a space after": _changed(lambda text: f"{text} "),
    "a space before": _changed(lambda text: f" {text}"),
    "two spaces for one": _in_form(LONG, lambda text: text.replace(" ", "  ")),
    "commas for strokes": _in_form("12/03/1851", lambda text: text.replace("/", ",")),
    "spaces for strokes": _in_form("12/03/1851", lambda text: text.replace("/", " ")),
    "month first": _month_first,
    "a month misspelt": _misspelt,
    "a later century": _beyond,
    "a year of two digits": _without(
        lambda d: f"{d.day} {MONTHS[d.month - 1]} {d.year % 100:02}"
    ),
    "no year": _without(lambda d: f"{d.day} {MONTHS[d.month - 1]}"),
    "no day": _without(lambda d: f"{MONTHS[d.month - 1]} {d.year}"),
    "no such day": _no_such_day,
    "no date at all": _words,
}
