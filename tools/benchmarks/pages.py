"""What a reader's browser fetches: a page visited first, and a page visited after another one."""

from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from playwright.sync_api import BrowserContext, sync_playwright

from benchmarks.scripts import own_kilobytes
from benchmarks.server import serve
from benchmarks.table import Row
from chromium import find_chromium, launch

HTML = Path(__file__).resolve().parents[2] / "_build" / "html"


@dataclass
class Visit:
    """What one visit of a page fetched over the network: the size of each answer, and the addresses asked for."""

    page: str
    sizes: dict[str, int] = field(default_factory=dict)
    cached: set[str] = field(default_factory=set)
    addresses: dict[str, str] = field(default_factory=dict)

    def received(self, event: dict) -> None:
        """Note an answer that came from the disk."""
        if event["response"].get("fromDiskCache"):
            self.cached.add(event["requestId"])

    def fetched(self) -> list[str]:
        """The requests that went out: neither data: nor blob:, nor answered by the browser's own cache."""
        return [i for i, url in self.addresses.items() if url.startswith("http") and i not in self.cached]

    def kilobytes(self) -> float:
        """The bytes that came in, headers included, in thousands."""
        return sum(self.sizes.get(request, 0) for request in self.fetched()) / 1000


def visit(context: BrowserContext, host: str, page: str) -> Visit:
    """Open a page in a tab of its own and keep account until the network is quiet."""
    tab, seen = context.new_page(), Visit(page)
    session = context.new_cdp_session(tab)
    session.on("Network.requestWillBeSent", lambda e: seen.addresses.update({e["requestId"]: e["request"]["url"]}))
    session.on("Network.requestServedFromCache", lambda e: seen.cached.add(e["requestId"]))
    session.on("Network.responseReceived", seen.received)
    session.on("Network.loadingFinished", lambda e: seen.sizes.update({e["requestId"]: int(e["encodedDataLength"])}))
    session.send("Network.enable")
    tab.goto(f"{host}/{page}", wait_until="networkidle")
    tab.close()
    return seen


def all_visits(pages: list[str]) -> tuple[list[Visit], list[Visit], list[str]]:
    """Each page in a new browser profile, the page after it in the same one; and requests to any other host."""
    first, following = [], []
    with serve(HTML) as host, sync_playwright() as playwright:
        browser = launch(playwright, find_chromium(playwright))
        for page, after in zip(pages, pages[1:] + pages[:1]):
            context = browser.new_context()
            first.append(visit(context, host, page))
            following.append(visit(context, host, after))
            context.close()
        browser.close()
    strangers = [v.addresses[i] for v in first + following for i in v.fetched() if not v.addresses[i].startswith(host)]
    return first, following, strangers


def summary(what: str, visits: list[Visit]) -> list[Row]:
    """The median page and the worst one."""
    heaviest = max(visits, key=Visit.kilobytes)
    busiest = max(visits, key=lambda visit: len(visit.fetched()))
    return [
        Row(f"{what}, median of {len(visits)}", median(map(Visit.kilobytes, visits)), "kB gzipped"),
        Row(f"{what}, worst: {name(heaviest)}", heaviest.kilobytes(), "kB gzipped"),
        Row(f"{what}, median", median(len(visit.fetched()) for visit in visits), "requests"),
        Row(f"{what}, worst: {name(busiest)}", len(busiest.fetched()), "requests"),
    ]


def name(visit: Visit) -> str:
    """A page without folder and ending."""
    return Path(visit.page).stem


def rows() -> list[Row]:
    """All pages of the book, without those that show source code; and the size of the book's own scripts."""
    pages = sorted(path.relative_to(HTML).as_posix() for path in (HTML / "book").rglob("*.html"))
    if not pages:
        raise RuntimeError(f"there are no pages in {HTML / 'book'}. Fix: make book.")
    first, following, strangers = all_visits(pages)
    return [
        *summary("first visit", first),
        *summary("next page", following),
        Row("requests to other hosts", len(strangers), "requests", at_most=0),
        Row("own JavaScript, all explorables", own_kilobytes(HTML, pages), "kB gzipped", at_most=50),
    ]
