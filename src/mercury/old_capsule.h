/*
 * old_capsule.h: capsules of CUDA 12.8, brought into the form of later ones.
 *
 * They have no version:
 *
 *     u32 number of .text.F        u32 count of entries, and bit 30
 *     u32 bitmap[]                 and the entries, as in capsule.h
 *
 * and some instructions imply others than today.
 */
#ifndef CULD_MERCURY_OLD_CAPSULE_H
#define CULD_MERCURY_OLD_CAPSULE_H

#include "base/arena.h"
#include "base/bytes.h"

bool is_old_capsule(struct bytes capsule);

/* Replaces the capsule of that text. One that is damaged stays as it is, which is no capsule of today.
   False if it is not known what an instruction of the text implied. */
bool update_capsule(struct arena *arena, struct bytes text, struct bytes *capsule);

#endif
