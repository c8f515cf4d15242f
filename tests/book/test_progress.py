"""What is done is remembered here: marked in the contents, listed on a page, saved and read as a file; nothing leaves."""

import gzip
import json
import re

import pytest
from conftest import ROOT
from contents import chapters
from playwright.sync_api import expect

from transformer_math.explorables.editing.write import tasks

HTML = ROOT / "_build" / "html"
STATIC = ROOT / "book" / "_static"
CHAPTER = "book/attention/scaled_dot_product"
PYTHON = "#ex-softmax"  # an exercise that is answered in the notebook
FORBID = """
for (const name of ["getItem", "setItem", "removeItem"])
  Storage.prototype[name] = () => { throw Error("no"); };
Object.defineProperty(window, "localStorage", { get() { throw Error("no"); } });
"""


@pytest.fixture
def window(browser):
    """A window that remembers nothing from before, reaches no network, and fails on any error of a script."""
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    faults = []
    context.on("weberror", lambda error: faults.append(str(error.error)))
    context.on("request", lambda one: one.url.startswith(("file:", "blob:", "data:")) or faults.append(one.url))  # fmt: skip
    yield context
    context.close()
    assert faults == []


# on a busy machine the browser itself loses what a page has kept, now and then
TRIES = 5
KEPT = "() => { try { return { ...localStorage }; } catch { return {}; } }"
KEEP = "(kept) => Object.entries(kept).forEach((pair) => localStorage.setItem(...pair))"


def go(context, page="book/progress", **kept):
    """Open a page, with something in its memory, and with what the page before it kept."""
    tab = context.pages[0] if context.pages else context.new_page()
    before = tab.evaluate(KEPT)
    tab.goto((HTML / f"{page}.html").as_uri())
    for _ in range(TRIES):
        now = tab.evaluate(KEPT)
        lost = {key: value for key, value in before.items() if key not in now}
        lost |= {key: value for key, value in kept.items() if now.get(key) != value}
        if not lost:
            break
        tab.evaluate(KEEP, lost)
        tab.reload()
    return tab


DONE = json.dumps({"given": {}, "done": True})


def keys() -> dict[str, list[str]]:
    """What the build wrote for the marks."""
    text = (HTML / "_static" / "exercises.js").read_text("utf-8")
    return json.loads(text.removeprefix("const exercisesOfBook = ").strip(" ;\n"))


def test_every_exercise_and_every_formula_is_listed_once_and_every_link_arrives():
    html = (HTML / "book" / "progress.html").read_text("utf-8")
    rows = dict(re.findall(r'<li data-key="([^"]+)"><a href="([^"]+)"', html))
    own = [key for page in chapters() for key in labels(page)]
    assert list(filter(lambda key: key.startswith("exercise:"), rows)) == own
    assert {f"write:{label}" for label in tasks()} == rows.keys() - set(own)
    assert len(re.findall(r'<li data-key="', html)) == len(rows)
    for key, address in rows.items():
        page, _, anchor = address.partition("#")
        text = (HTML / "book" / page.partition("?")[0]).read_text("utf-8")
        assert not anchor or f'id="{anchor}"' in text, key


def labels(page) -> list[str]:
    text = page.read_text("utf-8")
    return [f"exercise:{label}" for label in re.findall(r"^:label: (ex-[\w-]+)$", text, re.MULTILINE)]  # fmt: skip


def test_what_is_marked_in_the_contents_is_what_stands_on_each_page():
    assert {name: found for name, found in keys().items() if name != "book/practice"} == {
        page.relative_to(ROOT).with_suffix("").as_posix(): labels(page) for page in chapters()
    }  # fmt: skip
    assert keys()["book/practice"] == [f"write:{label}" for label in tasks()]


def test_nothing_is_fetched_or_marked_before_something_is_done(window):
    tab = go(window, CHAPTER)
    fetched = tab.locator('script[src*="marks.js"], script[src*="exercises.js"]')
    assert fetched.count() == tab.locator(".contents-done").count() == 0
    tab.locator(f"{PYTHON} .by-hand button").click()
    expect(fetched).to_have_count(2)
    mark = tab.locator(".bd-docs-nav .current > a .contents-done")
    many = len(keys()[CHAPTER])
    expect(mark).to_have_text(f"1/{many}")
    expect(mark).to_have_accessible_name(f"1 of {many} exercises done")


