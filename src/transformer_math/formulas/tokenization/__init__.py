"""How formulas of the group `tokenization` are read, one module for each idea."""
