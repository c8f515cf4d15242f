"""A mutation run: small mistakes are made in the package, one by one, and the checks and tests must notice."""
