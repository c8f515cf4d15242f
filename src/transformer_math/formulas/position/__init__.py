"""How formulas of the group `position` are read, one module for each idea."""
