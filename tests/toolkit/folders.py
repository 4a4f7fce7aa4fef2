"""culd --make-toolkit on toolkits that are made up, so that it needs no CUDA.

The nvcc of such a toolkit is a script that says, like the true one, in which
folder it was started.
"""
import inspect
import os
import pathlib
import tempfile

from checks import CULD, run

NVCC = """\
#!/bin/sh
echo '#$ _SPACE_= ' >&2
echo "#$ _HERE_=$(dirname "$0")" >&2
exit 1
"""


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def make_cuda(folder, *names):
    """A toolkit with these further programs."""
    for name in ("fatbinary", "nvlink", "ptxas") + names:
        program(folder / "bin" / name, "#!/bin/sh\n")
    program(folder / "bin" / "nvcc", NVCC)
    (folder / "bin" / "nvcc.profile").write_text("TOP = $(_HERE_)/..\n")
    for name in ("include", "nvvm/bin"):
        (folder / name).mkdir(parents=True)
    return folder


def culd(*words, cwd=None, **environment):
    """Runs without the CUDA of the machine, unless by /usr/local/cuda."""
    plain = {"PATH": "/usr/bin:/bin", **environment}
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
        if name in os.environ:
            plain[name] = os.environ[name]
    return run(CULD, *words, cwd=cwd, env=plain)


def make(shim, cuda, **environment):
    words = ["--make-toolkit", shim] + (["--cuda", cuda] if cuda else [])
    done = culd(*words, **environment)
    assert done.returncode == 0, done.stdout
    return done.stdout


def refused(done, text):
    assert done.returncode == 1, f"status {done.returncode}: {done.stdout}"
    assert done.stdout.startswith("culd fatal   : "), done.stdout
    assert text in done.stdout, done.stdout


def links(folder):
    """Every link below a folder with what it says."""
    return {str(path.relative_to(folder)): os.readlink(path)
            for path in folder.rglob("*") if path.is_symlink()}


def expect_mirror(shim, cuda):
    expected = {f"bin/{path.name}": str(path) for path in (cuda / "bin").iterdir()}
    expected.update((path.name, str(path)) for path in cuda.iterdir() if path.name != "bin")
    expected["bin/nvlink"] = str(CULD)
    assert links(shim) == expected, f"{links(shim)}\nnot {expected}"


def test_links_to_everything(work):
    cuda = make_cuda(work / "cuda")
    said = make(work / "shim", cuda)
    expect_mirror(work / "shim", cuda)
    assert said == f"{work}/shim: the CUDA toolkit of {cuda} with culd as nvlink\n", said


def test_folders_above_are_made(work):
    cuda = make_cuda(work / "cuda")
    make(work / "not" / "yet" / "there", cuda)
    expect_mirror(work / "not" / "yet" / "there", cuda)


def test_relative_paths(work):
    make_cuda(work / "cuda")
    done = culd("--make-toolkit", "shim/", "--cuda", "./cuda", cwd=work)
    assert done.returncode == 0, done.stdout
    expect_mirror(work / "shim", work / "cuda")


def test_again_changes_nothing(work):
    cuda = make_cuda(work / "cuda")
    make(work / "shim", cuda)
    before = {path: path.lstat().st_ino for path in (work / "shim" / "bin").iterdir()}
    make(work / "shim", cuda)
    assert before == {path: path.lstat().st_ino for path in (work / "shim" / "bin").iterdir()}


def test_again_follows_the_toolkit(work):
    cuda = make_cuda(work / "cuda", "old-tool")
    make(work / "shim", cuda)
    (cuda / "bin" / "old-tool").unlink()
    program(cuda / "bin" / "new-tool", "")
    (cuda / "targets").mkdir()
    make(work / "shim", cuda)
    expect_mirror(work / "shim", cuda)


def test_again_with_another_toolkit(work):
    make(work / "shim", make_cuda(work / "cuda-1", "only-in-1"))
    make(work / "shim", make_cuda(work / "cuda-2", "only-in-2"))
    expect_mirror(work / "shim", work / "cuda-2")


def test_toolkit_without_nvlink(work):
    cuda = make_cuda(work / "cuda")
    (cuda / "bin" / "nvlink").unlink()
    make(work / "shim", cuda)
    assert os.readlink(work / "shim" / "bin" / "nvlink") == str(CULD)


def test_toolkit_without_nvcc(work):
    """clang needs none."""
    cuda = make_cuda(work / "cuda")
    (cuda / "bin" / "nvcc").unlink()
    make(work / "shim", cuda)
    expect_mirror(work / "shim", cuda)


def test_own_files_stay(work):
    cuda = make_cuda(work / "cuda", "tool")
    make(work / "shim", cuda)
    (work / "shim" / "notes").write_text("mine")
    (work / "shim" / "bin" / "mine").symlink_to("/somewhere")
    (cuda / "bin" / "tool").unlink()
    make(work / "shim", cuda)
    assert (work / "shim" / "notes").read_text() == "mine"
    assert os.readlink(work / "shim" / "bin" / "mine") == "/somewhere"
    assert not (work / "shim" / "bin" / "tool").is_symlink()


