"""What the page “Write the formula” asks: `make tasks` writes it from the formulas, their checks and the notation.

Which formulas make a task, their cases and what their wrong versions give is found anew, in a minute or two; the result is
kept beside the explorable, so that neither a build nor a notebook has to wait. A test fails where it is not what this
command writes.
"""

import json

from transformer_math.explorables.editing.write import TASKS
from writing.selection import tasks


def main() -> None:
    """Write the tasks, one a line."""
    found = tasks()
    lines = ",\n".join(json.dumps(task, ensure_ascii=False, separators=(",", ":")) for task in found)  # fmt: skip
    TASKS.write_text(f"[\n{lines}\n]\n", "utf-8")
    print(f"{len(found)} tasks in {TASKS.name}, {TASKS.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
