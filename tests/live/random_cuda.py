"""Small random CUDA C++ programs, for what PTX written by hand does not have: templates, virtual functions, lambdas,
inline functions in several files, and the debug information that nvcc writes. nvcc is slow: use few of them.
"""
import random
from dataclasses import dataclass, field
from typing import List

from link_comparison import Source
from program_model import at_least, fixed

# Each fragment is complete in itself. {n} is its number; `step_{n}` is what kernels call. `common_{kind}` exists in several
# files with different bodies on purpose: the linker has to choose one.
FRAGMENTS = {
    "template": """
template <int N> __device__ __noinline__ int scaled_{n}(int x) {{ return x * N + scaled_{n}<N - 1>(x ^ N); }}
template <> __device__ __noinline__ int scaled_{n}<0>(int x) {{ return x; }}
__device__ __noinline__ int step_{n}(int x) {{ return scaled_{n}<{n} % 5 + 1>(x); }}
""",
    "inline": """
#ifndef HAS_COMMON_{kind}
#define HAS_COMMON_{kind}
inline __device__ __noinline__ int common_{kind}(int x) {{ return x * {n} + 7; }}
#endif
__device__ __noinline__ int step_{n}(int x) {{ return common_{kind}(x) + 1; }}
""",
    "virtual": """
struct Base_{n} {{ __device__ virtual int value(int x) {{ return x; }} __device__ virtual int other() {{ return {n}; }} }};
struct Left_{n} : Base_{n} {{ int k = 3; __device__ int value(int x) override {{ return x * k; }} }};
struct Right_{n} : Base_{n} {{ double d = 1.37; __device__ int value(int x) override {{ return (int)(x * d); }} }};
__device__ __noinline__ int use_{n}(Base_{n} *b, int x) {{ return b->value(x) + b->other(); }}
__device__ __noinline__ int step_{n}(int x) {{
  Left_{n} l; Right_{n} r; return use_{n}(x & 1 ? (Base_{n} *)&l : (Base_{n} *)&r, x); }}
""",
    "lambda": """
template <class F> __device__ __noinline__ int apply_{n}(F f, int x) {{ return f(x) + f(x + 1); }}
__device__ __noinline__ int step_{n}(int x) {{ int k = x / 3; return apply_{n}([=] (int y) {{ return y * k - {n}; }}, x); }}
""",
    "pointer": """
typedef int (*function_{n})(int);
static __device__ __noinline__ int first_{n}(int x) {{ return x + {n}; }}
static __device__ __noinline__ int second_{n}(int x) {{ return x * {n}; }}
__device__ function_{n} table_{n}[2] = {{ first_{n}, second_{n} }};
__device__ __noinline__ int step_{n}(int x) {{ return table_{n}[x & 1](x); }}
""",
    "constant": """
__constant__ int scale_{n}[{n} % 7 + 2] = {{ 1, 2 }};
static __constant__ double shift_{n} = 2.5;
__device__ __noinline__ int step_{n}(int x) {{ return (int)(scale_{n}[x & 1] * shift_{n}) + x; }}
""",
    "managed": """
__managed__ int counter_{n} = {n};
static __device__ float local_{n}[3] = {{ 1, 2, 3 }};
__device__ __noinline__ int step_{n}(int x) {{ return atomicAdd(&counter_{n}, x) + (int)local_{n}[x % 3]; }}
""",
    "statics": """
__device__ __noinline__ int step_{n}(int x) {{ static int calls = {n}; static __shared__ int seen[{n} % 9 + 1];
  seen[0] = x; __syncthreads(); return atomicAdd(&calls, 1) + seen[0]; }}
""",
    "recursion": """
__device__ __noinline__ int step_{n}(int x) {{ return x < 2 ? 1 : step_{n}(x - 1) * x + step_{n}(x - 2); }}
""",
    "output": """
__device__ __noinline__ int step_{n}(int x) {{ printf("step %d\\n", x); assert(x != {n});
  int *p = (int *)malloc(16); int v = p ? *p : 0; free(p); return x + v; }}
""",
    "mathematics": """
__device__ __noinline__ int step_{n}(int x) {{ double d = sin((double)x) + pow((double)x, 1.5) / (x + 0.37);
  return (int)(d * {n}) + (int)sinf((float)x); }}
""",
    "dynamic": """
extern __shared__ int dynamic_memory[];
__device__ __noinline__ int step_{n}(int x) {{ dynamic_memory[x & 7] = x; __syncthreads(); return dynamic_memory[3]; }}
""",
    "choice": """
__device__ __noinline__ int step_{n}(int x) {{ switch (x) {{ case 0: return {n}; case 1: return x * 3; case 2: return x ^ 77;
  case 3: return __popc(x); case 4: return x << 3; case 5: return clock(); case 6: return -x; default: return 0; }} }}
""",
}


