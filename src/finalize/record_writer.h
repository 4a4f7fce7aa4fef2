/*
 * record_writer.h: writing .nv.info and .nv.info.F. Lists of records grow at the head: they are
 * written from the end of their space backwards, so that the last input's last record comes first.
 * What the linker itself adds stands behind.
 */
#ifndef CULD_FINALIZE_RECORD_WRITER_H
#define CULD_FINALIZE_RECORD_WRITER_H

#include "cubin/nvinfo.h"
#include "elfw/elfw.h"

struct record_writer {
    struct elfw *elfw;
    uint8_t *space; /* room for everything */
    uint8_t *next;  /* record written last, backwards from `middle` */
    uint8_t *middle;
    uint8_t *end; /* behind the last appended record */
};

/* Room in the arena for so many bytes of the inputs' records and of appended ones. */
void open_writer(struct record_writer *writer, struct elfw *elfw, struct arena *arena,
                 size_t records, size_t appended);
/* What was written in a scratch arena outlives it, without the room that was too much. */
void keep_records(struct record_writer *writer);
/* Makes what was written the contents of the section. */
void close_writer(struct record_writer *writer, uint32_t section);

/* Adds a record behind the others; returns its payload, to be filled in. */
uint8_t *append_record(struct record_writer *writer, uint8_t format, uint8_t attribute,
                       uint16_t value);

/* Adds one before the others, where a record of the input would be. */
uint8_t *prepend_record(struct record_writer *writer, uint8_t attribute, uint16_t size);

/* Writes a record with its symbol renumbered; NULL if it is dropped. */
uint8_t *carry_record(struct record_writer *writer, const struct object *object,
                      const struct info_record *record);

/* The symbol of the elfw that an input symbol stands for, 0: none that is written. */
int32_t map_info_symbol(const struct elfw *elfw, const struct object *object, uint32_t input);

#endif
