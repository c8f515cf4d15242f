"""The tasks: short formulas of one result, with small cases and some mistake that is recognised, that pass their own grading."""

import inspect
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from transformer_math.checks.proof import checks_of
from transformer_math.explorables._scripts import FORMULAS, HERE
from transformer_math.explorables.editing._example import plain
from transformer_math.formulas.answers import Dictionary, arguments, html_of
from transformer_math.formulas.book import Formula
from transformer_math.formulas.engine import Engine, _node, _plain, katex_script
from transformer_math.formulas.notation import PAGE, Row, own_rows, rows_of
from transformer_math.formulas.shipped import BOOK, printed, shipped
from transformer_math.formulas.verdict import open_engine
from transformer_math.formulas.words import WORDS
from writing.trials import LEAST, Trial, chosen, known, trials, twins

LONGEST = 260  # characters of a printed formula that a reader may be asked for
DRIVER = Path(__file__).with_name("driver.mjs")
NAMES = (  # words of labels that are written otherwise in a text
    "Rényi EM BPE CBOW PMI GloVe AdaGrad Adam n-gram Zipf Viterbi Jacobian T5 RoPE NTK YaRN ALiBi KV RMS FLOPs ReLU GELU "
    "SwiGLU one-hot skip-gram top-k min-p pre-norm feed-forward log-softmax Kneser–Ney ViT STFT VQ Lloyd Gumbel CLIP"
)
SPELLED = {
    name.lower().replace("-", " ").replace("–", " ").replace("é", "e"): name
    for name in NAMES.split()
} | {"ngram": "n-gram"}
SPELLING = re.compile(rf"\b(?:{'|'.join(sorted(SPELLED, key=len, reverse=True))})\b")


@dataclass(frozen=True)
class Candidate:
    """A formula, all its cases, those that are asked, and what its wrong versions give in these."""

    formula: Formula
    pool: list[Trial]
    trials: list[Trial]
    known: list[dict[str, Any]]

    @property
    def given(self) -> list[str]:
        """The symbols that have a value."""
        return list(self.trials[0].case[0])

    @property
    def name(self) -> str:
        """The symbol of what is asked for."""
        return next(iter(self.trials[0].case[1]))

    @property
    def alone(self) -> str:
        """What to say where a formula has other results as well."""
        several = len(self.trials[0].case[1]) > 1
        return " Of its results, the one named below is asked." if several else ""


def candidates() -> Iterator[Candidate]:
    """All formulas that are short, have small cases, and a mistake that these tell."""
    return filter(None, map(candidate, printed()))


def candidate(formula: Formula) -> Candidate | None:
    """A formula with its cases and wrong versions; nothing for one that nobody is asked to write."""
    label = formula.label or ""
    if label in WORDS or len(formula.tex) > LONGEST or not is_told(label):
        return None
    return of_pool(formula, trials(label))


def of_pool(formula: Formula, pool: list[Trial]) -> Candidate | None:
    """A formula with some of the cases that there are for it, if they tell enough."""
    some = chosen(pool)
    told = known(some)
    if not told or len(some) < LEAST or twins(some):
        return None
    return Candidate(formula, pool, some, told)


def on_paper(found: list[Candidate]) -> Iterator[Candidate]:
    """Candidates without the cases in which the printed formula itself is off: one whose exponentials overflow, for example."""
    while found:
        again = []
        for one, says in zip(found, driven([request(one, []) for one in found])):
            off = [one.trials[i] for i in says.get("off", [])]
            rest = [trial for trial in one.pool if trial not in off]
            if not off:
                yield one
            elif other := of_pool(one.formula, rest):
                again.append(other)
        found = again


def is_told(label: str) -> bool:
    """Whether the first line of its function's docstring speaks of this formula: it is the question."""
    checks = checks_of(label)
    return bool(checks) and f"Book: {label}" in (inspect.getdoc(checks[0].target) or "")


def tasks() -> list[dict[str, Any]]:
    """Every task as JSON, in the order of the book."""
    order = reading_order()
    found = sorted(on_paper(list(candidates())), key=lambda one: order.index(one.formula.page))  # fmt: skip
    words = meanings(found)
    asked = [request(one, symbols) for one, symbols in zip(found, words)]
    return [
        task(one, entry["cases"], symbols, says)
        for one, entry, symbols, says in zip(found, asked, words, driven(asked))
        if says["kind"] == "right"
    ]


def reading_order() -> list[str]:
    """The pages as the table of contents has them."""
    contents = (BOOK.parent / "_toc.yml").read_text("utf-8")
    return re.findall(r"(?:file|root): (\S+)", contents)


def request(one: Candidate, symbols: list[dict]) -> dict[str, Any]:
    """What the driver is asked of a candidate."""
    cases = [
        {"given": given, "wanted": wanted[one.name]}
        for given, wanted in (trial.case for trial in one.trials)
    ]
    return {
        "label": one.formula.label,
        "name": one.name,
        "given": one.given,
        "cases": _plain(plain(cases)),
        "symbols": [symbol["tex"] for symbol in symbols],
    }


