"""The sources from which the inputs of the benchmarks are made.

A template is one small relocatable object. Names that must differ from object
to object hold SELF, the number of the object itself, or NEXT, that of another
one; clone.py puts digits of the same length there. All other names are the
same in every object.
"""
SELF, NEXT = "SELFX", "NEXTX"
LONG_NAME = 120

HEADER = ".version {version}\n.target {arch}\n.address_size 64\n"
LINE_HEADER = '.file 1 "bench.cu"\n'


def header(arch):
    is_new = len(arch.rstrip("af")) > len("sm_90")
    return HEADER.format(version="9.0" if is_new else "8.0", arch=arch)


def declare(name):
    return f".extern .func (.param .b32 r) {name}(.param .b32 a);\n"


def call(name):
    return (f"{{ .param .b32 i; .param .b32 o; st.param.b32 [i], %r1;\n"
            f"call (o), {name}, (i); ld.param.b32 %r1, [o]; }}\n")


def call_indirect():
    return ("{ .param .b32 i; .param .b32 o; st.param.b32 [i], %r1;\n"
            "p: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
            "call (o), %rd1, (i), p; ld.param.b32 %r1, [o]; }\n")


def use_shared(name):
    return f"atom.shared.add.u32 %r1, [{name}], %r1;\n"


def numbered_lines(body, line):
    """The body with a source line for each line of it."""
    return "".join(f".loc 1 {line + i} 1\n{part}\n"
                   for i, part in enumerate(body.splitlines()))


def function(name, body="", linkage=".visible", step=1, line=0):
    """int name(int a): some arithmetic, then the body on %r1, returned."""
    work = f"mad.lo.s32 %r1, %r1, {step}, 7;\n" + body
    if line:
        work = numbered_lines(work, line)
    return (f"{linkage} .func (.param .b32 r) {name}(.param .b32 a)\n{{\n"
            f".reg .b32 %r<4>; .reg .b64 %rd<4>;\nld.param.b32 %r1, [a];\n"
            f"{work}st.param.b32 [r], %r1;\nret;\n}}\n")


def kernel(name, body, line=0):
    if line:
        body = numbered_lines(body, line)
    return (f".visible .entry {name}(.param .u64 p)\n{{\n"
            f".reg .b32 %r<4>; .reg .b64 %rd<4>;\nld.param.u64 %rd3, [p];\n"
            f"mov.u32 %r1, %tid.x;\n{body}st.global.u32 [%rd3], %r1;\nret;\n}}\n")


def many_functions(lines=False):
    """Nine functions and a kernel that calls them, and one of another object."""
    names = [f"f{i}_{SELF}" for i in range(9)]
    parts = [LINE_HEADER if lines else "", declare(f"f0_{NEXT}")]
    parts += [function(name, step=i + 2, line=10 * i + 1 if lines else 0)
              for i, name in enumerate(names)]
    parts.append(kernel(f"k_{SELF}", "".join(map(call, names))
                        + call(f"f0_{NEXT}"), 200 if lines else 0))
    return "".join(parts)


def weak_functions(lines=False):
    """The same forty weak functions everywhere, and a kernel."""
    names = [f"weak{i:02}" for i in range(40)]
    parts = [LINE_HEADER if lines else ""]
    parts += [function(name, linkage=".weak", step=i + 2,
                       line=10 * i + 1 if lines else 0)
              for i, name in enumerate(names)]
    parts.append(kernel(f"k_{SELF}", "".join(map(call, names)),
                        500 if lines else 0))
    return "".join(parts)


def long_name(stem):
    """As long as mangled names of templates are."""
    return stem + "_" * (LONG_NAME - len(stem))


def long_names():
    """Forty functions and the same forty weak ones everywhere, with long
    names, and a kernel that calls them all."""
    names = [long_name(f"function{i:02}_{SELF}_") for i in range(40)]
    weak = [long_name(f"weak{i:02}_") for i in range(40)]
    parts = [function(name, step=i + 2) for i, name in enumerate(names)]
    parts += [function(name, linkage=".weak", step=i + 2)
              for i, name in enumerate(weak)]
    return "".join(parts) + kernel(f"k_{SELF}", "".join(map(call, names + weak)))


def dead_local_functions():
    """Eighty local functions of the same names everywhere, called only by a
    function that nothing calls, and a kernel."""
    names = [f"static{i:02}" for i in range(80)]
    return "".join([function(name, linkage="", step=i + 2)
                    for i, name in enumerate(names)]
                   + [function(f"unused_{SELF}", "".join(map(call, names))),
                      kernel(f"k_{SELF}", "")])


