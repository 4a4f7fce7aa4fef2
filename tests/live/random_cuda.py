"""Small random CUDA C++ programs, for what PTX written by hand does not have: templates, virtual functions, lambdas,
inline functions in several files, and the debug information that nvcc writes. nvcc is slow: use few of them.
"""
import os
import random
import shutil
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

# What only the profile `cuda-features` has. `shared_*` are the same code in every file that has them, as from a header, but each
# file is compiled with options of its own: the linker has to choose among definitions of different lengths.
FEATURES = {
    "shared_switch": """
#ifndef HAS_SHARED_SWITCH
#define HAS_SHARED_SWITCH
template <int N> __device__ __noinline__ int shared_switch(int x) {{ switch (x + N) {{ case 0: return x + 11; case 1: return x * 3;
  case 2: return x ^ 77; case 3: return __popc(x); case 4: return x << 3; case 5: return __clz(x); case 6: return x / 7;
  default: return N; }} }}
#endif
__device__ __noinline__ int step_{n}(int x) {{ return shared_switch<{kind}>(x) + shared_switch<2>(x); }}
""",
    "shared_virtual": """
#ifndef HAS_SHARED_VIRTUAL
#define HAS_SHARED_VIRTUAL
struct Shape {{ __device__ virtual ~Shape() {{}} __device__ virtual float area() const {{ return 0; }} }};
struct Square : Shape {{ float a = 2; __device__ float area() const override {{ return a * a; }} }};
struct Circle : Shape {{ float r = 3; __device__ float area() const override {{ return r * r * 3.1416f; }} }};
inline __device__ __noinline__ float area_of(const Shape *s) {{ return s->area(); }}
#endif
__device__ __noinline__ int step_{n}(int x) {{ Square s; Circle c; return (int)area_of(x & 1 ? (Shape *)&s : (Shape *)&c) + {n}; }}
""",
    "shared_inline": """
#ifndef HAS_SHARED_INLINE
#define HAS_SHARED_INLINE
inline __device__ int shared_counter = 3;
inline __device__ __noinline__ int shared_inline(int x) {{ float a[8]; for (int i = 0; i < 8; i++) a[i] = x * i + shared_counter;
  float s = 0; for (int i = 0; i < (x & 7); i++) s += a[(i * 5) & 7] / (i + 1); return (int)s; }}
#endif
__device__ __noinline__ int step_{n}(int x) {{ return shared_inline(x + {n}); }}
""",
    "cooperative": """
__device__ __noinline__ int step_{n}(int x) {{ auto block = cooperative_groups::this_thread_block();
  auto tile = cooperative_groups::tiled_partition<16>(block); for (int i = 8; i > 0; i /= 2) x += tile.shfl_down(x, i);
  block.sync(); return x + (int)tile.thread_rank() + {n}; }}
""",
    "assembly": """
__device__ __noinline__ int step_{n}(int x) {{ int r; unsigned lane;
  asm volatile("{{ .reg .pred p; setp.gt.s32 p, %1, {n}; @p add.s32 %0, %1, 5; @!p sub.s32 %0, %1, 5; }}" : "=r"(r) : "r"(x));
  asm("mov.u32 %0, %%laneid;" : "=r"(lane)); asm volatile("membar.gl;" ::: "memory"); return r + (int)lane; }}
""",
    "textures": """
__constant__ cudaTextureObject_t texture_{n}; __constant__ cudaSurfaceObject_t surface_{n};
__device__ __noinline__ int step_{n}(int x) {{ float4 v = tex2D<float4>(texture_{n}, x * 0.5f, {n}.0f);
  int w = surf2Dread<int>(surface_{n}, 4 * x, 1); surf2Dwrite(w + 1, surface_{n}, 4 * x, 2); return (int)v.x + w; }}
""",
    "constant_functions": """
static __device__ __noinline__ int plus_{n}(int x) {{ return x + {n}; }}
static __device__ __noinline__ int times_{n}(int x) {{ return x * {n}; }}
__device__ __noinline__ int other_{n}(int x) {{ return x ^ {n}; }}
__constant__ int (*const operations_{n}[3])(int) = {{ plus_{n}, times_{n}, other_{n} }};
__device__ __noinline__ int step_{n}(int x) {{ return operations_{n}[x % 3](x); }}
""",
    "members": """
struct Counter_{n} {{ int k; __device__ __noinline__ int up(int x) {{ return k + x; }} __device__ __noinline__ int down(int x) {{ return k - x; }} }};
__device__ __noinline__ int step_{n}(int x) {{ Counter_{n} c{{x}}; int (Counter_{n}::*m)(int) = x & 1 ? &Counter_{n}::up : &Counter_{n}::down;
  return (c.*m)({n}); }}
""",
    "launch": """
__global__ void child_{n}(int *p, int x) {{ atomicAdd(p, x + {n}); }}
__device__ int result_{n};
__device__ __noinline__ int step_{n}(int x) {{ child_{n}<<<1, 32>>>(&result_{n}, x); return x; }}
""",
    "alloca": """
__device__ __noinline__ int step_{n}(int x) {{ int *p = (int *)__builtin_alloca((x & 15) * 4 + 4); p[0] = x; p[x & 15] = {n};
  return p[0] + p[(x + 1) & 3]; }}
""",
    "half": """
__device__ __noinline__ int step_{n}(int x) {{ __half2 h = __floats2half2_rn(x, {n}); h = __hfma2(h, h, h); return (int)__low2float(h); }}
""",
}
LAUNCH = "launch"


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


