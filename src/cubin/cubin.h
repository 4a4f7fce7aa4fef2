/*
 * cubin.h: the numbers of the device ELF format.
 */
#ifndef CULD_CUBIN_CUBIN_H
#define CULD_CUBIN_CUBIN_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    CUBIN_OSABI = 0x41,
    CUBIN_ABI_VERSION = 8,
    CUBIN_MACHINE = 190,
    CUBIN_FLAG_SASS = 0x04,
    CUBIN_FLAG_MERCURY = 0x02,      /* capsules of mercury beside SASS */
    CUBIN_FLAG_PURE_MERCURY = 0x01, /* mercury alone */
    TOOLKIT_VERSION = 130,          /* CUDA 13.0, as .note.nv.cuinfo has it */
    ET_CUDA_WHOLE_PROGRAM = 0xff00, /* e_type of what -ewp makes */
};

/* Sections of the mercury view of a file (sm_100 and later): see mercury/twins.h. */
enum { SHF_CUDA_MERCURY = 0x10000000 };

/* Bytes of an entry of .nv.uft.entry and .nv.udt.entry. */
enum { UNIFIED_ENTRY = 32 };

/* Flags by which the two notes are known; their names do not count. */
enum { SHF_CUDA_CUINFO = 0x1000000, SHF_CUDA_TKINFO = 0x2000000 };

/* Alignments pad the file and shared memory: a damaged one must not blow them up. */
#define LARGEST_ALIGNMENT ((uint64_t)1 << 16)

/* Section types. In an executable the constant banks and .nv.global.init become PROGBITS, the
   memory without contents becomes NOBITS. */
enum section_type {
    SHT_CUDA_INFO = 0x70000000,
    SHT_CUDA_CALLGRAPH = 0x70000001,
    SHT_CUDA_PROTOTYPE = 0x70000002,
    SHT_CUDA_RESOLVED_RELA = 0x70000003,
    SHT_CUDA_METADATA = 0x70000004,
    SHT_CUDA_GLOBAL = 0x70000007,
    SHT_CUDA_GLOBAL_INIT = 0x70000008,
    SHT_CUDA_LOCAL = 0x70000009,
    SHT_CUDA_SHARED = 0x7000000a,
    SHT_CUDA_RELOCINFO = 0x7000000b,
    SHT_CUDA_UFT = 0x7000000e,
    SHT_CUDA_UFT_ENTRY = 0x70000011,
    SHT_CUDA_UDT = 0x70000012,
    SHT_CUDA_UDT_ENTRY = 0x70000014,
    SHT_CUDA_SHARED_RESERVED = 0x70000015,
    SHT_CUDA_CAPSULE = 0x70000016, /* of a function: see mercury/capsule.h */
    SHT_CUDA_CONSTANT0 = 0x70000064,
    SHT_CUDA_CONSTANT2 = SHT_CUDA_CONSTANT0 + 2, /* of the compiler */
    SHT_CUDA_CONSTANT3 = SHT_CUDA_CONSTANT0 + 3, /* of the user */
    SHT_CUDA_CONSTANT4 = SHT_CUDA_CONSTANT0 + 4, /* addresses, for code that may be anywhere */
    SHT_CUDA_CONSTANT_LAST = 0x7000007f,
    SHT_MERCURY_IMAGE_SLOTS = 0x70000079,
    SHT_MERCURY_USER_CONSTANTS = 0x7000007c,
    SHT_MERCURY_ADDRESSES = 0x7000007d,
    SHT_MERCURY_RELA = 0x70000082,
    SHT_MERCURY_INFO = 0x70000083,
    SHT_MERCURY_FUNCTION_CONSTANTS = 0x70000084,
    SHT_MERCURY_SYMTAB = 0x70000085,
    SHT_CUDA_COMPAT = 0x70000086,
    SHT_MERCURY_RESOLVED_RELA = 0x70000088,
};

/* Symbol types beyond the standard ones. */
enum { STT_CUDA_TEXTURE = 10, STT_CUDA_SAMPLER = 11, STT_CUDA_SURFACE = 12, STT_CUDA_OBJECT = 13 };

/* st_other: visibility in bits 0-1, flags, and the memory space in bits 5-7. */
enum {
    STO_CUDA_MANAGED = 0x04,
    STO_CUDA_OBSCURE = 0x08,
    STO_CUDA_ENTRY = 0x10,   /* of a function */
    STO_CUDA_UNIFIED = 0x10, /* of a variable */
    STO_CUDA_SPACE = 0xe0,
    STO_CUDA_GLOBAL = 0x20,
    STO_CUDA_SHARED = 0x40,
    STO_CUDA_LOCAL = 0x60,
    STO_CUDA_CONSTANT = 0x80,
};

/* The first word of a .nv.callgraph row is 0 where a part begins; the second names the part. */
#define CALLGRAPH_CALLS UINT32_MAX                /* caller, callee */
#define CALLGRAPH_ADDRESS_TAKEN (UINT32_MAX - 1)  /* function, prototype */
#define CALLGRAPH_INDIRECT_CALLS (UINT32_MAX - 2) /* caller, prototype */
#define CALLGRAPH_TAKES_ADDRESS (UINT32_MAX - 3)  /* function, function */

static inline bool
is_constant_bank(uint32_t type)
{
    return type >= SHT_CUDA_CONSTANT0 && type <= SHT_CUDA_CONSTANT_LAST;
}

static inline bool
has_no_contents(uint32_t type)
{
    return type == SHT_NOBITS || type == SHT_CUDA_GLOBAL || type == SHT_CUDA_LOCAL ||
           type == SHT_CUDA_SHARED || type == SHT_CUDA_SHARED_RESERVED;
}

static inline bool
is_relocation_table(uint32_t type)
{
    return type == SHT_REL || type == SHT_RELA;
}

/* Of the output: what --preserve-relocs lists. */
static inline bool
lists_resolved(uint32_t type)
{
    return type == SHT_CUDA_RESOLVED_RELA || type == SHT_MERCURY_RESOLVED_RELA;
}

/* Of the output: whatever holds relocation entries. */
static inline bool
holds_entries(uint32_t type)
{
    return is_relocation_table(type) || type == SHT_MERCURY_RELA || lists_resolved(type);
}

static inline bool
is_image_type(unsigned symbol_type)
{
    return symbol_type >= STT_CUDA_TEXTURE && symbol_type <= STT_CUDA_SURFACE;
}

static inline unsigned
memory_space(uint8_t st_other)
{
    return st_other & STO_CUDA_SPACE;
}

/* Up to CUDA 12 the flags of a text say how many barriers its function uses. */
enum { TEXT_BARRIERS = 0x7f00000, TEXT_BARRIERS_SHIFT = 20 };

static inline uint8_t
text_barriers(uint64_t sh_flags)
{
    return (uint8_t)((sh_flags & TEXT_BARRIERS) >> TEXT_BARRIERS_SHIFT);
}

/* Up to sm_89 the top byte of sh_info of a text says how many registers its function uses. */
enum { TEXT_REGISTERS_SHIFT = 24 };

static inline uint8_t
text_registers(uint32_t sh_info)
{
    return (uint8_t)(sh_info >> TEXT_REGISTERS_SHIFT);
}

/* The number of the architecture in e_flags. */
static inline unsigned
flags_sm(uint32_t e_flags)
{
    return e_flags >> 8 & 0xffff;
}

#endif
