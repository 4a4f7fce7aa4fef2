"""The cases of tests/options.py, one file for each subject."""