def library():
    """Twenty functions, ten weak ones that are the same everywhere, and a
    kernel that calls them all."""
    names = [f"function{i:02}_{SELF}" for i in range(20)]
    weak = [f"weak{i:02}" for i in range(10)]
    parts = [function(name, step=i + 2) for i, name in enumerate(names)]
    parts += [function(name, linkage=".weak", step=i + 2)
              for i, name in enumerate(weak)]
    return "".join(parts) + kernel(f"k_{SELF}", "".join(map(call, names + weak)))


def local_functions():
    """Eighty local functions of the same names everywhere, and a kernel."""
    names = [f"static{i:02}" for i in range(80)]
    return "".join([function(name, linkage="", step=i + 2)
                    for i, name in enumerate(names)]
                   + [kernel(f"k_{SELF}", "".join(map(call, names)))])


def function_pointers():
    """Ten functions in a table; a kernel and a function call through it."""
    names = [f"f{i}_{SELF}" for i in range(10)]
    table = f"table_{SELF}"
    load = (f"mov.u64 %rd2, {table}; ld.global.u64 %rd1, [%rd2+8];\n"
            + call_indirect())
    parts = [function(name, step=i + 2) for i, name in enumerate(names)]
    parts.append(f".visible .global .align 8 .u64 {table}[10] = "
                 f"{{{', '.join(names)}}};\n")
    parts.append(function(f"through_{SELF}", load))
    parts.append(kernel(f"k_{SELF}", load + call(f"through_{SELF}")))
    return "".join(parts)


def data_variables():
    """Twenty variables with addresses of others in them, and a kernel."""
    parts = []
    for i in range(10):
        parts.append(f".visible .global .u32 v{i}_{SELF};\n")
        parts.append(f".visible .global .u64 p{i}_{SELF} = v{i}_{SELF};\n")
    parts.append(f".extern .global .u32 v0_{NEXT};\n")
    body = "".join(f"mov.u64 %rd1, p{i}_{SELF}; ld.global.u64 %rd2, [%rd1];\n"
                   f"ld.global.u32 %r1, [%rd2];\n" for i in range(10))
    body += f"ld.global.u32 %r1, [v0_{NEXT}];\n"
    return "".join(parts) + kernel(f"k_{SELF}", body)


def shared_of_one_kernel():
    """Five functions with a shared variable each, called by one kernel."""
    names = [f"f{i}_{SELF}" for i in range(5)]
    parts = []
    for i, name in enumerate(names):
        parts.append(f".shared .align 4 .b32 s{i}_{SELF}[{i + 1}];\n")
        parts.append(function(name, use_shared(f"s{i}_{SELF}")))
    return "".join(parts) + kernel(f"k_{SELF}", "".join(map(call, names)))


def shared_library():
    """Ten functions with a shared variable each, for other objects to call."""
    return "".join(f".shared .align 4 .b32 s{i}[{i + 1}];\n"
                   + function(f"common{i}", use_shared(f"s{i}"))
                   for i in range(10))


def shared_library_user():
    """A kernel that calls the ten functions of shared_library."""
    names = [f"common{i}" for i in range(10)]
    return ("".join(map(declare, names))
            + kernel(f"k_{SELF}", "".join(map(call, names))))


def shared_path():
    """A function with a shared variable that calls the next object's; a kernel
    that calls the first: every kernel needs every variable."""
    return (declare(f"f_{NEXT}") + declare("first")
            + f".shared .align 4 .b32 s_{SELF};\n"
            + function(f"f_{SELF}", use_shared(f"s_{SELF}") + call(f"f_{NEXT}"))
            + kernel(f"k_{SELF}", call("first")))


def shared_pointers():
    """A function with a shared variable, called through its address: by its
    prototype every kernel may call every such function."""
    return (f".shared .align 4 .b32 s_{SELF};\n"
            + function(f"f_{SELF}", use_shared(f"s_{SELF}"))
            + kernel(f"k_{SELF}", f"mov.u64 %rd1, f_{SELF};\n"
                     + call_indirect()))


def open_array_library():
    """A function that uses the shared array whose size the launch decides."""
    return (".extern .shared .align 4 .b8 open[];\n"
            + function("common", use_shared("open")))


def open_array_user():
    """A kernel and a function that use it too, beside a variable."""
    return (".extern .shared .align 4 .b8 open[];\n" + declare("common")
            + f".shared .align 4 .b32 s_{SELF};\n"
            + function(f"f_{SELF}", use_shared("open") + use_shared(f"s_{SELF}"))
            + kernel(f"k_{SELF}", use_shared("open") + call(f"f_{SELF}")
                     + call("common")))


def path(with_kernel):
    """A function that calls the next object's."""
    text = declare(f"f_{NEXT}") + function(f"f_{SELF}", call(f"f_{NEXT}"))
    return text + (kernel(f"k_{SELF}", call(f"f_{SELF}")) if with_kernel else "")


