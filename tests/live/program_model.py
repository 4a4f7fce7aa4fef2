"""What a random program is made of, before it becomes PTX.

Everything is a plain dataclass with lists, so that the shrinker can take any part away without knowing what the part
means (program_shrinker.py). The renderer (ptx_text.py) leaves out whatever refers to something that is gone.
A field that may not shrink to nothing says so with `least`.
"""
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple, Union


def at_least(least: int, default: int = 0):
    """An integer field that the shrinker may lower, but not below `least`."""
    return field(default=default, metadata={"least": least})


def fixed(default=None):
    """A field that the shrinker leaves alone."""
    return field(default=default, metadata={"fixed": True})


@dataclass(frozen=True)
class Signature:
    """Types are PTX types without the dot, or (alignment, size) for a structure passed by value."""
    parameters: Tuple = ()
    result: Optional[Union[str, Tuple[int, int]]] = None


# --- statements ---------------------------------------------------------------------------------------------------

@dataclass
class LiveRegisters:
    count: int = at_least(1, 1)


@dataclass
class DoubleConstants:
    """64-bit immediates: the compiler puts them into the function's own constant bank."""
    bits: List[int] = fixed()


@dataclass
class JumpTable:
    cases: int = at_least(2, 4)


@dataclass
class Barrier:
    form: str = fixed("sync")        # sync, register, red, cluster, mbarrier
    number: int = at_least(0, 0)


@dataclass
class ReadSpecialRegister:
    name: str = fixed("ctaid.z")


@dataclass
class SlowArithmetic:
    operation: str = fixed("div.rn.f32")


@dataclass
class SpecialInstruction:
    """An instruction that leaves its own record: sparse matrix products, asynchronous copies ..."""
    name: str = fixed("mma.sp")


@dataclass
class Call:
    target: str = fixed()
    guarded: bool = True


@dataclass
class IndirectCall:
    signature: Signature = fixed()
    table: Optional[str] = fixed()       # a variable holding function addresses, or
    function: Optional[str] = fixed()    # a function whose address is taken here; neither: a value read from memory
    index: int = at_least(0, 0)


@dataclass
class StoreAddress:
    symbol: str = fixed()
    offset: int = at_least(0, 0)
    generic: bool = True


@dataclass
class LoadVariable:
    variable: str = fixed()
    offset: int = at_least(0, 0)
    waits: bool = False     # until it is not 0


@dataclass
class StoreVariable:
    variable: str = fixed()
    offset: int = at_least(0, 0)


@dataclass
class SampleTexture:
    texture: str = fixed()
    sampler: Optional[str] = None


@dataclass
class TouchSurface:
    surface: str = fixed()
    store: bool = True


@dataclass
class SystemCall:
    name: str = fixed("vprintf")


# --- things with names --------------------------------------------------------------------------------------------

@dataclass
class Address:
    """An element of an initialiser that holds (part of) an address."""
    symbol: str = fixed()
    offset: int = at_least(0, 0)
    generic: bool = False
    mask: int = fixed(0)                 # 0: the whole address; else e.g. 0xFF00, one byte of it


@dataclass
class Variable:
    name: str = fixed()
    space: str = fixed("global")         # global, const, shared, texref, samplerref, surfref
    linkage: str = fixed("local")        # local, visible, weak, extern, common
    element: str = fixed("b32")
    count: int = at_least(1, 1)          # 0 in an extern array of unknown size
    align: int = fixed(4)
    initial: List[Union[int, Address]] = field(default_factory=list)
    managed: bool = False


@dataclass
class Function:
    name: str = fixed()
    linkage: str = fixed("local")        # local, visible, weak
    entry: bool = fixed(False)
    signature: Signature = fixed()
    noreturn: bool = False
    frame: int = at_least(0, 0)
    directives: List[str] = field(default_factory=list)
    shared: List[Variable] = field(default_factory=list)
    statements: List[object] = field(default_factory=list)


@dataclass
class Alias:
    name: str = fixed()
    target: str = fixed()


@dataclass
class SourceFile:
    name: str = fixed()
    target: str = fixed("sm_75")
    version: str = fixed("9.0")
    independent_textures: bool = fixed(False)
    debug: str = fixed("")               # "", "lines" or "full"
    flags: List[str] = field(default_factory=list)
    variables: List[Variable] = field(default_factory=list)
    functions: List[Function] = field(default_factory=list)
    aliases: List[Alias] = field(default_factory=list)


@dataclass
class Program:
    arch: str = fixed("sm_75")
    files: List[SourceFile] = field(default_factory=list)
    options: List[str] = field(default_factory=list)
    partial: int = at_least(0, 0)        # this many leading files are first linked with -r
    # What files say about symbols that they do not define themselves:
    signatures: Dict[str, Signature] = fixed()
    kernels: List[str] = fixed()
    shapes: Dict[str, Variable] = fixed()


SYSTEM_CALLS = {
    "vprintf": Signature(("b64", "b64"), "b32"),
    "malloc": Signature(("b64",), "b64"),
    "free": Signature(("b64",), None),
    "__assertfail": Signature(("b64", "b64", "b32", "b64", "b64"), None),
}
