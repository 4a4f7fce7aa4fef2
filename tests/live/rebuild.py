#!/usr/bin/env python3
"""Make the inputs of the link cases from their sources again.

    rebuild.py [--filter TEXT] [--keep FOLDER]

Compiles each source with ptxas or nvcc, applies the edits that the case
asks for, and says for each input whether it still is the stored one.
links.py uses the same functions for its live checks and for --regenerate.

Debug information records the folder of a compilation, the time of the source
and the names of intermediate files. So every case is always compiled in the
same folder below WORKSHOP (a lock keeps two runs apart), its sources get a
fixed time, and nvcc keeps its intermediate files there under plain names.
"""
import argparse
import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from containers import recipes as containers            # noqa: E402
from cubinedit import apply_edits                       # noqa: E402
from linkcase import load_cases                         # noqa: E402

WORKSHOP = Path("/tmp/culd-cases")
SOURCE_TIME = 1735689600        # 2025-01-01, in the line tables of -G inputs


class BuildError(Exception):
    pass


class Toolkit:
    """The CUDA programs that are installed; None where one is missing."""

    def __init__(self, nvlink="auto"):
        self.ptxas = self._find("ptxas")
        self.nvcc = self._find("nvcc")
        self.nvlink = self._find("nvlink") if nvlink == "auto" else nvlink
        if nvlink == "none":
            self.nvlink = self.ptxas = self.nvcc = None

    @staticmethod
    def _find(name):
        home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
        return shutil.which(name) or shutil.which(name,
                                                  path=home + "/bin")

    def missing_for(self, case):
        """The first program that a case needs and that is not there."""
        suffixes = {p.suffix for p in case.sources()}
        if not self.nvlink:
            return "nvlink"
        if not self.ptxas:
            return "ptxas"
        if ".cu" in suffixes and not self.nvcc:
            return "nvcc"
        return None


def run_tool(arguments, folder):
    done = subprocess.run(arguments, cwd=folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise BuildError("%s\n%s" % (" ".join(arguments), done.stdout))


def compile_source(tools, folder, source, output, arch, flags):
    if source.endswith(".ptx"):
        # A whole program is an object without -c.
        only = [] if "-ewp" in flags else ["-c"]
        command = [tools.ptxas] + only + ["-arch=" + arch]
    else:
        command = [tools.nvcc, "-dc", "-cubin", "--keep", "-arch=" + arch]
    run_tool(command + flags + [source, "-o", output], folder)


@contextlib.contextmanager
def workshop(case, target):
    """The one folder in which this case is compiled, empty."""
    folder = WORKSHOP / case.name / target
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(str(folder) + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def recipes(case):
    """name -> recipe for everything to be built, parts first."""
    plain = {p.stem + ".cubin": {"source": p.name} for p in case.sources()}
    plain.update(case.build)
    # A link of parts (-r) comes after the parts, whatever the order written,
    # and containers come after what is in them.
    return dict(sorted(plain.items(), key=lambda item: (
        containers.stage(item[1]), "link" in item[1])))


def build_input(tools, case, target, folder, name, recipe):
    if "link" in recipe:
        run_tool([tools.nvlink, "-arch=" + target] + recipe["link"] +
                 ["-o", name], folder)
    elif "toolkit" in recipe:
        shutil.copy(case.stored(target) / name, folder / name)
    elif "text" in recipe:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(recipe["text"])
    elif containers.stage(recipe):
        recipe = json.loads(json.dumps(recipe).replace("{target}", target))
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(containers.build(
            recipe, lambda part: (folder / part).read_bytes()))
    else:
        compile_source(tools, folder, recipe["source"], name,
                       recipe.get("arch", target), recipe.get("flags", []))
    edits = recipe.get("edit")
    if edits:
        path = folder / name
        path.write_bytes(apply_edits(path.read_bytes(), edits))


def build_inputs(tools, case, target):
    """name -> bytes of every input on the command line."""
    with workshop(case, target) as folder:
        for source in case.sources():
            shutil.copy(source, folder / source.name)
            os.utime(folder / source.name, (SOURCE_TIME, SOURCE_TIME))
        for name, recipe in recipes(case).items():
            build_input(tools, case, target, folder, name, recipe)
        return {name: (folder / name).read_bytes()
                for name in case.inputs + case.files
                if (folder / name).exists()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--filter", default="")
    parser.add_argument("--keep", help="also write the inputs below here")
    options = parser.parse_args()
    tools, changed, skipped = Toolkit(), 0, 0
    for case in load_cases():
        for target in case.targets:
            label = "%s@%s" % (case.name, target)
            if options.filter not in label:
                continue
            missing = tools.missing_for(case)
            if missing:
                print("skip %s: no %s" % (label, missing))
                skipped += 1
                continue
            inputs = build_inputs(tools, case, target)
            if inputs != case.input_files(target):
                print("changed %s" % label)
                changed += 1
            if options.keep:
                folder = Path(options.keep) / case.name / target
                folder.mkdir(parents=True, exist_ok=True)
                for name, data in inputs.items():
                    (folder / name).write_bytes(data)
    print("%d changed, %d skipped" % (changed, skipped))
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
