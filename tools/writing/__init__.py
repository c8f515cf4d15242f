"""Which formulas of the book a reader may be asked to write, and what a page must know to grade them: see `tools/tasks.py`."""
