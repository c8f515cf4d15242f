"""How formulas of the group `embedding` are read, one module for each idea."""
