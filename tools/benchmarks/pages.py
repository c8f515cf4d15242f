"""What a reader's browser fetches: a page visited first, and a page visited after another one."""

from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from playwright.sync_api import BrowserContext, CDPSession, sync_playwright

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

    def listen(self, session: CDPSession) -> None:
        """Take down every request, and every answer."""
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.requestServedFromCache", self._remembered)
        session.on("Network.responseReceived", self._answered)
        session.on("Network.loadingFinished", self._finished)
        session.send("Network.enable")

    def _asked(self, event: dict) -> None:
        self.addresses[event["requestId"]] = event["request"]["url"]

    def _remembered(self, event: dict) -> None:
        self.cached.add(event["requestId"])

    def _answered(self, event: dict) -> None:
        if event["response"].get("fromDiskCache"):
            self.cached.add(event["requestId"])

    def _finished(self, event: dict) -> None:
        self.sizes[event["requestId"]] = int(event["encodedDataLength"])

    def fetched(self) -> list[str]:
        """The requests that went out: no data:, no blob:, nothing from a cache."""
        sent = [i for i, url in self.addresses.items() if url.startswith("http")]
        return [i for i in sent if i not in self.cached]

    def strangers(self, host: str) -> int:
        """How many of them went to another host."""
        return sum(not self.addresses[i].startswith(host) for i in self.fetched())

    def kilobytes(self) -> float:
        """The bytes that came in, headers included, in thousands."""
        return sum(self.sizes.get(request, 0) for request in self.fetched()) / 1000


def visit(context: BrowserContext, host: str, page: str) -> Visit:
    """Open a page in a tab of its own and keep account until the network is quiet."""
    tab, seen = context.new_page(), Visit(page)
    seen.listen(context.new_cdp_session(tab))
    tab.goto(f"{host}/{page}", wait_until="networkidle")
    tab.close()
    return seen


def visits(host: str, pages: list[str]) -> tuple[list[Visit], list[Visit]]:
    """Each page in a new browser profile, and the page after it in the same one."""
    first, following = [], []
    with sync_playwright() as playwright:
        browser = launch(playwright, find_chromium(playwright))
        for page, after in zip(pages, pages[1:] + pages[:1]):
            context = browser.new_context()
            first.append(visit(context, host, page))
            following.append(visit(context, host, after))
            context.close()
        browser.close()
    return first, following


def summary(kind: str, measured: list[Visit]) -> list[Row]:
    """The median page and the worst one."""
    found = []
    for unit, size in (
        ("kB", Visit.kilobytes),
        ("requests", lambda v: len(v.fetched())),
    ):
        worst = max(measured, key=size)
        name, typical = Path(worst.page).stem, f"median of {len(measured)} pages"
        found.append(Row(f"{kind}, {typical}", median(map(size, measured)), unit))
        found.append(Row(f"{kind}, worst: {name}", size(worst), unit))
    return found


def rows() -> list[Row]:
    """All pages but those that show source code; and the book's own scripts."""
    found = sorted((HTML / "book").rglob("*.html"))
    if not found:
        raise RuntimeError(f"there are no pages in {HTML / 'book'}. Fix: make book.")
    pages = [path.relative_to(HTML).as_posix() for path in found]
    with serve(HTML) as host:
        first, following = visits(host, pages)
    strangers = sum(visit.strangers(host) for visit in first + following)
    scripts = own_kilobytes(HTML, pages)
    return [
        *summary("first visit, gzipped", first),
        *summary("next page, gzipped", following),
        Row("requests to other hosts", strangers, "requests", at_most=0),
        Row("own JavaScript, gzipped", scripts, "kB", at_most=50),
    ]
