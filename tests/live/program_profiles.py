"""How often a random program has which feature. A profile turns up what it is named after."""
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Profile:
    # Sizes: the largest number of each.
    files: int = 5
    kernels: int = 4
    functions: int = 8
    variables: int = 5
    statements: int = 3
    # Functions.
    weak_function: float = 0.2           # of the functions: weak, in one or more files
    weak_same_body: float = 0.3          # copies of a weak function are equal
    strong_over_weak: float = 0.2        # a weak function has a strong definition too
    local_function: float = 0.2
    repeated_local_name: float = 0.3     # a local function's name exists in other files too
    weak_kernel: float = 0.05
    local_kernel: float = 0.05
    alias: float = 0.05
    noreturn: float = 0.05
    unused_function: float = 0.2
    odd_signature: float = 0.3
    old_target: float = 0.3
    # Edges.
    recursion: float = 0.05
    indirect_call: float = 0.1
    address_taken: float = 0.1
    kernel_address: float = 0.03
    call: float = 0.45
    system_call: float = 0.05
    # What bodies do.
    live_registers: float = 0.25
    frame: float = 0.2
    doubles: float = 0.15
    jump_table: float = 0.08
    barrier: float = 0.1
    special_register: float = 0.06
    slow_arithmetic: float = 0.05
    special_instruction: float = 0.06
    directive: float = 0.1
    # Data.
    data_use: float = 0.3
    shared: float = 0.25                 # of the variables
    const: float = 0.25
    own_shared: float = 0.15             # a function has static shared memory of its own
    dynamic_shared: float = 0.1
    weak_variable: float = 0.15
    common_variable: float = 0.05
    local_variable: float = 0.3
    managed: float = 0.05
    initialised: float = 0.6
    address_initialiser: float = 0.4
    function_table: float = 0.15
    masked_initialiser: float = 0.1
    texture: float = 0.03
    # Compilation and link.
    lines: float = 0.05
    full_debug: float = 0.03
    compiler_flag: float = 0.1
    options: float = 0.0
    partial: float = 0.0
    fault: float = 0.02


MIXED = Profile()

PROFILES = {
    "mixed": MIXED,
    "weak": replace(MIXED, weak_function=0.75, strong_over_weak=0.3, weak_same_body=0.15, weak_kernel=0.2, frame=0.4,
                    live_registers=0.6, doubles=0.35, jump_table=0.2, barrier=0.2, old_target=0.5,
                    system_call=0.1, own_shared=0.25, weak_variable=0.3),
    "shared": replace(MIXED, shared=0.8, own_shared=0.6, dynamic_shared=0.4, data_use=0.7, kernels=5, variables=8),
    "callgraph": replace(MIXED, functions=16, call=0.8, recursion=0.2, indirect_call=0.3, address_taken=0.25,
                         kernel_address=0.1, system_call=0.15, function_table=0.4, barrier=0.25, alias=0.1,
                         special_register=0.15, noreturn=0.1, data_use=0.1, statements=5),
    "data": replace(MIXED, variables=12, shared=0.1, const=0.4, data_use=0.6, common_variable=0.15, weak_variable=0.3,
                    managed=0.1, masked_initialiser=0.3, function_table=0.3, functions=5),
    "textures": replace(MIXED, texture=0.5, kernels=5, functions=6),
    "debug": replace(MIXED, lines=0.4, full_debug=0.4, weak_function=0.4, unused_function=0.4, options=0.3),
    "options": replace(MIXED, options=1.0, unused_function=0.4, recursion=0.1, partial=0.15),
    "faults": replace(MIXED, fault=1.0),
}
