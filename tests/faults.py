#!/usr/bin/env python3
"""What goes wrong around a link: no space, no memory, no permission, closed
streams, signals, inputs that change, others at work in the same folder.

    faults.py [--filter TEXT]

Whatever happens, culd ends by itself with one of its exit statuses, says why
where it can, and leaves either the complete new output or the old one.
"""
import argparse
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CULD = os.path.abspath(os.environ.get("CULD", str(ROOT / "build" / "culd")))
TARGET = "sm_90"
INPUTS = [str(ROOT / "tests" / "fixtures" / TARGET / (stem + ".cubin"))
          for stem in ("kernels", "library", "reduce")]
TIMEOUT = 60


class Failed(Exception):
    pass


class Skipped(Exception):
    pass


def expect(condition, why):
    if not condition:
        raise Failed(why)


def command(output, inputs=INPUTS, *options):
    return [CULD, "-arch=" + TARGET, *inputs, "-o", str(output), *options]


def run(arguments, **keywords):
    keywords.setdefault("stdin", subprocess.DEVNULL)
    keywords.setdefault("stdout", subprocess.PIPE)
    keywords.setdefault("stderr", subprocess.PIPE)
    return subprocess.run(arguments, timeout=TIMEOUT, **keywords)


def said(done):
    return done.stderr.decode(errors="replace")


def expect_failure(done, text):
    expect(done.returncode == 1, f"status {done.returncode}: {said(done)}")
    expect(text in said(done), f"said {said(done)!r}")


def good_output(folder):
    """What the inputs link to."""
    output = folder / "good.cubin"
    done = run(command(output))
    expect(done.returncode == 0, said(done))
    data = output.read_bytes()
    output.unlink()
    return data


def expect_only(folder, *names):
    found = sorted(path.name for path in folder.iterdir())
    expect(found == sorted(names), f"left in the folder: {found}")


# ---- Streams ----

def closing(*streams):
    def close():
        for stream in streams:
            os.close(stream)
    return close


def test_closed_streams(folder):
    """No message and no output ends in another's file."""
    expected = good_output(folder)
    for streams in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)):
        output = folder / "out.cubin"
        done = run(command(output, INPUTS, "-v"), preexec_fn=closing(*streams))
        expect(done.returncode == 0, f"streams {streams}: status {done.returncode}")
        data = output.read_bytes()
        expect(data[:4] == b"\x7fELF" and len(data) >= len(expected),
               f"streams {streams}: the output is damaged")
        done = run(command(output, INPUTS[:1]), preexec_fn=closing(*streams))
        expect(done.returncode == 255, f"streams {streams}: status {done.returncode}")


def test_reader_goes_away(folder):
    """A closed pipe at the end of stderr does not cost the output."""
    output = folder / "out.cubin"
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = run(command(output, INPUTS, "-v"), stderr=write_end)
    os.close(write_end)
    expect(done.returncode == 0, f"status {done.returncode}")
    expect(output.exists(), "no output")


# ---- Outputs that cannot be written ----

def test_full_disk(folder):
    expect_failure(run(command("/dev/full")), "Could not open output file '/dev/full'")


def test_file_size_limit(folder):
    """As on a disk that fills up while writing: the old output stays."""
    output = folder / "out.cubin"
    output.write_bytes(b"old")
    done = run(command(output), preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_FSIZE, (2000, 2000)))
    expect_failure(done, "Could not open output file")
    expect(output.read_bytes() == b"old", "the old output is gone")
    expect_only(folder, "out.cubin")


def test_missing_folder(folder):
    expect_failure(run(command(folder / "none" / "out.cubin")), "Could not open output file")
    expect_only(folder)


def test_output_is_a_folder(folder):
    (folder / "out.cubin").mkdir()
    expect_failure(run(command(folder / "out.cubin")), "Could not open output file")
    expect_only(folder, "out.cubin")


def test_output_is_an_input(folder):
    expected = good_output(folder)
    copies = []
    for path in INPUTS:
        copies.append(str(folder / os.path.basename(path)))
        shutil.copy(path, copies[-1])
    done = run(command(copies[1], copies))
    expect(done.returncode == 0, said(done))
    expect(pathlib.Path(copies[1]).read_bytes() == expected, "a different output")


def test_failed_link_keeps_the_old_output(folder):
    output = folder / "out.cubin"
    output.write_bytes(b"old")
    expect(run(command(output, INPUTS[:1])).returncode == 255, "a missing object was not missed")
    expect(output.read_bytes() == b"old", "the old output is gone")
    expect_only(folder, "out.cubin")


# ---- Interruptions ----

def test_killed(folder):
    """At any moment: the old output or the new one. What cannot be caught may
    leave a complete file on its way to its name, never half of one."""
    expected = good_output(folder)
    output = folder / "out.cubin"
    source = random.Random(1)
    for number in range(60):
        output.write_bytes(b"old")
        process = subprocess.Popen(command(output), stderr=subprocess.DEVNULL)
        time.sleep(source.random() * 0.006)
        chosen = source.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
        process.send_signal(chosen)
        process.wait(TIMEOUT)
        expect(output.read_bytes() in (b"old", expected), f"{number}: a partial output")
        for path in folder.glob("out.cubin.*"):
            expect(chosen == signal.SIGKILL, f"{number}: a stray file")
            expect(path.read_bytes() == expected, f"{number}: a partial file")
            path.unlink()
        expect_only(folder, "out.cubin")


