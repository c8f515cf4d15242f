"""Explorables of the group `attention`."""