def test_an_exercise_in_python_is_marked_by_hand_and_can_be_taken_back(window):
    tab = go(window, CHAPTER)
    box = tab.locator(PYTHON)
    button, status = box.get_by_role("button", name="Mark as done"), box.get_by_role("status")  # fmt: skip
    button.press("Enter")
    expect(status).to_have_text("Done.")
    tab = go(window, "book/attention/masks")
    link = tab.locator('.bd-docs-nav a[href*="scaled_dot_product"]')
    expect(link.locator(".contents-done")).to_have_text(f"1/{len(keys()[CHAPTER])}")
    tab = go(window, CHAPTER)
    tab.locator(PYTHON).get_by_role("button", name="Not done after all").click()
    expect(tab.locator(".contents-done")).to_have_count(0)


def test_the_page_says_how_much_is_done_and_where_to_go_on(window):
    tab = go(window)
    total = len(tab.locator(".progress-chapter li").all())
    formulas = len(tasks())
    sums = tab.locator(".progress-sums")
    expect(sums).to_have_text(f"Done: 0 of {total - formulas} exercises and 0 of {formulas} formulas.")  # fmt: skip
    expect(tab.locator(".progress-next")).to_contain_text("Begin here: 1 Tokenization, Exercise 1")  # fmt: skip
    expect(tab.get_by_role("button", name="Forget everything")).to_be_disabled()
    go(window, CHAPTER)
    first = keys()[CHAPTER][0]
    tab = go(window, **{first: DONE, "write:eq-softmax": "2026-01-31"})
    expect(sums).to_have_text(f"Done: 1 of {total - formulas} exercises and 1 of {formulas} formulas.")  # fmt: skip
    row = tab.locator(f'[data-key="{first}"]')
    expect(row).to_be_visible()  # the chapter that was open last is unfolded
    expect(row).to_contain_text("done")
    tab.locator(".progress-next a").click()
    assert tab.url.endswith(f"{CHAPTER}.html#{keys()[CHAPTER][1].removeprefix('exercise:')}")  # fmt: skip


def test_a_chapter_of_which_the_page_hears_later_is_unfolded(window):
    tab = go(window)
    chapter = tab.locator(f'[data-page="{CHAPTER}"]')
    expect(chapter).not_to_have_attribute("open", "")
    tab.evaluate("""(page) => {
        localStorage.setItem("chapter", page);
        dispatchEvent(new StorageEvent("storage", { key: "chapter" }));
    }""", CHAPTER)  # fmt: skip
    expect(chapter).to_have_attribute("open", "")


def test_a_file_is_saved_and_another_browser_reads_it(window, browser, tmp_path):
    own = {"exercise:ex-softmax": DONE, "write:eq-softmax": "2026-01-31"}
    tab = go(window, **own, reading="everything")
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Save as a file").click()
    path = tmp_path / "exercises.json"
    download.value.save_as(path)
    assert json.loads(path.read_text("utf-8"))["kept"] == {
        "exercise:ex-softmax": json.loads(DONE),
        "write:eq-softmax": "2026-01-31",
    }
    other = browser.new_context()
    begun = json.dumps({"given": {"0": "ln 9"}, "done": True})
    tab = go(other, **{"exercise:ex-two-scores": begun})
    tab.locator("input[type=file]").set_input_files(path)
    says = tab.locator(".progress-says")
    expect(says).to_have_text("Read. New here: 1 exercise and 1 formula done.")
    expect(tab.locator(".progress-sums")).to_contain_text("Done: 2 of")
    expect(tab.locator(".contents-done")).to_have_count(2)
    tab.locator("input[type=file]").set_input_files(path)
    expect(says).to_have_text("Read. All that is done there was done here already.")
    other.close()


