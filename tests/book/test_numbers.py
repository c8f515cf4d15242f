"""No result is typed by hand: a digit in running text was computed by a cell, or stands in a short list with its reason."""

import re

import pytest
from prose import PAGES, Sentence, sentences, spoken, written

ALWAYS = {  # what is no result, wherever it stands: pattern, and why
    r"\b[A-Za-zÀ-ÿ]+[-+]?\d[\w.-]*": "part of a name: GPT-2, UTF-8, U+2581, bfloat16",
    r"\b(?:Python|Unicode|Algorithm|RFC|Article) \d[\d.]*": "part of a name",
    r"\b(?:17|18|19|20[0-2])\d\d\b": "a year",
    r"^\d+[a-z]? (?=[A-Z])": "the number of a chapter in its title",
    r"\b(?:[Ss]teps?|[Ss]ections?|[Cc]hapters?|[Ff]ootnotes?) [\d.]+(?:(?:,| to| and| or) [\d.]+)*": "a cross-reference",
    r"(?<![\d.,])[−±+]?[01](?![\d\u202f]|[.,]\d)": "0 and 1 state definitions: a row sums to 1, counting starts at 0",
    r"\b(?:[Pp]ositions?|[Dd]imensions?|[Pp]airs?|[Rr]ows?|[Cc]olumns?|[Tt]okens?|[Ii]ds?|[Hh]eads?|[Ll]ayers?|[Bb]ytes?|[Mm]erges?)"
    r" \d+(?:(?:,| to| and| or|, and) \d+)*\b": "names a place: position 3, heads 0 and 1",
    r"\b256 bytes\b|\b(?:8|16|32|64)(?: |-)bits?\b|\b8 bits\b": "definition: bits of a byte, of a format",
    r"(?<![\d.,])\d+ ?[nd](?:_\w+)?\b": "a coefficient in a formula",
}
HERE = {  # what is no result in its place: page, words around it, and why
}

NUMBER = re.compile(r"\d(?:[\d., \u202f]*\d)?[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]*")
COMPARISON = re.compile(
    r"\b(?:twice|thrice|half|double|a (?:third|quarter|tenth)|(?!several)[a-z]+ times) "
    r"(?:as |more|less|faster|slower|larger|smaller|longer|shorter|higher|lower)",
    re.IGNORECASE,
)
SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def typed_by_hand(sentence: Sentence, page: str = "") -> list[str]:
    """The numbers in a sentence that nobody computed and nothing permits."""
    text = sentence.text
    if "⟨cite⟩" in text:
        return []  # the source's numbers, not ours
    for where, words, _ in HERE:
        if where == page:
            text = text.replace(words, " ")
    for pattern in ALWAYS:
        text = re.sub(pattern, " ", text)
    found = [*NUMBER.findall(text), *COMPARISON.findall(text)]
    return [words for words in found if not _is_setting(words, sentence.settings)]


def _is_setting(words: str, settings: frozenset[float]) -> bool:
    """Whether the code of the cell holds the number: then it says what was computed, not what came out."""
    base, power = re.fullmatch(r"([^⁰¹²³⁴-⁹⁻]*)(.*)", words).groups()
    try:
        value = float(re.sub(r"[ \u202f,]", "", base)) ** int(
            power.translate(SUPERSCRIPT) or 1
        )
    except ValueError:
        return False
    return value in settings or value / 100 in settings


@pytest.mark.parametrize("page", PAGES)
def test_no_number_is_typed_by_hand(page):
    found = [
        f"{page}:{sentence.line}: {numbers} in “{sentence.text}”"
        for sentence in sentences(page)
        if (numbers := typed_by_hand(sentence, page))
    ]
    assert not found, "\n".join(
        [
            "Compute it in a cell (say, glue), cite it in the same sentence, or permit it in this test.",
            *found,
        ]
    )
