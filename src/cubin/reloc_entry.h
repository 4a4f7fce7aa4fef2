/*
 * reloc_entry.h: the fields of an entry of a relocation table, at any place in memory. The first two
 * are those of an entry without addend, too.
 */
#ifndef CULD_CUBIN_RELOC_ENTRY_H
#define CULD_CUBIN_RELOC_ENTRY_H

#include "base/bytes.h"

#include <elf.h>

enum {
    ENTRY_OFFSET_AT = offsetof(Elf64_Rela, r_offset),
    ENTRY_TYPE_AT = offsetof(Elf64_Rela, r_info),
    ENTRY_SYMBOL_AT = ENTRY_TYPE_AT + 4,
    ENTRY_ADDEND_AT = offsetof(Elf64_Rela, r_addend),
};

static inline uint64_t
entry_offset(const uint8_t *entry)
{
    return read_u64(entry + ENTRY_OFFSET_AT);
}

static inline uint32_t
entry_type(const uint8_t *entry)
{
    return read_u32(entry + ENTRY_TYPE_AT);
}

static inline uint32_t
entry_symbol(const uint8_t *entry)
{
    return read_u32(entry + ENTRY_SYMBOL_AT);
}

static inline uint64_t
entry_addend(const uint8_t *entry)
{
    return read_u64(entry + ENTRY_ADDEND_AT);
}

#endif
