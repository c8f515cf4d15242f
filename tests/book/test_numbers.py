"""No result is typed by hand: a digit in running text was computed by a cell, or stands in a short list with its reason."""

import re
from functools import cache
from html.parser import HTMLParser

import pytest
from conftest import ROOT
from prose import BOOK, PAGES, Sentence, sentences, spoken, written

HTML = ROOT / "_build" / "html" / "book"

PERMITTED = {  # what is no result: pattern, and why
    r"“[^”]*”": "quoted: others' words, or a text for an example",
    r"\b[A-Za-zÀ-ÿ]+[-+]?\d[\w.-]*": "part of a name: GPT-2, UTF-8, U+2581, bfloat16",
    r"\b(?:Python|Unicode|RFC|Article|[Vv]ersion|arXiv:|ACL) ?[\d.]+": "part of a name",
    r"\b(?:[Ii]n|since|until|before|March) (?:1[6-9]\d\d|20[0-3]\d)\b(?! [a-z]+s\b)": "a year",
    r"^\d{1,2}[a-z]?(?:–\d)? (?=[A-Z])": "the number of a chapter in its title",
    r"(?:\b(?:[Ss]teps?|[Ss]ections?|[Cc]hapters?|[Ff]ootnotes?) |§)[\d.]+(?:(?:,| to| and| or) §?[\d.]+)*": "a cross-reference",
    r"\b(?:[Pp]ositions?|[Dd]imensions?|[Pp]airs?|[Rr]ows?|[Cc]olumns?|[Tt]okens?|[Ii]ds?|[Hh]eads?|[Ll]ayers?|[Bb]ytes?|[Mm]erges?|[Aa]xis)"
    r" −?\d+(?:(?:,| to| and| or| of|, and) \d+)*\b": "names a place: position 3, heads 0 and 1",
    r"\b256 bytes\b|\b(?:8|16|32|64)(?: |-)bits?\b": "a definition: bits of a byte, of a format",
    r"(?<![\d.,])[−±+]?[01](?![\d\u202f]|[.,]\d)": "0 and 1 state definitions: a row sums to 1, counting starts at 0",
}
NUMBER = re.compile(r"\d(?:[\d., \u202f]*\d)?[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]*")
COMPARISON = re.compile(
    r"\b(?:twice|thrice|half|double|a (?:third|quarter|tenth)|(?!several)[a-z]+ times) "
    r"(?:as |more|less|faster|slower|larger|smaller|longer|shorter|higher|lower)",
    re.IGNORECASE,
)
SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def typed_by_hand(sentence: Sentence) -> list[str]:
    """The numbers in a sentence that nobody computed and nothing permits."""
    text = sentence.text
    if "⟨cite⟩" in text:
        return []  # the source's numbers, not ours
    for pattern in PERMITTED:
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
        if (numbers := typed_by_hand(sentence))
    ]
    advice = "Compute it in a cell (say, glue), cite it in the same sentence, or permit it here with a reason."
    assert not found, "\n".join([advice, *found])


def found_in(markdown):
    return [
        words
        for sentence in [*written(markdown), *spoken(markdown)]
        for words in typed_by_hand(sentence)
    ]


@pytest.mark.parametrize(
    "injected, number",
    [
        ("The loss fell to 3.7 in the end.", "3.7"),
        ("| model | loss |\n|---|---|\n| ours | 2 345 |", "2 345"),
        ("- a list with 97 % in it", "97"),
        ("```{exercise}\n:label: ex-a\nThe answer is 42.\n```", "42"),
        ("It is three times faster than before.", "three times faster"),
        ("The same text has 1943 tokens.", "1943"),
        ('```{code-cell} ipython3\nsay(f"{x} of 81 letters")\n```', "81"),
        (
            '```{code-cell} ipython3\npicture(f, alt="Two lines that cross at 12.5")\n```',
            "12.5",
        ),
    ],
)
def test_an_injected_number_is_found(injected, number):
    page = (BOOK / PAGES[0]).read_text("utf-8")
    before = found_in(page)
    after = found_in(f"{page}\n\n{injected}\n")
    assert [words.strip() for words in after[len(before) :] if words not in before] == [
        number
    ]


@pytest.mark.parametrize(
    "text",
    [
        "In 2017, section 3.5 of GPT-2's step 4 to 9 used UTF-8: each row sums to 1.",
        "The base model has $512$ and `768` and about 37 000 tokens {cite:p}`vaswani2017attention`.",
        '```{code-cell} ipython3\nx = draw(200)\nsay(f"Of 200 draws, {x.mean()} …")\n```',
        "He said “143,859 characters”.",
    ],
)
def test_what_is_no_result_is_permitted(text):
    assert not found_in(text)


@cache
def all_texts():
    return [sentence.text for page in PAGES for sentence in sentences(page)]


@pytest.mark.parametrize("pattern", PERMITTED)
def test_what_is_permitted_is_in_use(pattern):
    assert any(re.search(pattern, text) for text in all_texts())


HYPHEN = re.compile(r"(?<![\w.)\[\]=–-])-(?=\.?\d)|(?<=\de)-(?=\d)")


VOID = {"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
OTHERS = {"pre", "code", "script", "style", "svg"}


class Prose(HTMLParser):
    """The texts of an article, but code, formulas and graders, who speak Python."""

    def __init__(self):
        super().__init__()
        self.texts, self.open = [], []

    def handle_starttag(self, tag, attributes):
        if tag in VOID:
            return
        classes = set((dict(attributes).get("class") or "").split())
        other = tag in OTHERS or classes & {"katex", "grade"}
        shown = tag == "article" or bool(self.open and self.open[-1][1])
        self.open.append((tag, shown and not other))

    def handle_endtag(self, tag):
        if any(tag == one for one, _ in self.open):
            while self.open.pop()[0] != tag:  # tags that nobody closed
                pass

    def handle_data(self, data):
        if self.open and self.open[-1][1]:
            self.texts.append(data)


def prose(html):
    parser = Prose()
    parser.feed(html)
    return parser.texts


@pytest.mark.parametrize("page", PAGES)
def test_negative_numbers_on_a_page_have_a_minus_sign(page):
    texts = prose((HTML / page).with_suffix(".html").read_text("utf-8"))
    assert "".join(texts).strip()
    wrong = [text for text in texts if HYPHEN.search(text)]
    assert not wrong, wrong


def test_prose_is_what_an_article_says_around_its_code_and_formulas():
    html = """<p>not</p><article><ul><li>one<li>two</ul><br>three<pre><span>x</span></pre>
        <span class="a katex"><i>y</i><img></span>four<svg><text>z</text></svg></article><p>nor</p>"""
    assert "".join("".join(prose(html)).split()) == "onetwothreefour"


def test_a_hyphen_before_a_digit_is_seen():
    assert HYPHEN.search("lies at -3") and HYPHEN.search("1.2e-05")
    assert not any(map(HYPHEN.search, ("GPT-2", "10-20", "−3", "1.2e−05", "axis=-1")))
