"""What a question asks cannot be read in its exercise, before a fold is opened."""

import nbformat
import pytest
from leaks import found_in, leaks, numbers_of, read, written_out

from transformer_math.plots import ask

TASK = (
    "```{exercise}\n:label: ex-a\nHow many?\n\n:::{dropdown} Hint\n119 pieces\n:::\n```"
)
SOLVED = "% fold-start\n\n**Solution: it is 119**"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It is 2.1972 at last.", "2.1972245773362196"),
        ("It is 2.20 at last.", "2.1972245773362196"),
        ("All 1,050,624 of them", "1050624.0"),
        (r"$1\,050\,624$ of them", "1050624.0"),
        ("row (0.5, −0.5)", "0.5, -0.5"),
        ("The pieces are ▁sea and s: “▁sea, s”.", "▁sea s"),
        ("the code point U+20AC", "U+20AC"),
    ],
)
def test_an_answer_is_found_as_it_is_written(text, answer):
    assert found_in(text, answer)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("two rows of 16", "16.0"),  # may be given
        ("w = (0, 0)", "0.0, 0.0"),
        ("1050 of 624", "1050624.0"),
        ("12 and 5", "12.0, 16.0"),
        ("h1190 and 11.9", "119.0"),
        ("over the sea, south", "▁sea s"),
    ],
)
def test_what_is_something_else_or_small_is_no_leak(text, answer):
    assert not found_in(text, answer)


def test_numbers_are_read_as_answers_are_compared():
    assert numbers_of("−1,024 and 0.3333 and 2e3") == ["-1024", "333e-3", "2000"]


def test_what_a_picture_is_said_to_show_is_read():
    html = '<figure><img alt="119 pieces" src="a.png"><figcaption>of <b>12</b></figcaption></figure>'
    assert "119 pieces" in read(html) and "of 12" in read(html).replace("  ", " ")


def page(*before, hidden=False):
    """An exercise whose solution asks; before it stand cells with these outputs."""
    cells = [nbformat.v4.new_markdown_cell(TASK)]
    for data in before:
        output = nbformat.v4.new_output("display_data", data)
        cells.append(nbformat.v4.new_code_cell("show()", outputs=[output]))
    if hidden:
        cells.insert(1, nbformat.v4.new_markdown_cell("% fold-start\n\n**More**"))
    cells.append(nbformat.v4.new_markdown_cell(SOLVED))
    question = ask("How many?", 119, (120, "No."))
    asked = nbformat.v4.new_output("display_data", question._repr_mimebundle_())
    code = "ask('How many?', count(), (120, 'No.'))"
    cells.append(nbformat.v4.new_code_cell(code, outputs=[asked]))
    return nbformat.v4.new_notebook(cells=cells)


@pytest.mark.parametrize(
    "data",
    [
        {"text/plain": "119"},
        {"text/plain": "<Table>", "text/html": "<table><td>119</td></table>"},
        {"text/plain": "<Figure>", "text/html": '<img alt="there are 119">'},
        {"text/plain": "<Picture>", "image/svg+xml": "<svg><text>119</text></svg>"},
    ],
)
def test_an_output_before_the_solution_gives_nothing_away(data):
    assert list(leaks(page())) == []
    assert list(leaks(page(data))) == [(3, "119.0")]
    assert list(leaks(page(data, hidden=True))) == []


def test_an_answer_in_code_is_computed():
    assert list(written_out("ask('How many?', 119, (1, 'No.'))")) == ["119"]
    assert list(written_out("%matplotlib inline\nchoose('Which?', 'a', ('a', ''))")) == ["'a'"]  # fmt: skip
    assert list(written_out("ask('How many?', 8 * 1024, (1, 'No.'))")) == []
    assert list(written_out("ask('How many?', len(x), (1, 'No.'))")) == []
