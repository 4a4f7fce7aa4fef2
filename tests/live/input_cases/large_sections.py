"""Code and data that do not fit into a part of the output, beside others: what is written as it is, and what is not."""
from input_bench import Case
from input_templates import HEADING

STORES = 9000                   # a capsule of more than 256 KB
FUNCTION = ".visible .func large(.param .u64 p)\n{\n    .reg .u64 %%at;\n    .reg .u32 %%value;\n" \
           "    ld.param.u64 %%at, [p];\n    mov.u32 %%value, 1;\n%s    ret;\n}\n"
DATA = ".visible .global .align 4 .b8 large_data[400000] = {1};\n"


def cases(templates):
    stores = "".join("    st.volatile.global.u32 [%%at+%d], %%value;\n" % (4 * i) for i in range(STORES))
    found = []
    for arch in ("sm_90", "sm_100", "sm_120"):
        files = {
            "a.cubin": templates.cubin("a", arch), "b.cubin": templates.cubin("b", arch),
            "large.cubin": templates.compile(HEADING % arch + DATA + FUNCTION % stores, arch),
        }
        for name, words in (("behind-others", ["a.cubin", "b.cubin", "large.cubin"]),
                            ("before-others", ["large.cubin", "a.cubin", "b.cubin"])):
            for options in ([], ["-r"]):
                found.append(Case("%s-%s%s" % (name, arch, "".join(options)), files, options + words, arch))
    return found
