/*
 * reached.h: what a kernel inherits from the functions it reaches.
 *
 * Registers, stack and the attributes of .nv.info that describe resources hold for a kernel with
 * everything it may call. They are computed for all functions in one sweep over the condensed
 * call graph, callees first.
 */
#ifndef CULD_FINALIZE_REACHED_H
#define CULD_FINALIZE_REACHED_H

#include "elfw/elfw.h"
#include "finalize/externals.h"
#include "layout/call_graph.h"

enum inherit_rule {
    INHERIT_FLAG, /* set if any has it */
    INHERIT_MAX,
    INHERIT_MAX_OR_OWN, /* a program of one kernel leaves the kernel's own value alone */
    INHERIT_SUM,
    INHERIT_MASK, /* union; functions without a record get MASK_UNKNOWN if any has one */
};

struct inheritable {
    uint8_t attribute;
    uint8_t format;
    uint8_t rule;
};

enum {
    INHERIT_MASK_INDEX = 0, /* the one with the rule INHERIT_MASK */
    INHERITABLE_COUNT = 9,
    INHERIT_EXTERNS = INHERITABLE_COUNT,
    INHERIT_KEYS,
    INHERIT_FRAGMENTS = INHERIT_KEYS, /* theirs are with their numbers */
    INHERIT_KINDS,
};

enum { MASK_UNKNOWN = 0x8000 };

/* In the order in which a program of one kernel appends them. */
extern const struct inheritable inheritables[INHERITABLE_COUNT];

/* The attributes of some functions together. */
struct inherited {
    uint32_t present; /* bit per inheritable */
    uint16_t values[INHERITABLE_COUNT];
    uint64_t keys[INHERIT_KEYS]; /* where the attribute is met first, UINT64_MAX: nowhere */
};

/* One of them: most functions have hardly any. */
struct attribute {
    uint64_t key;
    uint16_t value;
    uint8_t index; /* among the inheritables, or INHERIT_EXTERNS */
};

struct reached {
    uint64_t stack;
    uint64_t call_stack;              /* CRS_STACK_SIZE */
    const struct external *externals; /* by symbol */
    uint32_t external_count;
    uint32_t registers;
    uint8_t barriers;         /* that no record speaks of */
    uint32_t first_attribute; /* in reach_summary.attributes */
    uint16_t mask;            /* the value of INHERIT_MASK, present or not */
    uint8_t attribute_count;
    bool is_recursive;
};

/* Per component of the graph, and for the program as a whole. */
struct reach_summary {
    struct reached *components;
    ARRAY(struct attribute) attributes;
    struct reached program; /* all functions that stay, reached or not */
    struct inherited of_program;
    struct externals
        *fragments; /* per component the numbers of entry fragments, NULL: there are none */
    struct externals fragments_of_program;
    bool has_all_masks; /* every function there ever was stays and has an INHERIT_MASK record */
    uint64_t longest_records; /* bytes of those of one function */
};

struct reach_summary *reach_summarise(struct elfw *elfw, const struct call_graph *graph);

static inline const struct reached *
reached_by(const struct reach_summary *summary, const struct call_graph *graph, uint32_t function)
{
    return &summary->components[graph->component[function]];
}

static inline struct externals
fragments_reached_by(const struct reach_summary *summary, const struct call_graph *graph,
                     uint32_t function)
{
    return summary->fragments ? summary->fragments[graph->component[function]]
                              : (struct externals){0};
}

/* What a kernel inherits. */
struct inherited inherited_by(const struct reach_summary *summary, const struct reached *reached);

/* Is there code that asks for registers while it runs? */
bool sets_registers(const struct reach_summary *summary, const struct reached *reached);

/* The index of an attribute among the inheritables, or -1. */
int inheritable_index(uint8_t attribute);

/* Does the symbol stay in lists of externals: still undefined, or the address of a kernel? */
bool is_external(const struct elfw *elfw, int32_t symbol);

#endif
