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
    uint32_t text;         /* .text.F, 0: undefined */
    uint32_t info;         /* .nv.info.F */
    uint32_t shared;       /* .nv.shared.F of an entry */
    uint32_t parameters;   /* mercury links: .nv.constant0.F of an entry */
    uint32_t first_owned;  /* list of the sections that belong to it */
    uint32_t object;       /* the input whose definition won */
    uint32_t first_object; /* the input that mentioned it first */
    uint32_t input_symbol; /* its number in that input */
    uint32_t input_info;   /* that input's .nv.info.F, 0: none */
    struct bytes records;  /* its contents */
    uint32_t read_order;   /* when that was read, counted over all functions */

    uint32_t registers;  /* REGCOUNT */
    uint32_t frame_size; /* FRAME_SIZE */

    uint32_t callees;        /* edges to functions */
    uint32_t indirect_calls; /* edges to prototypes */
    uint32_t taken_addresses;
    uint32_t prototype;       /* id in elfw.prototypes */
    uint32_t taken_prototype; /* the prototype under which its address is taken */

    /* Relocations of line sections against this function count only from this input on. */
    uint32_t line_entries_from;

    uint16_t virtual_arch;      /* of the first definition: decides between weak ones */
    uint8_t barriers;           /* of older toolkits, which have no record for them */
    bool is_alias : 1;          /* a second name of another function's text */
    bool is_chained : 1;        /* ... and in the list of its names */
    bool is_inner : 1;          /* ... or a part of it, if that is a kernel */
    bool is_kernel : 1;         /* defined, an entry, and not left out by --kernels-used */
    bool is_prelinked : 1;      /* an entry of a whole program: its shared memory has its places */
    bool has_fixed_shared : 1;  /* ... and the section says how much there is */
    bool has_unknown_stack : 1; /* of a whole program: calls inside it recurse */
    bool is_address_taken : 1;
    bool is_in_data : 1;     /* data of an input whose definition lost holds its address */
    bool is_system_call : 1; /* defined under the name of one of the driver's functions */
    bool is_dead : 1;
    bool is_reached : 1; /* by a root of dead code elimination */

    const struct code_shift
        *shift; /* mercury links: how places in its SASS move, NULL: they stay */
};

#endif
