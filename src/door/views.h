/*
 * views.h: do the two views of a mercury file say the same?
 */
#ifndef CULD_DOOR_VIEWS_H
#define CULD_DOOR_VIEWS_H

#include "mercury/code_places.h"

#include "cubin/elf_view.h"

/* Of the records of a function in mercury. */
enum records_fact {
    MAY_NAME_PLACES = 1,  /* of code */
    MUST_KNOW_SYMBOLS = 2 /* some could not be checked by their bytes alone */
};

/* What is learned of an image while its sections are compared. */
struct view_facts {
    uint32_t first_twin;         /* all sections of mercury stand behind it */
    struct bytes finalizer;      /* what the last function wants of the finalizer */
    uint8_t *records;            /* section of mercury -> what its records were found to be */
    struct known_code *known;    /* NULL: nothing is */
    struct code_map **maps;      /* ... -> of the capsule that it is; NULL: places are not known */
    struct arena *kept;          /* what lives as long as the view */
    struct section_marks *marks; /* there, see elf_view.h */
};

/* Fatal if the sections, one of each view, contradict each other. */
void door_check_twins(const struct elf_view *view, struct arena *arena, uint32_t mercury,
                      uint32_t sass, struct view_facts *facts);

/* Fatal if the banks of kernels are not their parameters, and the slots that mercury has; twins and parameter banks are
   those of the view that is being opened. */
void door_check_banks(const struct elf_view *view, struct arena *arena, const uint32_t *twins,
                      const uint32_t *banks);

/* Is the debug section of that name the same in both views? Others describe code piece by piece. */
bool is_common_debug_section(const char *name);

/* Fatal if both name other places of code, or their frames say other things, once the view is
   complete. False if there may be more frames in mercury: those of functions that are gone. */
bool door_check_places(const struct elf_view *view, struct view_facts *facts,
                       struct arena *scratch);

/* Does a function want of the finalizer what the release that is known writes? `before` is what the
   last one wanted. */
bool is_known_to_finalizer(struct bytes options, struct bytes before);
bool is_of_cuda_12_8(struct bytes options);

#endif
