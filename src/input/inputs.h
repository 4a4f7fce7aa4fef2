/*
 * inputs.h: the read phase. Every input is opened, classified by its extension and its contents as
 * nvlink does, and reduced to the device images that are to be merged, before any of them is.
 */
#ifndef CULD_INPUT_INPUTS_H
#define CULD_INPUT_INPUTS_H

#include "arch/arch.h"
#include "base/array.h"
#include "base/diag.h"
#include "base/file.h"
#include "elfw/view.h"
#include "input/cubin_check.h"
#include "input/decompress.h"
#include "input/device_code.h"
#include "input/libraries.h"
#include "input/preload.h"
#include "input/ptx.h"

struct input {
    const char *name;      /* for messages: the path, or "archive:member" */
    struct bytes image;    /* the device ELF image; empty: nothing to merge */
    bool is_compiled;      /* from PTX: the image may come later */
    bool is_listed;        /* has code for linking, if not for this target: it registers */
    bool is_left_out;      /* the device runtime, where nothing needs it */
    bool lacks_references; /* does not say which kernels its host code uses */
    bool has_module_ids;
    struct bytes module_ids; /* strings of the host object, as the next two */
    struct bytes external_kernels;
    struct bytes internal_kernels;
};

struct input_settings {
    struct arena *arena;
    const struct arch *arch;
    bool is_virtual_target; /* nothing is merged: entries are not chosen */
    bool prefer_lto;
    bool suppress_arch_warning;
    unsigned (*threads_for)(void *user, uint64_t bytes); /* how many are worth it */
    void *user;
    struct crew *crew;
};

struct inputs {
    struct input_settings settings;
    struct ptx_compiler ptx;
    struct unpacker unpacker;
    struct preload preload;
    struct code_queue codes;    /* of host objects among these */
    ARRAY(struct input *) list; /* in merge order */
    ARRAY(struct input_file) files;
    ARRAY(const char *) paths; /* of all files that were read */
    struct image_kinds kinds;  /* of the images so far */
    bool has_plain_file;       /* something took part that can have no references of host code */
};

/* Is this the device runtime library, or something in it? Its name is all that tells. */
bool is_device_runtime(const char *name);

/* The file of that number on the command line, read now unless it was before, becomes one input, or
   those of its members; fatal if it cannot be linked. */
void inputs_add_file(struct inputs *inputs, const char *path, uint32_t number);

/* What is packed in the files that are read, before it is their turn. */
void inputs_unpack_ahead(struct inputs *inputs);

/* The library's file now belongs to the inputs. */
void inputs_add_library(struct inputs *inputs, struct library *library);

/* The same for a file in memory, classified by its contents alone. */
void inputs_add_image(struct inputs *inputs, const char *name, struct bytes image);

/* All images are there once this returned. */
void inputs_finish(struct inputs *inputs);

/* The kind of link: mercury where all inputs have it. */
const struct link_view *inputs_view(const struct inputs *inputs);

/* The file that the address lies in, NULL: none. Fit for a signal handler. */
const char *inputs_path_of(const struct inputs *inputs, const void *address);
/* A file that was written to since it was read, NULL: none was. Fit for a signal handler. */
const char *inputs_changed(const struct inputs *inputs);

void inputs_release(struct inputs *inputs);

#endif