def driven(asked: list[dict]) -> list[dict]:
    """What the page's grader answers."""
    with TemporaryDirectory() as folder:
        for source in (HERE, FORMULAS):
            shutil.copytree(source, Path(folder, source.name), ignore=shutil.ignore_patterns("*.py"))  # fmt: skip
        Path(folder, "package.json").write_text('{"type": "module"}')
        command = [_node(), str(DRIVER), folder, str(katex_script())]
        text = json.dumps({"formulas": shipped(), "candidates": asked})
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)  # fmt: skip
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def task(one: Candidate, cases: list, symbols: list[dict], says: dict) -> dict:
    """What travels of a task: never the formula, which the page has among all others."""
    rows = [
        {"math": math, "meaning": row["meaning"], "shape": row["shape"], "code": row["code"]}
        for math, row in zip(says["symbols"], symbols)
    ]  # fmt: skip
    shown = {row["name"]: math for math, row in zip(says["symbols"], symbols)}
    return {
        "label": one.formula.label,
        "page": one.formula.page,
        "chapter": chapter(one.formula.page),
        "title": title(one.formula.label or ""),
        "says": question(one.formula.label or "") + one.alone,
        "name": one.name,
        "left": says["left"],
        "symbols": rows,
        "uses": [shown[name] for name in says["used"] if name in shown],
        "calls": says["called"],
        "first": says["first"],
        "lines": says["lines"],
        "cases": cases,
        "known": one.known,
    }


def question(label: str) -> str:
    """The first line of its function's docstring, for a page."""
    doc = inspect.getdoc(checks_of(label)[0].target) or ""
    return html_of(doc.partition("\n")[0])


def title(label: str) -> str:
    """The name of a formula as words.

    >>> title("eq-renyi-entropy"), title("eq-gelu-tanh-vjp")
    ('Rényi entropy', 'pullback of GELU tanh')
    """
    name = label.removeprefix("eq-").replace("-", " ")
    name = SPELLING.sub(lambda found: SPELLED[found[0]], name)
    return f"pullback of {name.removesuffix(' vjp')}" if name.endswith(" vjp") else name


def chapter(page: str) -> str:
    """The title of a page."""
    text = (BOOK.parent / f"{page}.md").read_text("utf-8")
    return re.findall("^# (.+)$", text, re.MULTILINE)[0]


# ---- what the given symbols mean ----


def meanings(found: list[Candidate]) -> list[list[dict[str, str]]]:
    """For each candidate its given symbols, each with its LaTeX, meaning, shape and name in the code."""
    with open_engine(printed()) as engine:
        book = Dictionary(all_rows(), engine)
        return [list(explained(one, book, engine)) for one in found]


def all_rows() -> list[Row]:
    """The rows of the notation page, then the chapters' own words."""
    pages = sorted(BOOK.rglob("*.md"))
    named = ((path, path.relative_to(BOOK.parent).with_suffix("").as_posix()) for path in pages)  # fmt: skip
    return list(
        chain.from_iterable(
            rows_of(path.read_text("utf-8"))
            if name == PAGE
            else own_rows(path.read_text("utf-8"), name)
            for path, name in named
        )
    )


def explained(
    one: Candidate, book: Dictionary, engine: Engine
) -> Iterator[dict[str, str]]:
    """The given symbols that somebody explains: those of the chapter first, then the notation's; sizes come last."""
    lexicon, bound = book.lexicon(one.formula), arguments(one.formula.label)
    values = one.trials[0].case[0]
    for name in sorted(one.given, key=lambda name: isinstance(values[name], int)):
        keys = [name]  # a size has no index; what is an array may be explained with one
        if not isinstance(values[name], int):
            keys += [name.replace("[]", "_[]"), f"{name}_[]", f"{name}()"]
        places = (
            (names[key], key) for names in lexicon for key in keys if key in names
        )
        number, key = next(places, (None, name))
        if is_function(values[name]):
            yield function(name)
        if number is None or number >= len(book.rows):
            continue
        answer = book.answer(number, key, bound)
        yield {
            "name": name,
            "tex": written(book.rows[number], key, engine),
            "meaning": answer.meaning,
            "shape": answer.shape,
            "code": answer.code,
        }


def is_function(value: Any) -> bool:
    """Whether a given value is the parameters of a function."""
    return isinstance(value, dict) and "parameters" in value


def function(name: str) -> dict[str, str]:
    """A function with parameters of its own."""
    letters, _, index = name.partition("_")
    tex = rf"\operatorname{{{letters}}}" + (f"_{{{index}}}" if index else "")
    meaning = "a function of this book, with parameters of its own"
    return {"name": name, "tex": tex, "meaning": meaning, "shape": "", "code": ""}


def written(row: Row, key: str, engine: Engine) -> str:
    """The LaTeX of the symbol that a key of a row stands for; a cell may hold several."""
    for tex, keys in zip(row.symbols, engine.keys(list(row.symbols))):
        for part, own in zip(tex.split(",") if len(keys) > 1 else [tex], keys):
            if key in own.values():
                return part.strip()
    return key
