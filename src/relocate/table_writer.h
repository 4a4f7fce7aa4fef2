/*
 * table_writer.h: writing a relocation table of the output. Kept entries are written from the end:
 * the last input's come first, each list reversed.
 */
#ifndef CULD_RELOCATE_TABLE_WRITER_H
#define CULD_RELOCATE_TABLE_WRITER_H

#include "elfw/elfw.h"

struct table_writer {
    struct elfw *elfw;
    const struct section *table;
    uint8_t *next; /* the entry written last */
};

/* Entries of a table of the output. */
static inline size_t
table_entry_size(const struct section *table)
{
    return table->type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela);
}

static inline struct table_writer
table_writer(struct elfw *elfw, const struct section *table, uint8_t *image)
{
    return (struct table_writer){elfw, table, image + table->output_offset + table->size};
}

static inline void
write_entry(struct table_writer *writer, uint64_t offset, uint32_t type, int32_t symbol,
            int64_t addend)
{
    writer->next -= table_entry_size(writer->table);
    write_u64(writer->next, offset);
    write_u64(writer->next + 8,
              ELF64_R_INFO((uint64_t)elfw_remap_symbol(writer->elfw, symbol), type));
    if (writer->table->type != SHT_REL)
        write_u64(writer->next + 16, (uint64_t)addend);
}

#endif
