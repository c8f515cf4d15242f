"""Pages that weigh little: one style sheet and small fonts made from what the pages use, no script or data that nothing reads.

Works on the built folder after Sphinx, on the pages that were written anew; `lighten(folder)` may be called by itself
after a style sheet has changed.
"""

import json
import re
import sys
from dataclasses import dataclass, field
from hashlib import sha256
from html import unescape
from pathlib import Path

from lean_fonts import cut, letters
from lean_styles import DYNAMIC, Used, bundle
from repairs import repair
from sphinx.application import Sphinx

BUNDLE = "light.css"
MEMORY = "light.json"
THEIRS = re.compile(
    r"styles/|basic|pygments|copybutton|mystnb|exercise|sphinx-design|katex"
)
UNREAD = re.compile(r"fontawesome|thebe")
SCRIPTS = (
    "scripts/pydata-sphinx-theme.js",
    "scripts/sphinx-book-theme.js",
    "copybutton.js",
    "doctools.js",
    "searchtools.js",
    "sphinx_highlight.js",
)
_SHEET = re.compile(r'\s*<link [^>]*?href="([^"]*?_static/)([^"?]+\.css)[^"]*"[^>]*>')


@dataclass
class Page:
    """What one page uses, kept from build to build."""

    stamp: list[int]
    names: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    ams: list[str] = field(default_factory=list)
    letters: list[str] = field(default_factory=list)
    sheets: list[str] = field(default_factory=list)


def slim(html: str) -> str:
    """Leave out what nobody reads: icon fonts and their script, widget state, scripts for elements that the page lacks.

    >>> slim('<script type="application/vnd.jupyter.widget-state+json">{"a": 1}</script><p>b</p>')
    '<p>b</p>'
    """
    html = re.sub(
        r'<script type="application/vnd\.jupyter\.widget-(?:state|view)\+json">.*?</script>\s*',
        "",
        html,
        flags=re.DOTALL,
    )
    html = re.sub(r'\s*<script src="[^"]*fontawesome[^"]*"></script>', "", html)
    html = re.sub(r'\s*<link rel="(?:preload|prefetch)"[^>]*>', "", html)
    html = re.sub(r'<img alt="\w+ logo"[^>]*>', '<i class="fas fa-rocket"></i>', html)
    html = html.replace(
        '<meta name="viewport" content="width=device-width, initial-scale=1" />', "", 1
    )
    if not re.search(
        r'class="(?:[^"]* )?(?:toggle|admonition [^"]*dropdown)[ "]', html
    ):
        html = re.sub(
            r"\s*<script[^>]*>[^<]*(?:toggleHint|toggleOpenOnPrint|togglebuttonSelector)[^<]*</script>",
            "",
            html,
        )
        html = re.sub(
            r'\s*<script src="[^"]*togglebutton\.js[^"]*"></script>', "", html
        )
        html = re.sub(r"\s*<link [^>]*togglebutton\.css[^>]*>", "", html)
    if "sd-tab-set" not in html:
        html = re.sub(r'\s*<script [^>]*design-tabs\.js[^"]*"></script>', "", html)
    return html


def hang(html: str) -> str:
    """Put every long line of code into an element of its own, so that it can wrap with an indent under its beginning.

    >>> hang("<pre>" + "    " + "x" * 40 + "\\ny\\n</pre>") == '<pre><span class="l4">    ' + "x" * 40 + "\\n</span>y\\n</pre>"
    True
    """

    def lines(found: re.Match) -> str:
        wrapped = (_hung(line) for line in found[2].splitlines(keepends=True))
        return found[1] + "".join(wrapped) + "</pre>"

    return re.sub(r"(<pre>(?:<span></span>)?)(.*?)</pre>", lines, html, flags=re.DOTALL)


def bind(html: str) -> str:
    """Keep a bracket, a mark or an ending on the line of a short formula: beside the boxes of a formula a line may break.

    >>> bind('<span class="math"><span class="katex">x</span></span>, y')
    '<span class="bound"><span class="math"><span class="katex">x</span></span>,</span> y'
    """
    formula = r'<span class="math"><span class="katex">(?:(?!</span>[^<]).)*</span>'
    opened, closed = r"[(\[“‘]", r"[,.;:!?)\]’”][^\s<]*"

    def together(found: re.Match) -> str:
        boxes = found[0].count('class="base"')  # between which a long one may break
        return found[0] if boxes > 2 else f'<span class="bound">{found[0]}</span>'

    return re.sub(rf"{opened}{formula}(?:{closed})?|{formula}{closed}", together, html)


