"""One style sheet out of many: what the theme, Bootstrap and KaTeX bring, without the rules that no page of this book uses."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import tinycss2

# What scripts add while a page is read, besides the words that stand in the theme's own scripts.
DYNAMIC = frozenset(
    "show hide active scrolled noprint search copybtn success "  # noqa: SIM905
    "o-tooltip--left html body dialog".split()
)
_FUNCTION = re.compile(r":(?:not|is|where|has|matches)\(")
_LOOKS = re.compile(r"(\S+):has\(> \*:nth-child\(2\)\) (\S+:(?:first|last)-child)")
_ASKED_ITSELF = r"\1>\2:not(:only-child),\1>:not(:only-child) \2"
_HOLDS_NO = re.compile(r":not\(:has\(([^()]+)\)\)")
_NAMES = re.compile(r"([.#]?)(-?[A-Za-z_][\w-]*)|\[[^\]]*\]|::?[\w-]+(?:\([^)]*\))?")


@dataclass
class Used:
    """The names that pages use: classes and ids together, elements."""

    names: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)

    def read(self, html: str) -> None:
        """Take down a page's."""
        for value in re.findall(r'\b(?:class|id)="([^"]*)"', html):
            self.names.update(value.split())
        self.tags.update(re.findall(r"<([a-z][\w-]*)", html))

    def update(self, other: "Used") -> None:
        """Take over another page's."""
        self.names |= other.names
        self.tags |= other.tags

    def needs(self, selector: str) -> bool:
        """Whether a selector can match: names inside `:not(…)` and its like do not count."""
        for kind, name in _NAMES.findall(_without_functions(selector)):
            if kind and name not in self.names:
                return False
            if not kind and name and name.lower() not in self.tags:
                return False
        return True


def _without_functions(selector: str) -> str:
    while found := _FUNCTION.search(selector):
        depth, end = 1, found.end()
        while depth and end < len(selector):
            depth += {"(": 1, ")": -1}.get(selector[end], 0)
            end += 1
        selector = selector[: found.start()] + selector[end:]
    return selector


def bundle(sheets: Iterable[Path], used: Used, target: Path, readers: str = "") -> str:
    """Join the sheets, drop what is not used, point addresses at the files from the target's folder.

    `readers` are other style sheets: custom properties that they read are kept.
    """
    css = "".join(
        lean(_imported(sheet), used, _mover(sheet, target)) for sheet in sheets
    )
    return _without_unused_faces(_without_unused_names(css, _read(readers)), readers)


def _imported(sheet: Path) -> str:
    css = sheet.read_text("utf-8")
    return re.sub(
        r'@import\s+(?:url\()?["\']?([^"\')]+)["\']?\)?;',
        lambda found: _imported(sheet.parent / found[1]),
        css,
    )


def _mover(sheet: Path, target: Path) -> Callable[[str], str]:
    def relative(address: str) -> str:
        if address.startswith(("data:", "#", "http")):
            return address
        folder = sheet.parent.relative_to(target.parent).as_posix()
        path = re.sub(r"^(?:\./)+", "", f"{folder}/{address}")
        while (shorter := re.sub(r"(^|/)[^/.]+/\.\./", r"\1", path)) != path:
            path = shorter
        return path

    return relative


def lean(css: str, used: Used, move: Callable[[str], str] = str) -> str:
    """A style sheet without comments, spaces, and the rules that match nothing.

    >>> page = Used({"note"}, {"p", "a"})
    >>> lean("/* x */ p.note , p.gone { color : red } div a { top: 0 } @media print { .note:not(.gone) a { top : 1px } }", page)
    'p.note{color:red}@media print{.note:not(.gone) a{top:1px}}'
    """
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    return "".join(_rule(rule, used, move) for rule in rules)