@dataclass
class Fragment:
    kind: str = fixed()
    number: int = fixed(0)


@dataclass
class Kernel:
    name: str = fixed()
    calls: List[int] = field(default_factory=list)
    parameters: int = at_least(0, 0)


@dataclass
class CudaFile:
    name: str = fixed()
    flags: List[str] = field(default_factory=list)
    fragments: List[Fragment] = field(default_factory=list)
    kernels: List[Kernel] = field(default_factory=list)


@dataclass
class CudaProgram:
    arch: str = fixed("sm_75")
    files: List[CudaFile] = field(default_factory=list)
    options: List[str] = field(default_factory=list)
    partial: int = fixed(0)


def make_program(seed, arch):
    chooser = random.Random("cuda/%s/%s" % (seed, arch))
    program, number = CudaProgram(arch=arch), 0
    for name in "abc"[:chooser.randint(1, 3)]:
        source = CudaFile(name=name)
        source.flags = chooser.choice([[], [], ["-G"], ["-lineinfo"], ["-O1"], ["-maxrregcount=40"]])
        for _ in range(chooser.randint(1, 4)):
            source.fragments.append(Fragment(kind=chooser.choice(sorted(FRAGMENTS)), number=number))
            number += 1
        program.files.append(source)
    for source in program.files:
        for i in range(chooser.randint(0, 2)):
            calls = [n for n in range(number) if chooser.random() < 0.5]
            source.kernels.append(Kernel(name="kernel_%s%d" % (source.name, i), calls=calls,
                                         parameters=chooser.choice([0, 1, 5])))
    debug = any("-G" in source.flags for source in program.files)
    if debug and chooser.random() < 0.7:
        program.options.append("-g")
    if chooser.random() < 0.2:
        program.options.append(chooser.choice(["-v", "--dump-callgraph", "--kernels-used=kernel_a", "--preserve-relocs"]))
    return program


def kernel_text(kernel, known):
    extra = "".join(", int q%d" % i for i in range(kernel.parameters))
    mixed = "".join("  x += q%d;\n" % i for i in range(kernel.parameters))
    calls = "".join("  x = step_%d(x);\n" % n for n in kernel.calls if n in known)
    return "__global__ void %s(int *p%s) {\n  int x = *p;\n%s%s  *p = x;\n}\n" % (kernel.name, extra, mixed, calls)


def sources(program):
    known = {fragment.number for source in program.files for fragment in source.fragments}
    made = []
    for source in program.files:
        text = "#include <cstdio>\n#include <cassert>\n"
        text += "".join("__device__ int step_%d(int);\n" % n for n in sorted(known))
        for fragment in source.fragments:
            text += FRAGMENTS[fragment.kind].format(n=fragment.number, kind=fragment.number % 2)
        text += "".join(kernel_text(kernel, known) for kernel in source.kernels)
        command = ["nvcc", "-dc", "-cubin", "-w", "-arch=" + program.arch] + source.flags
        made.append(Source(name=source.name + ".cu", text=text, command=command))
    return made
