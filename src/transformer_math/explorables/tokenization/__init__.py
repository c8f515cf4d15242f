"""Explorables of tokenization."""
