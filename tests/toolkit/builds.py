"""Real projects, built through the folder of --make-toolkit and by the installed CUDA.

Everything is compiled once and linked twice, at the same paths: the folder
"cuda" of the workplace is a link that leads to the one toolkit and then to the
other, because nvlink records the folders it searches. What is compared is what
the commands say, how they end, and all that the programs load.
"""
import os
import pathlib
import shutil
import tempfile

from checks import (CULD, ROOT, Skipped, difference, find_tool, loaded_sections, need, run,
                    without_temporary_names)

PROJECT = ROOT / "tests" / "toolkit" / "particles"
SUPPORTED = "V13.0.88"  # culd writes the tool note of this nvlink


class Workplace:
    """A folder to build in, with both toolkits."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.cuda = self.folder / "cuda"
        self.environment = dict(os.environ)
        # Nothing but the name "cuda" leads to a toolkit.
        for name in ("CUDA_PATH", "CUDA_HOME", "NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS",
                     "CUDACXX", "CUDAFLAGS", "MAKEFLAGS"):
            self.environment.pop(name, None)
        need(CULD, "--make-toolkit", self.folder / "shim")
        installed = (self.folder / "shim" / "bin" / "nvcc").resolve().parent.parent
        self.toolkits = {"nvlink": installed, "culd": self.folder / "shim"}

    def use(self, linker):
        if self.cuda.is_symlink():
            self.cuda.unlink()
        self.cuda.symlink_to(self.toolkits[linker])
        # culd writes nvlink's tool note, so that whole images can be equal.
        self.environment.pop("NVCC_APPEND_FLAGS", None)
        if linker == "culd":
            self.environment["NVCC_APPEND_FLAGS"] = "-Xnvlink --identify-as=nvlink"

    def run(self, *command, **options):
        return run(*command, env=self.environment, **options)

    def need(self, *command, **options):
        return need(*command, env=self.environment, **options)


def find_cuda():
    """Skips unless the CUDA that culd compares itself with is there."""
    if os.environ.get("CULD_NO_CUDA"):
        raise Skipped("CUDA is hidden")
    find_tool("nvcc")
    if SUPPORTED not in need("nvlink", "--version"):
        raise Skipped(f"nvlink is not {SUPPORTED}")


def link_twice(results, work, about, link, products):
    """Calls link() under both toolkits and compares what it says and makes.

    products() are the files that a link makes; they are taken away between the
    two, so that both make all of them.
    """
    said, made = {}, {}
    for linker in ("nvlink", "culd"):
        work.use(linker)
        done = link()
        # Links that run side by side may speak in any order.
        lines = sorted(without_temporary_names(done.stdout).splitlines())
        said[linker] = (done.returncode, lines)
        made[linker] = {str(path.relative_to(work.folder)): loaded_sections(path)
                        for path in products()}
        for path in products():
            path.unlink()
    results.check(said["nvlink"] == said["culd"], f"{about}: messages",
                  f"nvlink: {said['nvlink']}\n culd: {said['culd']}")
    results.check(made["nvlink"].keys() == made["culd"].keys(), f"{about}: files",
                  f"{list(made['nvlink'])} and {list(made['culd'])}")
    for name in made["nvlink"].keys() & made["culd"].keys():
        differs = difference(made["nvlink"][name], made["culd"][name])
        results.check(not differs, f"{about}: {name}", f"differs in {differs}")
    return made["nvlink"]


# ---- make ----

# name, FLAGS, COMPILE, LINK
SHORT_VARIANTS = (
    ("plain", "-arch=sm_90", "", ""),
)
FULL_VARIANTS = (
    ("gencode", "-gencode arch=compute_80,code=sm_80 -gencode arch=compute_86,code=sm_86 "
                "-gencode arch=compute_90,code=[sm_90,compute_90] -t 2", "", ""),
    # Images name temporary files, which can only be left out where they are not compressed.
    ("debug", "-arch=sm_80 -G -g", "", "-no-compress"),
    ("lineinfo", "-arch=sm_89 -lineinfo", "", ""),
    ("oldest", "-arch=sm_75", "", ""),
    ("newer PTX", "", "-arch=compute_80", "-arch=sm_90"),
    ("usage", "-arch=sm_90a", "", "-res-usage"),
    ("no runtime", "-arch=sm_90", "", "-cudadevrt none"),
    ("warnings", "-arch=sm_90", "", "-Werror all-warnings"),
)
LINKS = ("program", "split", "archived", "shared.so", "joined", "device.o", "part.o")


def make_words(work, out, variant):
    _, flags, compile_flags, link_flags = variant
    return ["make", "--no-print-directory", "-C", PROJECT, f"CUDA={work.cuda}", f"OUT={out}",
            f"FLAGS={flags}", f"COMPILE={compile_flags}", f"LINK={link_flags}"]


def compare_make(results, work, variant):
    find_tool("make")
    out = work.folder / ("make-" + variant[0].replace(" ", "-"))
    words = make_words(work, out, variant)

    def products():
        return [out / name for name in LINKS if (out / name).exists()]

    work.use("nvlink")
    work.need(*words, "-j2", "objects")
    made = link_twice(results, work, f"make, {variant[0]}", lambda: work.run(*words, "-k", "links"),
                      products)
    results.check(made, f"make, {variant[0]}: something is linked")
    link_twice(results, work, f"make, {variant[0]}, incomplete",
               lambda: work.run(*words, out / "incomplete"), lambda: [])


def compare_onestep(results, work):
    """nvcc compiles and links in one command."""
    find_tool("make")
    out = work.folder / "onestep"
    out.mkdir()
    words = make_words(work, out, ("onestep", "-arch=sm_90", "", ""))
    link_twice(results, work, "nvcc in one step",
               lambda: work.run(*words, "-s", out / "onestep"),
               lambda: [path for path in [out / "onestep"] if path.exists()])


# ---- CMake ----

# generator (None: CMake's choice), configurations, architectures, further settings
SHORT_CMAKE = (
    (None, ("Release",), "90", ()),
)
FULL_CMAKE = (
    ("Unix Makefiles", ("Debug",), "80;86;90", ("-DCMAKE_CUDA_FLAGS_DEBUG=-g -G -no-compress",)),
    ("Ninja Multi-Config", ("RelWithDebInfo", "MinSizeRel"), "75-real;89-real;80-virtual",
     ("-DCMAKE_CUDA_FLAGS=-lineinfo",)),
)


def device_linker(build):
    """Which CUDA device linker CMake has found."""
    for path in build.glob("CMakeFiles/*/CMakeCUDACompiler.cmake"):
        for line in path.read_text().splitlines():
            if line.startswith("set(CMAKE_CUDA_DEVICE_LINKER "):
                return pathlib.Path(line.split('"')[1])
    return None


def linked_files(build):
    found = [path for path in build.rglob("*") if path.is_file() and (
        path.name in ("program", "libcomplete.so", "cmake_device_link.o"))]
    return sorted(found)


def compare_cmake(results, work, generator, configurations, architectures, settings):
    find_tool("cmake")
    if generator and "Ninja" in generator:
        find_tool("ninja")
    about = f"cmake, {generator or 'default'}, {architectures}"
    build = pathlib.Path(tempfile.mkdtemp(prefix="cmake-", dir=work.folder))
    work.use("culd")
    work.need("cmake", "-S", PROJECT, "-B", build, *(["-G", generator] if generator else []),
              f"-DCMAKE_CUDA_COMPILER={work.cuda}/bin/nvcc",
              f"-DCMAKE_CUDA_ARCHITECTURES={architectures}",
              f"-DCMAKE_BUILD_TYPE={configurations[0]}",
              f"-DCMAKE_CONFIGURATION_TYPES={';'.join(configurations)}", *settings)
    results.check(device_linker(build) and device_linker(build).resolve() == CULD,
                  f"{about}: CMAKE_CUDA_DEVICE_LINKER is culd", device_linker(build))
    for configuration in configurations:
        words = ["cmake", "--build", build, "--config", configuration, "--parallel", "2"]
        work.use("nvlink")
        work.need(*words)
        for path in linked_files(build):
            path.unlink()
        made = link_twice(results, work, f"{about}, {configuration}",
                          lambda: quiet(work.run(*words)), lambda: linked_files(build))
        results.check(len(made) == 5, f"{about}, {configuration}: five files are linked",
                      list(made))


def compare_package(results, work):
    """A project that finds culd with find_package, installed where nothing else is."""
    find_tool("cmake")
    installed, build = work.folder / "installed", work.folder / "package"
    need("cmake", "--install", CULD.parent, "--prefix", installed)
    work.use("culd")
    work.need("cmake", "-S", ROOT / "tests" / "toolkit" / "scaling", "-B", build,
              f"-DCMAKE_PREFIX_PATH={installed}", "-DCMAKE_CUDA_ARCHITECTURES=90",
              f"-DCMAKE_CUDA_COMPILER={work.toolkits['nvlink']}/bin/nvcc")
    results.check(device_linker(build).resolve() == installed / "bin" / "culd",
                  "find_package: CMAKE_CUDA_DEVICE_LINKER is culd", device_linker(build))
    # NVCC_APPEND_FLAGS has an option that nvlink would not know.
    work.need("cmake", "--build", build)
    results.check((build / "scaling").exists(), "find_package: the program is built")


def quiet(done):
    """Of a build that went well only the linkers' own lines count."""
    if done.returncode == 0:
        done.stdout = "\n".join(line for line in done.stdout.splitlines()
                                if line.startswith(("nvlink", "culd", "nvcc")))
    return done


def run_all(results, full):
    try:
        find_cuda()
    except Skipped as reason:
        results.skip("builds", reason)
        return
    folder = tempfile.mkdtemp(prefix="culd-builds-")
    try:
        work = Workplace(folder)
        for variant in SHORT_VARIANTS + (FULL_VARIANTS if full else ()):
            attempt(results, f"make, {variant[0]}", compare_make, work, variant)
        for setup in SHORT_CMAKE + (FULL_CMAKE if full else ()):
            attempt(results, f"cmake, {setup}", compare_cmake, work, *setup)
        if full:
            attempt(results, "nvcc in one step", compare_onestep, work)
            attempt(results, "find_package", compare_package, work)
    finally:
        shutil.rmtree(folder)


def attempt(results, about, function, *arguments):
    """A comparison that cannot even begin has failed, unless a tool is missing."""
    try:
        function(results, *arguments)
    except Skipped as reason:
        results.skip(about, reason)
    except (AssertionError, OSError) as error:
        results.check(False, about, error)
