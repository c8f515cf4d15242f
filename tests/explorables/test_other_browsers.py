"""Every explorable in Firefox and in WebKitGTK, from a folder, without a network: it answers keys and pointer, keeps its room."""

from itertools import product

import pytest
from live_pages import BUSY, CLASSES, EMPTY, NAMES
from windows import BROWSERS

LIVES = """() => {
  const [still, says] = ['.explorable-still', '.xp-says'].map((part) => document.querySelector(part));
  return !still && says?.checkVisibility() && /\\w/.test(says.textContent) && !/^Reading/.test(says.textContent);
}"""
# what a reader sees of a figure besides the control itself: words, drawings, pixels
SEEN = """() => {
  const copy = document.querySelector('section.xp').cloneNode(true);
  copy.querySelectorAll('.xp-value, [role=status]').forEach((node) => node.remove());
  const drawn = [...document.querySelectorAll('section.xp canvas')].map((canvas) => canvas.toDataURL());
  const drawings = [...copy.querySelectorAll('svg, .xp-heat, .xp-bar')].map((node) => node.innerHTML);
  const shown = [...document.querySelectorAll('section.xp :is(svg, canvas, p, table)')].map((node) => node.checkVisibility());
  return [copy.textContent, ...drawings, ...drawn, ...shown].join();
}"""
ANSWERED = f"""async (patience) => {{
  const before = globalThis.seen, seen = {SEEN};
  for (const until = performance.now() + patience; performance.now() < until; ) {{
    if (seen() !== before) return true;
    await new Promise((done) => setTimeout(done, 20));
  }}
  return false;
}}"""
FIND = """(selector, k) => {
  const seen = (node) => node.checkVisibility({ visibilityProperty: true });
  const node = [...document.querySelectorAll(`section.xp :is(${selector})`)].filter(seen)[k];
  if (!node) return null;
  node.scrollIntoView({ block: 'center', behavior: 'instant' });
  const box = node.matches('.xp-toggle input, .xp-choice input') ? node.parentElement : node;
  const { left, top, width, height } = box.getBoundingClientRect();
  return { left, top, width, height };
}"""
FOCUS = """(selector, k) => {
  const seen = (node) => node.checkVisibility({ visibilityProperty: true });
  [...document.querySelectorAll(`section.xp :is(${selector})`)].filter(seen)[k].focus();
}"""
COLUMN = f"""
  const main = document.querySelector('main');
  const frames = async (count) => {{
    for (let i = 0; i < count; i += 1) await new Promise(requestAnimationFrame);
  }};
  const column = async (width) => {{
    main.style.width = width;
    do await frames(4);
    while ({BUSY});
  }};
"""
ROOM = f"""async (width) => {{
  {COLUMN}
  await column(width);
  const room = document.querySelector('.explorable-room');
  const found = [parseFloat(getComputedStyle(room).minHeight), room.getBoundingClientRect().height];
  const beyond = document.querySelector('section.xp').scrollWidth - room.clientWidth;
  main.style.width = '';
  return [...found, beyond];
}}"""
HALFWAY = f"""async (width) => {{
  {COLUMN}
  await column(width);
  const says = document.querySelector('.xp-says');
  const {{ top, height }} = document.querySelector('.explorable-room').getBoundingClientRect();
  scrollTo({{ top: scrollY + top + height / 2, behavior: 'instant' }});
  await frames(4);
  const found = {{ position: getComputedStyle(says).position, top: says.getBoundingClientRect().top }};
  main.style.width = '';
  return found;
}}"""
WIDTHS = ("", "568px", "328px")  # all of the window, and narrower columns
A_LITTLE = 4  # pixels
A_LINE = 26  # one of the sentence that reads the result: words are as wide as the browser's letters make them
PATIENCE = (
    250,
    5000,
)  # milliseconds: most answer at once; what does not is asked again
MEMBERS = 3  # of each kind of control are tried until one answers
ARROWS = ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown")
KEYS = {
    "input[type=range]:enabled": ARROWS,
    "[role=slider]:not(input)": ARROWS,
    ".xp-field[tabindex='0'], [role=application]": ARROWS,
    "input[type=radio]:checked": ARROWS,
    "[role=switch]": (" ",),
    "input[type=text], textarea": ("1", "x", "Backspace"),
    "button:enabled:not([aria-pressed=true], .explorable-copy)": (" ",),
    "select": ("ArrowDown", "ArrowUp"),
}
# where the pointer presses and goes, in pixels from the middle of a control
HERE = [(0, 0)]
ASIDE = [(-40, 0)], [(40, 0)]
PLACES = {
    "input[type=range]:enabled": ASIDE,
    "[role=slider]:not(input)": ([*HERE, (30, -15), (60, -20)], [*HERE, (-30, 15), (-60, 40)]),
    ".xp-field:not(.xp-quiet)": ASIDE,
    "input[type=radio]:not(:checked)": (HERE,),
    "[role=switch]": (HERE,),
    "button:enabled:not([aria-pressed=true], .explorable-copy)": (HERE,),
}  # fmt: skip


