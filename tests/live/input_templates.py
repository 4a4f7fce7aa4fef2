"""Device code for the input cases. Few texts are compiled; cubins that differ in a name only are made from those."""
import subprocess
import tempfile
from pathlib import Path

from containers import fatbin, host_object

HEADING = ".version 9.0\n.target %s\n.address_size 64\n"
KERNEL = ".visible .entry kernel_Z()\n{\n    ret;\n}\n"
CALLER = ".extern .func missing_Z();\n.visible .entry caller_Z()\n{\n    call missing_Z;\n    ret;\n}\n"
FUNCTION = ".visible .func missing_Z()\n{\n    ret;\n}\n"
READER = """.extern .global .u32 variable_Z;
.visible .entry reader_Z()
{
    .reg .u64 %at;
    .reg .u32 %value;
    mov.u64 %at, variable_Z;
    ld.global.u32 %value, [%at];
    st.global.u32 [%at], %value;
    ret;
}
"""
ET_EXEC = 2


class Templates:
    def __init__(self, ptxas):
        self.ptxas, self.known = ptxas, {}

    def compile(self, text, arch="sm_90", flags=()):
        key = (text, arch, tuple(flags))
        if key not in self.known:
            with tempfile.TemporaryDirectory(prefix="culd-inputs-") as folder:
                Path(folder, "a.ptx").write_text(text)
                subprocess.run([self.ptxas, "-c", "-arch=" + arch, *flags, "a.ptx", "-o", "a.cubin"], cwd=folder,
                               check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.known[key] = Path(folder, "a.cubin").read_bytes()
        return self.known[key]

    @staticmethod
    def text(letter="a", arch="sm_75", body=KERNEL):
        return (HEADING % arch + body).replace("_Z", "_" + letter)

    def cubin(self, letter="a", arch="sm_90", body=KERNEL):
        """Names end in a letter, here as in the template."""
        return self.compile(HEADING % arch + body, arch).replace(b"_Z\0", b"_%s\0" % letter.encode())

    def executable(self, letter="a", arch="sm_90"):
        cubin = bytearray(self.cubin(letter, arch))
        cubin[16:18] = ET_EXEC.to_bytes(2, "little")
        return bytes(cubin)

    def fatbin(self, letter="a", arch="sm_90", compression="", body=KERNEL):
        return fatbin.pack([fatbin.elf(arch, self.cubin(letter, arch, body), compression)])

    def ptx_fatbin(self, letter="a", arch="sm_90", **more):
        return fatbin.pack([fatbin.ptx(arch, self.text(letter), **more)])

    def object(self, letter="a", arch="sm_90", module_id=None, body=KERNEL, **references):
        return host_object.make(self.fatbin(letter, arch, body=body), module_id, **references)
