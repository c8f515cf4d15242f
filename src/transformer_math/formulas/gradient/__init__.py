"""How formulas of the group `gradient` are read, one module for each idea."""
