"""The search: what people ask leads where it is taught, without a request that fails, by keyboard, and it weighs little."""

import gzip
import re

import pytest
from conftest import ROOT
from playwright.sync_api import expect
from search_text import digits, postings, words

HTML = ROOT / "_build" / "html"
# What is asked, and what must come first: a page, or a section of one.
QUESTIONS = {
    "rope": "book/position/rope.html",
    "RoPE": "book/position/rope.html",
    "rotary embedding": "book/position/rope.html",
    "warmup": "book/training/optimisation.html",
    "warm-up": "book/training/optimisation.html",
    "tokeniser": "book/tokenization/",
    "layer normalization": "book/block/layer_norm.html",
    "positional encoding": "book/position/",
    "kv cache": "book/attention/",
    "softmax": "book/output/probabilities.html",
    "perplexity": "book/training/objective.html#perplexity",
    "byte pair encoding": "book/tokenization/bpe.html",
    "dropout": "book/training/dropout.html",
    "beam search": "book/output/decoding.html",
    "attention is all you need": "book/",
    "SwiGLU": "book/block/swiglu.html",
    "vision transformer": "book/modalities/vit.html",
    "multi-head": "book/attention/multi_head.html",
    "multi-head attention": "book/attention/multi_head.html",
    "top-p": "book/output/decoding.html",
    "nucleus sampling": "book/output/decoding.html",
    "qkv": "book/attention/projections.html",
    "attention": "book/attention/scaled_dot_product.html",
    "translation": "book/trained/date_translator.html",
    "residual": "book/block/layer_norm.html",
    "word embeddings": "book/embedding/embedding.html",
    "head": "book/attention/multi_head.html",
    "mask": "book/attention/masks.html",
    "LLM": "book/trained/language_model.html",
    "sqrt": "book/attention/scaled_dot_product.html#why-divide-by-the-root-of-d-k",
    "why divide by sqrt d_k": "book/attention/scaled_dot_product.html#why-divide-by-the-root-of-d-k",
    "how does attention work": "book/attention/scaled_dot_product.html",
    "why do we need positional encoding": "book/position/equivariance.html",
}
# What is mistyped, what is meant by it, and what must come first.
SLIPS = {
    "atention": ("attention", "book/attention/scaled_dot_product.html"),
    "softmx": ("softmax", "book/output/probabilities.html"),
    "perplexxity": ("perplexity", "book/training/objective.html#perplexity"),
    "emkedding": ("embedding", "book/embedding/embedding.html"),
    "trasnformer": ("transformer", "book/model/encoder_decoder.html"),
    "msak": ("mask", "book/attention/masks.html"),
    "mattrices": ("matrices", "book/"),
    "regularistaoin": ("regularisation", "book/tokenization/regularisation.html"),
    "seq2sq": ("seq2seq", "book/"),
    "the layr norm": ("layer norm", "book/block/layer_norm.html"),
    "zyzzyva attention": ("attention", "book/attention/scaled_dot_product.html"),
}


