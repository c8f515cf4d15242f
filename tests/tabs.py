"""Tabs of a browser that reaches no other host: kept, since the next file opens sooner there, and listened to."""

from collections import defaultdict
from contextlib import contextmanager

# those that wait for their next file, by browser and by the options of their windows
IDLE = defaultdict(list)
LOOK = ("media", "color_scheme", "forced_colors")
# a page without an address has no storage
FORGET = """() => {
  try { [localStorage, sessionStorage].forEach((kept) => kept.clear()); } catch {}
}"""


@contextmanager
def idle_tab(browser, viewport, **options):
    """A tab without a network that remembers nothing, whoever used it before."""
    idle = IDLE[browser, repr(options)]
    tab = idle.pop() if idle else browser.new_context(offline=True, **options).new_page()  # fmt: skip
    if tab.viewport_size != viewport:
        tab.set_viewport_size(viewport)
    yield tab  # and if that fails, it is not used again
    tab.emulate_media(**{name: options.get(name, "null") for name in LOOK})
    tab.mouse.move(0, 0)
    tab.evaluate(FORGET)
    # what this page still asks for is given up now, and not in the next test
    tab.goto("about:blank")
    idle.append(tab)


@contextmanager
def listening(tab, **listeners):
    """Call functions at what a tab tells, by the names of its events, and no longer afterwards."""
    for event, listener in listeners.items():
        tab.on(event, listener)
    try:
        yield
    finally:
        for event, listener in listeners.items():
            tab.remove_listener(event, listener)


@contextmanager
def complaints_of(tab):
    """A list that fills with what the browser complains about, and with requests to other hosts."""
    found = []

    def ask(request):
        if not request.url.startswith(("file:", "data:", "blob:")):
            found.append(f"foreign: {request.url}")

    def say(message):
        if message.type in ("error", "warning"):
            found.append(message.text)

    with listening(
        tab,
        request=ask,
        console=say,
        pageerror=lambda error: found.append(str(error)),
        requestfailed=lambda request: found.append(f"missing: {request.url}"),
    ):
        yield found
