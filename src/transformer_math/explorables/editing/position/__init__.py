"""Formulas of the group `position` that may be edited."""
