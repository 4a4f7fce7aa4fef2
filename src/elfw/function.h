/*
 * function.h: a node of the call graph. Its ordinal is the order of creation, from 1.
 */
#ifndef CULD_ELFW_FUNCTION_H
#define CULD_ELFW_FUNCTION_H

#include "base/bytes.h"

/* Rows of the call graph are kept in lists that grow at the head, as they are written. */
struct edge {
    uint32_t to; /* function ordinal, or prototype id */
    uint32_t next;
};

enum { NO_PROTOTYPE = 0 };

struct function {
    int32_t symbol;
    uint32_t text;             /* .text.F, 0: undefined */
    uint32_t info;             /* .nv.info.F */
    uint32_t shared;           /* .nv.shared.F of an entry */
    uint32_t parameters;       /* mercury links: .nv.constant0.F of an entry */
    uint32_t first_owned;      /* list of the sections that belong to it */
    uint32_t object;           /* the input whose definition won */
    uint32_t first_object;     /* the input that mentioned it first */
    uint32_t input_symbol;     /* its number in that input */
    struct bytes records;      /* contents of that input's .nv.info.F */
    struct bytes sass_records; /* mercury links: those of the SASS view */
    uint32_t read_order;       /* when those were read, counted over all functions */
    uint16_t virtual_arch;     /* of the first definition: decides between weak ones */
    const struct code_shift
        *shift;            /* mercury links: how places in its SASS move, NULL: they stay */
    bool is_alias;         /* a second name of another function's text */
    bool is_chained;       /* ... and in the list of its names */
    bool is_inner;         /* ... or a part of it, if that is a kernel */
    bool is_kernel;        /* defined, an entry, and not left out by --kernels-used */
    bool is_prelinked;     /* an entry of a whole program: its shared memory has its places */
    bool has_fixed_shared; /* ... and the section says how much there is */

    uint32_t registers;     /* REGCOUNT */
    uint32_t frame_size;    /* FRAME_SIZE */
    bool has_unknown_stack; /* of a whole program: calls inside it recurse */

    uint32_t callees;        /* edges to functions */
    uint32_t indirect_calls; /* edges to prototypes */
    uint32_t taken_addresses;
    uint32_t prototype;       /* id in elfw.prototypes */
    uint32_t taken_prototype; /* the prototype under which its address is taken */
    bool is_address_taken;
    bool is_in_data; /* data of an input whose definition lost holds its address */

    /* Relocations of line sections against this function count only from this input on. */
    uint32_t line_entries_from;

    bool is_root; /* stays although no kernel reaches it */
    bool is_dead;
    bool is_reached; /* by a root of dead code elimination */
};

#endif
