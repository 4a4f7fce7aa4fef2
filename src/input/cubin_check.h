/*
 * cubin_check.h: does a device ELF image fit the link? Its header and its notes say.
 */
#ifndef CULD_INPUT_CUBIN_CHECK_H
#define CULD_INPUT_CUBIN_CHECK_H

#include "arch/arch.h"
#include "base/arena.h"
#include "base/bytes.h"

bool is_elf(struct bytes file);

/* What images of a link there were, where there can be mercury. */
struct image_kinds {
    bool has_mercury;
    bool lacks_mercury; /* one has SASS alone, and so will the output */
    bool has_whole_program;
};

/* Fatal if the image cannot be linked for the target; false if it is ignored: an executable is no
   input of a link. `kinds` is kept from image to image; there is a warning for the first without
   mercury. A file in the format of an older toolkit is replaced by one in that of today. */
bool check_cubin(struct arena *arena, const struct arch *arch, const char *name, struct bytes *file,
                 struct image_kinds *kinds);

/* For a virtual target, for which nothing is linked, code for any older one will do. */
bool check_cubin_of_virtual(struct arena *arena, const struct arch *arch, const char *name,
                            struct bytes file);

/* The same for one from a fatbin, which is held against the target first. `compat` is what the
   fatbin says of its .nv.compat, empty if nothing. */
bool check_packed_cubin(struct arena *arena, const struct arch *arch, const char *name,
                        struct bytes compat, struct bytes *file, struct image_kinds *kinds);

#endif
