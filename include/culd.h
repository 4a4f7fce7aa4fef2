/*
 * culd.h: the CUDA device linker as a library.
 *
 *     culd_link *link = culd_create(print_message, NULL);
 *     culd_add_option(link, "-arch=sm_90");
 *     culd_add_image(link, "a.cubin", a, a_size);
 *     culd_add_image(link, "b.cubin", b, b_size);
 *     if (culd_run(link) == CULD_OK) {
 *         const void *cubin = culd_output(link, &size);
 *         use(cubin, size);
 *     }
 *     culd_destroy(link);
 *
 * A link is used by one thread at a time; any number of links may run at once. The library never
 * exits, never writes to a stream, writes files only when told to (culd_write_files) and keeps no
 * state outside a link.
 */
#ifndef CULD_H
#define CULD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct culd_link culd_link;

/* Results, which are also the exit statuses of the command. */
enum culd_status {
    CULD_OK = 0,
    CULD_FATAL = 1,   /* stopped at the first problem of this kind */
    CULD_ERRORS = 255 /* all problems found were reported */
};

enum culd_severity {
    CULD_INFO,
    CULD_WARNING,
    CULD_ERROR,
    CULD_FATAL_ERROR,
    CULD_TEXT /* output that was asked for, as the call graph: no message */
};

/* Receives every message, without a program name and without a newline. */
typedef void (*culd_message_fn)(void *user, enum culd_severity severity, const char *text);

/* NULL only when out of memory. `on_message` may be NULL. */
culd_link *culd_create(culd_message_fn on_message, void *user);
void culd_destroy(culd_link *link);

/* One word of a command line: an option or, if it does not begin with '-', an input file.
   A value may follow its option after '=' or as the next word. "--threads=N" limits the threads of
   this link; without it there are as many as processors, and no further one while a link is small.
   None outlives the call that started it, and the bytes are the same for any number. */
enum culd_status culd_add_option(culd_link *link, const char *word);

/* An input in memory, linked behind those added before: a cubin, a fatbin, a host object, an archive
   or PTX, known by its contents. The bytes are borrowed until the link is destroyed; `name` is for
   messages. */
enum culd_status culd_add_image(culd_link *link, const char *name, const void *bytes, size_t size);

/* Links everything added, once: a second run fails. */
enum culd_status culd_run(culd_link *link);

/* The linked cubin after CULD_OK, else NULL. Lives as long as the link. */
const void *culd_output(const culd_link *link, size_t *size);

/*
 * The files that the options ask for (-o, --register-link-binaries, -time and so on), known after
 * culd_run. A link that fails may have some too, never the cubin. They live as long as the link.
 */
struct culd_file {
    const char *path;
    const void *bytes;
    size_t size;
    int is_appended; /* to what the file holds; else the file is replaced in one step */
};

/* The number of files; `files` becomes the first of them. */
size_t culd_files(const culd_link *link, const struct culd_file **files);

/* Writes them in their order up to the first that cannot be written, which is a fatal error. */
enum culd_status culd_write_files(culd_link *link);

/* Text that options ask for on standard output (--help, --version, -time=-), or NULL. */
const char *culd_requested_text(const culd_link *link);

/* The name that messages are to begin with, by --tool-name; NULL where the program's own is. */
const char *culd_tool_name(const culd_link *link);

const char *culd_version(void);

#ifdef __cplusplus
}
#endif

#endif
