"""Explorables of the group output."""
