"""The help and the manual page name the options that there are."""
import re
import subprocess
from pathlib import Path

from .table import ADDITIONS, HIDDEN, OPTIONS, REFUSED, TEXTS

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "culd.1"


def help_names(culd):
    """(long, short or None) of every option in the help."""
    text = subprocess.run([str(culd), "--help"], stdout=subprocess.PIPE, text=True).stdout
    return [found.groups() for found in re.finditer(r"^  --(\S+)(?: <[^>]*>)?(?:, -(\S+))?$", text, re.MULTILINE)]


def manual_names():
    """The names that begin entries of the manual page, with their dashes."""
    text = MANUAL.read_text().replace("\\-", "-")
    entries = re.findall(r"^\.TP\n(.*)$", text, re.MULTILINE)
    return {name for entry in entries for name in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", re.sub(r'\\f.|"', " ", entry))}


def check_help(culd):
    visible = {(o.long, o.short or None) for o in OPTIONS + REFUSED + TEXTS} | {(name, name) for name in ADDITIONS}
    found = set(help_names(culd))
    return (["%s is not in the help" % (names,) for names in sorted(visible - found, key=str)] +
            ["%s is in the help, but not among the cases" % (names,) for names in sorted(found - visible, key=str)])


def check_manual():
    wanted = {"--" + o.long for o in OPTIONS + REFUSED + TEXTS + HIDDEN} | {"--" + name for name in ADDITIONS}
    wanted |= {"-" + o.short for o in OPTIONS + REFUSED + TEXTS if o.short and o.short != o.long}
    found = manual_names()
    return (["%s is not in the manual page" % name for name in sorted(wanted - found)] +
            ["%s is in the manual page, but no option" % name for name in sorted(n for n in found - wanted if n[1:] not in {w[2:] for w in wanted})])


def check_hidden(culd):
    named = {long for long, _ in help_names(culd)}
    return ["%s is hidden, but in the help" % o.long for o in HIDDEN if o.long in named]


def checks(culd):
    """[(label, lines)]"""
    return [("documents/help", check_help(culd)), ("documents/manual-page", check_manual()),
            ("documents/hidden-options", check_hidden(culd))]