@pytest.fixture(scope="module")
def page(browser):
    """The search page, opened from the folder, and what went wrong on it."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.wrong = []
    page.on("requestfailed", lambda request: page.wrong.append(request.url))
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on(
        "console", lambda said: said.type == "error" and page.wrong.append(said.text)
    )
    page.goto((HTML / "search.html").as_uri())
    yield page
    context.close()


def ask(page, question: str) -> None:
    """Type a question and wait for what is said of it."""
    page.locator("#find").fill(question)
    expect(page.locator("#found")).to_contain_text(f"“{question}”")


@pytest.mark.parametrize(("question", "first"), QUESTIONS.items())
def test_a_question_leads_where_it_is_taught(page, question, first):
    ask(page, question)
    found = page.locator("#results a").first
    assert found.get_attribute("href").startswith(first)
    expect(page.locator("#results li").first.locator("mark").first).to_be_visible()
    assert not page.wrong


@pytest.mark.parametrize(
    ("typed", "meant", "first"), [(a, *b) for a, b in SLIPS.items()]
)
def test_a_slip_is_forgiven_and_said(page, typed, meant, first):
    ask(page, typed)
    said = page.get_by_role("status")
    expect(said).to_contain_text(f"Nothing for “{typed}”; shown: “{meant}”. ")
    best = page.locator("#results a").first
    assert best.get_attribute("href").startswith(first)
    expect(page.locator("#results mark").first).to_be_visible()
    assert not page.wrong


def test_what_is_meant_can_be_searched_exactly(browser):
    context = browser.new_context()
    page = context.new_page()
    page.goto((HTML / "search.html").as_uri() + "?q=softmx")
    address = "els => els.map(a => a.getAttribute('href'))"
    shown = page.locator("#results a").evaluate_all(address)
    many = re.search(r"(\d+) places", page.locator("#found").text_content())[1]
    page.get_by_role("status").get_by_role("link", name="softmax").press("Enter")
    expect(page.locator("#find")).to_have_value("softmax")
    expect(page.locator("#found")).to_contain_text(f"{many} places for “softmax”")
    assert page.locator("#results a").evaluate_all(address) == shown
    context.close()


@pytest.mark.parametrize(
    ("question", "step"),
    [
        ("attention", "attention/scaled_dot_product"),
        ("word embeddings", "embedding/embedding"),
        ("residual", "block/layer_norm"),
        ("head", "attention/multi_head"),
        ("positions", "position/equivariance"),
    ],
)
def test_a_step_comes_before_side_pages_and_sections(page, question, step):
    ask(page, question)
    first = page.locator("#results a").first
    assert first.get_attribute("href") == f"book/{step}.html"


@pytest.mark.parametrize("apart", ["glove beam pixel", "Sound, whale and perplexity"])
def test_where_no_chapter_has_all_words_some_have_most(page, apart):
    ask(page, apart)
    expect(page.locator("#found")).to_contain_text(f"No section has all of “{apart}”. ")
    chapters = page.locator('#results a[href*="/"]:not([href*="book/progress"])')
    assert chapters.count() > 2
    for place in page.locator("#results li").all():
        expect(place.locator("mark").first).to_be_visible()
    assert not page.wrong


def test_results_lead_to_sections_and_show_words_around(page):
    ask(page, "warmup")
    addresses = page.locator("#results li > a:first-child").evaluate_all(
        "all => all.map(a => a.getAttribute('href'))"
    )
    assert any("#" in address for address in addresses)
    for address in addresses:
        name, _, anchor = address.partition("#")
        html = (HTML / name).read_text("utf-8")
        assert not anchor or f'id="{anchor}"' in html, address
    expect(page.locator("#results p mark").first).to_have_text(
        "warm-up", ignore_case=True
    )


def test_a_function_is_found_by_its_name_and_a_formula_by_its_number(page):
    ask(page, "rotate_pairs")
    expect(
        page.locator('#results a[href*="_source/transformer_math/position/rope.html"]')
    ).to_be_visible()
    formula = page.locator(
        '#results a[href="book/position/rope.html#equation-eq-rotation"]'
    )
    number = formula.text_content().strip("Formula ()")
    ask(page, number)
    expect(formula).to_be_visible()


def test_arrow_keys_go_through_the_results(page):
    ask(page, "attention")
    page.locator("#find").press("ArrowDown")
    first = page.locator("#results li > a:first-child").first
    expect(first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#results li > a:first-child").nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#find")).to_be_focused()


@pytest.mark.parametrize("nowhere", ["zyzzyva", "LoRA", "the zyzzyva"])
def test_what_is_nowhere_is_said(page, nowhere):
    ask(page, nowhere)
    expect(page.locator("#found")).to_contain_text("Nothing")
    assert page.locator("#results li").count() == 0


def test_an_address_holds_the_question(browser):
    context = browser.new_context()
    page = context.new_page()
    page.goto((HTML / "search.html").as_uri() + "?q=dropout")
    expect(page.locator("#results a").first).to_have_attribute(
        "href", "book/training/dropout.html"
    )
    context.close()


def test_a_first_result_weighs_little():
    names = (
        "search/index.js",
        "search.js",
        "light.css",
        "book.css",
        "furniture.css",
        "icons.css",
    )
    names += "theme.js", "scripts/pydata-sphinx-theme.js"
    fixed = sum(
        len(gzip.compress((HTML / "_static" / name).read_bytes())) for name in names
    )
    text = max(
        len(gzip.compress(one.read_bytes()))
        for one in (HTML / "_static" / "search").glob("text-*.js")
    )
    assert fixed + text < 220_000


def test_python_and_the_page_cut_words_alike(page):
    texts = [
        "Tokenizers, warm-up and Normalization of d_k: layers’ biases, classes, axes",
        "key–value caches, co-occurrence matrices, ε-greedy, W^Q, Pre-LN, 3rd, x2",
    ]
    for text in texts:
        assert page.evaluate("text => bookSearch.words(text)", text) == words(text)


def test_steps_are_numbers_of_base_36():
    assert [int(digits(n), 36) for n in (0, 35, 36, 1296, 99_999)] == [
        0,
        35,
        36,
        1296,
        99_999,
    ]
    assert postings([[], ["b"], ["b"] * 3]) == "b 1.1+"