def test_input_is_cut_short(folder):
    """A mapped file that shrinks while it is read is no reason to die."""
    big = folder / "big.cubin"
    cubin = pathlib.Path(INPUTS[1]).read_bytes()
    source = random.Random(2)
    for number in range(40):
        # Bytes behind the cubin cost nothing but pages to be mapped.
        big.write_bytes(cubin + bytes(8 << 20))
        process = subprocess.Popen(
            command(folder / "out.cubin", [INPUTS[0], str(big), INPUTS[2]]),
            stderr=subprocess.DEVNULL)
        time.sleep(source.random() * 0.004)
        os.truncate(big, source.choice((0, 100, 4096)))
        expect(process.wait(TIMEOUT) in (0, 1, 255), f"{number}: status {process.returncode}")


# ---- Resources ----

def test_little_memory(folder):
    """From none to enough: a message, or a link."""
    expected, linked = good_output(folder), False
    if b"__gcov_" in pathlib.Path(CULD).read_bytes():
        raise Skipped("this build counts lines at its end, which takes memory")
    probe = run(command(folder / "out.cubin"), preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_AS, (1 << 30, 1 << 30)))
    if probe.returncode != 0:
        raise Skipped("the address space of this build cannot be limited")
    (folder / "out.cubin").unlink()
    for kilobytes in range(3000, 12000, 150):
        limit = kilobytes * 1024
        done = run(command(folder / "out.cubin"), preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_AS, (limit, limit)))
        if done.returncode == 127 or b"error while loading" in done.stderr:
            continue
        if done.returncode == -signal.SIGSEGV and not done.stderr and not linked:
            continue    # the program itself could not be loaded
        expect(done.returncode in (0, 1), f"{kilobytes} KB: status {done.returncode}: {said(done)}")
        expect(done.returncode == 0 or "ut of memory" in said(done) or "Could not" in said(done),
               f"{kilobytes} KB: said {said(done)!r}")
        if done.returncode == 0:
            linked = True
            expect((folder / "out.cubin").read_bytes() == expected, f"{kilobytes} KB: other bytes")
    expect(linked, "never enough memory")


def test_few_descriptors(folder):
    """Thousands of inputs, twelve descriptors."""
    data = pathlib.Path(INPUTS[1]).read_bytes()
    paths = []
    for number in range(3000):
        paths.append(str(folder / f"{number}.cubin"))
    for path in paths:
        pathlib.Path(path).write_bytes(executable(data))
    done = run(command(folder / "out.cubin", INPUTS + paths), preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_NOFILE, (12, 12)))
    expect(done.returncode == 0, said(done)[:500])


def executable(cubin):
    """The same file as an executable, which a link reads and passes over."""
    return cubin[:16] + struct.pack("<H", 2) + cubin[18:]


# ---- Company ----

def test_many_at_once(folder):
    """Many links write the same output: it is always one of them, and whole."""
    expected = good_output(folder)
    output = folder / "out.cubin"
    output.write_bytes(expected)
    problems, stop = [], threading.Event()

    def work():
        for _ in range(25):
            if run(command(output)).returncode != 0:
                problems.append("a link failed")

    def watch():
        while not stop.is_set():
            if output.read_bytes() != expected:
                problems.append("a partial output was seen")

    watcher = threading.Thread(target=watch)
    workers = [threading.Thread(target=work) for _ in range(8)]
    for thread in [watcher, *workers]:
        thread.start()
    for thread in workers:
        thread.join()
    stop.set()
    watcher.join()
    expect(not problems, ", ".join(sorted(set(problems))))
    expect_only(folder, "out.cubin")


def test_many_outputs_in_one_folder(folder):
    """Many processes, each with its own output, one of them that fails, and nothing else stays behind."""
    expected = good_output(folder)
    processes = {}
    for number in range(40):
        name = f"out{number}.cubin"
        inputs = INPUTS if number % 4 else INPUTS[:1]
        processes[name] = subprocess.Popen(command(folder / name, inputs), stderr=subprocess.DEVNULL)
    statuses = {name: process.wait(TIMEOUT) for name, process in processes.items()}
    good = [name for name, status in statuses.items() if status == 0]
    expect(len(good) == 30 and set(statuses.values()) == {0, 255}, f"statuses {sorted(statuses.values())}")
    expect_only(folder, *good)
    expect(all((folder / name).read_bytes() == expected for name in good), "another's bytes")


def test_inputs_that_cannot_be_read(folder):
    """A folder, a link that leads to itself, none at all."""
    (folder / "folder.cubin").mkdir()
    (folder / "loop.cubin").symlink_to("loop.cubin")
    for name in ("folder.cubin", "loop.cubin", "none.cubin"):
        done = run(command(folder / "out.cubin", [*INPUTS, str(folder / name)]))
        expect(done.returncode == 1 and name in said(done), f"{name}: {done.returncode} {said(done)}")
    expect(not (folder / "out.cubin").exists(), "an output")


