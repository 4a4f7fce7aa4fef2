/*
 * fatbin.h: the container of device code for several targets, and the choice of one entry.
 */
#ifndef CULD_INPUT_FATBIN_H
#define CULD_INPUT_FATBIN_H

#include "arch/arch.h"
#include "base/bytes.h"
#include "input/decompress.h"

#define FATBIN_MAGIC 0xBA55ED50u

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_CUBIN = 2, FATBIN_LTO = 8 };

struct fatbin_entry {
    uint16_t kind;
    uint32_t sm;
    char suffix; /* 'a', 'f' or 0 */
    bool is_64bit;
    enum compression compression;
    uint64_t unpacked_size;
    bool is_cut; /* the packed bytes are more than there are */
    struct bytes payload;
    bool is_scrambled;   /* PTX that cannot be read without a key, and compilers write none */
    const char *options; /* of the compiler that is to compile PTX */
    bool has_compat;     /* of code with mercury: the header says what its .nv.compat says */
    struct bytes compat; /* a zero byte, then these records */
};

enum fatbin_result {
    FATBIN_CHOSEN,
    FATBIN_NO_MATCH, /* no entry fits the target */
    FATBIN_ONLY_LTO, /* what fits needs link-time optimisation */
    FATBIN_UNKNOWN,  /* not a container, or of an unknown version */
    FATBIN_UNKNOWN_TARGET,
    FATBIN_DAMAGED,
};

bool fatbin_has_magic(struct bytes file);

struct fatbin_wish {
    const struct arch *target;
    bool only_virtual; /* no cubin will do */
    bool prefer_lto;
};

/* The entry of the first container in `file` that nvlink would take. */
enum fatbin_result fatbin_choose(struct bytes file, const struct fatbin_wish *wish,
                                 struct fatbin_entry *out);

/* The payload as it was before compression. */
enum unpacking fatbin_unpack(struct unpacker *unpacker, const struct fatbin_entry *entry,
                             struct bytes *out);

#endif
