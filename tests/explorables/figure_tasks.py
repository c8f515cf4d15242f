"""What the tests of tasks share: which of them are ticked, and what a reader does with a figure."""

from live_pages import settle, slide


def met(figure):
    """The numbers of the tasks that are ticked."""
    kinds = figure.locator(".xp-goals li").evaluate_all("all => all.map(li => li.className)")  # fmt: skip
    return [i for i, kind in enumerate(kinds) if kind == "xp-met"]


def drive(figure, *acts):
    """Do one after the other, each when the one before is painted."""
    for act in acts:
        act(figure)
        settle(figure.page)


def slid(label, value):
    """A slider is drawn to a value."""
    return lambda figure: slide(figure, label, value)


def checked(name):
    """An option is chosen."""
    return lambda figure: figure.get_by_role("radio", name=name, exact=True).check()


def switched(name):
    """A switch is turned."""
    return lambda figure: figure.get_by_role("switch", name=name).click()


def pressed(name):
    """A button is pressed."""
    return lambda figure: figure.get_by_role("button", name=name).click()


def typed(label, text):
    """A text stands in a field instead of what was there."""
    return lambda figure: figure.get_by_label(label, exact=True).fill(text)


def selected(label, option):
    """An option is taken from a list, by its name, its value or its place."""
    given = {"index": option} if isinstance(option, int) else {"value": option}
    return lambda figure: figure.get_by_label(label, exact=True).select_option(**given)


def keyed(role, name, *keys):
    """Keys are pressed where something has the focus."""

    def act(figure):
        for key in keys:
            figure.get_by_role(role, name=name).press(key)

    return act


def picked(role, name, number):
    """The so-manieth thing of a list is clicked."""
    return lambda figure: figure.get_by_role("listbox", name=name, exact=True).get_by_role(role).nth(number).click()  # fmt: skip
