/*
 * view.h: what differs between the two kinds of links, as data.
 *
 * A link of files that have SASS alone makes one view of the program. From sm_100 on files have a
 * mercury view too; a link of such files runs on that one and writes both (src/mercury/).
 */
#ifndef CULD_ELFW_VIEW_H
#define CULD_ELFW_VIEW_H

#include <stdbool.h>
#include <stdint.h>

struct link_view {
    uint8_t file_kind; /* low byte of e_flags */
    bool is_mercury;
    const char *user_bank;        /* section of the user's constants */
    const char *function_banks;   /* prefix of those of the compiler's constants */
    const char *image_banks;      /* prefix of those of texture slots; NULL: behind parameters */
    uint8_t image_slot_align;     /* of the first slot behind parameters */
    bool has_relocation_actions;  /* .nv.rel.action is written */
    bool layout_reserves_shared;  /* else the reserved memory is added to the finished layout */
    bool loader_objects_are_cuda; /* symbols of the loader are STT_CUDA_OBJECT */
};

extern const struct link_view sass_link, mercury_link;

#endif
