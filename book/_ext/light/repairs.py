"""What the theme, Sphinx and MyST-NB write that a screen reader or a keyboard stumbles over, put right."""

import re
from itertools import count

REPAIRS = (
    # a name that hides the words which are seen
    (r'(<button class="btn search-button-field[^>]*?) aria-label="Search"', r"\1"),
    (r"<kbd( [^>]*)?>", r'<kbd aria-hidden="true"\1>'),
    (r'<summary aria-label="Toggle hidden content">', "<summary>"),
    # a fold without a name
    (
        r'<summary>(<span class="toctree-toggle")',
        r'<summary aria-label="Chapters below this one">\1',
    ),
    # content outside of every landmark
    (
        r'<div class="bd-sidebar-primary bd-sidebar( [^"]*)?">',
        r'<div class="bd-sidebar-primary bd-sidebar\1" role="complementary" aria-label="Contents of the book">',
    ),
    # headings of no column
    (r'<th class="head[^"]*">\s*(?:<p></p>)?\s*</th>', "<td></td>"),
    # roles that are no longer any
    (r' role="doc-biblioentry"', ""),
    (r'<div role="list" class="citation-list">', '<div class="citation-list">'),
)


def repair(html: str) -> str:
    """Put right what a pattern can find; give every element an id of its own.

    >>> repair('<summary aria-label="Toggle hidden content"><p>Show</p></summary><i id="a"></i><i id="a"></i>')
    '<summary><p>Show</p></summary><i id="a"></i><i id="a-2"></i>'
    """
    for pattern, better in REPAIRS:
        html = re.sub(pattern, better, html)
    return _unique_ids(html)


def _unique_ids(html: str) -> str:
    seen: dict[str, count] = {}

    def own(found: re.Match) -> str:
        name = found[2]
        if name not in seen:
            seen[name] = count(2)
            return found[0]
        return f'{found[1]}id="{name}-{next(seen[name])}"'

    return re.sub(r'(<[a-zA-Z][^<>]*?\s)id="([^"]*)"', own, html)