def long_path():
    """Ten functions on the path, and a kernel that enters it here."""
    names = [f"f_{SELF}"] + [f"f{i}_{SELF}" for i in range(1, 10)]
    following = names[1:] + [f"f_{NEXT}"]
    parts = [declare(f"f_{NEXT}")]
    parts += [function(name, call(next_name))
              for name, next_name in reversed(list(zip(names, following)))]
    return "".join(parts) + kernel(f"k_{SELF}", call(names[0]))


def path_end():
    """The function at the end of a path, which calls nothing."""
    return function(f"f_{SELF}")


def path_start():
    """The one name by which kernels enter a path, and a kernel."""
    return (declare(f"f_{NEXT}") + function("first", call(f"f_{NEXT}"))
            + kernel("k_start", call("first")))


def kernel_addresses():
    """A kernel that takes the address of another, as launches do."""
    return (f".visible .entry q_{SELF}(.param .u64 p)\n{{ ret; }}\n"
            + kernel(f"k_{SELF}", f"mov.u64 %rd1, q_{SELF};\n"
                     "st.global.u64 [%rd3], %rd1;\n"))


def undefined_calls():
    """A kernel and two functions that call what no object defines."""
    return (declare(f"u_{SELF}") + declare(f"v_{SELF}")
            + function(f"f_{SELF}", call(f"u_{SELF}"))
            + function(f"g_{SELF}", call(f"v_{SELF}"))
            + kernel(f"k_{SELF}", call(f"f_{SELF}") + call(f"g_{SELF}")))


def data():
    """A variable with contents, which clone.enlarge() makes longer, and a
    kernel that reads it."""
    return (f".visible .global .align 8 .b8 data_{SELF}[8] = {{1,2,3,4,5,6,7,8}};\n"
            + kernel(f"k_{SELF}", f"ld.global.u32 %r1, [data_{SELF}];\n"))


def debugged():
    """CUDA C++: nine functions and a kernel that calls them."""
    names = [f"f{i}_{SELF}" for i in range(9)]
    body = """{{
    particle p = {{a * {step}.0f, 1.0f, 2.0f, a}};
    int sum = 0;
    for (int i = 0; i < a; i++)
        sum += i * p.id + (int)p.x;
    return sum;
}}
"""
    parts = [f'extern "C" __device__ int f0_{NEXT}(int);\n'
             "struct particle { float x, y, z; int id; };\n"]
    parts += [f'extern "C" __device__ int {name}(int a)\n'
              + body.format(step=i + 2) for i, name in enumerate(names)]
    calls = "".join(f"    r = {name}(r);\n" for name in names + [f"f0_{NEXT}"])
    parts.append(f'extern "C" __global__ void k_{SELF}(int *p)\n{{\n'
                 f"    int r = threadIdx.x;\n{calls}    *p = r;\n}}\n")
    return "".join(parts)


def diamond(functions):
    """Each function calls the two behind it: with each there are 1.6 times as
    many paths."""
    names = [f"f{i:03}" for i in range(functions)]
    parts = [function(name, "".join(map(call, names[i + 1:i + 3])), step=i + 2)
             for i, name in reversed(list(enumerate(names)))]
    return "".join(parts) + kernel("k", call(names[0]))


# name: (CUDA C++, options of nvcc)
CUDA_TEMPLATES = {
    "debug": (debugged(), ["-G"]),
}

# name: (PTX, options of ptxas)
TEMPLATES = {
    "functions": (many_functions(), []),
    "functions-lines": (many_functions(lines=True), ["-lineinfo"]),
    "weak": (weak_functions(), []),
    "weak-lines": (weak_functions(lines=True), ["-lineinfo"]),
    "long-names": (long_names(), []),
    "library": (library(), []),
    "local": (local_functions(), []),
    "dead-local": (dead_local_functions(), []),
    "pointers": (function_pointers(), []),
    "variables": (data_variables(), []),
    "shared-one": (shared_of_one_kernel(), []),
    "shared-library": (shared_library(), []),
    "shared-user": (shared_library_user(), []),
    "shared-path": (shared_path(), []),
    "shared-pointers": (shared_pointers(), []),
    "open-library": (open_array_library(), []),
    "open-user": (open_array_user(), []),
    "path": (path(with_kernel=False), []),
    "path-kernels": (path(with_kernel=True), []),
    "path-start": (path_start(), []),
    "path-end": (path_end(), []),
    "long-path": (long_path(), []),
    "undefined": (undefined_calls(), []),
    **{f"diamond-{n}": (diamond(n), []) for n in (40, 100, 160, 400)},
    "data": (data(), []),
    "kernel-addresses": (kernel_addresses(), []),
}
