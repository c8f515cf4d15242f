"""Sources: every entry is complete and cited, and every source that a docstring names is in the bibliography."""

import re

import pytest
from conftest import ROOT
from pybtex.database import parse_file

ENTRIES = parse_file(ROOT / "book" / "references.bib").entries
BOOK = "\n".join(page.read_text("utf-8") for page in (ROOT / "book").rglob("*.md"))
MODULES = sorted((ROOT / "src").rglob("*.py"))
VENUES = {
    "article": ("journal", "volume", "pages"),
    "book": ("publisher",),
    "inproceedings": ("booktitle",),
    "incollection": ("booktitle", "publisher", "pages"),
    "techreport": ("institution",),
    "misc": ("eprint", "url", "howpublished"),
}
NAMED = re.compile(
    r"([A-ZÀ-Ž]\w+)(?: et al\.|(?:, [A-Z]\w+)*,? and [A-Z]\w+)? \((\d{4})\)"
)


def people(entry):
    return [
        str(name) for person in entry.persons["author"] for name in person.last_names
    ]


@pytest.mark.parametrize("key", ENTRIES)
def test_an_entry_is_complete(key):
    entry = ENTRIES[key]
    assert entry.persons.get("author") and entry.fields.get("title")
    wanted = VENUES[entry.type]
    found = [field for field in wanted if entry.fields.get(field)]
    assert found if entry.type == "misc" else len(found) == len(wanted), wanted
    assert re.fullmatch(
        r"(1[5-9]\d\d|20\d\d)[a-c]?", entry.fields.get("year", "")
    ) or entry.fields.get("url")


def label(entry):
    """What a citation says of a source: its authors, two at most, and its year."""
    names = people(entry)
    return (
        *(names if len(names) < 3 else [names[0], "et al."]),
        entry.fields.get("year"),
    )


def test_no_two_entries_are_cited_alike():
    labels = [label(entry) for entry in ENTRIES.values()]
    assert len(set(labels)) == len(labels)


PRINTED = {  # found in a library, not behind a link
    "boltzmann1868studien",
    "melville1851moby",
    "hayford1988moby",
    "fisher1935design",
    "firth1957synopsis",
    "zipf1949human",
    "heaps1978information",
    "renyi1961measures",
    "hinton1986learning",
    "bridle1990training",
    "gage1994new",
    "nair2010rectified",
    "levy2014neural",
    "levy2015improving",
}


@pytest.mark.parametrize("key", ENTRIES)
def test_an_entry_can_be_found(key):
    linked = {"doi", "eprint", "url"} & set(ENTRIES[key].fields)
    assert linked or key in PRINTED


def test_identifiers_are_well_formed_and_belong_to_one_entry():
    eprints = [e.fields["eprint"] for e in ENTRIES.values() if "eprint" in e.fields]
    assert all(re.fullmatch(r"\d{4}\.\d{4,5}", number) for number in eprints)
    dois = [e.fields["doi"] for e in ENTRIES.values() if "doi" in e.fields]
    assert all(doi.startswith("10.") for doi in dois)
    assert len({*eprints, *dois}) == len(eprints) + len(dois)


@pytest.mark.parametrize("key", ENTRIES)
def test_an_entry_is_cited_in_the_book(key):
    assert re.search(rf"\{{cite:[tp]\}}`[^`]*\b{key}\b", BOOK)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_what_a_docstring_names_is_in_the_bibliography(path):
    sources = re.findall(
        r"Source: (.*?)(?:\n\s*\n|\"\"\")", path.read_text("utf-8"), re.DOTALL
    )
    known = {
        (name, e.fields.get("year", "")[:4])
        for e in ENTRIES.values()
        for name in people(e)[:1]
    }
    eprints = {e.fields.get("eprint") for e in ENTRIES.values()}
    for source in sources:
        assert set(NAMED.findall(source)) <= known, source
        assert set(re.findall(r"arXiv:([\d.]+\d)", source)) <= eprints, source
