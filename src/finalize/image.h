/*
 * image.h: the headers of the file.
 */
#ifndef CULD_FINALIZE_IMAGE_H
#define CULD_FINALIZE_IMAGE_H

#include "elfw/elfw.h"

/* Bytes of the file as laid out. */
uint64_t image_size(const struct elfw *elfw);

Elf64_Ehdr make_header(const struct elfw *elfw);

/* The headers [first, end) of sections. */
void write_section_headers(const struct elfw *elfw, uint32_t first, uint32_t end, uint8_t *at);

#endif
