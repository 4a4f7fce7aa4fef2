"""Writes the input files of one link, the same bytes each time."""
import pathlib
import random
import subprocess

import clone
import containers
from sources import NEXT, SELF, TEMPLATES, header


class Inputs:
    """The files of one folder. Each method returns the names for the linker."""

    def __init__(self, folder, templates, compressor):
        self.folder = pathlib.Path(folder)
        self.templates, self.compressor = templates, compressor

    def write(self, name, contents):
        (self.folder / name).write_bytes(contents)
        return name

    def cubins(self, objects):
        """Clones: (template, own number, number of the next object) of each."""
        return [self.write(f"{i:05}.cubin",
                           self.templates[template].clone(own, following))
                for i, (template, own, following) in enumerate(objects)]

    def data(self, count, size):
        """Objects with `size` bytes of initialised data each."""
        names = []
        for i in range(count):
            image = self.templates["data"].clone(i, 0)
            contents = random.Random(i).randbytes(size)
            names.append(self.write(f"{i:05}.cubin",
                                    clone.enlarge(image, contents)))
        return names

    def archive(self, objects, is_live):
        """An archive of host objects; the host code of those that live uses
        their kernel, and nothing else is used."""
        members = self.pack(self.cubins(objects), containers.KIND_CUBIN,
                            [[f"k_{own:05}"] if is_live(own) else []
                             for _, own, _ in objects])
        return [self.write("library.a", containers.archive(members))]

    def ptx_objects(self, template, count):
        """Host objects with PTX alone."""
        text, _ = TEMPLATES[template]
        names = []
        for i in range(count):
            own = text.replace(SELF, f"{i:0{len(SELF)}}")
            own = own.replace(NEXT, f"{(i + 1) % count:0{len(NEXT)}}")
            whole = header(self.templates.arch) + own + "\0"
            names.append(self.write(f"{i:05}.ptx", whole.encode()))
        packed = self.pack(names, containers.KIND_PTX, [[]] * count)
        return [self.write(name, contents) for name, contents in packed]

    def pack(self, names, kind, kernels):
        """The files as (name, contents) of compressed host objects."""
        sm = int("".join(filter(str.isdigit, self.templates.arch)))
        subprocess.run([str(self.compressor), *names], cwd=self.folder,
                       check=True)
        packed = []
        for name, used in zip(names, kernels):
            plain = self.folder / name
            compressed = plain.with_name(name + ".zst")
            container = containers.fatbin(kind, sm, compressed.read_bytes(),
                                          plain.stat().st_size)
            packed.append((plain.stem + ".o", containers.host_object(
                container, f"_{plain.stem}", used)))
            compressed.unlink()
            plain.unlink()
        return packed
