"""Dates as people write them: the endless data of the date translator.

A day is drawn, and a form, and a case. Every tenth day is held out: no form of it is ever drawn for training.
"""

from collections.abc import Callable
from datetime import date

import numpy as np

MONTHS = (
    "January February March April May June July August September October November December"
).split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
FIRST, LAST = date(1600, 1, 1), date(2199, 12, 31)
EVERY = 10  # days from one that is held out to the next

_ENDINGS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}


def _month(day: date) -> str:
    return MONTHS[day.month - 1]


def _weekday(day: date) -> str:
    return WEEKDAYS[day.weekday()]


def _nth(day: date) -> str:
    return f"{day.day}{_ENDINGS.get(day.day, 'th')}"


# Each form under the name that it has for the day of the whale hunters' year: its own example.
FORMS: dict[str, Callable[[date], str]] = {
    "12 March 1851": lambda d: f"{d.day} {_month(d)} {d.year}",
    "12 Mar 1851": lambda d: f"{d.day} {_month(d)[:3]} {d.year}",
    "12-Mar-1851": lambda d: f"{d.day}-{_month(d)[:3]}-{d.year}",
    "12th March 1851": lambda d: f"{_nth(d)} {_month(d)} {d.year}",
    "12th of March 1851": lambda d: f"{_nth(d)} of {_month(d)} {d.year}",
    "the 12th of March, 1851": lambda d: f"the {_nth(d)} of {_month(d)}, {d.year}",
    "March 12, 1851": lambda d: f"{_month(d)} {d.day}, {d.year}",
    "Mar 12, 1851": lambda d: f"{_month(d)[:3]} {d.day}, {d.year}",
    "March 12th, 1851": lambda d: f"{_month(d)} {_nth(d)}, {d.year}",
    "Mar 12th, 1851": lambda d: f"{_month(d)[:3]} {_nth(d)}, {d.year}",
    "March the 12th, 1851": lambda d: f"{_month(d)} the {_nth(d)}, {d.year}",
    "Wednesday, 12 March 1851": lambda d: f"{_weekday(d)}, {d.day} {_month(d)} {d.year}",
    "Wednesday, March 12, 1851": lambda d: f"{_weekday(d)}, {_month(d)} {d.day}, {d.year}",
    "Wed 12 Mar 1851": lambda d: f"{_weekday(d)[:3]} {d.day} {_month(d)[:3]} {d.year}",
    "1851, March 12": lambda d: f"{d.year}, {_month(d)} {d.day}",
    "12/03/1851": lambda d: f"{d.day:02}/{d.month:02}/{d.year}",
    "12/3/1851": lambda d: f"{d.day}/{d.month}/{d.year}",
    "12.03.1851": lambda d: f"{d.day:02}.{d.month:02}.{d.year}",
    "12.3.1851": lambda d: f"{d.day}.{d.month}.{d.year}",
    "1851/03/12": lambda d: f"{d.year}/{d.month:02}/{d.day:02}",
    "1851-03-12": lambda d: f"{d.year}-{d.month:02}-{d.day:02}",
    "18510312": lambda d: f"{d.year}{d.month:02}{d.day:02}",
}
CASES: tuple[Callable[[str], str], ...] = (str, str.lower, str.upper)
PAD, BEGIN, END = "[pad]", "[begin]", "[end]"
SOURCE = [
    PAD,
    END,
    *sorted(
        set(
            "".join(
                case(" ,./-0123456789thestndrdof" + "".join(MONTHS + WEEKDAYS))
                for case in CASES
            )
        )
    ),
]
TARGET = [PAD, BEGIN, END, "-", *"0123456789"]


def held_out(day: date) -> bool:
    """Whether a day is kept from training, in whatever form: every tenth is.

    >>> [held_out(date(1851, 3, number)) for number in (11, 12, 13)]
    [False, True, False]
    """
    return day.toordinal() % EVERY == date(1851, 3, 12).toordinal() % EVERY


def draw_day(rng: np.random.Generator, unseen: bool) -> date:
    """A day of the six centuries, from the held-out ones or from the others."""
    while True:
        day = date.fromordinal(
            int(rng.integers(FIRST.toordinal(), LAST.toordinal() + 1))
        )
        if held_out(day) == unseen:
            return day


def write(day: date, form: str, case: Callable[[str], str] = str) -> str:
    """A day in one of the forms, in one of the cases.

    >>> write(date(1851, 3, 12), "the 12th of March, 1851", str.upper)
    'THE 12TH OF MARCH, 1851'
    """
    return case(FORMS[form](day))


def draw_pair(rng: np.random.Generator, unseen: bool = False) -> tuple[str, str]:
    """A written date and its translation.

    >>> draw_pair(np.random.default_rng(1851))
    """
    day, form = draw_day(rng, unseen), list(FORMS)[rng.integers(len(FORMS))]
    case = CASES[rng.choice(len(CASES), p=[0.5, 0.25, 0.25])]
    return write(day, form, case), day.isoformat()
