/*
 * image_rewriter.h: a device image with other sections, or with others in them.
 *
 * Images of older toolkits are brought into the form of today where they are read, so that nothing
 * else has to know of them.
 */
#ifndef CULD_INPUT_IMAGE_REWRITER_H
#define CULD_INPUT_IMAGE_REWRITER_H

#include "cubin/elf_view.h"

struct image_rewriter {
    struct arena *arena;
    struct elf_view old;
    Elf64_Ehdr header;      /* of the new image, */
    Elf64_Shdr *sections;   /* its sections, */
    struct bytes *contents; /* and what they hold */
    uint32_t count;
};

/* All as it is in the image, with room for so many sections more behind. Fatal if the image breaks
   the format. */
void rewriter_open(struct image_rewriter *rewriter, struct arena *arena, const char *name,
                   struct bytes image, uint32_t more);

void rewriter_set_contents(struct image_rewriter *rewriter, uint32_t section,
                           struct bytes contents);

/* At most one section gets a name. */
void rewriter_set_name(struct image_rewriter *rewriter, uint32_t section, const char *name);

struct bytes rewriter_write(struct image_rewriter *rewriter);

#endif