def find_runtime():
    """The folder of libcudadevrt, which programs need whose kernels launch others; None: it is not there."""
    tool = shutil.which("nvcc")
    home = os.path.dirname(os.path.dirname(os.path.realpath(tool))) if tool else "/usr/local/cuda"
    for folder in ("lib64", "lib", "targets/x86_64-linux/lib"):
        if os.path.exists(os.path.join(home, folder, "libcudadevrt.a")):
            return os.path.join(home, folder)
    return None


def choose_kinds(features):
    """The kinds of fragments, those with features in half of the cases."""
    kinds = sorted(FRAGMENTS)
    if features:
        extra = sorted(FEATURES) if find_runtime() else sorted(set(FEATURES) - {LAUNCH})
        kinds += extra * (len(kinds) // len(extra) + 1)
    return kinds


def make_program(seed, arch, features=False):
    chooser = random.Random("cuda%s/%s/%s" % ("-features" if features else "", seed, arch))
    program, number = CudaProgram(arch=arch), 0
    kinds = choose_kinds(features)
    for name in "abc"[:chooser.randint(1, 3)]:
        source = CudaFile(name=name)
        source.flags = chooser.choice([[], [], ["-G"], ["-lineinfo"], ["-O1"], ["-maxrregcount=40"]])
        for _ in range(chooser.randint(1, 4)):
            source.fragments.append(Fragment(kind=chooser.choice(kinds), number=number))
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
    if any(fragment.kind == LAUNCH for source in program.files for fragment in source.fragments):
        program.options += ["-L", find_runtime(), "-lcudadevrt"]
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
        if any(fragment.kind in FEATURES for fragment in source.fragments):
            text += "#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n"
        text += "".join("__device__ int step_%d(int);\n" % n for n in sorted(known))
        for fragment in source.fragments:
            text += (FRAGMENTS.get(fragment.kind) or FEATURES[fragment.kind]).format(n=fragment.number, kind=fragment.number % 2)
        text += "".join(kernel_text(kernel, known) for kernel in source.kernels)
        command = ["nvcc", "-dc", "-cubin", "-w", "-arch=" + program.arch] + source.flags
        made.append(Source(name=source.name + ".cu", text=text, command=command))
    return made
