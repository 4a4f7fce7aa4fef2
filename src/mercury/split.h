/*
 * split.h: the parts of mercury_split, and what finishes the code that it made.
 */
#ifndef CULD_MERCURY_SPLIT_H
#define CULD_MERCURY_SPLIT_H

#include "elfw/elfw.h"

/* Gives the section, which has a twin by now, its contents of the SASS view. */
void take_sass_contents(struct elfw *elfw, uint32_t section);

/* The function, as the link has it, whose constants a section of an input holds; 0: none. */
uint32_t owner_of_constants(const struct elfw *elfw, const struct object *object,
                            uint32_t constants);

/* The SASS of a piece of constants whose function's definition lost. */
struct bytes losing_jump_table(struct elfw *elfw, const struct piece *piece);

/* Once constants have their SASS: the targets in jump tables of functions whose code moved. */
void move_jump_tables(struct elfw *elfw);

/* The same for a relocation table, once what it relocates has its places. */
void take_sass_tables(struct elfw *elfw, uint32_t table);

/* Parameters have no place in mercury: each kernel that stays has a bank in the SASS view. */
void add_parameter_bank(struct elfw *elfw, uint32_t kernel);
/* Texture slots, alone in mercury, stand behind the parameters in the SASS view. */
void take_parameters(struct elfw *elfw, uint32_t bank);

/* Where the parameters in a bank of SASS end; in whole programs their slots of textures begin there. */
uint64_t mercury_parameters_end(const struct elf_view *elf, uint32_t bank);

/* Of a capsule of the link. */
static inline struct bytes
capsule_bytes(const struct elfw *elfw, const struct section *capsule)
{
    const struct piece *piece = &elfw->pieces.at[capsule->first_piece];

    return capsule->contents ? (struct bytes){capsule->contents, capsule->size}
                             : (struct bytes){piece->bytes, piece->size};
}

/* Reads of texture slots find them behind the parameters of all kernels. */
void move_image_reads(struct elfw *elfw);

#endif
