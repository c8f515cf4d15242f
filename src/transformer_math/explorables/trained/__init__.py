"""Explorables of the small models that were trained to show one thing."""
