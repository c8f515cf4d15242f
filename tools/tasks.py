"""What the page “Write the formula” asks: `make tasks` writes it from the formulas, their checks and the notation.

Which formulas make a task, their cases and what their wrong versions give is found anew, in a minute or two; the result is
kept beside the explorable, so that neither a build nor a notebook has to wait. A test fails where it is not what this
command writes; `make lint` asks in a few seconds whether its words still stand somewhere (`--words`).
"""

import json
import sys

from transformer_math.explorables.editing.write import TASKS
from transformer_math.formulas.answers import html_of
from writing.selection import all_rows, function, question, tasks


def outdated(kept: list[dict]) -> list[str]:
    """What some tasks say and nobody says now: a meaning that no row of the notation has, a question that is no docstring's."""
    meanings = {html_of(row.meaning) for row in all_rows()}
    meanings.add(function("f")["meaning"])
    found = []
    for task in kept:
        if not task["says"].startswith(question(task["label"])):
            found.append(f"{task['label']}: {task['says']}")
        said = (symbol["meaning"] for symbol in task["symbols"])
        found += [f"{task['label']}: {one}" for one in said if one not in meanings]
    return found


def ask_for_words() -> None:
    """Exit with what is outdated, if anything is."""
    if found := outdated(json.loads(TASKS.read_text("utf-8"))):
        sys.exit("The tasks say what nobody says now. Fix: make tasks.\n" + "\n".join(found))  # fmt: skip


def main() -> None:
    """Write the tasks, one a line."""
    found = tasks()
    lines = ",\n".join(json.dumps(task, ensure_ascii=False, separators=(",", ":")) for task in found)  # fmt: skip
    TASKS.write_text(f"[\n{lines}\n]\n", "utf-8")
    print(f"{len(found)} tasks in {TASKS.name}, {TASKS.stat().st_size // 1000} kB")


if __name__ == "__main__":
    ask_for_words() if sys.argv[1:] == ["--words"] else main()
