/*
 * host_object.h: where a host object keeps its device code.
 */
#ifndef CULD_INPUT_HOST_OBJECT_H
#define CULD_INPUT_HOST_OBJECT_H

#include "base/bytes.h"

#include <elf.h>

struct host_section {
    bool found;
    struct bytes contents;
    uint64_t index, start, size; /* of the section in the file */
};

struct host_object {
    const char *damage; /* what contradicts the format, NULL: nothing */
    uint64_t damage_at; /* in the file */
    uint16_t machine;
    struct host_section wrapper;     /* .nvFatBinSegment: there is device code */
    struct host_section relocatable; /* __nv_relfatbin: for linking */
    struct host_section linked;      /* .nv_fatbin: already linked */
    struct host_section module_ids;  /* NUL-terminated strings, as the others */
    struct host_section external_kernels;
    struct host_section internal_kernels;
};

/* `file` must hold a 64-bit ELF header. All of it must be sound, also what is not wanted; members of
   archives may be files of other hosts. */
void host_object_read(struct bytes file, bool is_member, struct host_object *out);

#endif
