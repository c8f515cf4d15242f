"""The Transformer as mathematics that runs: every numbered equation of the book is one short function here.

The groups follow the ten steps: `tokenization`, `embedding`, `position`, `attention`, `block`, `model`, `output`.
They need NumPy alone. `checks` compares them with independent code, `formulas` runs what the pages print, `plots`
draws them, `explorables` lets a reader play with them.

Conventions: rows are tokens; leading batch axes are `...`; a mask is True where attention is allowed.
"""
