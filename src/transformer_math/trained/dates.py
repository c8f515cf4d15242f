"""Dates as people write them: the endless data of the date translator.

A day is drawn, a form, and a case. Every tenth day is held out: no form of it is ever drawn for training.
"""

from collections.abc import Callable, Iterator
from datetime import date
from string import Formatter

import numpy as np

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
WEEKDAYS = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
]
FIRST, LAST = date(1600, 1, 1), date(2199, 12, 31)
EVERY = 10  # of so many days in a row one is held out

# The forms, each under what it makes of one day. Numbers alone are read day first, unless the year comes first.
FORMS = {
    "12 March 1851": "{d} {month} {year}",
    "12 Mar 1851": "{d} {mon} {year}",
    "12-Mar-1851": "{d}-{mon}-{year}",
    "12th March 1851": "{nth} {month} {year}",
    "12th of March 1851": "{nth} of {month} {year}",
    "the 12th of March, 1851": "the {nth} of {month}, {year}",
    "March 12, 1851": "{month} {d}, {year}",
    "Mar 12, 1851": "{mon} {d}, {year}",
    "March 12th, 1851": "{month} {nth}, {year}",
    "Mar 12th, 1851": "{mon} {nth}, {year}",
    "March the 12th, 1851": "{month} the {nth}, {year}",
    "Wednesday, 12 March 1851": "{weekday}, {d} {month} {year}",
    "Wednesday, March 12, 1851": "{weekday}, {month} {d}, {year}",
    "Wed 12 Mar 1851": "{wday} {d} {mon} {year}",
    "1851, March 12": "{year}, {month} {d}",
    "12/03/1851": "{dd}/{mm}/{year}",
    "12/3/1851": "{d}/{m}/{year}",
    "12.03.1851": "{dd}.{mm}.{year}",
    "12.3.1851": "{d}.{m}.{year}",
    "1851/03/12": "{year}/{mm}/{dd}",
    "1851-03-12": "{year}-{mm}-{dd}",
    "18510312": "{year}{mm}{dd}",
}
CASES: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "lower": str.lower,
    "upper": str.upper,
}
SHARES = (0.5, 0.25, 0.25)  # how often each case is drawn
FIELDS = {  # what a part of a form tells; the weekday tells nothing that the others do not
    "year": "year",
    **dict.fromkeys(("month", "mon", "m", "mm"), "month"),
    **dict.fromkeys(("d", "dd", "nth"), "day"),
}


def held_out(day: date) -> bool:
    """Whether a day is kept from training, in whatever form: every tenth is.

    >>> [held_out(date(1851, 3, number)) for number in (11, 12, 13)]
    [False, True, False]
    """
    return (day - date(1851, 3, 12)).days % EVERY == 0


def write(day: date, form: str, case: str = "as it is") -> str:
    """A day in one of the forms, in one of the cases.

    >>> write(date(1851, 3, 12), "the 12th of March, 1851", "upper")
    'THE 12TH OF MARCH, 1851'
    """
    return CASES[case]("".join(text for text, _ in pieces(day, form)))


def pieces(day: date, form: str) -> Iterator[tuple[str, str]]:
    """The parts of a written day, in order, each with what it tells: year, month, day, or nothing.

    >>> list(pieces(date(1851, 3, 12), "12 Mar 1851"))
    [('12', 'day'), (' ', ''), ('Mar', 'month'), (' ', ''), ('1851', 'year')]
    """
    said = words(day)
    for between, name, _, _ in Formatter().parse(FORMS[form]):
        if between:
            yield between, ""
        if name:
            yield said[name], FIELDS.get(name, "")


def words(day: date) -> dict[str, str]:
    """What a form can say about a day.

    >>> words(date(1851, 3, 1))["nth"], words(date(1851, 3, 12))["nth"]
    ('1st', '12th')
    """
    month, weekday = MONTHS[day.month - 1], WEEKDAYS[day.weekday()]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    return {
        "year": str(day.year),
        "month": month,
        "mon": month[:3],
        "m": str(day.month),
        "mm": f"{day.month:02}",
        "d": str(day.day),
        "dd": f"{day.day:02}",
        "nth": f"{day.day}{'th' if day.day in (11, 12, 13) else ending}",
        "weekday": weekday,
        "wday": weekday[:3],
    }


def draw_day(rng: np.random.Generator, unseen: bool = False) -> date:
    """A day of the six centuries, from those held out or from the others."""
    while True:
        number = rng.integers(FIRST.toordinal(), LAST.toordinal() + 1)
        day = date.fromordinal(int(number))
        if held_out(day) == unseen:
            return day


def draw_pair(rng: np.random.Generator, unseen: bool = False) -> tuple[str, str]:
    """A written date and its translation.

    >>> draw_pair(np.random.default_rng(12))
    ('THE 15TH OF AUGUST, 1967', '1967-08-15')
    """
    day = draw_day(rng, unseen)
    form = list(FORMS)[rng.integers(len(FORMS))]
    return write(day, form, str(rng.choice(list(CASES), p=SHARES))), day.isoformat()
