"""Corrections: every entry says what was said, where, and what is true, and shows it by a cell that could fail."""

import re

import pytest
from prose import BOOK

PAGE = (BOOK / "corrections.md").read_text("utf-8")
DOCUMENTS = ("Outline", "Operations", "Notes", "Primer", "Guide")
ENTRIES = dict(
    re.findall(r"^### (.+?)\n(.+?)(?=^#{2,3} |^\(corrections)", PAGE, re.M | re.S)
)


@pytest.mark.parametrize("title", ENTRIES)
def test_an_entry_is_whole(title):
    said, true = re.fullmatch(
        r"\n\*\*Said:?\*\*(.+?)\\\n\*\*True:\*\*(.+?)\n\n% fold-start.+",
        ENTRIES[title],
        re.S,
    ).groups()
    assert any(name in said for name in DOCUMENTS) or "in all but the Notes" in said
    assert "“" in said or "$" in said or len(said.split()) >= 5
    assert true.strip()


@pytest.mark.parametrize("title", ENTRIES)
def test_an_entry_is_shown_by_a_cell_that_asserts(title):
    cells = re.findall(r"```{code-cell} ipython3\n(.+?)```", ENTRIES[title], re.S)
    assert len(cells) == 1
    assert re.search(r"^assert |\bholds=", cells[0], re.M)
    assert re.search(r"^(say|table|matrix)\(", cells[0], re.M)


def test_the_table_on_top_leads_to_every_section():
    sections = re.findall(r"^\((corrections-[a-z]+)\)=$", PAGE, re.M)
    assert len(sections) > 10
    assert all(f"<{section}>`" in PAGE.split("```")[0] for section in sections)
