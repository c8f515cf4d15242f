"""The book's own search: sections, formulas and functions by name, and the words of every section.

It takes the place of Sphinx's. What the search page reads comes as scripts, which a browser loads from a folder too:
first titles, names and words (`index.js`), then, for the results that are shown, the texts of their pages.
`search.js` ranks, and cuts words as this module does.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from docutils import nodes
from evidence import evidence_of
from ledger import number_of, reading_order
from sphinx.application import Sphinx

from transformer_math.plots import symbols

PAGE = "search"
BODY = """<h1>Search</h1>
<form class="find" role="search" action="search.html">
<label for="find">Words, a formula or a function: <em>warm-up</em>, <em>softmax</em>, <em>rope</em>, <em>KV cache</em></label>
<input id="find" type="search" name="q" autocomplete="off" spellcheck="false" aria-describedby="found">
</form>
<p id="found" role="status"></p>
<ol id="results"></ol>
<noscript><p>The search needs JavaScript.</p></noscript>"""
# What other books, papers and people call the same. Each line is one thing; any of its names finds all of them.
SYNONYMS = (
    "positional encoding, positional embedding, position encoding, position embedding, positions",
    "sinusoidal encoding, sinusoidal embedding, sinusoidal position",
    "kv cache, key value cache, keys and values are kept, cache",
    "rope, rotary position, rotary embedding, rotary",
    "alibi, linear bias",
    "ffn, feed forward, mlp, multilayer perceptron",
    "mha, multi head, multihead, multi head attention, multihead attention, multiple heads, concatenate heads",
    "qkv, queries keys values, query key value, projections",
    "layernorm, layer norm, layer normalisation",
    "rmsnorm, rms norm, root mean square",
    "bpe, byte pair encoding",
    "wordpiece, word piece",
    "lm, llm, language model, large language model",
    "nucleus, top p, decoding",
    "nucleus, topp, decoding",
    "nucleus sampling, decoding",
    "lr, learning rate",
    "backprop, backpropagation, gradient",
    "self attention, scaled dot product",
    "causal mask, look ahead mask, autoregressive mask, mask",
    "skip connection, residual connection, residual, add layernorm, why add",
    "word embedding, embedding",
    "attention is all you need, whole transformer",
    "machine translation, translation, translator, translate",
    "sqrt, root",
    "unembedding, output projection, logit",
    "vit, vision transformer",
    "vq vae, vector quantisation, codebook",
    "label smoothing, smoothed label",
    "adam, adamw, optimiser",
    "encoder decoder, seq2seq, sequence to sequence",
    "oov, unknown word, unknown token",
    "inference, generation, decoding",
)
SEAL = re.compile(r'\s*<(?:details|form) class="(?:signature|seal-line|ledger)')
ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"


def words(text: str) -> list[str]:
    """The words of a text as the search compares them; what a hyphen joins is there in one piece too.

    >>> words("Tokenizers warm-up: Normalization of d_k, layers' biases")
    ['tokeniser', 'warm', 'up', 'warmup', 'normalisation', 'of', 'd_k', 'layer', 'biase']
    """
    found = []
    for piece in re.findall(r"[^\W\d]\w*(?:-\w+)*", text.lower()):
        parts = piece.split("-")
        found += map(spelt, parts)
        if len(parts) > 1:
            found.append(spelt("".join(parts)))
    return found


def spelt(word: str) -> str:
    """One spelling for two, and the singular for the plural, by rule."""
    word = re.sub(r"iz(?=e|ing|ation|er)", "is", word)
    if re.search(r"(?:ss|us|is)es$", word):
        return word[:-2]
    if len(word) > 3 and re.search(r"[^suia]s$", word):
        return word[:-1]
    return word


# Pages: what is in their sections.


def take(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Keep what the search knows of a page, when it is written."""
    if doctree is None:
        return
    path = kept(app, pagename)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(list(sections(doctree))), "utf-8")


def kept(app: Sphinx, pagename: str) -> Path:
    """Where it is kept from build to build."""
    return Path(app.doctreedir) / "search" / f"{pagename}.json"


def sections(doctree: nodes.document) -> Iterator[tuple[str, str, str]]:
    """The anchor, the title and the text of every section; a section's own, without those in it."""
    for section in doctree.findall(nodes.section):
        title = next(iter(section.findall(nodes.title)), None)
        if title is None or title.parent is not section:
            continue
        own = (
            part
            for part in section
            if not isinstance(part, (nodes.section, nodes.title))
        )
        text = " ".join(filter(None, map(readable, own)))
        yield section["ids"][0], readable(title), re.sub(r"\s+", " ", text).strip()


