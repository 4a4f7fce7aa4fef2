"""The cases of tests/live/inputs.py: every module has cases(templates), which gives a list of them."""