def test_what_is_in_the_way_stays(work):
    cuda = make_cuda(work / "cuda")
    make(work / "shim", cuda)
    for name, make_it in (("bin/nvlink", lambda path: path.write_text("mine")),
                          ("nvvm", lambda path: path.mkdir()),
                          ("bin/ptxas", lambda path: path.symlink_to("/somewhere"))):
        path = work / "shim" / name
        path.unlink()
        make_it(path)
        refused(culd("--make-toolkit", work / "shim", "--cuda", cuda),
                f"'{path}' is in the way: it was not made by --make-toolkit")
        assert not path.is_symlink() or os.readlink(path) == "/somewhere"
        path.rmdir() if path.is_dir() else path.unlink()


def test_other_folders_are_left(work):
    cuda = make_cuda(work / "cuda")
    (work / "full").mkdir()
    (work / "full" / "thesis").write_text("mine")
    for folder in (work / "full", cuda):
        before = sorted(folder.rglob("*"))
        refused(culd("--make-toolkit", folder, "--cuda", cuda),
                "is not empty and was not made by --make-toolkit")
        assert before == sorted(folder.rglob("*"))


def test_places_that_cannot_be(work):
    cuda = make_cuda(work / "cuda")
    (work / "file").write_text("")
    for folder in ("", work / "file", work / "file" / "below"):
        refused(culd("--make-toolkit", folder, "--cuda", cuda), "Could not")


def test_no_toolkit_there(work):
    (work / "empty").mkdir()
    for folder in (work / "empty", work / "missing"):
        refused(culd("--make-toolkit", work / "shim", "--cuda", folder),
                f"No CUDA toolkit in '{folder}'")
    assert not (work / "shim").exists()


def test_found_by_variables(work):
    one, two = make_cuda(work / "one"), make_cuda(work / "two")
    make(work / "a", None, CUDA_PATH=str(one), CUDA_HOME=str(two))
    expect_mirror(work / "a", one)
    make(work / "b", None, CUDA_PATH=str(work / "nothing"), CUDA_HOME=str(two))
    expect_mirror(work / "b", two)
    make(work / "c", one, CUDA_PATH=str(two))
    expect_mirror(work / "c", one)


def path_with(folder):
    return f"{folder}:/usr/bin:/bin"


def test_found_on_path(work):
    cuda = make_cuda(work / "cuda")
    make(work / "shim", None, PATH=path_with(cuda / "bin"))
    expect_mirror(work / "shim", cuda)


def test_found_behind_a_script(work):
    """As distributions have it: /usr/bin/nvcc starts one in a folder of its own."""
    cuda = make_cuda(work / "lib" / "cuda")
    program(work / "bin" / "nvcc", f'#!/bin/sh\nexec "{cuda}/bin/nvcc" "$@"\n')
    make(work / "shim", None, PATH=path_with(work / "bin"))
    expect_mirror(work / "shim", cuda)
    make(work / "again", work)
    expect_mirror(work / "again", cuda)


def test_found_behind_links(work):
    cuda = make_cuda(work / "cuda-13")
    (work / "cuda").symlink_to("cuda-13")
    (work / "bin").mkdir()
    (work / "bin" / "nvcc").symlink_to(cuda / "bin" / "nvcc")
    make(work / "a", work / "cuda")
    expect_mirror(work / "a", cuda)
    make(work / "b", None, PATH=path_with(work / "bin"))
    expect_mirror(work / "b", cuda)


def test_found_behind_its_own_folder(work):
    """The toolkit is meant, not the folder of links that is now first on PATH."""
    cuda = make_cuda(work / "cuda")
    make(work / "shim", cuda)
    on_path = path_with(work / "shim" / "bin")
    make(work / "shim", None, PATH=on_path)
    expect_mirror(work / "shim", cuda)
    make(work / "second", None, PATH=on_path)
    expect_mirror(work / "second", cuda)


def test_leftovers_on_path_are_passed_over(work):
    cuda = make_cuda(work / "cuda")
    program(work / "broken" / "nvcc", "#!/no/such/shell\n")
    program(work / "silent" / "nvcc", "#!/bin/sh\n")
    make(work / "shim", None,
         PATH=f"{work}/broken:{work}/silent:{path_with(cuda / 'bin')}")
    expect_mirror(work / "shim", cuda)


def test_nvcc_that_looks_elsewhere(work):
    """A folder of links has no effect on it; better to say so than to link with nvlink."""
    cuda = make_cuda(work / "cuda")
    program(cuda / "bin" / "nvcc", NVCC.replace('$(dirname "$0")', f"{cuda}/bin"))
    refused(culd("--make-toolkit", work / "shim", "--cuda", cuda),
            f"'{work}/shim/bin/nvcc' takes its tools from '{cuda}/bin'")


def test_runs_under_the_name_nvlink(work):
    cuda = make_cuda(work / "cuda")
    make(work / "shim", cuda)
    done = run(work / "shim" / "bin" / "nvlink", "--make-toolkit", work / "second", "--cuda", cuda)
    assert done.returncode == 0, done.stdout
    expect_mirror(work / "second", cuda)


def test_options(work):
    refused(culd("--make-toolkit"), "argument expected after '--make-toolkit'")
    refused(culd("--make-toolkit", work / "shim", "a.cubin"),
            "Input files are not allowed with --make-toolkit")
    done = culd("--make-toolkit", work / "shim", "--help")
    assert done.returncode == 0 and "--make-toolkit" in done.stdout, done.stdout
    assert not (work / "shim").exists()


def run_all(results):
    tests = [function for name, function in globals().items()
             if name.startswith("test_") and inspect.isfunction(function)]
    for test in tests:
        with tempfile.TemporaryDirectory(prefix="culd-folders-") as work:
            results.run(test.__name__, test, pathlib.Path(work).resolve())