def test_input_grows_and_changes(folder):
    """A file that is written while it is read: a message or a link, never a signal."""
    changing = folder / "changing.cubin"
    cubin = pathlib.Path(INPUTS[1]).read_bytes()
    source = random.Random(3)
    for number in range(30):
        changing.write_bytes(cubin + bytes(4 << 20))
        process = subprocess.Popen(command(folder / "out.cubin", [INPUTS[0], str(changing), INPUTS[2]]),
                                   stderr=subprocess.DEVNULL)
        time.sleep(source.random() * 0.003)
        with open(changing, "r+b") as file:
            file.write(source.randbytes(len(cubin)) if hasattr(source, "randbytes") else b"\xff" * len(cubin))
        expect(process.wait(TIMEOUT) in (0, 1, 255), f"{number}: status {process.returncode}")


def with_short_reads(output, most, fails_at):
    """A link whose reads give less than was asked for, or fail from some place on."""
    program = pathlib.Path(CULD).parent / "tests" / "culd_short_reads"
    if not program.exists():
        raise Skipped("built without tests")
    environment = {**os.environ, "SHORT_READS_MOST": str(most), "SHORT_READS_FAIL_AT": str(fails_at)}
    return run([str(program), *command(output)[1:]], env=environment)


def test_short_reads(folder):
    """A read may give less than was asked for, as often as it likes."""
    wanted = good_output(folder)
    for most in (1, 7, 512):
        done = with_short_reads(folder / "out.cubin", most, 0)
        expect(done.returncode == 0, f"{most}: {said(done)}")
        expect((folder / "out.cubin").read_bytes() == wanted, f"{most}: another output")


def test_read_error_inside_a_file(folder):
    """The disk fails in the middle of an input: a message that names it, and the old output."""
    output = folder / "out.cubin"
    output.write_bytes(b"an earlier output")
    for fails_at in (1, 1000, 3000):
        done = with_short_reads(output, 500, fails_at)
        expect(done.returncode == 1 and "reduce.cubin" in said(done), f"{fails_at}: {done.returncode} {said(done)}")
        expect(output.read_bytes() == b"an earlier output", "the earlier output is gone")


def test_pipes_are_refused_at_once(folder):
    pipe = folder / "pipe.cubin"
    os.mkfifo(pipe)
    expect_failure(run(command(folder / "out.cubin", [str(pipe)])), "Could not open input file")


PTX = b".version 8.0\n.target sm_90\n.address_size 64\n// long enough for a file of code\n"

# What stands in the place of ptxas, and what is said then.
COMPILERS = {
    "is missing": (None, "is PTX, and there is no ptxas at"),
    "is no program": (b"no program\n", "ptxas"),
    "refuses": (b"#!/bin/sh\necho 'ptxas fatal : no such thing'\nexit 3\n", "no such thing"),
    "dies": (b"#!/bin/sh\nkill -9 $$\n", "ptxas was ended by signal 9"),
    "says nothing": (b"#!/bin/sh\nexit 3\n", "ptxas ended with status 3 and said nothing"),
    "writes nothing": (b"#!/bin/sh\nexit 0\n", "ptxas wrote no code and said nothing"),
    "writes something else": (b"#!/bin/sh\necho hello > /proc/self/fd/4\n", "a.ptx"),
}


def test_compilers_that_fail(folder):
    """PTX for which there is no ptxas, or one that does not do its work."""
    text, compiler = folder / "a.ptx", folder / "ptxas"
    text.write_bytes(PTX)
    for what, (contents, message) in COMPILERS.items():
        if contents is not None:
            compiler.write_bytes(contents)
            compiler.chmod(0o755)
        done = run(command(folder / "out.cubin", [str(text)], f"--ptxas-path={compiler}"))
        expect(done.returncode == 1 and message in said(done),
               f"a compiler that {what}: {done.returncode} {said(done)}")
        expect(not (folder / "out.cubin").exists(), f"an output, of a compiler that {what}")


def test_dependencies_on_odd_names(folder):
    """make reads blanks, '#' and '$' in names only if they are marked."""
    odd = folder / "a b#$c.cubin"
    shutil.copy(INPUTS[0], odd)
    done = run(command(folder / "out.cubin", [str(odd), *INPUTS[1:]],
                       f"--dependency-file={folder / 'deps'}"))
    expect(done.returncode == 0, said(done))
    rule = (folder / "deps").read_text()
    expect("/a\\ b\\#$$c.cubin" in rule, rule)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name, test in sorted(globals().items()):
        if not name.startswith("test_") or options.filter not in name:
            continue
        with tempfile.TemporaryDirectory(prefix="culd-faults-") as folder:
            try:
                test(pathlib.Path(folder))
                counts["passed"] += 1
            except Skipped as reason:
                print(f"skipped {name}: {reason}")
                counts["skipped"] += 1
            except (Failed, subprocess.TimeoutExpired) as reason:
                print(f"failed {name}: {reason}")
                counts["failed"] += 1
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
