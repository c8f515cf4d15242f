"""Weights travel as few bytes, arrive when they are asked for, and are the same numbers everywhere."""

import gzip
import json

import numpy as np
import pytest
from live_pages import EMPTY, open_file
from parity import compare, copy_modules

from transformer_math.explorables import ScaledDotProductExplorable
from transformer_math.explorables.assets import weights_script, write_assets
from transformer_math.explorables.attention.vocabulary import packed_vectors
from transformer_math.quantised import pack, unpack


def contents(rng):
    n, d = rng.integers(0, 9, size=2)
    return {
        "words": "Ruhe\nnaïve 東京 👩\u200d🚀"[: rng.integers(20)],
        "W": rng.normal(size=(n, d)) * 10 ** rng.uniform(-3, 3, size=(n, 1)),
        "zero": np.zeros((2, 3)),
    }


@pytest.mark.parametrize("seed", range(20))
def test_what_was_packed_comes_back_within_half_a_step(seed):
    given = contents(np.random.default_rng(seed))
    found = unpack(pack(given))
    assert list(found) == list(given) and found["words"] == given["words"]
    for name in ("W", "zero"):
        assert found[name].shape == given[name].shape
        largest = np.abs(given[name]).max(axis=1, keepdims=True, initial=0)
        assert (np.abs(found[name] - given[name]) <= 0.501 * largest / 127).all()
    assert pack(found) == pack(unpack(pack(found)))


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros(3),
        np.array([[np.nan]]),
        np.zeros((1, 1, 1)),
        np.array([[1 + 2j, 1]]),
        np.array([["sea"]]),
        np.array([[None]]),
    ],
)
def test_what_is_no_matrix_of_numbers_is_refused(wrong):
    with pytest.raises(
        ValueError, match=r"W (is|holds) .*; wanted a matrix of finite numbers"
    ):
        pack({"W": wrong})


@pytest.mark.parametrize("size", [1e200, 1e39, 1e-37, 1e-50])
def test_a_row_that_single_precision_cannot_scale_is_refused(size):
    with pytest.raises(ValueError, match="float32 can scale"):
        pack({"W": np.array([[1.0, 0.5], [size, -size]])})


@pytest.mark.parametrize(
    "edge",
    [
        np.array([[-128, 0], [127, 5]], np.int8),
        np.array([[6e-8, 0]], np.float16),
        np.array([[True, False]]),
        np.array([[3.4e38, -3.4e38]]),
        np.array([[1.6e-36, -1.6e-36]]),
    ],
)
def test_a_row_comes_back_whatever_type_it_has(edge):
    found = unpack(pack({"W": edge}))["W"]
    assert np.allclose(found, np.float32(edge), rtol=1e-2, atol=0)


def changed(header):
    """An archive whose header is another one."""
    told = header + b" " * (-len(header) % 4)
    return len(told).to_bytes(4, "little") + told + b"sea!"


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\x01\x00",
        b"a page that was not found",
        changed(b"{}"),
        changed(b"null"),
        changed(b"[1]"),
        changed(b'[{"name":"W"}]'),
        changed(b'[{"name":"W","shape":null,"bytes":"4"}]'),
        changed(b'[{"name":"W","shape":null,"bytes":-4}]'),
        changed(b'[{"name":"W","shape":[1,9],"bytes":4}]'),
        changed(b'[{"name":"W","shape":null,"bytes":9}]'),
        changed(b'[{"name":"W","shape":null,"bytes":4'),
        changed(b"[" * 100_000),
    ],
)
def test_a_damaged_archive_is_refused(damaged):
    with pytest.raises(ValueError, match=r"the archive .* wanted .* Fix: write"):
        unpack(damaged)


def test_an_archive_that_is_too_short_or_too_long_is_refused():
    whole = pack({"words": "sea ship", "W": np.ones((2, 3))})
    for wrong in (*(whole[:end] for end in range(len(whole))), whole + b"junk"):
        with pytest.raises(ValueError, match=r"the archive .* wanted .* Fix: write"):
            unpack(wrong)


def test_javascript_reads_the_same_numbers(tmp_path):
    rng = np.random.default_rng(3)
    cases = []
    for _ in range(20):
        packed = pack(contents(rng))
        cases.append(("unpack", [packed], unpack(packed)))
    packed = packed_vectors()
    cases.append(("unpack", [packed], unpack(packed)))
    report = compare(copy_modules(tmp_path), "kit.js", cases)
    assert report["compared"]["unpack"] > 30_000
    assert report["worst"]["unpack"] == 0


def test_a_page_from_a_folder_loads_weights_when_they_are_asked_for(browser, tmp_path):
    """Weights of 600 kB, as a language model will have them, are fetched by the module's request and not before."""
    W = np.random.default_rng(0).normal(size=(1171, 512))
    data = pack({"W": W})
    assert 590_000 < len(data) < 610_000
    static = tmp_path / "_static"
    write_assets(static)
    file = static / "explorables" / "weights" / "model.js"
    file.write_text(weights_script("model", data), "utf-8")
    module = """
        import { html, weights } from "./kit.js";
        async function render({ model, el }) {
          const button = el.appendChild(html("button", {}, "load"));
          button.onclick = async () => {
            const { W } = await weights(model, "model");
            el.append(html("output", {}, JSON.stringify([W.length, W[0].length, W[7], W[1170]])));
          };
        }
        export default { render };"""
    script = f"explorables.register('ask.js', {json.dumps(module)});"
    (static / "explorables" / "ask.js").write_text(script, "utf-8")
    figure = (
        '<figure class="explorable" data-explorable="ask"><div class="explorable-still"><p></p></div>'
        '<script type="application/json" data-part="state">{}</script></figure>'
    )
    (tmp_path / "index.html").write_text(EMPTY.format(body=figure), "utf-8")
    with open_file(browser, tmp_path / "index.html") as (page, requests):
        page.get_by_role("button", name="load").wait_for()
        assert not [url for url in requests if "weights" in url]
        page.get_by_role("button", name="load").click()
        n, d, row, last = json.loads(page.locator("output").inner_text())
        assert [url for url in requests if "weights/model.js" in url]
    numbers = unpack(data)["W"]
    assert (n, d) == W.shape
    np.testing.assert_array_equal(np.float32([row, last]), numbers[[7, 1170]])


def test_a_widget_sends_its_weights_in_binary():
    explorable = ScaledDotProductExplorable()
    state = explorable.get_state("word_vectors")
    assert isinstance(state["word_vectors"], bytes)
    assert state["word_vectors"] == packed_vectors()
    with pytest.raises(Exception, match="read-only"):
        explorable.word_vectors = b""


def test_vectors_are_no_part_of_a_page():
    assert len(ScaledDotProductExplorable().html()) < 6000
    assert "word_vectors" not in ScaledDotProductExplorable().html()


def test_vectors_are_light():
    assert len(gzip.compress(packed_vectors())) < 70_000
