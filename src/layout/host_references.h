/*
 * host_references.h: which kernels the host code of the inputs refers to, by patterns of names.
 */
#ifndef CULD_LAYOUT_HOST_REFERENCES_H
#define CULD_LAYOUT_HOST_REFERENCES_H

#include "base/bytes.h"
#include "base/name_map.h"

struct host_pattern {
    struct bytes text; /* '*' stands for any characters */
    uint32_t next;     /* of the same beginning, 0: none */
};

/* Patterns by what stands before their first '*'. */
struct host_patterns {
    struct name_map beginnings;
    ARRAY(struct host_pattern) list; /* [0] is unused */
    ARRAY(bool) has_length;          /* of beginnings */
};

struct host_references {
    struct host_patterns external; /* for kernels of global and weak names */
    struct host_patterns internal; /* for local ones */
};

void host_references_init(struct host_references *references, struct arena *arena);

/* All NUL-terminated strings of a host object's section, which must live as long as the patterns. */
void host_patterns_add_section(struct host_patterns *patterns, struct bytes section);

bool host_patterns_match(const struct host_patterns *patterns, const char *name);

#endif
