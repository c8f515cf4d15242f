"""The tasks beside the explorables of step 1 and of training: none is met at the start, and a state meets each."""

import pytest
from live_pages import CLASSES, look

STATES = {
    "word_piece": [
        {"rule": "count"},
        {"rule": "score"},
        {"corpus": "see tree ee e e e"},
    ],
    "merges": [
        {"step": 13},
        {"text": "abababab abababab cd", "step": 3},
        {"text": "aaa b", "step": 1},
    ],
    "unigram": [{"word": "told"}, {"word": "west", "steps": 1}, {"temperature": 10.0}],
}
CASES = [(name, k) for name, states in STATES.items() for k in range(len(states))]


def met(figure):
    """The numbers of the tasks that are ticked."""
    tasks = figure.locator(".xp-goals li").all()
    return [k for k, li in enumerate(tasks) if li.get_attribute("class") == "xp-met"]


@pytest.mark.parametrize("name", STATES)
def test_no_task_is_met_at_the_start(show, name):
    figure = look(show(name))
    assert met(figure) == []
    assert figure.locator(".xp-goals li").count() == len(STATES[name])


@pytest.mark.parametrize(("name", "task"), CASES)
def test_a_state_meets_the_task_and_no_other(show, name, task):
    figure = look(show(CLASSES[name](**STATES[name][task])))
    assert met(figure) == [task]
    assert f"1 of {len(STATES[name])} tasks done." in figure.locator(".xp-says").inner_text()  # fmt: skip
