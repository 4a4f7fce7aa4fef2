"""Differences of mutants.py that are meant: docs/differences.md has them all."""


def known(mutant, finding):
    """Why the finding is none, or None."""
    return None
