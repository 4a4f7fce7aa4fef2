#!/usr/bin/env python3
"""What the documents name is there: files, folders, link cases, unit tests, and the
targets of links between them.

A name in backticks counts as a file if it has an ending that sources have, or begins with
a folder of this project. It may leave out the folders above (`elfw/symbols.c`).
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = "src include tests docs bench cmake examples scripts".split()
FILE = re.compile(r"`([\w./-]+\.(?:c|h|py|sh|md|cmake)|(?:%s)/[\w./-]*)`" % "|".join(FOLDERS))
UNIT_TEST = re.compile(r"`(test_\w+)`")
LINK = re.compile(r"\]\(([^)#]+)[^)]*\)")

# Files of others, and forms of names.
ELSEWHERE = {"texture_fetch_functions.h", "tests/unit/test_NAME.c"}


def documents():
    return [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")),
            *sorted((ROOT / "examples").glob("*.md"))]


def project_files():
    """All files and folders, by their paths from the root."""
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    paths += [path for path in ROOT.iterdir() if path.is_file()]
    return {str(path.relative_to(ROOT)) for path in paths} | set(FOLDERS)


def is_there(name, files, endings):
    name = name.rstrip("/")
    return name in files or name in endings or name in ELSEWHERE


def endings_of(files):
    """Every path without some of the folders above."""
    found = set()
    for path in files:
        parts = path.split("/")
        found.update("/".join(parts[start:]) for start in range(1, len(parts)))
    return found


def link_cases():
    """A pattern for names of link cases, as area/name."""
    areas = sorted(path.name for path in (ROOT / "tests" / "links").iterdir() if path.is_dir())
    return re.compile(r"(?<![\w/-])((?:%s)/[a-z0-9]+(?:-[a-z0-9]+)+)" % "|".join(areas))


def missing(document, files, endings, cases):
    """Pairs of a line number and a name that leads nowhere."""
    for number, line in enumerate(document.read_text().splitlines(), 1):
        for name in FILE.findall(line):
            if not is_there(name, files, endings):
                yield number, name
        for name in UNIT_TEST.findall(line):
            if f"tests/unit/{name}.c" not in files:
                yield number, name
        for name in cases.findall(line):
            if f"tests/links/{name}" not in files:
                yield number, name
        for target in LINK.findall(line):
            if "://" not in target and not (document.parent / target).exists():
                yield number, target


def main():
    files, cases = project_files(), link_cases()
    endings = endings_of(files)
    passed = failed = 0
    for document in documents():
        faults = list(missing(document, files, endings, cases))
        for number, name in faults:
            print(f"{document.relative_to(ROOT)}:{number}: no {name}")
        passed, failed = passed + (not faults), failed + bool(faults)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
