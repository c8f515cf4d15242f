"""Explorables of the group model."""
