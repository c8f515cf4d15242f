"""Explorables of the group `position`."""
