"""Formulas of the group `block` that may be edited."""
