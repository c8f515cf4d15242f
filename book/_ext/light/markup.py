"""The markup of one page made lighter: no script or data that nothing reads, one style sheet, lines that break well."""

import re
from html import unescape

BUNDLE = "light.css"
THEIRS = re.compile(
    r"styles/|basic|pygments|copybutton|mystnb|exercise|sphinx-design|katex"
)
UNREAD = re.compile(r"fontawesome|thebe")
PLAIN = ("n", "nn", "p", "w")  # parts of code in the colour of all code, in both themes
_SHEET = re.compile(r'\s*<link [^>]*?href="([^"]*?_static/)([^"?]+\.css)[^"]*"[^>]*>')


def slim(html: str) -> str:
    """Leave out what nobody reads: icon fonts and their script, Bootstrap's (whose part `theme.js` has), widget state,
    scripts for elements that the page lacks, marks on parts of code that have the colour of all code.

    >>> slim('<script type="application/vnd.jupyter.widget-state+json">{"a": 1}</script><p>b</p>')
    '<p>b</p>'
    """
    html = re.sub(rf'<span class="(?:{"|".join(PLAIN)})">([^<]*)</span>', r"\1", html)
    html = re.sub(
        r'<script type="application/vnd\.jupyter\.widget-(?:state|view)\+json">.*?</script>\s*',
        "",
        html,
        flags=re.DOTALL,
    )
    html = re.sub(r'(<a class=")(?:github|gitlab|bitbucket) (reference)', r"\1\2", html)
    html = re.sub(
        r'\s*<script src="[^"]*(?:fontawesome|scripts/bootstrap)[^"]*"></script>',
        "",
        html,
    )
    html = re.sub(r'\s*data-bs-(?:placement="\w+"|toggle="\w+")', "", html)
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
    if "tag_first-screen" in html:  # `:has()` would search the page whenever it changes
        html = html.replace('"bd-article-container"', '"bd-article-container wide"')
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
    """Keep a bracket, a mark or an ending on the line of a formula, which may break between its boxes where there are many.

    >>> bind('<span class="math"><span class="katex">x</span></span>, y')
    '<span class="bound"><span class="math"><span class="katex">x</span></span>,</span> y'
    >>> bind('<span class="math"><span class="katex"><path d="M0\\n1"/></span></span>.')
    '<span class="bound"><span class="math"><span class="katex"><path d="M0\\n1"/></span></span>.</span>'
    """
    formula = r'<span class="math"><span class="katex">(?:(?!</span>[^<]|class="math").)*</span>'
    box, opened, closed = '<span class="base">', r"[(\[“‘]", r"[,.;:!?)\]’”][^\s<]*"

    def together(found: re.Match) -> str:
        breaks = "<wbr>" if found[0].count(box) > 2 else ""
        parts = re.sub(rf"(?<=</span>){box}", breaks + box, found[0])
        return f'<span class="bound">{parts}</span>'

    bound = rf"{opened}{formula}(?:{closed})?|{formula}{closed}"
    return re.sub(bound, together, html, flags=re.DOTALL)  # a root's path has lines


def on_screen(html: str) -> str:
    """Mark what a caption asks its reader to do, at its end: paper leaves it out.

    >>> on_screen("<figcaption>Weights. Point at a cell.</figcaption>")
    '<figcaption>Weights.<span class="on-screen"> Point at a cell.</span></figcaption>'
    """
    asked = r"(?<=\.)( (?:Point at|Choose|Click|Drag|Press) [^<.]*\.)(?=</figcaption>)"
    return re.sub(asked, r'<span class="on-screen">\1</span>', html)


def _hung(line: str) -> str:
    text = unescape(re.sub(r"<[^>]*>", "", line))
    if len(text) <= 36 or line.count("<span") != line.count("</span>"):
        return line
    indent = min((len(text) - len(text.lstrip(" "))) // 4 * 4, 16)
    return f'<span class="l{indent}">{line}</span>'


def one_sheet(html: str) -> tuple[str, list[str]]:
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
