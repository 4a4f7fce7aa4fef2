/*
 * mercury.h: what a mercury link adds to the phases.
 *
 * The link is made once, on the mercury view of the inputs: names, symbols, sections, relocations,
 * layout. When that is done every section gets its counterpart of SASS, and both views are written.
 */
#ifndef CULD_MERCURY_MERCURY_H
#define CULD_MERCURY_MERCURY_H

#include "base/crew.h"
#include "elfw/elfw.h"

/* The parameter bank that the winning definition of a kernel brings: its size may be 0. */
struct bytes mercury_parameters(const struct elfw *elfw, uint32_t kernel);

/* The SASS of a function's winning definition, as it came. */
struct bytes mercury_sass_text(const struct elfw *elfw, uint32_t function);

/* After layout: fatal if code of another member of the family would have to be compiled anew. */
void mercury_check_targets(struct elfw *elfw);

/* After layout: the sections of the link become those of the SASS view, with twins for mercury. Returns
   what it costs to finish their code, in bytes of an output that cost as much. */
uint64_t mercury_split(struct elfw *elfw);

/* Then: the code as it is written, and all that describes it. */
void mercury_finish_split(struct elfw *elfw, unsigned threads, struct crew *crew);

/* Finalize: memory of the system stands before that of the program in every kernel. */
void mercury_reserve_shared(struct elfw *elfw);

/* Finalize: the twins, numbered from `next` on; returns the number behind the last. */
uint32_t mercury_number_sections(struct elfw *elfw, uint32_t *virtual, uint32_t *order,
                                 uint32_t next);
void mercury_link_section(struct elfw *elfw, uint32_t twin);
/* Bytes that stay free behind a section of the file. */
uint64_t mercury_gap_behind(const struct elfw *elfw, uint32_t section);

/* Finalize, once everything has its size: the bytes of reserved memory. */
void mercury_fill_reserved(struct elfw *elfw);

/* Finalize: symbols behind all of the link, from `next` on. */
void mercury_number_symbols(struct elfw *elfw, uint32_t next);
/* Write: makes a symbol, as the link has it, one of SASS or of mercury. */
void mercury_make_sass_symbol(const struct elfw *elfw, const struct symbol_record *record,
                              Elf64_Sym *symbol);
void mercury_make_symbol(const struct elfw *elfw, const struct symbol_record *record,
                         Elf64_Sym *symbol);
/* Write: the symbols of parameter banks, into what is the table of SASS from byte `from` on. */
void mercury_write_bank_symbols(const struct elfw *elfw, uint64_t from, uint8_t *at);

/* Does the code have instructions that may bind it to its target? Asked when it is read. */
bool mercury_has_timed_code(struct bytes text);

/* Finalize: the targets that can run all code of the output, a bit each. */
uint64_t mercury_target_mask(const struct elfw *elfw);

/* Finalize: the records of a function for SASS, made of those for mercury. */
void mercury_make_sass_info(struct elfw *elfw, uint32_t function);

/* Finalize: what the loader maps. */
void mercury_make_segments(struct elfw *elfw, segment_list *segments);

/* Relocate: a place in the code of a function, as an input has it, in the output. Mostly both are the
   same: the definition stays, and so do its instructions. */
int64_t mercury_moved_code_place(struct elfw *elfw, const struct object *object, uint32_t symbol,
                                 int64_t offset);
static inline int64_t
mercury_code_place(struct elfw *elfw, const struct object *object, uint32_t symbol, int64_t offset)
{
    if (offset <= 0)
        return offset;
    uint32_t ordinal = symbol_function(elfw_get_symbol(elfw, object->symbols[symbol]));
    const struct function *function = elfw_function(elfw, ordinal);
    bool is_own = function->object == object->number && object->fates[symbol] != SYMBOL_LOST;

    return is_own && !function->shift ? offset
                                      : mercury_moved_code_place(elfw, object, symbol, offset);
}

/* Relocate: a unit of an input's part of the line table of SASS. */
int64_t mercury_unit_place(const struct elfw *elfw, const struct object *object, int64_t offset);

/* Write: frames that stay as they came get the places of what they have in common, where the bytes of the
   piece were copied to. Such pieces are small. */
enum { MOST_OPEN_FRAMES = 32 * 1024 };
void mercury_fill_frames(const struct piece *piece, uint8_t *bytes);

/* Write: capsules get the constants that they know, code that reads texture slots their places. */
void mercury_finish_code(struct elfw *elfw);

#endif
