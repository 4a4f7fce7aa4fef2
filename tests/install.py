#!/usr/bin/env python3
"""Install culd into an empty folder and use it from there as others would.

The build folder comes from the environment variable CULD_BUILD (default:
build). Each test is a function; the installed tree is made once and moved
before use, because a package must not depend on where it was built.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "toolkit"))
from folders import make_cuda  # noqa: E402

BUILD = pathlib.Path(os.environ.get("CULD_BUILD", ROOT / "build"))

CONSUMER = """\
#include <culd.h>

int
main(int argc, char **argv)
{
    culd_link *link = culd_create(NULL, NULL);
    size_t size = 0;

    for (int i = 1; i < argc; i++)
        culd_add_option(link, argv[i]);
    if (culd_run(link) != CULD_OK || !culd_output(link, &size))
        return 1;
    culd_destroy(link);
    return size == 0;
}
"""

# Names that the library has inside, too.
OWN_NAMES = """\
void finalize(void);
int demangle;

void
finalize(void)
{
    demangle++;
}

"""

CMAKE_CONSUMER = """\
cmake_minimum_required(VERSION 3.16)
project(consumer LANGUAGES C)
find_package(culd REQUIRED)
add_executable(consumer consumer.c)
target_link_libraries(consumer PRIVATE culd::culd)
add_custom_target(version ALL
    COMMAND ${culd_EXECUTABLE} --version
    COMMAND culd::program --version)
"""

# What a project with CUDA code does, short of enabling the language.
CMAKE_TOOLKIT = """\
cmake_minimum_required(VERSION 3.16)
project(consumer LANGUAGES C)
find_package(culd REQUIRED)
culd_use_toolkit()
message(STATUS "compiler: ${CMAKE_CUDA_COMPILER}")
message(STATUS "toolkit: ${CUDAToolkit_ROOT} ${culd_TOOLKIT}")
"""


class Skipped(Exception):
    pass


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: status {done.returncode}\n"
                             f"{done.stdout}")
    return done.stdout


def build_setting(wanted, default=""):
    """A variable of the CMake cache that culd was built with."""
    for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
        name, _, value = line.partition("=")
        if name.partition(":")[0] == wanted:
            return value or default
    return default


def compiler():
    return build_setting("CMAKE_C_COMPILER", "cc")


def library_flags():
    """What a program needs to link with a library built with sanitizers or for coverage."""
    sanitizers = build_setting("CULD_SANITIZE")
    coverage = [flag for flag in build_setting("CMAKE_C_FLAGS").split() if flag == "--coverage"]
    return (["-fsanitize=" + sanitizers] if sanitizers else []) + coverage


def test_command(prefix, work):
    """The installed command links."""
    run(prefix / "bin" / "culd", "-arch=sm_80", ROOT / "examples" / "kernels.o",
        ROOT / "examples" / "libparts.a", "-o", work / "out.cubin")
    assert (work / "out.cubin").exists(), "no output"


def test_manual(prefix, work):
    """The manual page is where man looks for it."""
    assert (prefix / "share" / "man" / "man1" / "culd.1").exists()


def test_pkg_config(prefix, work):
    """A program builds with the flags that pkg-config gives."""
    if not shutil.which("pkg-config"):
        raise Skipped("pkg-config not found")
    found = sorted(prefix.rglob("culd.pc"))
    environment = dict(os.environ, PKG_CONFIG_PATH=str(found[0].parent))
    flags = run("pkg-config", "--cflags", "--libs", "culd", env=environment).split()
    (work / "consumer.c").write_text(CONSUMER)
    run(compiler(), "-Wall", "-Werror", "-o", work / "consumer", work / "consumer.c", *flags,
        *library_flags())
    run_consumer(work / "consumer", work)


def run_consumer(program, work):
    run(program, "-arch=sm_80", ROOT / "examples" / "kernels.o", ROOT / "examples" / "libparts.a",
        "-o", work / "out.cubin")


def test_inner_names(prefix, work):
    """A program may have functions that are called like inner ones of the library."""
    if build_setting("CULD_SANITIZE"):
        raise Skipped("libraries with sanitizers show all their names")
    (work / "consumer.c").write_text(OWN_NAMES + CONSUMER)
    library = sorted(prefix.rglob("libculd.a"))[0]
    run(compiler(), "-Wall", "-Werror", "-I", prefix / "include", "-o", work / "consumer",
        work / "consumer.c", library, "-lzstd", "-llz4", "-lpthread",
        *library_flags())
    run_consumer(work / "consumer", work)


def test_cmake_package(prefix, work):
    """find_package(culd) gives the target and the command."""
    (work / "consumer.c").write_text(CONSUMER)
    (work / "CMakeLists.txt").write_text(CMAKE_CONSUMER)
    run("cmake", "-S", work, "-B", work / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_C_COMPILER={compiler()}", "-DCMAKE_C_FLAGS=" + " ".join(library_flags()))
    run("cmake", "--build", work / "build")
    run_consumer(work / "build" / "consumer", work)


def test_cmake_toolkit(prefix, work):
    """culd_use_toolkit makes a toolkit in the build tree, and CMake is to take its nvcc."""
    cuda = make_cuda(work / "cuda")
    (work / "CMakeLists.txt").write_text(CMAKE_TOOLKIT)
    shim = work / "build" / "culd-toolkit"
    words = ("cmake", "-S", work, "-B", work / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
             f"-DCMAKE_C_COMPILER={compiler()}")
    # The second time the toolkit that was made the first time is asked for.
    for setting in (f"-DCMAKE_CUDA_COMPILER={cuda}/bin/nvcc", "-DAGAIN=1"):
        said = run(*words, setting)
        assert f"compiler: {shim}/bin/nvcc\n" in said, said
        assert f"toolkit: {shim} {shim}\n" in said, said
        expected = {"nvlink": prefix / "bin" / "culd", "ptxas": cuda / "bin" / "ptxas"}
        for name, target in expected.items():
            assert os.readlink(shim / "bin" / name) == str(target), os.readlink(shim / "bin" / name)
    # Of clang only the toolkit is set.
    said = run(*words[:4], work / "clang", *words[5:], f"-DCUDAToolkit_ROOT={cuda}",
               "-DCMAKE_CUDA_COMPILER=/usr/bin/clang++")
    assert "compiler: /usr/bin/clang++\n" in said, said
    assert f"toolkit: {work}/clang/culd-toolkit " in said, said


TESTS = (test_command, test_manual, test_pkg_config, test_inner_names, test_cmake_package,
         test_cmake_toolkit)


def install(folder):
    run("cmake", "--install", BUILD, "--prefix", folder / "installed")
    (folder / "installed").rename(folder / "moved")
    return folder / "moved"


def main():
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory(prefix="culd-install-") as folder:
        folder = os.path.realpath(folder)
        prefix = install(pathlib.Path(folder))
        for test in TESTS:
            work = pathlib.Path(folder) / test.__name__
            work.mkdir()
            try:
                test(prefix, work)
                passed += 1
            except Skipped as reason:
                print(f"skipped {test.__name__}: {reason}")
                skipped += 1
            except (AssertionError, OSError, IndexError) as error:
                print(f"failed {test.__name__} ({test.__doc__}): {error}")
                failed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
