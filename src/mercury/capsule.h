/*
 * capsule.h: the mercury program of a function, stored as what differs from its SASS.
 *
 *     u32 number of .text.F        u32 version        u32 count of entries
 *     u32 bitmap[]                 a bit per entry: it is what its SASS instruction implies
 *     the other entries one after the other:
 *         a prefix of 2 bytes, where the entry stands for more than one SASS instruction
 *         a record: 4 bytes, or a multiple of 16; or 2 bytes for SASS without mercury
 *
 * Some entries stand for no instruction: settings of the tool that makes SASS of mercury.
 *
 * docs/mercury.md has the details and the invariants that capsule_check establishes.
 */
#ifndef CULD_MERCURY_CAPSULE_H
#define CULD_MERCURY_CAPSULE_H

#include "base/bytes.h"

/* One entry and the SASS instructions that it stands for. */
struct capsule_entry {
    uint32_t first, count; /* SASS instructions; of a setting 0 */
    size_t prefix;         /* where its prefix is, 0: it has none */
    size_t record;         /* where its record is, 0: it is implied */
    size_t size;           /* of the record */
};

/* Is it a count of instructions without mercury? */
static inline bool
capsule_is_count(const struct capsule_entry *entry)
{
    enum { COUNT_SIZE = 2 };
    return entry->record && entry->size == COUNT_SIZE;
}

struct capsule_reader {
    struct bytes capsule;
    uint32_t number; /* of the next entry */
    uint32_t instruction;
    size_t at;
};

enum { SASS_INSTRUCTION = 16, CAPSULE_BITMAP_AT = 12 };

struct capsule_reader capsule_open(struct bytes capsule);

uint32_t capsule_entry_count(struct bytes capsule);

/* Does it begin with settings? They are for all of the function, and others follow for parts of it. */
bool capsule_has_settings(struct bytes capsule);

/* May code of so many bytes of SASS have that place in mercury, or end there? An instruction has one or two units
   there, or none, and settings have a record each in the capsule. */
bool capsule_holds_place(struct bytes capsule, uint64_t mercury, uint64_t sass);

/* False at the end. On a capsule that passed capsule_check it stays inside. */
bool capsule_next(struct capsule_reader *reader, struct capsule_entry *entry);

bool capsule_is_done(const struct capsule_reader *reader);

/* Passes implied entries, at most so many, and not the last of all; returns how many. */
uint32_t capsule_pass_implied(struct capsule_reader *reader, uint32_t most);

/* The same of all entries, as long as they stand for at most so many instructions, which it returns. */
uint32_t capsule_pass(struct capsule_reader *reader, uint32_t most);

/* A capsule that is written anew, entry by entry, with other counts of instructions. */
struct capsule_writer {
    struct bytes from;
    uint8_t *to;
    size_t size;
    uint32_t number; /* of the next entry */
};

/* `to` has room for the capsule. */
struct capsule_writer capsule_copy(struct bytes from, uint8_t *to);
/* False if the entry cannot stand for so many. */
bool capsule_put(struct capsule_writer *writer, const struct capsule_entry *entry, uint32_t count);

/* What was passed from there on, as it is. */
void capsule_put_passed(struct capsule_writer *writer, const struct capsule_reader *from,
                        const struct capsule_reader *to);

/* An entry that needs no record any more, or one of 4 bytes where it was implied. */
void capsule_put_implied(struct capsule_writer *writer);
void capsule_put_short(struct capsule_writer *writer, uint32_t record);

/* The entry of an exit that has instructions before it now; `guard` and `predicate` are its own. Takes at
   most CAPSULE_EXIT bytes. */
enum { CAPSULE_EXIT = 18 };
bool capsule_put_exit(struct capsule_writer *writer, unsigned guard, unsigned predicate,
                      uint32_t count);

/* Where something is wrong. */
struct capsule_place {
    size_t offset;
    bool is_in_text; /* else in the capsule */
};

/* How much is known of the tool that wrote a text. */
enum text_writer {
    TEXT_OF_ANY, /* what has no mercury counts alone: padding, and what follows the code */
    TEXT_OF_COMPILER, /* records are those of its instructions, and those without one are such that have none; a
                         linker copies them */
    TEXT_OF_OTHER_COMPILER, /* the same, but there may be records that are not known */
};

/* Is it a capsule for that text, of which the size alone counts if it has no bytes? NULL, or what is wrong. If there is a maker, it gets all entries; for
   what a compiler wrote there is one. */
struct code_map_maker;
const char *capsule_check(struct bytes capsule, struct bytes text, enum text_writer writer,
                          struct capsule_place *place, struct code_map_maker *maker);

/* What stands before the bitmap. */
void capsule_set_header(uint8_t *capsule, uint32_t text, uint32_t count);

/* The number of .text.F in the file. */
uint32_t capsule_text(struct bytes capsule);
void capsule_set_text(uint8_t *capsule, uint32_t text);

#endif
