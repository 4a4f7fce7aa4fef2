/*
 * arch.h: what differs between generations of GPUs, as data.
 */
#ifndef CULD_ARCH_ARCH_H
#define CULD_ARCH_ARCH_H

#include <stdbool.h>
#include <stdint.h>

struct generation {
    uint16_t first_sm, last_sm;
    bool text_names_registers; /* sh_info of .text holds the register count in its top byte */
    bool has_compat;           /* .nv.compat is written */
    uint16_t reserved_shared;  /* bytes added to the shared memory of every kernel that uses any */
    uint16_t reserved_offset;  /* where in it .nv.reservedSmem.offset0 is */
    uint16_t parameters_at;    /* with mercury: where they begin in their bank */
    bool preserve_relocs_is_partial; /* nvlink warns about --preserve-relocs */
    bool has_mercury;                /* files have a mercury view: see src/mercury/ */
};

/* A link target. */
struct arch {
    char name[16]; /* "sm_90a" */
    uint32_t sm;
    char suffix; /* 'a', 'f' or 0 */
    const struct generation *generation;
    uint64_t shared_limit; /* static shared memory of a kernel */
    uint8_t mask_bit;      /* of the target in the masks of .nv.compat */
    uint8_t workarounds;   /* with mercury: what EIATTR_SW_WAR says of all code */
};

enum arch_kind { ARCH_UNKNOWN, ARCH_REAL, ARCH_VIRTUAL, ARCH_LTO };

/* What the value of -arch names; fills in `arch` where it is a real architecture. */
enum arch_kind arch_parse(const char *name, struct arch *arch);

/* NULL for a number no generation has. */
const struct generation *arch_generation(unsigned sm);

/* May a cubin made for `sm` be linked for the target? A specific one runs on that number alone. */
bool arch_accepts(const struct arch *target, unsigned sm, bool is_specific);

/* The bit of a target in masks of .nv.compat; 0 if there is no such target. */
uint64_t arch_mask(unsigned sm);

/* With mercury: the bits, in masks of .nv.compat, of the targets whose code may be that of a cubin
   made for `sm`, its own among them; 0 if there is none but its own. */
uint64_t arch_family_mask(unsigned sm);

/* Are there families of this target? A cubin with the suffix 'f' is for one. */
bool arch_has_suffix(unsigned sm, char suffix);

/* As arch_accepts, for a cubin without mercury where the target has it. */
bool arch_accepts_sass(const struct arch *target, unsigned sm, bool is_specific);

/* Can the target run code of another number, and link it without mercury? */
bool arch_accepts_as_it_is(const struct arch *target, unsigned sm);

/* May PTX or LTO code for compute_`sm` with its suffix be compiled for the target? */
bool arch_accepts_virtual(const struct arch *target, unsigned sm, char suffix);

#endif
