/*
 * symbol.h: the symbol record and the signed index convention.
 *
 * Symbols live in two arrays of the elfw: the positive one holds section symbols, local and weak
 * ones, the negative one the globals. A symbol is named by its signed index: >= 0 into the
 * positive array, < 0 into the negative one by its absolute value. Slot 0 of both is a sentinel,
 * so that index 0 means "none". The output table is null, positives, negatives.
 */
#ifndef CULD_ELFW_SYMBOL_H
#define CULD_ELFW_SYMBOL_H

#include "cubin/elf_view.h"

#include <assert.h>
#include <stddef.h>

/* The first 24 bytes are an Elf64_Sym: writing a symbol is copying them. */
struct symbol_record {
    uint32_t st_name;
    uint8_t st_info;
    uint8_t st_other;
    uint16_t st_shndx; /* section by creation number; SHN_XINDEX: see the extended arrays */
    uint64_t st_value;
    uint64_t st_size;
    int32_t sym_index; /* its own signed index */
    union {
        int32_t func_ordinal; /* functions: number in the call graph */
        int32_t data_ordinal; /* shared variables, image references: number in elfw.placed */
    };
    const char *name_str;
    int32_t alias_chain; /* next symbol of this chain of aliases, 0: end */
    uint32_t name_id;    /* in elfw.names */
};

static_assert(sizeof(struct symbol_record) == 48, "a symbol record has 48 bytes");
static_assert(offsetof(struct symbol_record, st_info) == offsetof(Elf64_Sym, st_info), "");
static_assert(offsetof(struct symbol_record, st_other) == offsetof(Elf64_Sym, st_other), "");
static_assert(offsetof(struct symbol_record, st_shndx) == offsetof(Elf64_Sym, st_shndx), "");
static_assert(offsetof(struct symbol_record, st_value) == offsetof(Elf64_Sym, st_value), "");
static_assert(offsetof(struct symbol_record, st_size) == offsetof(Elf64_Sym, st_size), "");
static_assert(offsetof(struct symbol_record, sym_index) == 24, "");
static_assert(offsetof(struct symbol_record, func_ordinal) == 28, "");
static_assert(offsetof(struct symbol_record, name_str) == 32, "");
static_assert(offsetof(struct symbol_record, alias_chain) == 40, "");

static inline unsigned
symbol_type(const struct symbol_record *symbol)
{
    return ELF64_ST_TYPE(symbol->st_info);
}

/* The ordinal of a function, 0 for any other symbol. */
static inline uint32_t
symbol_function(const struct symbol_record *symbol)
{
    return symbol_type(symbol) == STT_FUNC ? (uint32_t)symbol->func_ordinal : 0;
}

static inline unsigned
symbol_binding(const struct symbol_record *symbol)
{
    return ELF64_ST_BIND(symbol->st_info);
}

static inline bool
symbol_is_entry(const struct symbol_record *symbol)
{
    return symbol->st_other & STO_CUDA_ENTRY;
}

#endif
