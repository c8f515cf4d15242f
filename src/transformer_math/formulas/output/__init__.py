"""How formulas of the group `output` are read, one module for each idea."""
