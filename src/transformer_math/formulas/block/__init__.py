"""How formulas of the group `block` are read, one module for each idea."""