def _rule(rule, used: Used, move: Callable[[str], str]) -> str:
    if rule.type == "qualified-rule":
        needed = [s for s in _selectors(rule.prelude) if used.needs(s)]
        selectors = [_without_looks(s, used) for s in needed]
        body = _tight(rule.content, move)
        return f"{','.join(selectors)}{{{body}}}" if selectors and body else ""
    if rule.type != "at-rule" or rule.lower_at_keyword == "charset":
        return ""
    head = f"@{rule.at_keyword} {_tight(rule.prelude, move)}".rstrip()
    if rule.content is None:
        return f"{head};"
    if rule.lower_at_keyword in ("media", "supports", "layer", "container"):
        inner = tinycss2.parse_rule_list(
            rule.content, skip_comments=True, skip_whitespace=True
        )
        body = "".join(_rule(one, used, move) for one in inner)
    else:
        body = _tight(rule.content, move)
    return f"{head}{{{body}}}" if body else ""


def _selectors(prelude: list) -> list[str]:
    parts: list[list] = [[]]
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return [_tight(part) for part in parts]


def _without_looks(selector: str, used: Used) -> str:
    """A selector that does not look into elements, where one can do without: these are looked into anew at each change.

    The first or last of several children, or within one of several, is asked itself; what no page holds need not be looked for.

    >>> page = Used({"cell"}, {"div", "p", "table"})
    >>> _without_looks("div.cell:has(> *:nth-child(2)) p:last-child", page)
    'div.cell>p:last-child:not(:only-child),div.cell>:not(:only-child) p:last-child'
    >>> _without_looks(".cell:not(:has(table.gone)) p:not(:has(.cell))", page)
    '.cell p:not(:has(.cell))'
    """
    selector = _LOOKS.sub(_ASKED_ITSELF, selector)
    return _HOLDS_NO.sub(
        lambda found: found[0] if used.needs(found[1]) else "", selector
    )


def _tight(tokens: list, move: Callable[[str], str] = str) -> str:
    """The tokens as text with as few spaces as they allow."""
    for token in tokens:
        if token.type == "url":
            token.representation = f'url("{move(token.value)}")'
        elif token.type == "function" and token.lower_name == "url":
            for inner in token.arguments:
                if inner.type == "string":
                    inner.representation = f'"{move(inner.value)}"'
    held: list[str] = []  # strings and functions keep their spaces
    text = ""
    for token in tokens:
        if token.type in ("string", "url", "function", "[] block", "() block"):
            held.append(token.serialize())
            text += f"\0{len(held) - 1}\0"
        elif token.type != "comment":
            text += " " if token.type == "whitespace" else token.serialize()
    text = re.sub(r" ?([;{}>]) ?", r"\1", re.sub(r" +", " ", text))
    text = re.sub(r"(^|;)\s*([\w-]+) ?: ?", r"\1\2:", text).strip("; ")
    return re.sub(r"\0(\d+)\0", lambda found: held[int(found[1])], text)


def _without_unused_names(css: str, read_elsewhere: set[str]) -> str:
    """Drop custom properties that nothing reads, and rules that this leaves empty."""
    while True:
        read = _read(css) | read_elsewhere
        shorter = re.sub(
            r"(?<=[{;])(--[\w-]+):[^;{}\"']*(?:;|(?=\}))",
            lambda found, read=read: found[0] if found[1] in read else "",
            css,
        )
        shorter = re.sub(r"(^|(?<=\}))[^{}@]+\{;?\}", "", shorter)
        if shorter == css:
            return css
        css = shorter


def _without_unused_faces(css: str, readers: str) -> str:
    """Drop fonts that no rule asks for, and animations that none plays."""
    rest = re.sub(r"@font-face\{[^}]*\}", "", css) + readers

    def face(found: re.Match) -> str:
        name = re.search(r"font-family:\s*[\"']?([^;\"'}]+)", found[0])[1].strip()
        return found[0] if name in rest else ""

    css = re.sub(r"@font-face\{[^}]*\}", face, css)

    def frames(found: re.Match) -> str:
        played = re.search(rf"animation[^;{{}}]*\b{re.escape(found[1])}\b", css)
        return found[0] if played else ""

    return re.sub(r"@keyframes ([\w-]+)\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", frames, css)


def _read(css: str) -> set[str]:
    return set(re.findall(r"var\(\s*(--[\w-]+)", css))
