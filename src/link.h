/*
 * link.h: one link, from options to the image of the output. The driver in link.c reads as the
 * list of phases.
 */
#ifndef CULD_LINK_H
#define CULD_LINK_H

#include "base/crew.h"
#include "base/text.h"
#include "base/trace.h"
#include "culd.h"
#include "elfw/elfw.h"
#include "input/inputs.h"
#include "input/libraries.h"
#include "layout/host_references.h"
#include "options/options.h"

struct memory_input {
    const char *name;
    struct bytes image;
};

typedef ARRAY(struct culd_file) file_list;

struct culd_link {
    culd_message_fn on_message;
    void *user;
    struct diag diag;
    struct arena arena;
    struct options options;
    struct option_parser parser;
    bool has_failed; /* while options were taken */
    bool has_run;
    unsigned free_processors; /* when they were first asked for; 0: not yet */

    struct arch arch;
    enum arch_kind target_kind;
    uint32_t api_version;  /* of --cuda-api-version, as 130 for 13.0; 0: any */
    const char *tool_name; /* of --tool-name, NULL: none */
    ARRAY(struct memory_input) memory_inputs;
    struct inputs inputs;
    struct crew crew;
    library_list libraries;
    struct kernel_filter kernel_filter; /* --kernels-used */
    struct host_references host_references;
    const char *text;         /* for standard output, NULL: none */
    file_list files;          /* to be written, in this order */
    struct text time_table;   /* of --time so far */
    uint32_t time_table_file; /* its place in `files` */
    struct trace trace;
    uint32_t trace_file;     /* the place of its file in `files`, from 1 */
    const struct elfw *elfw; /* for statistics */
    uint64_t output_size;    /* of the cubin */
    struct bytes output;     /* the image once it is complete */
    bool writes_parts;       /* the cubin is made while its file is written */
    struct output *parts;    /* that cubin; NULL: there is an image */
    uint32_t parts_file;     /* its place in `files` */
};

/* How many threads are worth it for so much work, at most as many as were asked for. */
unsigned link_threads(culd_link *link, uint64_t bytes);
/* The same for work that mostly waits, so that no processor has to be free for it. */
unsigned link_waiting_threads(const culd_link *link, uint64_t bytes);

/* Nobody will ask for the cubin but culd_write_files: it need not be in memory. */
void link_write_parts(culd_link *link);

/* The process ends, and with it memory and mapped files: lets go of what would outlive it. */
void link_leave(culd_link *link);

/*
 * The library writes no file while it links: what options ask for is collected here, also when the
 * link fails, and written by culd_write_files. Path and bytes live as long as the link.
 */
void link_add_file(culd_link *link, const char *path, struct bytes bytes);

#endif
