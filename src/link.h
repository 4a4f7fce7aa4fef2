/*
 * link.h: one link, from options to the image of the output. The driver in link.c reads as the
 * list of phases.
 */
#ifndef CULD_LINK_H
#define CULD_LINK_H

#include "culd.h"
#include "elfw/elfw.h"
#include "input/inputs.h"
#include "options.h"

struct memory_input {
    const char *name;
    struct bytes image;
};

struct culd_link {
    culd_message_fn on_message;
    void *user;
    struct diag diag;
    struct arena arena;
    struct options options;
    struct option_parser parser;
    bool has_failed; /* while options were taken */
    bool has_run;

    struct arch arch;
    ARRAY(struct memory_input) memory_inputs;
    struct inputs inputs;
    struct kernel_filter kernel_filter; /* --kernels-used */
    const char *text;                   /* --help, --version */
    struct bytes output;                /* on the heap */
};

#endif
