/*
 * old_format.h: device images of CUDA 11 and 12, brought into the form that those of 13 have.
 *
 * Up to CUDA 12 an image with SASS alone has another ABI version and no notes: e_flags holds both
 * architectures, e_version the toolkit. What reads an image after this knows one form only.
 */
#ifndef CULD_INPUT_OLD_FORMAT_H
#define CULD_INPUT_OLD_FORMAT_H

#include "base/arena.h"
#include "base/bytes.h"
#include "cubin/cubin.h"
#include "cubin/notes.h"

/* The layout goes by the OS ABI alone; the version of the ABI belongs to it. */
static inline bool
is_old_header(const Elf64_Ehdr *header)
{
    return header->e_ident[EI_OSABI] != CUBIN_OSABI;
}

/* Has it the version of the ABI that its layout has? */
bool has_abi_version(const Elf64_Ehdr *header);

/* Of an old header: does it say that addresses have 64 bits? */
bool old_header_has_64_bits(const Elf64_Ehdr *header);

/* Of an old header: what a note says today. */
struct cuinfo old_header_info(const Elf64_Ehdr *header);

/* Gives an old header the layout of today; others stay as they are. */
void update_header(Elf64_Ehdr *header);

/* The image itself if it is of today. Fatal if an old one breaks the format. */
struct bytes update_image(struct arena *arena, const char *name, struct bytes image);

#endif
