/*
 * merge.h: the merge phase, adding one input after the other to the elfw.
 *
 * The passes over an input, and the order inside each, decide the order of sections and symbols in
 * the output: functions with local or weak binding, global functions, other symbols (a data
 * section is appended when its first symbol is met), remaining sections, .nv.info.F, relocation
 * sections, call graph.
 */
#ifndef CULD_MERGE_MERGE_H
#define CULD_MERGE_MERGE_H

#include "elfw/elfw.h"
#include "merge/open.h"

/* Takes the image into the link and merges it. Fatal "merge_elf failed" on resolution errors. */
void merge_elf(struct elfw *elfw, const char *name, struct bytes image);

/* The same of an image that is open. */
void merge_object(struct elfw *elfw, struct object *object);

/* What is left out, but has mercury, is taken apart by nvlink, and must be sound like any other. */
void check_left_out(struct elfw *elfw, const char *name, struct bytes image);

/* Was the image compiled as an extensible whole program (-ewp): linked but for the device runtime? */
bool is_whole_program(struct bytes image);

/* The passes, for merge.c. */
void merge_functions(struct elfw *elfw, struct object *object);
void merge_objects(struct elfw *elfw, struct object *object);
void merge_sections(struct elfw *elfw, struct object *object);
void merge_function_info(struct elfw *elfw, struct object *object);
void merge_relocations(struct elfw *elfw, struct object *object);
void merge_fixed_shared(struct elfw *elfw, struct object *object);
void merge_callgraph(struct elfw *elfw, struct object *object);

/* For an input with reserved shared memory: is its tensor memory kept account of as in the others? */
void check_tensor_variables(struct elfw *elfw, const struct object *object);
void check_tensor_fragments(struct elfw *elfw, const struct object *object, struct bytes records);

/* For open.c: reads the register counts and frame sizes of .nv.info, and how far the variables of each
   section reach. */
void read_global_info(struct object *object);
void measure_sections(struct object *object, const struct opening *opening);

/* Gives the input section its place in the output and appends its contents, once. */
uint32_t merge_data_section(struct elfw *elfw, struct object *object, uint32_t input);

/* Does the section belong to a function whose definition in this input lost? */
bool belongs_to_loser(const struct object *object, uint32_t input);

/* Fatal: this input breaks the format in that section. */
#define DAMAGED(elfw, object, section, offset, ...)                                                \
    diag_damaged((elfw)->diag, (object)->name, elf_section_name(&(object)->elf, section),          \
                 (object)->elf.sections[section].sh_offset + (offset), __VA_ARGS__)

#endif
