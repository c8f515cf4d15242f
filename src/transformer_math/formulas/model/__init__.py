"""How formulas of the group `model` are read, one module for each idea."""