NO_SUCH_FILES = {
    "hello": "it is not JSON",
    "": "it is not JSON",
    "[1, 2]": "it does not name this book",
    '{"kept": {}}': "it does not name this book",
    '{"book": "The Executable Transformer", "kept": 3}': "it does not name this book",
}


@pytest.mark.parametrize("text", NO_SUCH_FILES)
def test_another_file_is_refused_in_words(text, window, tmp_path):
    tab = go(window)
    path = tmp_path / "file.json"
    path.write_text(text, "utf-8")
    tab.locator("input[type=file]").set_input_files(path)
    expect(tab.locator(".progress-says")).to_contain_text(NO_SUCH_FILES[text])
    expect(tab.locator(".progress-sums")).to_contain_text("Done: 0 of")


def test_what_of_a_file_cannot_be_is_left_out(window, tmp_path):
    kept = {
        "exercise:ex-softmax": {"given": {}, "done": True},
        "exercise:ex-of-another-book": {"given": {}, "done": True},
        "exercise:ex-attention": {"given": {"0": {"deep": 1}}, "done": True},
        "exercise:ex-scale": "yes",
        "write:eq-softmax": "<b>today</b>",
        "theme": "dark",
    }
    path = tmp_path / "file.json"
    path.write_text(json.dumps({"book": "The Executable Transformer", "kept": kept}))
    tab = go(window)
    tab.locator("input[type=file]").set_input_files(path)
    expect(tab.locator(".progress-says")).to_contain_text("New here: 1 exercise done. 5 entries were left out")  # fmt: skip
    assert tab.evaluate("Object.keys(localStorage).filter((key) => key.includes(':'))") == ["exercise:ex-softmax"]  # fmt: skip


def test_everything_is_forgotten_after_a_question(window):
    tab = go(window, **{"exercise:ex-softmax": DONE, "reading": "everything"})
    asked = []
    tab.once("dialog", lambda one: (asked.append(one.message), one.dismiss()))
    button = tab.get_by_role("button", name="Forget everything")
    button.click()
    expect(tab.locator(".progress-says")).to_have_text("Nothing was forgotten.")
    assert asked == ["Forget 1 exercise on this machine? What you have not saved as a file is lost."]  # fmt: skip
    tab.once("dialog", lambda one: one.accept())
    button.click()
    expect(tab.locator(".progress-sums")).to_contain_text("Done: 0 of")
    expect(tab.locator(".contents-done")).to_have_count(0)
    assert tab.evaluate("localStorage.getItem('reading')") == "everything"


OWN = re.compile(r"_static/(?:done|marks|progress|questions|readings|book)\.js")


def test_where_nothing_may_be_kept_the_pages_say_so_and_go_on(browser):
    """The theme's own scripts stumble over such a window; the book's do not."""
    context = browser.new_context()
    context.add_init_script(FORBID)
    faults = []
    context.on("weberror", lambda one: faults.append(one.error.stack))
    tab = go(context)
    expect(tab.locator(".progress-says")).to_contain_text("Your browser keeps nothing")
    assert not tab.locator(".progress-tools").is_visible()
    tab = go(context, CHAPTER)
    tab.locator(f"{PYTHON} .by-hand button").click()
    expect(tab.locator(f"{PYTHON} [role=status]")).to_contain_text("Your browser keeps nothing")  # fmt: skip
    context.close()
    assert not [fault for fault in faults if OWN.search(fault)]


def test_without_a_script_it_is_a_plain_list(browser):
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto((HTML / "book" / "progress.html").as_uri())
    tab.locator(".progress-chapter > summary").first.click()
    assert tab.locator(".progress-chapter li").first.is_visible()
    assert not tab.locator(".progress-tools").is_visible()
    context.close()


def test_what_every_page_loads_is_tiny():
    assert len(gzip.compress((STATIC / "done.js").read_bytes(), 9)) <= 700
    fetched = [STATIC / "marks.js", HTML / "_static" / "exercises.js"]
    assert sum(len(gzip.compress(f.read_bytes(), 9)) for f in fetched) < 8000