def readable(node: nodes.Node) -> str:
    """What a reader reads of a node: formulas as one would type them, figures by their captions, no code."""
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, nodes.math):
        return plain(node.astext())
    if isinstance(node, nodes.raw):  # where a line breaks stands LaTeX's \\\\, too
        html = node.astext() if node["format"] == "html" else ""
        return "" if SEAL.match(html) else in_html(html)
    if isinstance(
        node, (nodes.math_block, nodes.literal_block, nodes.comment, nodes.section)
    ):
        return ""
    if node.get("mime_type") == "text/plain" or "listing" in node.get("classes", ()):
        return ""
    between = "" if isinstance(node, nodes.TextElement) else " "
    return between.join(map(readable, node.children))


def in_html(html: str) -> str:
    """The words of a figure: the text of tables and captions, no drawing, no data."""
    html = re.sub(r"<(svg|script|style|math)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", " ", html))


def plain(tex: str) -> str:
    """A formula as one would type it."""
    try:
        return symbols.plain(f"${tex}$")
    except ValueError:
        return re.sub(r"\\([a-zA-Z]+)|[{}$]", r"\1", tex)


# The whole: what the search page loads.


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the index and the texts of all pages."""
    if exception is not None or app.builder.name != "html":
        return
    order = reading_order(app.env)
    pages = sorted(
        (p for p in app.env.found_docs if kept(app, p).exists()),
        key=lambda p: order.get(p, len(order)),
    )
    found = [json.loads(kept(app, page).read_text("utf-8")) for page in pages]
    folder = Path(app.outdir) / "_static" / "search"
    folder.mkdir(parents=True, exist_ok=True)
    for place, page in enumerate(found):
        texts = [text for _, _, text in page]
        _script(folder / f"text-{place}.js", "bookSearch.texts", place, texts)
    _script(folder / "index.js", "bookSearch.index", index(app, pages, found))


def _script(path: Path, call: str, *arguments) -> None:
    inside = ",".join(
        json.dumps(a, ensure_ascii=False, separators=(",", ":")) for a in arguments
    )
    path.write_text(f"{call}({inside})\n", "utf-8")


def index(app: Sphinx, pages: list[str], found: list) -> dict:
    """Titles, names and words."""
    flat = [(page, *section) for page, part in enumerate(found) for section in part]
    return {
        "pages": [[f"{page}.html", quiet(page)] for page in pages],
        "sections": [[page, anchor, title] for page, anchor, title, _ in flat],
        "names": list(names(app, pages)),
        "synonyms": [line.split(", ") for line in SYNONYMS],
        "words": postings([words(text) for *_, text in flat]),
    }


def quiet(page: str) -> int:
    """Whether a page speaks of everything, so that others come first."""
    return int(page.count("/") < 2)


def names(app: Sphinx, pages: list[str]) -> Iterator[list]:
    """Every checked function: its name, where its formula stands, the formula's number, where its code stands."""
    numbered = app.env.get_domain("math").equations
    for label, proofs in evidence_of(app).proofs.items():
        for proof in {proof.function: proof for proof in proofs}.values():
            if label in numbered and numbered[label][0] in pages:
                page, number = numbered[label][0], number_of(app, label)
                code = f"{proof.function_address[0]}.html#{proof.function_address[1]}"
                yield [
                    proof.function,
                    pages.index(page),
                    f"equation-{label}",
                    number,
                    code,
                ]


def postings(texts: list[list[str]]) -> str:
    """For each word, the sections that have it, as steps from one to the next; a capital ends one that has it thrice.

    >>> postings([["a", "b"], ["b", "b", "b"], ["a"]])
    'a 0.2 b 0.1+'
    """
    places: dict[str, list[str]] = {}
    last: dict[str, int] = {}
    for place, text in enumerate(texts):
        for word, times in Counter(text).items():
            step = digits(place - last.get(word, 0)) + "+" * (times >= 3)
            places.setdefault(word, []).append(step)
            last[word] = place
    return " ".join(
        f"{word} {'.'.join(steps)}" for word, steps in sorted(places.items())
    )


def digits(number: int) -> str:
    """A number as JavaScript reads it in base 36.

    >>> digits(0), digits(35), digits(36)
    ('0', 'z', '10')
    """
    head, tail = divmod(number, len(ALPHABET))
    return (digits(head) if head else "") + ALPHABET[tail]


def search_page(app: Sphinx):
    """Yield the page itself."""
    yield PAGE, {"title": "Search", "body": BODY}, "page.html"


def give_script(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree
) -> None:
    """Load what searches on this page alone."""
    if pagename == PAGE:
        app.add_js_file("search.js", loading_method="defer")
        app.add_js_file("search/index.js", loading_method="defer")


def stand_in(app: Sphinx) -> None:
    """Let Sphinx make no index and no page of its own."""
    app.builder.search = False
    (Path(app.outdir) / "searchindex.js").unlink(missing_ok=True)


def setup(app: Sphinx) -> dict:
    """Take each page as it is written, and write the index at the end, before pages are made light."""
    app.connect("builder-inited", stand_in)
    app.connect("html-page-context", take)
    app.connect("html-collect-pages", search_page)
    app.connect("html-page-context", give_script)
    app.connect("build-finished", write, priority=700)
    return {"parallel_read_safe": True}
