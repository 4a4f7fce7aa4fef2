/*
 * demangle.h: C++ names (Itanium ABI) in the spelling nvlink prints.
 *
 * The call graph dump shows `void k<float>(T1 *)` for _Z1kIfEvPT_. The
 * spelling is that of nvlink, not of c++filt: template parameters stay T1,
 * T2, the unnamed namespace is <unnamed>, `[subobject]` marks a base
 * constructor, and some blanks are where nobody would expect them.
 *
 * Names come from input files and are untrusted. Length, nesting, steps and
 * output are bounded, so any byte string ends quickly: as a demangled name or
 * as one that is not demangled.
 */
#ifndef CULD_DEMANGLE_H
#define CULD_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#define DEMANGLE_MAX_INPUT ((size_t)64 << 10)
#define DEMANGLE_MAX_OUTPUT ((size_t)1 << 20)

/*
 * Memory that is used again from name to name. Starts as all zeros, belongs
 * to the caller, and is given back with demangle_free.
 */
struct demangle_buffer {
    char *text;    /* result, zero terminated */
    size_t length; /* of text, without the zero */
    size_t capacity;
    void *scratch; /* the parsed name */
    size_t scratch_size;
};

/*
 * True: buffer->text holds the demangled name until the next call. False: the
 * name is no mangled one, is beyond a limit, or memory is out; it is then to be
 * shown as it is.
 */
bool demangle(const char *name, struct demangle_buffer *buffer);

/* The demangled name if there is one, else `name` itself. */
const char *demangle_or_same(const char *name, struct demangle_buffer *buffer);

void demangle_free(struct demangle_buffer *buffer);

#endif
