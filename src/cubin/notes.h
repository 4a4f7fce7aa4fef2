/*
 * notes.h: .note.nv.cuinfo (what the code was compiled for) and .note.nv.tkinfo (which tools made
 * it, with which options).
 */
#ifndef CULD_CUBIN_NOTES_H
#define CULD_CUBIN_NOTES_H

#include "base/arena.h"
#include "base/bytes.h"

#define CUINFO_SECTION ".note.nv.cuinfo"

struct cuinfo {
    uint16_t virtual_arch;
    uint16_t toolkit;
};

/* False if the section holds no such note. */
bool cuinfo_read(struct bytes section, struct cuinfo *out);
/* Is it the note that CUDA 12.8 and 12.9 have in its place? */
bool cuinfo_is_of_cuda_12(struct bytes section);
uint16_t cuinfo_old_virtual_arch(struct bytes section);

struct bytes cuinfo_write(struct arena *arena, struct cuinfo info);

/* The release whose files are known best. */
#define KNOWN_RELEASE "Cuda compilation tools, release 13.0, V13.0.88"

struct tkinfo {
    const char *object; /* name of the output, or "" */
    const char *tool;
    const char *version;
    const char *build;
    const char *options;
    bool is_of_cuda_12; /* 12.8 or 12.9 */
};

/* False if the section is no such note. The strings are those of the section. */
bool tkinfo_read(struct bytes section, struct tkinfo *out);
struct bytes tkinfo_write(struct arena *arena, const struct tkinfo *info);

#endif