def _hung(line: str) -> str:
    text = unescape(re.sub(r"<[^>]*>", "", line))
    if len(text) <= 36 or line.count("<span") != line.count("</span>"):
        return line
    indent = min((len(text) - len(text.lstrip(" "))) // 4 * 4, 16)
    return f'<span class="l{indent}">{line}</span>'


def _one_sheet(html: str) -> tuple[str, list[str]]:
    """Replace the links to the theme's sheets by one; return their names too."""
    theirs = []

    def replaced(found: re.Match) -> str:
        if UNREAD.search(found[2]):
            return ""
        if not THEIRS.match(found[2]):
            return found[0]
        theirs.append(found[2])
        if len(theirs) > 1:
            return ""
        return f'\n<link rel="stylesheet" href="{found[1]}{BUNDLE}?v=">'

    return _SHEET.sub(replaced, html), theirs


def _stamp(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]


def is_light(folder: Path) -> bool:
    """Whether the pages of a built folder were made light before."""
    return (folder.parent / MEMORY).exists()


def lighten(folder: Path) -> None:
    """Make the pages of a built folder light; reads only those that changed since it did so last."""
    memory = folder.parent / MEMORY
    known = json.loads(memory.read_text()) if memory.exists() else {}
    pages: dict[str, Page] = {}
    for path in sorted(folder.rglob("*.html")):
        name = path.relative_to(folder).as_posix()
        if name.startswith("_static/"):
            continue
        last = Page(**known["pages"][name]) if name in known.get("pages", {}) else None
        pages[name] = last if last and last.stamp == _stamp(path) else _light(path)
    version = _write_sheet(folder, list(pages.values()), known.get("version", ""))
    for name, page in pages.items():
        _link(folder / name, page, version, known.get("version", ""))
    state = {"version": version, "pages": {n: vars(p) for n, p in pages.items()}}
    memory.write_text(json.dumps(state, ensure_ascii=False))


def _light(path: Path) -> Page:
    html, sheets = _one_sheet(repair(bind(hang(slim(path.read_text("utf-8"))))))
    path.write_text(html, "utf-8")
    used = Used()
    used.read(html)
    ams, others = letters(html)
    return Page([], *map(sorted, (used.names, used.tags, ams, others)), sheets)


def _link(path: Path, page: Page, version: str, last: str) -> None:
    """Let the page ask for this version of the sheet, so that no browser shows an old one."""
    if page.stamp and version == last:
        return
    html = path.read_text("utf-8")
    path.write_text(
        re.sub(rf'({re.escape(BUNDLE)}\?v=)\w*"', rf'\g<1>{version}"', html), "utf-8"
    )
    page.stamp = _stamp(path)


def _write_sheet(folder: Path, pages: list[Page], last: str) -> str:
    """Write the one sheet, unless nothing that it depends on has changed; return its version."""
    static = folder / "_static"
    sheets = list(dict.fromkeys(name for page in pages for name in page.sheets))
    used = Used(set(DYNAMIC), {"html", "body", "head", "mark", "dialog"})
    for page in pages:
        used.update(Used(set(page.names), set(page.tags)))
    if not sheets:
        return last
    for script in SCRIPTS:
        used.names.update(
            re.findall(r"[A-Za-z][\w-]+", (static / script).read_text("utf-8"))
        )
    ams, others = (
        {c for page in pages for c in part(page)} for part in (_ams, _others)
    )
    own = "".join(
        path.read_text("utf-8")
        for path in sorted(static.rglob("*.css"))
        if not THEIRS.match(path.relative_to(static).as_posix())
        and not UNREAD.search(path.as_posix())
        and path.name != BUNDLE
    )
    parts = [(static / name).read_bytes() for name in sheets]
    parts += [repr([sorted(x) for x in (used.names, used.tags, ams, others)]).encode()]
    parts += [
        own.encode(),
        *(p.read_bytes() for p in Path(__file__).parent.glob("[lr]*.py")),
    ]
    version = sha256(b"\0".join(parts)).hexdigest()[:8]
    if version != last or not (static / BUNDLE).exists():
        katex = static / "katex" / "katex.min.css"
        slimmer = katex.with_name("katex.cut.css")  # stays for those who edit a formula
        slimmer.write_text(
            cut(katex.read_text("utf-8"), katex.parent / "fonts", ams, others)
        )
        files = [
            slimmer if static / name == katex else static / name for name in sheets
        ]
        (static / BUNDLE).write_text(bundle(files, used, static / BUNDLE, own), "utf-8")
    return version


def _ams(page: Page) -> list[str]:
    return page.ams


def _others(page: Page) -> list[str]:
    return page.letters


def finish(app: Sphinx, exception: Exception | None) -> None:
    """After a build that succeeded."""
    if exception is None and app.builder.name == "html":
        lighten(Path(app.outdir))


def setup(app: Sphinx) -> dict:
    """Come last, when every page is written."""
    app.connect("build-finished", finish, priority=900)
    return {"parallel_read_safe": True}


if __name__ == "__main__":
    lighten(Path(sys.argv[1]))
