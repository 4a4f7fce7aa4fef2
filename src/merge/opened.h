/*
 * opened.h: images, opened and checked by several threads before they are merged one by one.
 *
 * Nothing is said here: an image that is damaged is opened again when it is its turn.
 */
#ifndef CULD_MERGE_OPENED_H
#define CULD_MERGE_OPENED_H

#include "base/trace.h"
#include "cubin/elf_view.h"

struct opened_image {
    const char *name;
    struct bytes image;   /* empty: nothing is opened */
    struct elf_view view; /* if it is sound */
    bool is_sound;
};

struct opener_memory;

struct opened_images {
    struct opened_image *list;
    uint32_t count;
    bool is_mercury;
    struct opener_memory *memories; /* of the workers: the views live in them */
    unsigned workers;
};

/* Each alone, as the link sees it. */
void open_view(struct elf_view *view, const char *name, struct bytes image, bool is_mercury,
               struct arena *arena, struct arena *scratch);

/* All of the list, which the caller has made. */
void open_images(struct opened_images *images, unsigned threads, struct arena *arena,
                 struct trace *trace);

void opened_images_release(struct opened_images *images);

#endif
