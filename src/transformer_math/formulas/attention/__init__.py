"""How formulas of the group `attention` are read, one module for each idea."""