@pytest.fixture(scope="session")
def pages(explorables_folder):
    """A page for each explorable, in one folder."""
    folder = explorables_folder / "others"
    folder.mkdir()
    (folder / "_static").symlink_to(explorables_folder / "_static")
    for name in NAMES:
        body = CLASSES[name]().html() + '<p style="height: 150vh">…</p>'
        (folder / f"{name}.html").write_text(EMPTY.format(body=body), "utf-8")
    return folder


@pytest.fixture(scope="module", params=BROWSERS)
def window(request, windows):
    """A window of each of the browsers."""
    return windows(request.param)


@pytest.fixture(scope="module", params=NAMES)
def live(request, window, pages):
    """The window, in which one explorable after the other lives; nothing may go wrong in it."""
    window.open(pages / f"{request.param}.html")
    wake(window)
    window.wait(LIVES)
    return window


@pytest.fixture(autouse=True)
def silent(live):
    """The browser complains of nothing while a test runs."""
    yield
    assert live.complaints() == []


def wake(window):
    """Ask for the model, or type into a figure that waits for it; the text is the same in the end."""
    offer = "document.querySelector('.explorable-offer')"
    if window.evaluate(f"() => Boolean({offer})"):
        window.wait(f"() => !{offer}.disabled && ({offer}.click(), true)")
    field = "document.querySelector('.explorable-still :is(input, textarea)')"
    if window.evaluate(f"() => Boolean({field})"):
        window.wait(f"() => !{field}.disabled && ({field}.focus(), true)")
        window.press("End", "x")
        window.wait(LIVES)
        window.press("Backspace")


def test_it_takes_the_room_that_is_kept_for_it(live):
    for width in WIDTHS:
        kept, room, beyond = live.evaluate(ROOM, width)
        assert room <= kept + A_LINE, width
        assert beyond <= A_LITTLE, width


def test_in_a_narrow_column_its_sentence_stays_in_sight(live):
    found = live.evaluate(HALFWAY, WIDTHS[-1])
    if found["position"] == "static":
        pytest.skip(
            "its sentence stands beside the field, or it is lower than a screen"
        )
    assert found["position"].endswith("sticky")
    assert abs(found["top"]) <= A_LITTLE


def test_it_answers_to_keys(live):
    kinds = [kind for kind in KEYS if live.evaluate(FIND, kind, 0)]
    assert kinds
    assert [kind for kind in kinds if not answers(live, kind, KEYS, press)] == []


def test_it_answers_to_the_pointer(live):
    kinds = [kind for kind in PLACES if live.evaluate(FIND, kind, 0)]
    assert [kind for kind in kinds if not answers(live, kind, PLACES, point)] == []


def answers(window, kind, ways, act):
    """Whether what is seen changes when something is done to one of the first controls of a kind, in one way or another."""
    for patience, k, way in product(PATIENCE, range(MEMBERS), ways[kind]):
        box = window.evaluate(FIND, kind, k)
        if box:
            window.evaluate(f"() => {{ globalThis.seen = ({SEEN})(); }}")
            act(window, kind, k, box, way)
            if window.evaluate(ANSWERED, patience):
                return True
    return False


def press(window, kind, k, box, key):
    """Give the focus to a control, and press a key."""
    window.evaluate(FOCUS, kind, k)
    window.press(key)


def point(window, kind, k, box, way):
    """Press the pointer at a place of a control, move it, let go."""
    x, y = box["left"] + box["width"] / 2, box["top"] + box["height"] / 2
    window.drag(*((x + dx, y + dy) for dx, dy in way))
