/*
 * reader.h: inside the read phase: each kind of contents has one function that adds what it holds
 * to the list of inputs.
 */
#ifndef CULD_INPUT_READER_H
#define CULD_INPUT_READER_H

#include "input/inputs.h"

void read_cubin(struct inputs *inputs, const char *name, struct bytes file);
void read_ptx(struct inputs *inputs, const char *name, struct bytes text);
void read_fatbin(struct inputs *inputs, const char *name, struct bytes file);
void read_host_object(struct inputs *inputs, const char *name, struct bytes file);

/* Fatal if the ELF file, which takes no part in the link, is damaged. */
void require_whole(struct inputs *inputs, const char *name, struct bytes file);

void read_archive(struct inputs *inputs, const char *path, struct bytes file);

/* Before it is their turn: the code of a host object is found, and that of all of them unpacked. */
void find_code(const struct inputs *inputs, struct code_queue *queue, struct bytes file,
               bool is_member);
void unpack_queue(const struct inputs *inputs, const struct code_queue *queue);

/* Does the text, blanks and comments aside, begin as PTX does? */
bool is_ptx(struct bytes file);

/* Nothing can be linked for these, but it is no fault of the file's. */
_Noreturn void refuse_lto(struct inputs *inputs, const char *name);

#endif
