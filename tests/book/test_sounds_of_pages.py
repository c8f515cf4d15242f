"""What one can play in a page: as long as it should be, never silent, not cut off, no click at its ends, all at one level."""

import re
import wave

import numpy as np
import pytest
from conftest import ROOT
from prose import PAGES

HTML = ROOT / "_build" / "html" / "book"
SOUND = re.compile(r'<audio[^>]* src="([^"]+\.wav)"')
SOUNDING = {"modalities/codebook": (3, 2.968)}  # by page: how many, and their seconds
SILENCE = 128  # of a byte


def sounds(page) -> list[tuple[int, np.ndarray]]:
    """The rate and the samples, as bytes, of each sound of a page."""
    path, found = (HTML / page).with_suffix(".html"), []
    for source in SOUND.findall(path.read_text("utf-8")):
        with wave.open(str(path.parent / source)) as file:
            assert (file.getnchannels(), file.getsampwidth()) == (1, 1)
            samples = np.frombuffer(file.readframes(file.getnframes()), np.uint8)
            found.append((file.getframerate(), samples.astype(int)))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_the_sounds_of_a_page_are_those_that_it_should_have(page):
    name = str(page).removesuffix(".md")
    number, seconds = SOUNDING.get(name, (0, 0))
    found = sounds(page)
    assert len(found) == number
    assert all(len(x) / rate == pytest.approx(seconds) for rate, x in found)


@pytest.mark.parametrize("page", SOUNDING)
def test_a_sound_is_neither_silent_nor_cut_off_and_does_not_click(page):
    for rate, x in sounds(page):
        loud = np.abs(x.reshape(-1, rate // 250) - SILENCE).max(axis=1)
        assert np.mean(loud > 4) > 0.4  # words, with their pauses
        assert x.min() > 0 and x.max() < 255
        assert np.abs(x[[0, -1]] - SILENCE).max() <= 1
        assert np.abs(np.concatenate([x[:8], x[-8:]]) - SILENCE).max() <= 8


@pytest.mark.parametrize("page", SOUNDING)
def test_the_sounds_of_a_page_are_equally_loud(page):
    loud = [np.sqrt(np.square(x - SILENCE).mean()) for _, x in sounds(page)]
    assert 20 * np.log10(max(loud) / min(loud)) < 0.5
